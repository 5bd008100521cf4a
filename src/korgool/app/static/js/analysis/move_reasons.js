/** Why a move is good or bad: facts found by sowing, facts from search values, and the words for both. */

import { reasonText, words } from "../site/translations.js";

/** @typedef {import("../../kernel.js").Reason} Reason */
/** @typedef {import("./engine_provider.js").Line} Line */
/** @typedef {import("./game_tree.js").Snapshot} Snapshot */

/** The most reasons given for one move. */
const MOST = 3;

/** @param {string} kind @param {number} weight @param {number} [stones] @returns {Reason} */
const valued = (kind, weight, stones = 0) => ({ kind, weight, stones, left: 0, hole: 0 });

/**
 * What speaks for the first move of a line, in order of weight, as in korgool.engine.reasons.
 * @param {import("../device/kernel_rules.js").Rules} rules
 * @param {Snapshot} position
 * @param {Line[]} lines the best first
 * @param {number} [at] which of them
 * @returns {Reason[]}
 */
export function explain(rules, { board, legal, previews }, lines, at = 0) {
  const line = lines[at];
  const over = previews[line.move].ends;
  const found = rules.reasons(board, line.move, line.pv.slice(1));
  if (legal.length === 1) found.push(valued("only", 700));
  else if (!over && line.certain > 0) found.push(valued("sure_win", 600));
  else if (!over && line.exact && line.certain === 0) found.push(valued("sure_draw", 400));
  // If a result is certain, stones do not matter.
  const certain = over || lines.slice(0, 2).some(({ win, draw, loss }) => [win, draw, loss].includes(1));
  if (at === 0 && lines.length > 1 && !certain) {
    const stones = Math.floor(line.evaluation - lines[1].evaluation);
    if (stones > 0) found.push(valued("best_by", stones, stones));
  }
  return found.sort((one, other) => other.weight - one.weight);
}

/**
 * The reasons with the most weight, in one line; empty if there are none.
 * @param {Reason[]} reasons
 * @param {string} game
 * @param {number} [most] how many
 */
export const whyText = (reasons, game, most = MOST) => reasons.slice(0, most).map((reason) => reasonText(reason, game)).join("; ");

/** The same as a sentence of its own. @param {Reason[]} reasons @param {string} game */
export function whySentence(reasons, game) {
  const text = whyText(reasons, game);
  return text && `${text[0].toLocaleUpperCase(words.language)}${text.slice(1)}.`;
}
