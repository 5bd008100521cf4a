/** Who sits at the board: names and strengths, who is there, whose turn it is, and how many are watching. */

import { betweenPeople, isOver, opponentOf, plays } from "../game/state_selectors.js";
import { byId, say } from "../site/dom.js";
import { gettext, levelTitle, ngettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */

/** Milliseconds for which somebody may be away unmentioned: reloading a page takes less. */
const BLINK = 4000;

/** What a seat is called. @param {GameState} state @param {Side} side */
export function seatName(state, side) {
  const { kind, name } = state.seats[side];
  if (kind === "engine") return gettext("Engine");
  if (state.shared) return side === "white" ? gettext("White") : gettext("Black");
  if (state.you === side) return gettext("You");
  if (kind === "open") return gettext("open seat");
  if (name === "A player") return gettext("A player"); // a stranger, before a child
  if (name === "Deleted player") return gettext("Deleted player");
  const number = /^Guest ([0-9]{4})$/.exec(name)?.[1];
  return number ? gettext("Guest %(number)s", { number }) : name || gettext("visitor");
}

/** How strong somebody is, or nothing. @param {import("../game/message_types.js").Seat} seat */
function strength({ kind, level, rating, provisional }) {
  if (kind === "engine") return levelTitle(level ?? rating ?? 0);
  return rating === null ? "" : `(${rating}${provisional ? "?" : ""})`;
}

/** Put a text where it is missing, so that nothing is drawn anew. @param {Element|null} place @param {string} text */
function put(place, text) {
  if (place && place.textContent?.trim() !== text) place.textContent = text;
}

export class Seats {
  /** Whether the opponent was there when it was last said. @type {boolean|null} */ #said = null;
  #timer = 0;

  /** @param {() => GameState} present the newest state */
  constructor(present) {
    this.present = present;
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
    const state = this.present();
    for (const side of /** @type {Side[]} */ (["white", "black"])) {
      const strip = this.strip(side);
      const seat = state.seats[side];
      const turn = !isOver(rested) && rested.turn === side && state.begun;
      strip.toggleAttribute("data-turn", turn);
      put(strip.querySelector(".name"), seatName(state, side));
      put(strip.querySelector(".level"), strength(seat));
      const presence = /** @type {HTMLElement} */ (strip.querySelector(".presence"));
      presence.hidden = seat.kind !== "person" || state.shared || state.you === side || isOver(state);
      presence.toggleAttribute("data-present", seat.present);
      put(presence.firstElementChild, seat.present ? gettext("is here") : gettext("is not here"));
      const thinking = /** @type {HTMLElement} */ (strip.querySelector(".thinking"));
      thinking.hidden = !turn || seat.kind !== "engine" || state !== rested || state.turn !== side || !state.you;
    }
    const waiting = byId("waiting");
    waiting.hidden = state.begun || isOver(state);
    const viewers = byId("viewers");
    viewers.hidden = !state.viewers;
    put(viewers, ngettext("%(n)s person is watching", "%(n)s people are watching", state.viewers));
    this.#tell(state);
  }

  /** Say that the opponent has left or is back, once that has lasted. @param {GameState} state */
  #tell(state) {
    const side = opponentOf(state);
    if (!side || !plays(state) || !betweenPeople(state)) return;
    const there = state.seats[side].present;
    this.#said ??= there;
    if (there === this.#said) {
      clearTimeout(this.#timer);
      this.#timer = 0;
    }
    if (there === this.#said || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = 0;
      this.#said = there;
      say(there ? gettext("The opponent is here.") : gettext("The opponent has left."));
    }, BLINK);
  }
}
