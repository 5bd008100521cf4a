/**
 * A move chosen while the opponent is to move. It lives on this page only, is marked on the board with what it would do,
 * and is played as soon as the turn comes. Sowing changes the whole board: a move that cannot be played by then is
 * cancelled, and one that would do something else is cancelled or played, as the player has chosen.
 */

import { plays } from "../game/state_selectors.js";
import { say } from "../site/dom.js";
import { describe } from "../game/sentences.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Preview} Preview */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("../board/board_element.js").KorgoolBoard} KorgoolBoard */
/**
 * @typedef {{hole: number, stones: number, plies: number, shown: Preview|null, gains: string}} Chosen the stones of the
 *   hole and the plies of the game when it was chosen, and what was shown of it
 */

/** What a sowing does, so that two can be compared; the kazans count by what they gain. @param {GameState} state @param {Preview} preview */
function effect(state, { side, hole, captures, tuz, extra_turn, ends, stores }) {
  return JSON.stringify([side, hole, captures, tuz, extra_turn, ends, stores[0] - state.stores[0], stores[1] - state.stores[1]]);
}

export class Premove {
  /** @type {Chosen|null} */ #chosen = null;
  #on = false;
  /** Whether it is played whatever it does, if it may be. */ always = false;

  /**
   * @param {KorgoolBoard} board
   * @param {{present: () => GameState, notice: (text: string) => void, play: (hole: number) => void,
   *   ahead: (state: GameState, hole: number) => Preview|null}} table `ahead` tells what a hole would do
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

  /** @param {Chosen|null} chosen */
  #choose(chosen) {
    this.#chosen = chosen;
    this.board.planned = chosen;
  }

  /** @param {number} hole */
  #toggle(hole) {
    const state = this.table.present();
    if (!this.#on || !plays(state) || state.turn === state.you || !state.you) return;
    if (this.#chosen?.hole === hole) {
      this.cancel();
      return;
    }
    const shown = this.table.ahead(state, hole);
    const gains = shown ? effect(state, shown) : "";
    this.#choose({ hole, stones: state[state.you][hole - 1], plies: state.moves.length, shown, gains });
    const words = [gettext("Hole %(hole)s will be sown when your turn comes.", { hole })];
    if (shown) words.push(describe(shown, state));
    say(words.join(" "));
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
    const back = state.moves.length < chosen.plies;
    if (plays(state) && !back && state.turn !== state.you) return;
    this.#choose(null);
    if (!plays(state)) return;
    const { hole } = chosen;
    if (back) this.table.notice(gettext("The move chosen ahead is cancelled."));
    else if (!state.legal.includes(hole)) {
      this.table.notice(gettext("The move chosen ahead is cancelled: hole %(hole)s cannot be sown now.", { hole }));
    } else if (this.always || !this.#differs(state, chosen)) this.table.play(hole);
    else this.#tell(state, hole);
  }

  /** Whether the move would do something else than was shown. @param {GameState} state @param {Chosen} chosen */
  #differs(state, { hole, stones, gains }) {
    const now = gains ? this.table.ahead(state, hole) : null;
    return now ? effect(state, now) !== gains : state[/** @type {Side} */ (state.you)][hole - 1] !== stones;
  }

  /** Tell that a move is cancelled because it would do something else, and what. @param {GameState} state @param {number} hole */
  #tell(state, hole) {
    this.table.notice(gettext("The move chosen ahead is cancelled: hole %(hole)s would do something else now.", { hole }));
    const now = this.table.ahead(state, hole);
    if (now) say(describe(now, state));
  }
}
