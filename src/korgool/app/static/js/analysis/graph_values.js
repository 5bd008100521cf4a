/** The values of a game's graph: the difference of the stores when play stops, as in `korgool.engine.review`. */

import { GAMES } from "../game/rules_records.js";

/** @typedef {import("./game_tree.js").Node} Node */

/**
 * The expected difference if a goal stops the game: the stones then left on the board do not count, so the
 * difference is smaller than when all stones are counted. Both sides are assumed to gain their remaining stones at the
 * same pace.
 * @param {number} evaluation from White's view, all stones counted
 * @param {[number, number]} stores
 * @param {number} goal stones that end the game, 0 where none do
 * @param {number} total stones of the game
 */
export function expectedDifference(evaluation, stores, goal, total) {
  const [ahead, behind] = evaluation >= 0 ? stores : [stores[1], stores[0]];
  const most = (total + Math.abs(evaluation)) / 2;
  if (!goal || most <= goal) return evaluation;
  const share = (goal - ahead) / (most - ahead);
  const difference = goal - behind - share * Math.max(0, total - most - behind);
  return evaluation >= 0 ? difference : -difference;
}

/**
 * The known points of a line. If the ending gave the stones on the board to a side, all of them count.
 * @param {Node[]} line
 * @param {string} game
 * @param {(node: Node) => number|undefined} valueOf the evaluation of a position, from White's view
 */
export function graphPoints(line, game, valueOf) {
  const { outcome, board } = line[line.length - 1]?.snapshot ?? {};
  const swept = outcome?.stores.some((stones, side) => stones !== board?.stores[side]);
  return line.flatMap((node) => {
    const value = valueOf(node);
    if (value === undefined) return [];
    return [{ ply: node.ply, evaluation: swept ? value : stonesAhead(game, node, value) }];
  });
}

/**
 * The difference of the stores to expect when play stops, from White's view.
 * @param {string} game
 * @param {Node} node
 * @param {number} evaluation of a search of it, all stones counted, from White's view
 */
export function stonesAhead(game, { snapshot: { board, outcome } }, evaluation) {
  if (outcome) return outcome.stores[0] - outcome.stores[1];
  const [holes, stones, goal] = GAMES[/** @type {keyof typeof GAMES} */ (game)];
  return expectedDifference(evaluation, board.stores, goal, 2 * holes * stones);
}
