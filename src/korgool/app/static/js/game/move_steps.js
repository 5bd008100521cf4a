/** Steps of a game as players name them: the number of the move, and the side; never a number of plies. */

import { gettext } from "../site/translations.js";

/** @typedef {import("./message_types.js").Side} Side */

/** A step within a sentence, "move 5, White". @param {number} number of the move @param {Side} side */
export const stepText = (number, side) =>
  side === "white" ? gettext("move %(n)s, White", { n: number }) : gettext("move %(n)s, Black", { n: number });

/** Where a past position stands, "After move 5, White". @param {number} number @param {Side} side */
export const afterStep = (number, side) =>
  side === "white" ? gettext("After move %(n)s, White", { n: number }) : gettext("After move %(n)s, Black", { n: number });

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
