/**
 * The review of the main line in the background: a quick look at every position gives the first figures, then each one is
 * searched with the same small effort, first where most was lost, and the moves get their marks.
 */

import { judgeMove } from "./review_values.js";
import { NODES, QUICK_NODES, searchNode, searchResult } from "./review_search.js";

/** @typedef {import("./engine_provider.js").DeviceEngine|import("./engine_provider.js").ServerEngine} Engine */
/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./game_tree.js").SearchResult} SearchResult */
/** @typedef {import("./game_tree.js").Tree} Tree */
/** @typedef {import("./review_values.js").Judgement} Judgement */
/** @typedef {{node: Node, side: import("../game/message_types.js").Side, judgement: Judgement|null, final: boolean}} ReviewedMove */

/** A second line shows whether a move was the only good one; the quick look says where that may be. */
const HINTED_GAP = 0.06;

export class GameReview {
  /** @type {Engine|null} */ #engine = null;
  /** @type {Promise<Engine>|null} */ #opening = null;
  #running = false;
  #wanted = false;
  #hidden = false;
  /** @type {Tree|null} */ #tree = null;
  /** What the quick look found. @type {WeakMap<Node, SearchResult>} */ #quick = new WeakMap();
  /** Resolves when the search of the person's own move may begin. @type {Promise<unknown>} */ #asked = Promise.resolve();

  /**
   * @param {{open: () => Promise<Engine>, game: () => string, texts: (node: Node, moves: number[]) => string[],
   *   judged: () => void, changed: () => void}} page judged: where marks have changed; changed: where anything has
   */
  constructor(page) {
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
    this.page.changed();
    if (this.#wanted) void this.#run();
  }

  /** Close the engine, because another game needs another one. */
  reset() {
    this.#engine?.close();
    this.#engine = null;
    this.#opening = null;
  }

  get hidden() {
    return this.#hidden;
  }

  get wanted() {
    return this.#wanted;
  }

  /** The main line, the start included. */
  get line() {
    return this.#tree?.line ?? [];
  }

  /** What is known of a position. @param {Node} node @returns {SearchResult|null} */
  found(node) {
    return node.seen ?? this.#quick.get(node) ?? null;
  }

  /** The moves of the main line with what is known of them. @returns {ReviewedMove[]} */
  get moves() {
    const game = this.page.game();
    return this.line.slice(1).map((node) => {
      const parent = /** @type {Node} */ (node.parent);
      const final = Boolean(node.seen && parent.seen);
      // Searches of one depth are compared.
      const quick = (/** @type {Node} */ one) => this.#quick.get(one) ?? one.seen;
      const judgement = final ? judgeMove(game, node) : judgeMove(game, node, quick(parent), quick(node));
      return { node, side: parent.snapshot.board.turn, judgement, final };
    });
  }

  /** Positions that were searched to the end, and all of them. */
  get progress() {
    const { line } = this;
    return { done: line.filter(({ seen }) => seen).length, all: line.length };
  }

  /**
   * Judge a move beside the game: search the position after it as deep as those of the game, before all others.
   * @param {Node} node after the move; its parent is on the main line
   * @returns {Promise<Judgement|null>} null where the engine is gone
   */
  async judge(node) {
    const parent = /** @type {Node} */ (node.parent);
    const work = this.#asked.then(async () => {
      for (const one of [parent, node]) one.seen ??= await this.#look(one, NODES, 1);
    });
    this.#asked = work.catch(() => undefined);
    await work;
    return judgeMove(this.page.game(), node);
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    const begun = this.#tree;
    try {
      for (let next = this.#next(); next; next = this.#next()) {
        const asked = this.#asked;
        await asked;
        const { node, deep } = next;
        const seen = await this.#look(node, deep ? NODES : QUICK_NODES, deep ? this.#linesOf(node) : 2);
        if (!seen && this.#asked !== asked) continue; // a move that the visitor tried came first
        if (!seen) break;
        if (deep) node.seen ??= seen; // the page may have searched deeper in the meantime
        else this.#quick.set(node, seen);
        if (deep && this.#judge(node)) this.page.judged();
        this.page.changed();
      }
    } catch {
      // Without the engine there is no review; the rest of the page works.
    }
    this.#running = false;
    // The engine of the previous game was closed during its search; start with the new one.
    if (this.#tree !== begun) void this.#run();
  }

  /** The next position to search: all quickly, then where most was lost. @returns {{node: Node, deep: boolean}|null} */
  #next() {
    const { line } = this;
    if (!this.#wanted || line.length < 2) return null;
    const unknown = line.find((node) => !this.found(node));
    if (unknown) return { node: unknown, deep: false };
    const lost = this.moves.map(({ judgement }) => judgement?.lost ?? 0);
    // A mark needs both positions, before the move and after it.
    const worth = (/** @type {number} */ index) => Math.max(lost[index - 1] ?? 0, lost[index] ?? 0);
    let best = -1;
    line.forEach(({ seen }, index) => {
      if (!seen && (best < 0 || worth(index) > worth(best))) best = index;
    });
    return best < 0 ? null : { node: line[best], deep: true };
  }

  /** Lines that the review searches: two where the move of the game may be the only good one. @param {Node} node */
  #linesOf(node) {
    const quick = this.#quick.get(node);
    const values = Object.values(quick?.moves ?? {}).map(({ points }) => points);
    const gap = values.length < 2 ? 0 : Math.abs(values[0] - values[1]);
    return quick && node.children[0]?.hole === quick.best && gap >= HINTED_GAP ? 2 : 1;
  }

  /** The engine; null where another game has taken it. @returns {Promise<Engine|null>} */
  async #ready() {
    this.#opening ??= this.page.open();
    const opening = this.#opening;
    const engine = await opening;
    if (opening !== this.#opening) {
      engine.close();
      return null;
    }
    this.#engine = engine;
    return engine;
  }

  /** @param {Node} node @param {number} nodes @param {number} lines @returns {Promise<SearchResult|null>} */
  async #look(node, nodes, lines) {
    const engine = await this.#ready();
    return engine && searchNode(engine, node, nodes, this.page.texts, lines);
  }

  /**
   * Search every move of a position.
   * @param {Node} node
   * @param {number} nodes for each move
   * @returns {Promise<import("./engine_provider.js").Line[]>} the best first; none where another search has ended it
   */
  async searchAll(node, nodes) {
    const work = this.#asked.then(async () => {
      const engine = await this.#ready();
      const { length } = node.snapshot.legal;
      const report = engine && (await engine.analyse(node, { nodes: nodes * length, lines: length }));
      return report?.whole ? report.lines : [];
    });
    this.#asked = work.catch(() => undefined);
    return work;
  }

  /**
   * The page shows these lines, so the judgements of moves follow them.
   * @param {Node} node
   * @param {import("./engine_provider.js").Report} report
   */
  see(node, report) {
    node.seen = searchResult(node, report, this.page.texts) ?? node.seen;
    if (this.#judge(node)) this.page.judged();
    this.page.changed();
  }

  /** Judge the ply that led to a node and those after it. @param {Node} node @returns {boolean} whether that is news */
  #judge(node) {
    const about = [node, ...node.children];
    const marks = () => about.map(({ judged }) => `${judged?.sign} ${Math.round(judged?.stones ?? 0)}`).join();
    const before = marks();
    for (const one of about) {
      const judgement = judgeMove(this.page.game(), one);
      one.judged = judgement?.mark ? judgement : null;
    }
    return marks() !== before;
  }
}
