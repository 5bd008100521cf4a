/** Steps of a game as players name them: the number of the move, and the side; never a number of plies. */

import { gettext } from "../site/translations.js";

/** @typedef {import("./message_types.js").Side} Side */

/** A step within a sentence, "move 5, White". @param {number} number of the move @param {Side} side */
const stepText = (number, side) =>
  side === "white" ? gettext("move %(n)s, White", { n: number }) : gettext("move %(n)s, Black", { n: number });

/** A step at the start of a sentence, "Move 5, White". @param {number} number @param {Side} side */
export function stepTitle(number, side) {
  const text = stepText(number, side);
  return text[0].toUpperCase() + text.slice(1);
}

/**
 * The number of the move that a ply belongs to: it rises when White moves after Black.
 * @param {{side: Side}[]} moves
 * @param {number} ply from 1 on
 */
export const moveNumber = (moves, ply) =>
  1 + moves.slice(1, ply).filter(({ side }, index) => side === "white" && moves[index].side === "black").length;

/**
 * Names of the positions of a game by the ply that led there: a step, and the start for 0.
 * @param {{side: Side}[]} moves
 * @returns {(ply: number) => string}
 */
export function positionNames(moves) {
  const names = [gettext("Start"), ...moves.map(({ side }, index) => stepText(moveNumber(moves, index + 1), side))];
  return (ply) => names[ply] ?? "";
}

/** The step that led to a node of a tree, or the start. @param {import("../analysis/game_tree.js").Node} node */
export function nodeName({ parent }) {
  return parent ? stepText(parent.snapshot.number, parent.snapshot.board.turn) : gettext("Start");
}
