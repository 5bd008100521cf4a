/** Calls a player to the board when their turn comes: by a sound, by vibration, and in the title of the page. */

import { isOver, ownSide } from "../game/state_selectors.js";
import { prepareSoundsWhen, playTurn } from "../site/sounds.js";
import { resultText } from "../game/sentences.js";
import { ownTitle, writeTitle } from "../site/page_title.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */

const VIBRATION = [90, 70, 90];

export class TurnAlerts {
  #title = ownTitle().split(" | ").at(-1) ?? "";

  /** @param {{sound: () => boolean, vibration: () => boolean}} wanted */
  constructor(wanted) {
    this.enabled = wanted;
    prepareSoundsWhen(wanted.sound);
  }

  /** Alert the player to their turn. */
  alert() {
    // Browsers allow neither before the first tap or key.
    if (navigator.userActivation && !navigator.userActivation.hasBeenActive) return;
    if (this.enabled.sound()) playTurn();
    if (this.enabled.vibration()) navigator.vibrate?.(VIBRATION);
  }

  /** Write the result or the player's turn into the title. @param {GameState} state */
  show(state) {
    let news = resultText(state);
    if (!isOver(state) && state.begun && state.turn === ownSide(state)) news = gettext("Your turn");
    writeTitle([news, this.#title].filter(Boolean).join(" | "));
  }
}
