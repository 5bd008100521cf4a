// @ts-check
/**
 * The engine in a worker. The page sends orders, the worker answers each by its number:
 *   open {setup}     -> opened {opened}, or failed
 *   helpers {}       -> nothing; the helpers that were set up run from now on
 *   search {...}     -> depth {report} after each depth but the last, then done {report}, or failed
 *   stop {}          -> nothing; all searches ordered so far end soon
 * While a search of one depth runs no message comes in. Where the memory is shared the page writes the flag of the
 * engine itself; elsewhere a stop waits for the end of the depth, and `device_engine.js` ends the worker when that takes long.
 */

import { GAMES, Kernel } from "../../kernel.js";
import { placeOf } from "./position_conversion.js";
import { KernelSearch } from "./kernel_search.js";
import { bestVisible, fetchLevels, levelOf, visibleLines, pickLine, searchLimits, sightPlies } from "./engine_levels.js";
import { KernelModule } from "./wasm_loader.js";

/** @typedef {import("./position_conversion.js").Board} Board */
/** @typedef {import("./kernel_search.js").Limits} Limits */
/** @typedef {import("./engine_levels.js").LevelSettings} LevelSettings */

/**
 * @typedef {object} Setup
 * @property {WebAssembly.Module} compiled
 * @property {WebAssembly.Memory | null} memory the shared one, or null
 * @property {keyof typeof GAMES} game
 * @property {number} tableBytes
 * @property {number} helpers other threads
 * @property {string} files where levels.json and the networks are
 */
/** @typedef {{engine: number, stack: number, turn: number}} HelperSetup addresses in the shared memory */
/** @typedef {{network: string | null, notice: string | null, flag: number, helpers: HelperSetup[]}} Opened */
/** @typedef {{engine: KernelSearch, turn: Int32Array}} Helper its turn words are in search_thread_worker.js */
/**
 * @typedef {{boards: Board[], limits?: Limits, level?: number, seconds?: number, chances?: number[]}} Order chances:
 *   drawn from 0 to before 1, the first for the choice, then one for each hole
 */

const STACK_BYTES = 1 << 18;

class Searcher {
  /** @type {Helper[]} */ #helpers = [];
  #round = 0;

  /** @param {Kernel} kernel @param {KernelSearch} engine @param {LevelSettings} numbers @param {keyof typeof GAMES} game */
  constructor(kernel, engine, numbers, game) {
    const [holes = 0, stones = 0] = GAMES[game];
    this.kernel = kernel;
    this.engine = engine;
    this.numbers = numbers;
    this.game = game;
    this.usual = stones;
    this.stones = 2 * holes * stones;
  }

  /** @param {Helper[]} helpers */
  useHelpers(helpers) {
    this.#helpers = helpers;
  }

  /**
   * @param {Order} order
   * @param {(report: import("./kernel_search.js").Report) => void} tell
   * @param {() => Promise<boolean>} interrupted lets messages in
   */
  async search(order, tell, interrupted) {
    const earlier = order.boards.map((board) => ({ place: placeOf(board), side: /** @type {0 | 1} */ (board.turn === "white" ? 0 : 1) }));
    const now = earlier.pop();
    if (!now) throw new RangeError("there is no position to search");
    const level = order.level === undefined ? null : levelOf(this.numbers, this.game, order.level);
    const legal = this.kernel.legal(now.place);
    const { limits, alone } = level ? searchLimits(this.numbers, level, legal.length, order.seconds) : { limits: order.limits ?? {}, alone: false };
    const [chance = 0, ...chances] = order.chances ?? [];
    /** @type {Map<number, number> | null} */
    let plies = null;
    if (level && level.sight < 1 && legal.length > 1) {
      plies = new Map(legal.map((hole) => [hole, sightPlies(chances[hole - 1] ?? 0, now.place.own[hole - 1] ?? 0, this.usual, level.sight)]));
      limits.depth = Math.max(1, ...plies.values());
    }
    /** @type {import("./kernel_search.js").Line[][]} */
    const depths = [];
    if (alone) this.engine.clear();
    this.engine.begin(now.place, now.side, limits, earlier);
    const helpers = alone ? [] : this.#helpers;
    this.#beginHelpers(helpers);
    try {
      while (this.engine.step()) {
        const report = this.#report(helpers);
        if (plies) depths.push(report.lines);
        tell(report);
        if (await interrupted()) break;
      }
    } finally {
      this.#joinHelpers(helpers);
    }
    const report = this.#report(helpers);
    if (plies) return { report, move: bestVisible(visibleLines([...depths, report.lines], plies), report.lines, chance).move };
    return { report, move: level ? pickLine(report.lines, level, this.stones, chance).move : report.lines[0]?.move };
  }

