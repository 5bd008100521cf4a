/**
 * A premove: a move chosen while the opponent is to move. It lives on this page only, is marked on the board with what it would do,
 * and is played as soon as the turn comes. Sowing changes the whole board: a move that cannot be played by then is
 * cancelled, and one that would do something else is cancelled or played, as the player has chosen.
 */

import { isPlaying } from "../game/state_selectors.js";
import { say } from "../site/dom.js";
import { previewSentence } from "../game/sentences.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Preview} Preview */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("../board/board_element.js").KorgoolBoard} KorgoolBoard */
/**
 * @typedef {{hole: number, stones: number, plies: number, shown: Preview|null, gains: string}} ChosenMove the stones of the
 *   hole and the plies of the game when it was chosen, and what was shown of it
 */

/** The effect of a sowing as a comparable text; kazans count by their gain. @param {GameState} state @param {Preview} preview */
function effect(state, { side, hole, captures, tuz, extra_turn, ends, stores }) {
  return JSON.stringify([side, hole, captures, tuz, extra_turn, ends, stores[0] - state.stores[0], stores[1] - state.stores[1]]);
}

export class Premove {
  /** @type {ChosenMove|null} */ #chosen = null;
  #on = false;
  /** True if a legal premove is played whatever its effect. */ always = false;

  /**
   * @param {KorgoolBoard} board
   * @param {{currentState: () => GameState, notice: (text: string) => void, play: (hole: number) => void,
   *   ahead: (state: GameState, hole: number) => Preview|null}} page `ahead` gives the preview of a hole
   */
  constructor(board, page) {
    this.board = board;
    this.page = page;
    board.addEventListener("plan", (event) => this.#toggle(/** @type {CustomEvent} */ (event).detail.hole));
  }

  /** Switch premoves on or off. @param {boolean} on */
  set on(on) {
    this.#on = on;
    this.board.premovesEnabled = on && !this.page.currentState().shared;
    if (!on) this.#choose(null);
  }

  /** @param {ChosenMove|null} chosen */
  #choose(chosen) {
    this.#chosen = chosen;
    this.board.premove = chosen;
  }

  /** @param {number} hole */
  #toggle(hole) {
    const state = this.page.currentState();
    if (!this.#on || !isPlaying(state) || state.turn === state.you || !state.you) return;
    if (this.#chosen?.hole === hole) {
      this.cancel();
      return;
    }
    const shown = this.page.ahead(state, hole);
    const gains = shown ? effect(state, shown) : "";
    this.#choose({ hole, stones: state[state.you][hole - 1], plies: state.moves.length, shown, gains });
    const words = [gettext("Hole %(hole)s will be sown when your turn comes.", { hole })];
    if (shown) words.push(previewSentence(shown, state));
    say(words.join(" "));
  }

  /** Drop the premove; returns false if there is none. */
  cancel() {
    if (!this.#chosen) return false;
    this.#choose(null);
    say(gettext("The move chosen ahead is cancelled."));
    return true;
  }

  /** Keep, play or drop the premove in the newest state. */
  update() {
    const state = this.page.currentState();
    const chosen = this.#chosen;
    if (!chosen || !state.you) return;
    const back = state.moves.length < chosen.plies;
    if (isPlaying(state) && !back && state.turn !== state.you) return;
    this.#choose(null);
    if (!isPlaying(state)) return;
    const { hole } = chosen;
    if (back) this.page.notice(gettext("The move chosen ahead is cancelled."));
    else if (!state.legal.includes(hole)) {
      this.page.notice(gettext("The move chosen ahead is cancelled: hole %(hole)s cannot be sown now.", { hole }));
    } else if (this.always || !this.#differs(state, chosen)) this.page.play(hole);
    else this.#announceCancelled(state, hole);
  }

  /** Return whether the effect of the move has changed since it was chosen. @param {GameState} state @param {ChosenMove} chosen */
  #differs(state, { hole, stones, gains }) {
    const now = gains ? this.page.ahead(state, hole) : null;
    return now ? effect(state, now) !== gains : state[/** @type {Side} */ (state.you)][hole - 1] !== stones;
  }

  /** Announce that a premove is cancelled because its effect has changed, and the new effect. @param {GameState} state @param {number} hole */
  #announceCancelled(state, hole) {
    this.page.notice(gettext("The move chosen ahead is cancelled: hole %(hole)s would do something else now.", { hole }));
    const now = this.page.ahead(state, hole);
    if (now) say(previewSentence(now, state));
  }
}
