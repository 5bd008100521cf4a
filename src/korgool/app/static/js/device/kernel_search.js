// @ts-check
/** Runs the kernel's search step by step, in the calling thread; call it in a worker, or the page freezes. */

/** @typedef {import("../../kernel.js").Kernel} Kernel */
/** @typedef {import("../../kernel.js").Place} Place */
/** @typedef {{seconds?: number, depth?: number, nodes?: number, lines?: number}} Limits lines: first moves to tell */

/**
 * @typedef {object} Line
 * @property {number} move hole number, from 1
 * @property {number} evaluation expected final store difference for the side to move, in stones
 * @property {-1 | 0 | 1} certain 1 when the side to move surely wins, -1 when it surely loses
 * @property {boolean} exact whether the evaluation is proven
 * @property {number} depth plies looked ahead
 * @property {number[]} pv hole numbers of the line expected
 * @property {number} win chance that the side to move wins, 0 to 1; the three make 1
 * @property {number} draw
 * @property {number} loss
 */
/** @typedef {{nodes: number, seconds: number, lines: Line[]}} Report the best line first */

import { PLACE_BYTES } from "../../kernel.js";

const UNIT = 32;
const WIN = 16000;
const CERTAIN = 12000;
const MAX_LINES = 9;
const DEEPEST = 1 << 20;
const MAX_HISTORY = 512;
const LINE_BYTES = 120;
const REPORT_BYTES = 24 + MAX_LINES * LINE_BYTES;

/** The answers of kg_engine_network that refuse a network. */
const REFUSALS = new Map([
  [-1, "it is cut off"],
  [-2, "it is no network of Korgool"],
  [-3, "it is of another version"],
  [-4, "its checksum is wrong; it is damaged"],
  [-5, "its sizes do not fit together"],
  [-6, "it was made for a game with other rules"],
  [-7, "this browser does not reproduce the outputs stored in it"],
]);

export class KernelSearch {
  #kernel;
  #exports;
  #scratch;
  #history;
  #sides;
  /** @type {number[]} what the last search was begun with */ #begun = [];

