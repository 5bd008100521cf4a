/**
 * Makes cards of the mistakes in one's own game when its review is complete: every move of the position is searched once
 * more, so that a card knows which moves are good and what refutes the others.
 */

import { NODES } from "../analysis/review_search.js";
import { LocalRules } from "../analysis/rules_provider.js";
import { MOST_OF_GAME, mistakeId, owner, storeMistakes } from "./mistake_store.js";
import { syncMistakes } from "./mistake_sync.js";

/** @typedef {import("../analysis/game_review.js").GameReview} GameReview */
/** @typedef {import("../analysis/game_review.js").ReviewedMove} ReviewedMove */
/** @typedef {import("../analysis/engine_provider.js").Line} Line */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("./mistake_store.js").Mistake} Mistake */

/** A move that gives away less of a point than an inaccuracy is accepted; a mistake gives away as much as the review says. */
const ACCEPTED = 0.05, MISTAKE = 0.1;
/** Plies of each line that are kept. */
const PLIES = 6;

/** The moves of a side that are mistakes or blunders, the worst first. @param {ReviewedMove[]} moves @param {Side} own */
const worstOf = (moves, own) => moves
  .filter(({ side, final, judgement }) => side === own && final && (judgement?.mark === "mistake" || judgement?.mark === "blunder"))
  .sort((one, other) => (other.judgement?.lost ?? 0) - (one.judgement?.lost ?? 0));

/** @param {Line} line */
const pointsOf = ({ win, draw }) => win + draw / 2;

/**
 * A card of a mistake; null where a search of all moves does not call it one.
 * @param {string} game
 * @param {ReviewedMove} move
 * @param {Line[]} lines of all moves before it, the best first
 * @param {{source: string, at: number}} about
 * @returns {Mistake|null}
 */
function mistakeOf(game, { node, judgement }, lines, { source, at }) {
  const before = node.parent?.snapshot;
  if (!before || !judgement || lines.length < before.legal.length) return null;
  const best = pointsOf(lines[0]);
  const played = lines.find(({ move }) => move === node.hole);
  if (!played || best - pointsOf(played) < MISTAKE) return null;
  const right = lines.filter((line) => best - pointsOf(line) < ACCEPTED).map(({ move }) => move);
  const round = (/** @type {number} */ value) => Math.round(value * 1000) / 1000;
  return {
    id: mistakeId(game, before.position), game, position: before.position, played: node.hole, right,
    lines: Object.fromEntries(lines.map(({ move, pv }) => [move, pv.slice(0, PLIES)])),
    lost: round(judgement.lost), stones: round(judgement.stones), source, ply: node.ply, made: at,
  };
}

/**
 * Keep the worst mistakes of a side as cards.
 * @param {GameReview} review complete
 * @param {{game: string, rules: unknown, own: Side, source: string}} about source: the address of the game
 * @returns {Promise<Mistake[]>} those that are cards now
 */
export async function keepMistakes(review, { game, rules, own, source }) {
  if (!(rules instanceof LocalRules)) return [];
  const found = [];
  for (const move of worstOf(review.moves, own).slice(0, MOST_OF_GAME)) {
    const parent = /** @type {import("../analysis/game_tree.js").Node} */ (move.node.parent);
    const mistake = mistakeOf(game, move, await review.searchAll(parent, NODES), { source, at: Date.now() });
    // The game may have been left in the meantime.
    if (!review.line.includes(move.node)) return [];
    if (mistake) found.push(mistake);
  }
  const who = owner();
  const kept = storeMistakes(who, found);
  if (who) void syncMistakes(who);
  return kept;
}
