/** What a review says of a move. */

import { stonesText } from "../game/sentences.js";
import { gettext } from "../site/translations.js";

/**
 * What a move cost, within a sentence: "lost about 6 stones".
 * @param {{stones: number}} judgement
 */
export function lossText({ stones }) {
  const whole = Math.round(stones);
  // Near the end less than a stone decides.
  if (!whole) return gettext("lost less than a stone, where each one counts");
  return gettext("lost about %(stones)s", { stones: stonesText(whole) });
}

/** The same of a move that has just been tried: "That loses about 6 stones." @param {{stones: number}} judgement */
export function triedText({ stones }) {
  const whole = Math.round(stones);
  if (!whole) return gettext("That loses less than a stone, but each one counts here.");
  return gettext("That loses about %(stones)s.", { stones: stonesText(whole) });
}

/**
 * The accuracy of a player: "87 %", or a dash where no move had an alternative.
 * @param {import("./review_values.js").PlayerSummary} summary
 */
export const accuracyText = ({ accuracy }) =>
  accuracy === null ? "–" : gettext("%(n)s %%", { n: Math.round(accuracy) }).replaceAll("%%", "%");
