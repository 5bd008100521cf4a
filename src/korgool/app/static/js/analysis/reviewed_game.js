/** The finished game that the page `/games/{id}/review` is about: the server's, or what this device remembers of it. */

import { outcomeHeadline, resultText, seatName } from "../game/sentences.js";
import { ownSide } from "../game/state_selectors.js";
import { findRecentGame } from "../play/recent_games.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */
/**
 * @typedef {{game: string, position: string|null, moves: number[], below: Side, own: Side|null, names: (string|null)[],
 *   ended: string[], quiet: boolean}} ReviewedGame own: the reader's side; ended: who won, and the result; quiet: the game goes
 *   on, and is not reviewed
 */

/** The game of an address such as `/games/AbCdEfGhIjKl/review`; undefined for another page. @param {string} pathname */
const gameOf = (pathname) => /^\/games\/(\w+)\/review$/.exec(pathname)?.[1];

/** The address of the game that this page reviews; empty on the analysis board. */
export const reviewedAddress = () => gameOf(location.pathname) ?? "";

/** Whether the address is that of a review. */
export const isReviewAddress = () => gameOf(location.pathname) !== undefined;

/** The ply that the address of a review asks for, `#ply=9`; null for none. @param {string} fragment */
export function askedPly(fragment) {
  const ply = /^#ply=(\d{1,4})$/.exec(fragment)?.[1];
  return ply === undefined ? null : Number(ply);
}

/**
 * @param {GameState} [state] as the server has put it into the page
 * @returns {ReviewedGame|null} null on the analysis board, and where neither the page nor the device has the game
 */
export function reviewedGame(state) {
  if (state) {
    return {
      game: state.game, position: state.start, moves: state.moves.map(({ hole }) => hole), below: ownSide(state) ?? "white",
      own: ownSide(state), names: [seatName(state, "white"), seatName(state, "black")],
      ended: [outcomeHeadline(state), resultText(state)], quiet: false,
    };
  }
  const id = gameOf(location.pathname);
  const kept = id === undefined ? null : findRecentGame(id);
  if (!kept) return null;
  const { game, moves, side, start = null, you: own = null } = kept;
  /** @type {(string|null)[]} */
  const names = kept.names ?? [null, null];
  const below = side === "black" ? "black" : "white";
  return {
    game, position: start, moves: moves.split(",").filter(Boolean).map(Number), below, own, names, ended: [], quiet: kept.engine === "off",
  };
}