  /**
   * @param {Kernel} kernel
   * @param {number} tableBytes memory of the transposition table, at most; 0 for none
   * @throws {RangeError} there is no such memory
   */
  constructor(kernel, tableBytes) {
    const module = kernel.module;
    this.#kernel = kernel;
    this.#exports = module.exports;
    this.#scratch = module.reserve(64 + 32 + 24 + REPORT_BYTES);
    this.#history = module.reserve(MAX_HISTORY * PLACE_BYTES);
    this.#sides = module.reserve(MAX_HISTORY);
    /** The address of the engine in the module's memory. */
    this.address = module.reserve(Number(this.#exports.kg_engine_bytes(BigInt(tableBytes))));
    this.#exports.kg_engine_init(this.address, kernel.address, BigInt(tableBytes));
  }

  /** The address of the flag that ends a running search when it becomes 1. */
  get flag() {
    return Number(this.#exports.kg_engine_flag(this.address));
  }

  /**
   * Copies a network file into the memory.
   * @param {Uint8Array} file
   * @returns {{address: number, length: number}} for `useNetwork` of this engine and its helpers
   */
  copied(file) {
    const address = this.#kernel.module.reserve(file.length);
    this.#kernel.module.bytes(address, file.length).set(file);
    return { address, length: file.length };
  }

  /**
   * Switches to a network or to the hand-written evaluation, and forgets earlier results.
   * @param {{address: number, length: number} | null} network as `copied` gave it
   * @throws {RangeError} the kernel refuses it; then the engine stays as it was
   */
  useNetwork(network) {
    const code = this.#exports.kg_engine_network(this.address, network?.address ?? 0, BigInt(network?.length ?? 0));
    if (code !== 0) throw new RangeError(REFUSALS.get(code) ?? `the kernel refuses it (${code})`);
  }

  /**
   * Starts a search.
   * @param {Place} place
   * @param {0 | 1} side who moves there
   * @param {Limits} limits
   * @param {{place: Place, side: 0 | 1}[]} [history] earlier positions, oldest first, by which a repetition is known
   * @throws {RangeError} the game is over there, the position is invalid, or a limit is invalid
   */
  begin(place, side, limits, history = []) {
    checkLimits(limits);
    if (!this.#kernel.fits(place)) throw new RangeError("this is no position of the game");
    this.#kernel.write(place, this.#scratch);
    const bounds = this.#kernel.module.view(this.#scratch + 64, 32);
    bounds.setFloat64(0, limits.seconds ?? -1, true);
    bounds.setBigUint64(8, BigInt(limits.nodes ?? 0), true);
    bounds.setInt32(16, Math.min(limits.depth ?? 0, DEEPEST), true);
    bounds.setInt32(20, limits.lines ?? 1, true);
    bounds.setInt32(24, 0, true);
    const before = sameStores(place, history);
    const sides = this.#kernel.module.bytes(this.#sides, MAX_HISTORY);
    before.forEach((earlier, index) => {
      this.#kernel.write(earlier.place, this.#history + index * PLACE_BYTES);
      sides[index] = earlier.side;
    });
    const given = [this.#scratch, side, this.#scratch + 64, this.#history, this.#sides, before.length];
    if (this.#exports.kg_engine_begin(this.address, ...given) !== 0) throw new RangeError("there is nothing to search, the game is over");
    this.#begun = given;
  }

  /**
   * Prepares another engine, without a table of its own, to search the same beside this one.
   * @param {KernelSearch} helper
   * @param {number} number from 1
   */
  beginHelper(helper, number) {
    this.#exports.kg_engine_help(helper.address, this.address, number);
    this.#exports.kg_engine_begin(helper.address, ...this.#begun);
  }

  /** Searches one ply deeper; returns false if the search is over. */
  step() {
    return this.#exports.kg_engine_step(this.address) === 1;
  }

  /** Ends a running search, of this thread or another. */
  stop() {
    this.#exports.kg_engine_stop(this.address);
  }

  /** Forgets what earlier searches found. */
  clear() {
    this.#exports.kg_engine_clear(this.address);
  }

  /** The positions visited so far. */
  nodes() {
    this.#exports.kg_engine_report(this.address, this.#scratch + 120);
    return Number(this.#kernel.module.view(this.#scratch + 120, 8).getBigUint64(0, true));
  }

  /**
   * The report of the search so far.
   * @returns {Report}
   */
  report() {
    this.#exports.kg_engine_report(this.address, this.#scratch + 120);
    const report = this.#kernel.module.view(this.#scratch + 120, REPORT_BYTES);
    const lines = Array.from({ length: report.getInt32(16, true) }, (_, index) => this.#line(report, 24 + index * LINE_BYTES));
    return { nodes: Number(report.getBigUint64(0, true)), seconds: report.getFloat64(8, true), lines };
  }

  /**
   * Run a whole search.
   * @param {Place} place
   * @param {Limits} limits
   * @param {0 | 1} [side]
   */
  search(place, limits, side = 0) {
    this.begin(place, side, limits);
    this.#exports.kg_engine_run(this.address);
    return this.report();
  }

  /**
   * @param {DataView} report
   * @param {number} at
   * @returns {Line}
   */
  #line(report, at) {
    const value = report.getInt32(at + 4, true);
    const certain = value > CERTAIN ? 1 : value < -CERTAIN ? -1 : 0;
    const exact = report.getInt32(at + 12, true) === 1;
    const depth = report.getInt32(at + 8, true);
    const evaluation = (value - certain * WIN) / UNIT;
    const [win, draw, loss] = certain || exact ? [Number(certain > 0), Number(certain === 0), Number(certain < 0)] : this.#chances(value, depth);
    return {
      move: report.getInt32(at, true) + 1,
      evaluation,
      certain,
      exact,
      depth,
      pv: Array.from({ length: report.getInt32(at + 16, true) }, (_, ply) => report.getUint8(at + 20 + ply) + 1),
      win,
      draw,
      loss,
    };
  }

  /**
   * Chances of win, draw and loss in the position searched, for a value found there.
   * @param {number} value in UNITs
   * @param {number} depth plies looked ahead for it
   * @returns {[number, number, number]}
   */
  #chances(value, depth) {
    const at = this.#scratch + 96;
    this.#exports.kg_engine_chances(this.address, this.#scratch, value, depth, at);
    const found = this.#kernel.module.view(at, 24);
    return [found.getFloat64(0, true), found.getFloat64(8, true), found.getFloat64(16, true)];
  }
}

/** @param {Limits} limits */
function checkLimits({ seconds = 0, depth = 1, nodes = 1, lines = 1 }) {
  if (!(Number.isFinite(seconds) && seconds >= 0)) throw new RangeError(`a search takes 0 seconds or more, not ${seconds}`);
  if (!(Number.isSafeInteger(depth) && depth >= 1)) throw new RangeError(`a search looks at least 1 ply ahead, not ${depth}`);
  if (!(Number.isSafeInteger(nodes) && nodes >= 1)) throw new RangeError(`a search visits at least 1 node, not ${nodes}`);
  if (!(Number.isInteger(lines) && lines >= 1 && lines <= MAX_LINES)) throw new RangeError(`an analysis tells 1 to ${MAX_LINES} lines, not ${lines}`);
}

/**
 * The part of the history that can matter: positions with as many stones in the stores as now, because stores never
 * lose stones.
 * @param {Place} place
 * @param {{place: Place, side: 0 | 1}[]} history
 */
function sameStores(place, history) {
  const stored = (/** @type {Place} */ { stores }) => stores[0] + stores[1];
  let from = history.length;
  while (from > 0 && history.length - from < MAX_HISTORY && stored(/** @type {any} */ (history[from - 1]).place) === stored(place)) from--;
  return history.slice(from);
}