  /** @param {Helper[]} helpers */
  #report(helpers) {
    const report = this.engine.report();
    for (const { engine } of helpers) report.nodes += engine.nodes();
    return report;
  }

  /** @param {Helper[]} helpers */
  #beginHelpers(helpers) {
    this.#round++;
    helpers.forEach(({ engine, turn }, index) => {
      this.engine.beginHelper(engine, index + 1);
      Atomics.store(turn, 0, this.#round);
      Atomics.notify(turn, 0);
    });
  }

  /**
   * Stops the helpers and waits for them: their engines must not be changed while they run.
   * @param {Helper[]} helpers
   */
  #joinHelpers(helpers) {
    for (const { engine } of helpers) engine.stop();
    for (const { turn } of helpers)
      for (let done = 0; (done = Atomics.load(turn, 1)) !== this.#round; ) Atomics.wait(turn, 1, done);
  }
}

/** @type {Promise<Searcher> | null} */
let searcher = null;
/** @type {HelperSetup[]} */
let prepared = [];
/** @type {Helper[]} */
let helpers = [];
let latest = 0;
let stopped = 0;
/** @type {Promise<void>} */
let turn = Promise.resolve();

/**
 * @param {Setup} setup
 * @returns {Promise<{made: Searcher, opened: Opened}>}
 */
async function open({ compiled, memory, game, tableBytes, helpers: count, files }) {
  const [module, numbers] = await Promise.all([
    KernelModule.make(compiled, memory ?? undefined),
    fetchLevels(new URL("levels.json", files)),
  ]);
  const kernel = new Kernel(module, GAMES[game]);
  const engine = new KernelSearch(kernel, tableBytes);
  for (let number = 0; number < count; number++) {
    const helper = new KernelSearch(kernel, 0);
    const at = module.reserve(64);
    const stack = module.reserve(STACK_BYTES) + STACK_BYTES;
    helpers.push({ engine: helper, turn: new Int32Array(module.memory.buffer, at, 2) });
    prepared.push({ engine: helper.address, stack, turn: at });
  }
  const { network, notice } = await useNetwork(engine, numbers, game, files);
  return { made: new Searcher(kernel, engine, numbers, game), opened: { network, notice, flag: engine.flag, helpers: prepared } };
}

/**
 * Loads the network of the game for all engines; without one they use the hand-written evaluation, and the notice says
 * why.
 * @param {KernelSearch} engine
 * @param {LevelSettings} numbers
 * @param {string} game
 * @param {string} files
 */
async function useNetwork(engine, numbers, game, files) {
  if (!numbers.networks.includes(game)) return { network: null, notice: null };
  const name = `${game}.kgn`;
  try {
    const answer = await fetch(new URL(`networks/${name}`, files));
    if (!answer.ok) throw new RangeError(`the server answers ${answer.status}`);
    const network = engine.copied(new Uint8Array(await answer.arrayBuffer()));
    for (const one of [engine, ...helpers.map((helper) => helper.engine)]) one.useNetwork(network);
    return { network: name, notice: null };
  } catch (error) {
    return { network: null, notice: `the network ${name} cannot be used: ${reasonOf(error)}` };
  }
}

/** @param {unknown} error */
function reasonOf(error) {
  return error instanceof Error ? error.message : String(error);
}

/** Lets the event loop handle waiting messages. */
function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(undefined);
    };
    port2.postMessage(0);
  });
}

/** @param {number} id @param {Order} order */
async function search(id, order) {
  try {
    const made = await searcher;
    if (!made) throw new Error("the engine is not open");
    const interrupted = async () => {
      await pause();
      return stopped >= id;
    };
    postMessage({ kind: "done", id, ...(await made.search(order, (report) => postMessage({ kind: "depth", id, report }), interrupted)) });
  } catch (error) {
    postMessage({ kind: "failed", id, range: error instanceof RangeError, message: reasonOf(error) });
  }
}

addEventListener("message", ({ data }) => {
  const { kind, id } = data;
  if (kind === "open") {
    const opening = open(data.setup);
    searcher = opening.then(({ made }) => made);
    opening.then(
      ({ opened }) => postMessage({ kind: "opened", id, opened }),
      (error) => postMessage({ kind: "failed", id, range: error instanceof RangeError, message: reasonOf(error) }),
    );
  } else if (kind === "helpers") {
    void searcher?.then((made) => made.useHelpers(helpers));
  } else if (kind === "search") {
    latest = id;
    turn = turn.then(() => search(id, data.order));
  } else if (kind === "stop") {
    stopped = latest;
  }
});
