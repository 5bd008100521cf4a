/** The boards of lessons as states that the board component shows. It knows no rules: all comes from the server. */

import { numberOf } from "../game/move_trace.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("../game/message_types.js").Trace} Trace */
/** @typedef {import("../board/moving_board.js").Shown} Shown */
/**
 * @typedef {{trace: Trace, after: Shown, remark: string}} Answer
 * @typedef {{task: string, way: "hole"|"place"|"choice", before: Shown, turn: Side, legal: number[], position: string,
 *   mark: number, choices: {value: string, text: string}[], right: string[], shown: Record<string, Answer>}} LessonBoard
 */

let version = 0;

/**
 * @param {string} game
 * @param {Shown} shown
 * @param {{turn: Side, legal?: number[], last?: Trace|null}} now
 * @returns {GameState} as much of it as the board needs
 */
export function lessonState(game, shown, { turn, legal = [], last = null }) {
  version += 1;
  return /** @type {GameState} */ (/** @type {unknown} */ ({
    id: "", version, game, holes: shown.white.length, white: shown.white, black: shown.black, stores: shown.stores, tuz: shown.tuz,
    turn, you: "white", begun: true, level: 0, moves: [], legal, previews: {}, last, clock: null, outcome: null, claims: [], can_undo: false,
    position: `${version}`, movetext: "", rematch: null,
  }));
}

/** What lets the board frame a hole: a sowing that lifts nothing. @param {Side} side @param {number} hole @returns {Trace} */
export const markOf = (side, hole) => ({ side, hole, lifted: 0, drops: [numberOf({ side, hole })] });
