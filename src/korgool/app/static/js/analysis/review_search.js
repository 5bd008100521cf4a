/** The searches of a review, and what they say of a position, from White's view. */

import { forWhite } from "./engine_lines.js";

/** @typedef {import("./engine_provider.js").DeviceEngine|import("./engine_provider.js").ServerEngine} Engine */
/** @typedef {import("./engine_provider.js").Report} Report */
/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./game_tree.js").SearchResult} SearchResult */

/** Nodes for a position: the same for all, so that neighbours can be compared. */
export const NODES = 40_000;
/** Nodes of a first look, which finds the figures of a whole game in about a second. */
export const QUICK_NODES = 4000;

/**
 * The result of a search of a position, from which the lines, the graph, the marks and the better move are shown.
 * @param {Node} node
 * @param {Report} report
 * @param {(node: Node, moves: number[]) => string[]} texts moves in field notation
 * @returns {SearchResult|null} null where it has found nothing
 */
export function searchResult(node, { lines }, texts) {
  const [best] = lines;
  if (!best) return null;
  const { turn } = node.snapshot.board;
  const values = lines.map((line) => forWhite(line, turn));
  const moves = Object.fromEntries(lines.map(({ move }, index) => {
    const { white, draw, evaluation } = values[index];
    return [move, { points: white + draw / 2, stones: evaluation }];
  }));
  const words = best.texts ?? texts(node, best.pv);
  const pv = best.pv.slice(0, words.length);
  return {
    evaluation: values[0].evaluation, expectation: moves[best.move].points, best: best.move, pv, texts: words, depth: best.depth,
    certain: Math.sign(values[0].certain), moves,
  };
}

/** The value of a finished position, null of one that goes on. @param {Node} node @returns {SearchResult|null} */
export function outcomeValue({ snapshot: { outcome } }) {
  if (!outcome) return null;
  const expectation = outcome.winner === null ? 0.5 : Number(outcome.winner === "white");
  return {
    evaluation: outcome.stores[0] - outcome.stores[1], expectation, best: 0, pv: [], texts: [], depth: 0, certain: 2 * expectation - 1,
  };
}

/**
 * Return whether a search has reached the depth of the review, or all that it could reach.
 * @param {Report} report
 */
export const isDeepEnough = ({ nodes, lines, whole }) => lines.length > 0 && (whole || nodes >= NODES * lines.length);

/**
 * Search a position for the review.
 * @param {Engine} engine
 * @param {Node} node
 * @param {number} nodes for each line
 * @param {(node: Node, moves: number[]) => string[]} texts
 * @param {number} [most] lines
 * @returns {Promise<SearchResult|null>} null where another search has ended it
 */
export async function searchNode(engine, node, nodes, texts, most = 1) {
  const known = outcomeValue(node);
  if (known) return known;
  const lines = Math.min(most, node.snapshot.legal.length);
  const report = await engine.analyse(node, { nodes: nodes * lines, lines });
  return report.whole ? searchResult(node, report, texts) : null;
}
