/**
 * What the review of a game counts: what each ply gave away, its mark, and the accuracy of both players. The definitions
 * are those of `korgool.engine.review`; a test compares the two.
 */

import { stonesAhead } from "./graph_values.js";

/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./game_tree.js").SearchResult} SearchResult */
/** @typedef {"blunder"|"mistake"|"inaccuracy"} Fault */
/**
 * @typedef {{lost: number, stones: number, weight: number, mark: Fault|"good"|null, sign: string}} Judgement lost: points
 *   given away, 0 to 1; stones: by which the expected difference of the stores fell; weight: how much it counts
 */
/**
 * @typedef {{moves: number, accuracy: number|null, counts: Record<Fault|"good", number>}} PlayerSummary accuracy: in
 *   percent, null where no move had an alternative
 */

/** A move that gives away at least so much of a point has the mark. @type {{least: number, mark: Fault, sign: string}[]} */
export const MARKS = [
  { least: 0.2, mark: "blunder", sign: "??" },
  { least: 0.1, mark: "mistake", sign: "?" },
  { least: 0.05, mark: "inaccuracy", sign: "?!" },
];
/** The engine's move is marked as good where the next best one gives away at least so much. */
const GOOD = 0.1;
/** A game is decided where a side may expect at most so much of a point, or all but so much. */
const DECIDED = 0.02;
const DECIDED_WEIGHT = 0.25;

/** The accuracy of a move in percent, by the points that it gave away. @param {number} lost */
export const moveAccuracy = (lost) => Math.min(100, Math.max(0, 103.1668 * Math.exp(-4.354 * lost) - 3.1669));

/**
 * Whether the best move is the only good one and hard to find: all others give away a mistake's worth, and it is not
 * simply the largest capture.
 * @param {Node} node before it
 * @param {SearchResult} seen
 * @param {1|-1} sign 1 where White is to move
 */
function isOnlyGoodMove({ snapshot: { previews } }, seen, sign) {
  const values = Object.values(seen.moves ?? {}).map(({ points }) => sign * points).sort((one, other) => other - one);
  if (values.length < 2 || values[0] - values[1] < GOOD - 1e-9) return false;
  const most = Math.max(...Object.values(previews).map(({ captures }) => captures));
  return !(most && previews[seen.best].captures === most);
}

/**
 * Judge the ply that led to a node by how much it worsened the result; where the search of the position before it has
 * examined the ply too, by that search alone.
 * @param {string} game
 * @param {Node} node
 * @param {SearchResult|null} [before] of its parent
 * @param {SearchResult|null} [after] of the node
 * @returns {Judgement|null} null where it is not known yet
 */
export function judgeMove(game, node, before = node.parent?.seen, after = node.seen) {
  const { parent, hole, snapshot } = node;
  if (!parent || !before || !after) return null;
  const sign = parent.snapshot.board.turn === "white" ? 1 : -1;
  const examined = snapshot.outcome ? undefined : before.moves?.[hole];
  const best = hole === before.best;
  const points = examined?.points ?? after.expectation;
  const ahead = examined ? stonesAhead(game, parent, examined.stones) : stonesAhead(game, node, after.evaluation);
  // What is left of the best move is the engine seeing farther a ply later, and no fault of the player.
  const lost = best ? 0 : Math.max(0, sign * (before.expectation - points));
  const stones = best ? 0 : Math.max(0, sign * (stonesAhead(game, parent, before.evaluation) - ahead));
  const expected = sign > 0 ? before.expectation : 1 - before.expectation;
  const decided = expected <= DECIDED || Math.min(expected, expected - lost) >= 1 - DECIDED;
  const weight = parent.snapshot.legal.length < 2 ? 0 : decided ? DECIDED_WEIGHT : 1;
  const fault = MARKS.find(({ least }) => lost >= least - 1e-9);
  if (fault) return { lost, stones, weight, mark: fault.mark, sign: fault.sign };
  const good = best && isOnlyGoodMove(parent, before, sign);
  return { lost, stones, weight, mark: good ? "good" : null, sign: good ? "!" : "" };
}

/**
 * Sum up the moves of a side.
 * @param {{side: Side, judgement: Judgement|null}[]} moves
 * @param {Side} side
 * @returns {PlayerSummary}
 */
export function summarise(moves, side) {
  const own = moves.flatMap((move) => (move.side === side && move.judgement ? [move.judgement] : []));
  const weight = own.reduce((sum, one) => sum + one.weight, 0);
  const percent = own.reduce((sum, one) => sum + one.weight * moveAccuracy(one.lost), 0);
  const count = (/** @type {string} */ mark) => own.filter((one) => one.mark === mark).length;
  const counts = { blunder: count("blunder"), mistake: count("mistake"), inaccuracy: count("inaccuracy"), good: count("good") };
  return { moves: own.length, accuracy: weight ? percent / weight : null, counts };
}
