/** The main line in the eyes of the engine: every position looked at with the same small effort, and marks for moves. */

import { drawGraph, summary } from "../graph.js";
import { gettext } from "../words.js";
import { points } from "./goal.js";
import { forWhite } from "./lines.js";

/** @typedef {import("./engine.js").DeviceEngine|import("./engine.js").ServerEngine} Engine */
/** @typedef {import("./tree.js").Node} Node */
/** @typedef {import("./tree.js").Tree} Tree */
/** @typedef {{least: number, mark: string, sign: string}} Threshold */

/** Nodes for a position: the same for all, so that neighbours can be compared. */
const NODES = 40_000;

/** What is known of a finished position. @param {Node} node */
function ended(node) {
  const outcome = node.snapshot.outcome;
  if (!outcome) return null;
  const expectation = outcome.winner === null ? 0.5 : Number(outcome.winner === "white");
  return {
    evaluation: outcome.stores[0] - outcome.stores[1], expectation, best: 0, pv: [], texts: [], depth: 0,
  };
}

/**
 * What a ply gave away: as the server's review of records judges.
 * @param {Node} node after the ply
 * @param {Threshold[]} marks the worst first
 */
export function judge(node, marks) {
  const before = node.parent?.seen;
  if (!before || !node.seen || !node.parent) return null;
  if (node.hole === before.best) return null;
  const sign = node.parent.snapshot.board.turn === "white" ? 1 : -1;
  const lost = sign * (before.expectation - node.seen.expectation);
  const found = marks.find(({ least }) => lost >= least - 1e-9);
  return found ? { sign: found.sign, mark: found.mark, lost } : null;
}

export class Review {
  /** @type {Engine|null} */ #engine = null;
  /** @type {Promise<Engine>|null} */ #opening = null;
  #running = false;
  #wanted = false;
  /** @type {Tree|null} */ #tree = null;
  /** @type {ReturnType<typeof drawGraph>|null} */ #graph = null;
  #drawn = "";

  /**
   * @param {HTMLElement} host the section with the graph
   * @param {Threshold[]} marks
   * @param {{pick: (ply: number) => void, judged: () => void, open: () => Promise<Engine>,
   *   goal: () => number, texts: (node: Node, moves: number[]) => string[]}} tell
   */
  constructor(host, marks, tell) {
    this.host = host;
    this.marks = marks;
    this.tell = tell;
  }

  /** Look at what of a tree's main line is not known yet, in the background. @param {Tree} tree @param {boolean} on */
  follow(tree, on) {
    this.#tree = tree;
    this.#wanted = on;
    this.draw();
    if (on) void this.#run();
  }

  /** Another game: the engine that was in use knows nothing of it. */
  forget() {
    this.#engine?.close();
    this.#engine = null;
    this.#opening = null;
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    const begun = this.#tree;
    try {
      for (let node = this.#next(); node; node = this.#next()) {
        const tree = this.#tree;
        node.seen = ended(node) ?? (await this.#look(node));
        if (!node.seen) break;
        for (const one of [node, ...node.children]) one.judged = judge(one, this.marks);
        if (tree === this.#tree) this.draw();
        this.tell.judged();
      }
    } catch {
      // Without the engine there is no graph, and the page is complete otherwise.
    }
    this.#running = false;
    // The engine of the game before was closed under its hands; the new one is still to be looked at.
    if (this.#tree !== begun) void this.#run();
  }

  /** @returns {Node|undefined} */
  #next() {
    const line = this.#tree?.line ?? [];
    if (!this.#wanted || line.length < 2) return undefined;
    return line.find((node) => !node.seen);
  }

  /** @param {Node} node */
  async #look(node) {
    this.#opening ??= this.tell.open();
    const opening = this.#opening;
    const engine = await opening;
    if (opening !== this.#opening) {
      engine.close();
      return null;
    }
    this.#engine = engine;
    const report = await engine.analyse(node, { nodes: NODES, lines: 1 });
    const line = report.lines[0];
    if (!line) return null;
    const { evaluation, white, draw } = forWhite(line, node.snapshot.board.turn);
    const texts = line.texts ?? this.tell.texts(node, line.pv);
    const pv = line.pv.slice(0, texts.length);
    return { evaluation, expectation: white + draw / 2, best: line.move, pv, texts, depth: line.depth };
  }

  /** Draw what is known. */
  draw() {
    const line = this.#tree?.line ?? [];
    const known = points(line, this.tell.goal());
    // Its room is kept from the start, so that nothing below it moves when it comes.
    this.host.hidden = line.length < 2 || (!this.#wanted && known.length < 2);
    const marks = line.flatMap(({ ply, judged }) => (judged ? [{ ply, sign: judged.sign, mark: judged.mark }] : []));
    const key = JSON.stringify([known, marks, line.length]);
    if (this.host.hidden || key === this.#drawn) return;
    this.#drawn = key;
    const drawing = /** @type {HTMLElement} */ (this.host.querySelector(".drawing"));
    this.#graph = drawGraph(drawing, known, this.tell.pick, { plies: line.length - 1, marks });
    const text = /** @type {HTMLElement} */ (this.host.querySelector(".summary"));
    const values = { n: known.length, all: line.length };
    text.textContent = known.length === line.length
      ? summary(known) : gettext("%(n)s of %(all)s positions looked at", values);
    this.host.toggleAttribute("data-complete", known.length === line.length);
    this.#graph.mark(this.#marked);
  }

  /** @type {number|null} */ #marked = null;

  /** Where the board stands. @param {number|null} ply null beside the main line */
  mark(ply) {
    this.#marked = ply;
    this.#graph?.mark(ply);
  }
}
