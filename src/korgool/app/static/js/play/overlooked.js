/** What both sides of a finished game against a level overlooked: counted by sowing every move, without any opinion. */

import { stepTitle, moveNumber } from "../game/move_steps.js";
import { isCastle, seatName } from "../game/sentences.js";
import { otherSide } from "../game/move_trace.js";
import { gettext, ngettext } from "../site/translations.js";
import { factsOf, largestOf, turnsOf } from "./turn_facts.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("./turn_facts.js").PlyFacts} PlyFacts */
/**
 * @typedef {{tuz: number, tuzPly: number, tuzHole: number, stones: number, most: number, mostPly: number}} Overlooked turns with a tuz that was not
 *   made, the first of them and its hole; stones that were not taken, the most at once and where
 * @typedef {{ply: number, hole: number, stones: number, taken: boolean}} Gift what a move left to the other side, and whether that took it
 * @typedef {{name: string, text: string, href: string}} Row
 */

/** Stones from which a gift is worth a row. */
const LEAST_GIFT = 4;

/**
 * What a side overlooked. Stones that lie in a hole for several turns count once, until the hole is sown or emptied.
 * @param {PlyFacts[][]} turns @param {Side} side @returns {Overlooked}
 */
export function overlookedBy(turns, side) {
  const found = { tuz: 0, tuzPly: 0, tuzHole: 0, stones: 0, most: 0, mostPly: 0 };
  /** @type {Map<number, number>} */
  const counted = new Map();
  for (const turn of turns) {
    if (turn[0].side !== side) {
      for (const { hole } of turn) counted.delete(hole);
      continue;
    }
    const [{ could, ply }] = turn;
    const made = turn.some(({ tuz }) => tuz);
    const missed = made ? undefined : turn.find((one) => one.could.tuz);
    if (missed?.could.tuz) {
      if (!found.tuz) Object.assign(found, { tuzPly: missed.ply, tuzHole: missed.could.tuz.hole });
      found.tuz += 1;
    }
    const got = largestOf(turn)?.stones ?? 0;
    for (const { took } of turn) if (took) counted.delete(took.hole);
    if (made || !could.capture || could.capture.stones <= got) continue;
    const { hole, stones } = could.capture;
    const more = stones - got - (counted.get(hole) ?? 0);
    if (more <= 0) continue;
    counted.set(hole, (counted.get(hole) ?? 0) + more);
    found.stones += more;
    if (stones - got > found.most) Object.assign(found, { most: stones - got, mostPly: ply });
  }
  return found;
}

/** The largest gift of a side; one that was taken comes before one that was not. @param {PlyFacts[][]} turns @param {Side} side @returns {Gift|null} */
export function largestGift(turns, side) {
  /** @type {Gift[]} */
  const gifts = turns.flatMap((turn, index) => {
    const { left: { capture }, ply } = turn[turn.length - 1];
    if (turn[0].side !== side || !capture) return [];
    const taken = Boolean(turns[index + 1]?.some(({ took }) => took && took.hole === capture.hole && took.stones >= capture.stones));
    return [{ ply, hole: capture.hole, stones: capture.stones, taken }];
  });
  return gifts.sort((one, other) => Number(other.taken) - Number(one.taken) || other.stones - one.stones)[0] ?? null;
}

/**
 * The rows for the end of a game: what the opponent overlooked, and what the player left and overlooked.
 * @param {GameState} state of a game that is over @param {import("../device/kernel_rules.js").KernelRules} rules
 * @returns {Row[]} at most three
 */
export function overlookedRows(state, rules) {
  const you = state.you;
  if (!you || state.shared || state.level === null || Object.keys(state.rules).length || !state.outcome) return [];
  const turns = turnsOf(factsOf(rules, state.start, state.moves.map(({ hole }) => hole)));
  const at = (/** @type {number} */ ply) => `/games/${state.id}/review#ply=${ply}`;
  const title = (/** @type {number} */ ply) => stepTitle(moveNumber(state.moves, ply), state.moves[ply - 1].side);
  const castle = isCastle(state.game);
  /** @type {Row[]} */
  const rows = [];
  const theirs = overlookedBy(turns, otherSide(you));
  if (theirs.tuz || theirs.stones) {
    const texts = [];
    if (theirs.tuz && castle) texts.push(ngettext("overlooked a castle %(n)s time", "overlooked a castle %(n)s times", theirs.tuz));
    else if (theirs.tuz) texts.push(ngettext("overlooked a tuz %(n)s time", "overlooked a tuz %(n)s times", theirs.tuz));
    if (theirs.stones) texts.push(ngettext("did not take %(n)s stone", "did not take %(n)s stones", theirs.stones));
    rows.push({ name: seatName(state, otherSide(you)), text: texts.join(", "), href: at(theirs.tuzPly || theirs.mostPly) });
  }
  const gift = largestGift(turns, you);
  if (gift && gift.stones >= LEAST_GIFT) {
    const values = { hole: gift.hole };
    const text = gift.taken
      ? ngettext("%(n)s stone was then taken from your hole %(hole)s", "%(n)s stones were then taken from your hole %(hole)s", gift.stones, values)
      : ngettext("%(n)s stone could be taken from your hole %(hole)s", "%(n)s stones could be taken from your hole %(hole)s", gift.stones, values);
    rows.push({ name: title(gift.ply), text, href: at(gift.ply) });
  }
  const yours = overlookedBy(turns, you);
  if (yours.tuz) {
    const values = { hole: yours.tuzHole };
    const text = castle ? gettext("you overlooked a castle in hole %(hole)s", values) : gettext("you overlooked a tuz in hole %(hole)s", values);
    rows.push({ name: title(yours.tuzPly), text, href: at(yours.tuzPly) });
  }
  return rows;
}
