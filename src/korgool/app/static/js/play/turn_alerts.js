/** Calls a player to the board when their turn comes: by a sound, by vibration, and in the title of the page. */

import { isOver, ownSide } from "../game/state_selectors.js";
import { beReady, chime } from "../site/sounds.js";
import { resultText } from "../game/sentences.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */

const VIBRATION = [90, 70, 90];

export class Summons {
  #title = document.title.split(" | ").at(-1) ?? "";

  /** @param {{sound: () => boolean, vibration: () => boolean}} wanted */
  constructor(wanted) {
    this.wanted = wanted;
    beReady(wanted.sound);
  }

  /** It is the player's turn. */
  call() {
    // Browsers allow neither before the first tap or key.
    if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
    if (this.wanted.sound()) chime();
    if (this.wanted.vibration()) navigator.vibrate?.(VIBRATION);
  }

  /** Write the news into the title. @param {GameState} state */
  show(state) {
    let news = resultText(state);
    if (!isOver(state) && state.begun && state.turn === ownSide(state)) news = gettext("Your turn");
    document.title = [news, this.#title].filter(Boolean).join(" | ");
  }
}
