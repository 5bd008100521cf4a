/** Reasons for and against a move: from its sowing and from search values, and their texts. */

import { reasonText, words } from "../site/translations.js";

/** @typedef {import("../../kernel.js").Reason} Reason */
/** @typedef {import("./engine_provider.js").Line} Line */
/** @typedef {import("./game_tree.js").Snapshot} Snapshot */

/** The most reasons given for one move. */
const MOST = 3;

/** Stones less than which a difference is none: the other move is as good. */
const AS_GOOD = 0.5;
const BY_VALUE = ["best_by", "as_good"];

/** @param {string} kind @param {Partial<Reason>} [found] @returns {Reason} */
const valued = (kind, found = {}) => ({ kind, weight: 0, stones: 0, left: 0, hole: 0, shared: false, line: [], ...found });

/** What only this move does, how it compares by value, what both do, and that all stones stay at home. @param {Reason} reason */
const rank = ({ kind, shared }) => (kind === "home" ? 3 : shared ? 2 : Number(BY_VALUE.includes(kind)));

/**
 * Find the reasons for the first move of a line, as korgool.engine.reasons does: the best move is compared to the second
 * best, and any other to the best.
 * @param {import("../device/kernel_rules.js").KernelRules} rules
 * @param {Snapshot} position
 * @param {Line[]} lines the best first
 * @param {number} [at] which of them
 * @returns {Reason[]}
 */
export function findReasons(rules, { board, legal, previews }, lines, at = 0) {
  const line = lines[at];
  /** @type {Line|undefined} */
  const other = at ? lines[0] : lines[1];
  const over = previews[line.move].ends;
  const reasons = rules.reasons(board, line.pv, other?.pv);
  if (legal.length === 1) reasons.push(valued("only", { weight: 700 }));
  else if (!over && line.certain > 0) reasons.push(valued("sure_win", { weight: 600, shared: Boolean(other && other.certain > 0) }));
  else if (!over && line.exact && line.certain === 0) {
    reasons.push(valued("sure_draw", { weight: 400, shared: Boolean(other?.exact && other.certain === 0) }));
  }
  // If a result is certain, stones do not matter.
  const certain = over || lines.slice(0, 2).some(({ win, draw, loss }) => [win, draw, loss].includes(1));
  if (at === 0 && other && !certain) {
    const gap = line.evaluation - other.evaluation, stones = Math.floor(gap);
    if (stones > 0) reasons.push(valued("best_by", { weight: stones, stones }));
    else if (gap < AS_GOOD) reasons.push(valued("as_good", { hole: other.move }));
  }
  reasons.sort((one, next) => Number(one.kind === "home") - Number(next.kind === "home") || next.weight - one.weight);
  const least = Math.min(...reasons.map(rank));
  const first = reasons.find((reason) => rank(reason) === least);
  return first ? [first, ...reasons.filter((reason) => reason !== first)] : [];
}

/** The move that led to a node, and those expected after it. @param {import("./game_tree.js").Node} node @returns {number[]} */
export const playedLine = ({ hole, seen }) => [hole, ...(seen?.pv ?? [])];

/**
 * The refuting line of a move as arrows, from the opponent's answer to what it captures; none where nothing is captured.
 * @param {import("../device/kernel_rules.js").KernelRules} rules
 * @param {import("./game_tree.js").Board} board after the move
 * @param {Reason[]} against the reasons against the move
 * @returns {import("../board/move_arrows.js").Arrow[]}
 */
export function refutation(rules, board, against) {
  const found = against.find(({ kind, hole }) => kind.startsWith("allows") && hole);
  if (!found) return [];
  /** @type {import("../board/move_arrows.js").Arrow[]} */
  const arrows = [];
  const sow = (/** @type {number} */ hole) => {
    const { side, hole: last } = rules.preview(board, hole);
    arrows.push({ from: { side: board.turn, hole }, to: { side, hole: last }, rank: arrows.length + 1, kind: "threat" });
    board = rules.sow(board, hole).board;
  };
  found.line.slice(1).forEach(sow);
  // A tuz is told by the hole that is won.
  const last = found.kind.includes("tuz") ? rules.legal(board).find((hole) => rules.sow(board, hole).trace.tuz === found.hole) : found.hole;
  if (last) sow(last);
  return arrows;
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

/**
 * What there is to say about a move that is judged, and its refutation; nothing about others.
 * @param {import("./rules_provider.js").LocalRules|import("./rules_provider.js").ServerRules} rules
 * @param {import("./game_tree.js").Node} node after the move
 */
export function judgedMove(rules, node) {
  const seen = node.judged && node.parent?.seen;
  if (!seen || !node.parent) return { against: "", instead: "", arrows: [] };
  const { against, instead, arrows } = rules.compare(node.parent.snapshot, playedLine(node), seen.pv);
  return {
    against: reasonsSentence(against, rules.game), instead: reasonsSentence(instead, rules.game),
    arrows: node.judged?.mark === "good" ? [] : arrows,
  };
}
