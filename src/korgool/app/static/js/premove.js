/**
 * A move chosen while the opponent is to move. It lives on this page only, is marked on the board, and is played as soon
 * as the turn comes; if its hole has changed by then, or may not be sown, it is dropped.
 */

import { plays } from "./facts.js";
import { say } from "./page.js";
import { gettext } from "./words.js";

/** @typedef {import("./types.js").GameState} GameState */
/** @typedef {import("./board.js").KorgoolBoard} KorgoolBoard */

export class Premove {
  /** @type {{hole: number, stones: number}|null} */ #chosen = null;
  #on = false;

  /**
   * @param {KorgoolBoard} board
   * @param {{present: () => GameState, notice: (text: string) => void, play: (hole: number) => void}} table
   */
  constructor(board, table) {
    this.board = board;
    this.table = table;
    board.addEventListener("plan", (event) => this.#toggle(/** @type {CustomEvent} */ (event).detail.hole));
  }

  /** Whether the player wants this. @param {boolean} on */
  set on(on) {
    this.#on = on;
    this.board.plans = on && !this.table.present().shared;
    if (!on) this.#choose(null);
  }

  /** @param {{hole: number, stones: number}|null} chosen */
  #choose(chosen) {
    this.#chosen = chosen;
    this.board.planned = chosen?.hole ?? null;
  }

  /** @param {number} hole */
  #toggle(hole) {
    const state = this.table.present();
    if (!this.#on || !plays(state) || state.turn === state.you || !state.you) return;
    if (this.#chosen?.hole === hole) {
      this.cancel();
      return;
    }
    this.#choose({ hole, stones: state[state.you][hole - 1] });
    say(gettext("Hole %(hole)s will be sown when your turn comes.", { hole }));
  }

  /** Drop the choice; false where there was none. */
  cancel() {
    if (!this.#chosen) return false;
    this.#choose(null);
    say(gettext("The move chosen ahead is cancelled."));
    return true;
  }

  /** The game has gone on: keep, play or drop the choice. */
  heed() {
    const state = this.table.present();
    const chosen = this.#chosen;
    if (!chosen || !state.you) return;
    const same = state[state.you][chosen.hole - 1] === chosen.stones;
    const turn = state.turn === state.you;
    if (same && !turn && plays(state)) return;
    this.#choose(null);
    if (same && turn && state.legal.includes(chosen.hole)) this.table.play(chosen.hole);
    else if (plays(state)) this.table.notice(gettext("The move chosen ahead is cancelled: the board has changed."));
  }
}
