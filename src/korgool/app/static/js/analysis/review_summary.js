/**
 * A short review of a finished game for the page that has just shown its end: the accuracy of both players and the worst
 * moves, found by the engine of this device in the background. The whole review is the page `/games/{id}/review`.
 *
 * ```
 * const { summariseGame } = await import("../analysis/review_summary.js");
 * const leaving = new AbortController(); // abort it when the game is not shown any more
 * const summary = await summariseGame(state, { signal: leaving.signal, onProgress: (part) => … });
 * ```
 */

import { stepTitle, moveNumber } from "../game/move_steps.js";
import { ownSide } from "../game/state_selectors.js";
import { openEngine } from "./engine_provider.js";
import { buildTree } from "./game_tree.js";
import { judgeMove, summarise } from "./review_values.js";
import { QUICK_NODES, searchNode } from "./review_search.js";
import { lossText } from "./review_words.js";
import { LocalRules, openRules } from "./rules_provider.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("./review_values.js").PlayerSummary} PlayerSummary */
/**
 * @typedef {{ply: number, side: Side, name: string, move: string, sign: string, mark: string, text: string, href: string}} WorstMove
 *   name: "Move 5, White"; move: in field notation; sign: `?!`, `?` or `??`; text: "lost about 6 stones"; href: of the page
 *   where a better move can be sought
 */
/**
 * @typedef {{white: PlayerSummary, black: PlayerSummary, worst: WorstMove[], share: number, href: string}} GameSummary
 *   worst: at most three, the worst first, of the viewer's side where they played, else of both; share: of the positions
 *   that were searched, 0 to 1; href: of the whole review
 */

/** Worst moves that are told. */
const MOST = 3;

/**
 * @param {GameState} state of a game that is over
 * @param {{signal?: AbortSignal, onProgress?: (part: GameSummary) => void}} [options] onProgress: called about ten times
 *   with what is known so far
 * @returns {Promise<GameSummary|null>} null where there is nothing to review: no move, other rules than the usual ones, no
 *   engine on this device, or the signal
 */
export async function summariseGame(state, { signal, onProgress } = {}) {
  if (!state.moves.length || !state.outcome || Object.keys(state.rules ?? {}).length) return null;
  const engine = await openEngine(state.game, { tableMiB: 8, threads: 1 });
  const stop = () => engine.stop();
  signal?.addEventListener("abort", stop);
  try {
    const rules = await openRules(state.game);
    if (!engine.local || !(rules instanceof LocalRules)) return null;
    const tree = await buildTree(rules, state.start, [{ before: [], moves: state.moves.map(({ hole }) => hole) }]);
    const { line } = tree;
    for (const [index, node] of line.entries()) {
      if (signal?.aborted) return null;
      node.seen = await searchNode(engine, node, QUICK_NODES, (at, moves) => rules.texts(at.snapshot, moves));
      if (signal?.aborted) return null;
      if (index && index % Math.ceil(line.length / 10) === 0) onProgress?.(summaryOf(state, line, index + 1));
    }
    return summaryOf(state, line, line.length);
  } catch (error) {
    if (signal?.aborted || error instanceof TypeError) return null; // there is no network, and no engine kept
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
    engine.close();
  }
}

/** @param {GameState} state @param {import("./game_tree.js").Node[]} line @param {number} known positions searched @returns {GameSummary} */
function summaryOf(state, line, known) {
  const href = `/games/${state.id}/review`;
  const moves = line.slice(1, known).map((node) => {
    const side = /** @type {import("./game_tree.js").Node} */ (node.parent).snapshot.board.turn;
    return { node, side, judgement: judgeMove(state.game, node) };
  });
  const own = ownSide(state);
  const worst = moves.flatMap(({ node, side, judgement }) => {
    if (!judgement?.mark || judgement.mark === "good" || (own && side !== own)) return [];
    return [{ node, side, judgement }];
  }).sort((one, other) => other.judgement.lost - one.judgement.lost).slice(0, MOST);
  return {
    white: summarise(moves, "white"), black: summarise(moves, "black"),
    worst: worst.map(({ node, side, judgement }) => ({
      ply: node.ply, side, name: stepTitle(moveNumber(state.moves, node.ply), side), move: node.snapshot.text ?? "",
      sign: judgement.sign, mark: String(judgement.mark), text: lossText(judgement), href: `${href}#better=${node.ply}`,
    })),
    share: known / line.length, href,
  };
}
