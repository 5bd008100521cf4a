/** Reasons for and against a move: from its sowing and from search values, and their texts. */

import { reasonText, words } from "../site/translations.js";

/** @typedef {import("../../kernel.js").Reason} Reason */
/** @typedef {import("./engine_provider.js").Line} Line */
/** @typedef {import("./game_tree.js").Snapshot} Snapshot */

/** The most reasons given for one move. */
const MOST = 3;

/** @param {string} kind @param {number} weight @param {number} [stones] @returns {Reason} */
const valued = (kind, weight, stones = 0) => ({ kind, weight, stones, left: 0, hole: 0 });

/**
 * Find the reasons for the first move of a line, in order of weight, as korgool.engine.reasons does.
 * @param {import("../device/kernel_rules.js").KernelRules} rules
 * @param {Snapshot} position
 * @param {Line[]} lines the best first
 * @param {number} [at] which of them
 * @returns {Reason[]}
 */
export function findReasons(rules, { board, legal, previews }, lines, at = 0) {
  const line = lines[at];
  const over = previews[line.move].ends;
  const reasons = rules.reasons(board, line.move, line.pv.slice(1));
  if (legal.length === 1) reasons.push(valued("only", 700));
  else if (!over && line.certain > 0) reasons.push(valued("sure_win", 600));
  else if (!over && line.exact && line.certain === 0) reasons.push(valued("sure_draw", 400));
  // If a result is certain, stones do not matter.
  const certain = over || lines.slice(0, 2).some(({ win, draw, loss }) => [win, draw, loss].includes(1));
  if (at === 0 && lines.length > 1 && !certain) {
    const stones = Math.floor(line.evaluation - lines[1].evaluation);
    if (stones > 0) reasons.push(valued("best_by", stones, stones));
  }
  return reasons.sort((one, other) => other.weight - one.weight);
}

/**
 * The reasons with the most weight, in one line; empty if there are none.
 * @param {Reason[]} reasons
 * @param {string} game
 * @param {number} [most] how many
 */
export const reasonsText = (reasons, game, most = MOST) => reasons.slice(0, most).map((reason) => reasonText(reason, game)).join("; ");

/** The same as a sentence of its own. @param {Reason[]} reasons @param {string} game */
export function reasonsSentence(reasons, game) {
  const text = reasonsText(reasons, game);
  return text && `${text[0].toLocaleUpperCase(words.language)}${text.slice(1)}.`;
}
