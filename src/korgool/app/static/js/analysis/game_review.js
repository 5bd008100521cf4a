/** The review of the main line: every position is searched with the same small effort, and bad moves get marks. */

import { drawGraph, graphSummary } from "./evaluation_graph.js";
import { gettext } from "../site/translations.js";
import { graphPoints } from "./graph_values.js";
import { forWhite } from "./engine_lines.js";

/** @typedef {import("./engine_provider.js").DeviceEngine|import("./engine_provider.js").ServerEngine} Engine */
/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./game_tree.js").Tree} Tree */
/** @typedef {{least: number, mark: string, sign: string}} Threshold */

/** Nodes for a position: the same for all, so that neighbours can be compared. */
const NODES = 40_000;

/**
 * The result of a search of a position, from which the lines, the graph, the marks and the better move are shown.
 * @param {Node} node
 * @param {import("./engine_provider.js").Report} report
 * @param {(node: Node, moves: number[]) => string[]} texts moves in field notation
 * @returns {import("./game_tree.js").SearchResult|null} null where it has found nothing
 */
function searchResult(node, { lines }, texts) {
  const [best] = lines;
  if (!best) return null;
  const { turn } = node.snapshot.board;
  const values = lines.map((line) => forWhite(line, turn));
  const moves = Object.fromEntries(lines.map(({ move }, index) => [move, values[index].white + values[index].draw / 2]));
  const words = best.texts ?? texts(node, best.pv);
  const pv = best.pv.slice(0, words.length);
  return { evaluation: values[0].evaluation, expectation: moves[best.move], best: best.move, pv, texts: words, depth: best.depth, moves };
}

/**
 * Return whether a search has reached the depth of the review, or all that it could reach.
 * @param {import("./engine_provider.js").Report} report
 */
export const isDeepEnough = ({ nodes, lines, whole }) => lines.length > 0 && (whole || nodes >= NODES * lines.length);

/** The value of a finished position. @param {Node} node */
function outcomeValue(node) {
  const outcome = node.snapshot.outcome;
  if (!outcome) return null;
  const expectation = outcome.winner === null ? 0.5 : Number(outcome.winner === "white");
  return {
    evaluation: outcome.stores[0] - outcome.stores[1], expectation, best: 0, pv: [], texts: [], depth: 0,
  };
}

/**
 * Judge by how much a ply worsened the result, as in the server's review of records, or by a single search if that
 * examined the ply too.
 * @param {Node} node after the ply
 * @param {Threshold[]} marks the worst first
 */
export function judgeMove(node, marks) {
  const before = node.parent?.seen;
  if (!before || !node.seen || !node.parent) return null;
  if (node.hole === before.best) return null;
  const sign = node.parent.snapshot.board.turn === "white" ? 1 : -1;
  const lost = sign * (before.expectation - (before.moves?.[node.hole] ?? node.seen.expectation));
  const threshold = marks.find(({ least }) => lost >= least - 1e-9);
  return threshold ? { sign: threshold.sign, mark: threshold.mark, lost } : null;
}

export class GameReview {
  /** @type {Engine|null} */ #engine = null;
  /** @type {Promise<Engine>|null} */ #opening = null;
  #running = false;
  #wanted = false;
  #hidden = false;
  /** @type {Tree|null} */ #tree = null;
  /** @type {ReturnType<typeof drawGraph>|null} */ #graph = null;
  #drawn = "";

  /**
   * @param {HTMLElement} host the section with the graph
   * @param {Threshold[]} marks
   * @param {{pick: (ply: number) => void, judged: () => void, open: () => Promise<Engine>,
   *   goal: () => number, texts: (node: Node, moves: number[]) => string[]}} page
   */
  constructor(host, marks, page) {
    this.host = host;
    this.marks = marks;
    this.page = page;
  }

  /**
   * Search the unknown positions of a tree's main line in the background.
   * @param {Tree} tree
   * @param {boolean} on
   * @param {boolean} hidden whether the game goes on, so that nothing may be shown
   */
  follow(tree, on, hidden) {
    this.#tree = tree;
    this.#wanted = on && !hidden;
    this.#hidden = hidden;
    this.draw();
    if (this.#wanted) void this.#run();
  }

  /** Close the engine, because another game needs another one. */
  reset() {
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
        const seen = outcomeValue(node) ?? (await this.#look(node));
        node.seen ??= seen; // the page may have searched deeper in the meantime
        if (!node.seen) break;
        this.#judge(node);
        if (tree === this.#tree) this.draw();
        this.page.judged();
      }
    } catch {
      // Without the engine there is no graph; the rest of the page works.
    }
    this.#running = false;
    // The engine of the previous game was closed during its search; start with the new one.
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
    this.#opening ??= this.page.open();
    const opening = this.#opening;
    const engine = await opening;
    if (opening !== this.#opening) {
      engine.close();
      return null;
    }
    this.#engine = engine;
    return searchResult(node, await engine.analyse(node, { nodes: NODES, lines: 1 }), this.page.texts);
  }

  /**
   * The page shows these lines, so the judgements of moves follow them.
   * @param {Node} node
   * @param {import("./engine_provider.js").Report} report
   */
  see(node, report) {
    node.seen = searchResult(node, report, this.page.texts) ?? node.seen;
    this.draw();
    if (this.#judge(node)) this.page.judged();
  }

  /** Judge the ply that led to a node and those after it. @param {Node} node @returns {boolean} whether that is news */
  #judge(node) {
    const about = [node, ...node.children];
    const before = JSON.stringify(about.map(({ judged }) => judged));
    for (const one of about) one.judged = judgeMove(one, this.marks);
    return JSON.stringify(about.map(({ judged }) => judged)) !== before;
  }

  /** Draw what is known. */
  draw() {
    const line = this.#tree?.line ?? [];
    const points = graphPoints(line, this.page.goal());
    // Its room is kept from the start, so that nothing below it moves when it comes.
    this.host.hidden = this.#hidden || line.length < 2 || (!this.#wanted && points.length < 2);
    const marks = line.flatMap(({ ply, judged }) => (judged ? [{ ply, sign: judged.sign, mark: judged.mark }] : []));
    const key = JSON.stringify([points, marks, line.length]);
    if (this.host.hidden || key === this.#drawn) return;
    this.#drawn = key;
    const drawing = /** @type {HTMLElement} */ (this.host.querySelector(".drawing"));
    this.#graph = drawGraph(drawing, points, this.page.pick, { plies: line.length - 1, marks });
    const text = /** @type {HTMLElement} */ (this.host.querySelector(".summary"));
    const values = { n: points.length, all: line.length };
    text.textContent = points.length === line.length
      ? graphSummary(points) : gettext("%(n)s of %(all)s positions analysed", values);
    this.host.toggleAttribute("data-complete", points.length === line.length);
    this.#graph.mark(this.#marked);
  }

  /** @type {number|null} */ #marked = null;

  /** Mark the ply on the board. @param {number|null} ply null beside the main line */
  mark(ply) {
    this.#marked = ply;
    this.#graph?.mark(ply);
  }
}
