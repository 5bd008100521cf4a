/** A card as the player of puzzles takes it, with what refutes each wrong move; all by the rules on this device. */

import { reasonsText } from "../analysis/move_reasons.js";
import { LocalRules, openRules } from "../analysis/rules_provider.js";
import { stonesText } from "../game/sentences.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("./mistake_store.js").Mistake} Mistake */
/** @typedef {import("../puzzle/puzzle_player.js").Task} Task */
/** @typedef {import("../puzzle/puzzle_player.js").Move} Move */
/** @typedef {import("../analysis/game_tree.js").Snapshot} Snapshot */
/** @typedef {import("../board/moving_board.js").Shown} Shown */

/** This device cannot play by the rules itself. */
class NoRulesError extends Error {}

/** The board with what the end of the game has swept. @param {Snapshot} snapshot @returns {Shown} */
function shown({ board, outcome }) {
  const { white, black, stores, tuz } = board;
  if (!outcome || outcome.stores.every((stones, side) => stones === stores[side])) return { white, black, stores, tuz };
  return { white: white.map(() => 0), black: black.map(() => 0), stores: outcome.stores, tuz };
}

/** The position with whoever is to move as White, which the rules allow. @param {LocalRules} rules @param {string} position */
function seenBySolver(rules, position) {
  const { white, black, stores, tuz, turn } = rules.rules.parse(position);
  if (turn === "white") return position;
  /** @type {import("../analysis/game_tree.js").Board} */
  const board = { white: black, black: white, stores: [stores[1], stores[0]], tuz: [tuz[1], tuz[0]], turn: "white" };
  return rules.rules.text(board, Number(position.trim().split(/\s+/)[4]) || 1);
}

/**
 * @param {Mistake} card
 * @returns {Promise<{task: Task, number: number}>} number: of the move
 * @throws {NoRulesError}
 */
export async function taskOf(card) {
  const rules = await openRules(card.game);
  if (!(rules instanceof LocalRules)) throw new NoRulesError();
  const [before] = await rules.line(seenBySolver(rules, card.position), []);
  const lineOf = (/** @type {number} */ hole) => card.lines[hole] ?? [hole];
  const best = lineOf(card.right[0]);
  const sown = Object.fromEntries(before.legal.map((hole) => [hole, rules.follow(before, hole)]));
  const moves = Object.fromEntries(before.legal.map((hole) => [hole, moveOf(sown[hole])]));
  const wrong = Object.fromEntries(before.legal.filter((hole) => !card.right.includes(hole)).map((hole) => {
    const { against } = rules.compare(before, lineOf(hole), best);
    // What a move misses at a hole would give the answer away.
    const told = against.filter(({ kind, hole: at }) => !(kind.startsWith("misses") && at));
    return [hole, { why: reasonsText(told, card.game, 2), answer: answerOf(rules, sown[hole], lineOf(hole).slice(1)) }];
  }));
  const whole = Math.round(card.stones);
  const task = whole
    ? gettext("You played %(move)s here and lost about %(stones)s. Find a better move.", { move: card.played, stones: stonesText(whole) })
    : gettext("You played %(move)s here, which was a mistake. Find a better move.", { move: card.played });
  const why = reasonsText(rules.compare(before, lineOf(card.played), best).instead, card.game, 2);
  const step = { before: shown(before), right: card.right, moves, wrong, answer: [], why };
  return { task: { id: card.id, game: card.game, rating: 0, deviation: 0, task, themes: [], steps: [step] }, number: before.number };
}

/** @param {Snapshot} after @returns {Move} */
const moveOf = (after) => ({ trace: /** @type {import("../game/message_types.js").Trace} */ (after.trace), after: shown(after) });

/** What the opponent plays after a move, as far as it is known. @param {LocalRules} rules @param {Snapshot} after @param {number[]} line */
function answerOf(rules, after, line) {
  const answer = [];
  for (const hole of line) {
    if (after.outcome || after.board.turn === "white" || !after.legal.includes(hole)) break;
    after = rules.follow(after, hole);
    answer.push(moveOf(after));
  }
  return answer;
}
