/** The seats of a game: names, strengths, presence and turn of both players, and the number of spectators. */

import { isBetweenPeople, isOver, opponentOf, isPlaying } from "../game/state_selectors.js";
import { seatName } from "../game/sentences.js";
import { byId, say } from "../site/dom.js";
import { gettext, ngettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */

/** Milliseconds of absence that are not announced: reloading a page takes less. */
const BLINK = 4000;

/** The rating of a person, or an empty text. @param {import("../game/message_types.js").Seat} seat */
const ratingText = ({ rating, provisional }) => (rating === null ? "" : `(${rating}${provisional ? "?" : ""})`);

/** Set a text only if it differs, so that nothing is redrawn. @param {Element|null} place @param {string} text */
function setText(place, text) {
  if (place && place.textContent?.trim() !== text) place.textContent = text;
}

export class Seats {
  /** The opponent's presence as announced last. @type {boolean|null} */ #announced = null;
  #timer = 0;

  /** @param {() => GameState} currentState the newest state */
  constructor(currentState) {
    this.currentState = currentState;
  }

  /** The strip of a side. @param {Side} side */
  strip(side) {
    return /** @type {HTMLElement} */ (document.querySelector(`.strip[data-side="${side}"]`));
  }

  /** The clock of a side. @param {Side} side */
  clock(side) {
    return /** @type {HTMLElement} */ (this.strip(side).querySelector(".clock"));
  }

  /** @param {GameState} rested what the board has reached */
  show(rested) {
    const state = this.currentState();
    for (const side of /** @type {Side[]} */ (["white", "black"])) {
      const strip = this.strip(side);
      const seat = state.seats[side];
      const turn = !isOver(rested) && rested.turn === side && state.begun;
      strip.toggleAttribute("data-turn", turn);
      setText(strip.querySelector(".name"), seatName(state, side));
      // The strength of an engine stays as the server wrote it.
      if (seat.kind !== "engine") setText(strip.querySelector(".level"), ratingText(seat));
      const presence = /** @type {HTMLElement} */ (strip.querySelector(".presence"));
      presence.hidden = seat.kind !== "person" || state.shared || state.you === side || isOver(state);
      presence.toggleAttribute("data-present", seat.present);
      setText(presence.firstElementChild, seat.present ? gettext("is here") : gettext("is not here"));
      const thinking = /** @type {HTMLElement} */ (strip.querySelector(".thinking"));
      thinking.hidden = !turn || seat.kind !== "engine" || state !== rested || state.turn !== side || !state.you;
    }
    const waiting = byId("waiting");
    waiting.hidden = state.begun || isOver(state);
    const viewers = byId("viewers");
    viewers.hidden = !state.viewers;
    setText(viewers, ngettext("%(n)s person is watching", "%(n)s people are watching", state.viewers));
    this.#announcePresence(state);
  }

  /** Announce that the opponent has left or is back, once that has lasted. @param {GameState} state */
  #announcePresence(state) {
    const side = opponentOf(state);
    if (!side || !isPlaying(state) || !isBetweenPeople(state)) return;
    const there = state.seats[side].present;
    this.#announced ??= there;
    if (there === this.#announced) {
      clearTimeout(this.#timer);
      this.#timer = 0;
    }
    if (there === this.#announced || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#announced = there;
      say(there ? gettext("The opponent is here.") : gettext("The opponent has left."));
    }, BLINK);
  }
}
