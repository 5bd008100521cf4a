/**
 * What a player may claim: what the state names, and, in friendly games against the clock, the game of an opponent who
 * has gone. The countdown is for the eyes; the server knows when somebody was last there.
 */

import { betweenPeople, isLiveAndFriendly, opponentOf, plays } from "../game/state_selectors.js";
import { byId, say } from "../site/dom.js";
import { stand } from "./misclick_guard.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */

/** Milliseconds of absence, or of the opponent's turn, after which a proven result can be claimed. */
const IDLE = 10_000;
const LONG_TURN = 60_000;
/** Milliseconds for which nothing is asked of a player who has given time. */
const GIVEN = 15_000;

export class Claims {
  /** Since when the opponent is to move. */ #turn = performance.now();
  #version = -1;
  /** Until when the player prefers to wait, as the server counts. */ #waits = 0;
  #told = false;
  #timer = 0;

  /**
   * @param {{present: () => GameState, send: import("./command_queue.js").Send, places: import("./misclick_guard.js").Places,
   *   now: () => number}} table `now` is the server's time
   */
  constructor({ present, send, places, now }) {
    this.present = present;
    this.places = places;
    this.now = now;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-claim]"))) {
      button.addEventListener("click", (event) =>
        places.press(event, button, () => void send("claim", { what: button.dataset.claim }, button)));
    }
    byId("give-time").addEventListener("click", () => {
      this.#wait(this.now() + GIVEN);
      void send("add-time", {});
    });
    byId("wait").addEventListener("click", () => {
      const after = this.present().claim_after ?? 0;
      const opens = (this.#goneSince ?? 0) + after;
      this.#wait(opens > this.now() ? opens : this.now() + after);
    });
  }

  /** Put the question aside for a while; it comes back as long as the opponent has not. @param {number} until */
  #wait(until) {
    this.#waits = until;
    this.#told = false;
    this.show();
  }

  /** Since when the server counts the opponent's absence; null while they are there. */
  get #goneSince() {
    const state = this.present();
    const side = opponentOf(state);
    const seat = side && state.seats[side];
    return !seat || seat.present ? null : (seat.gone ?? null);
  }

  show() {
    const state = this.present();
    clearTimeout(this.#timer);
    const mine = plays(state);
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-listed]"))) {
      // A fourth offer is claimed by the side to move, and not by whoever made it.
      const waits = button.dataset.claim === "fourth-offer" && state.you !== state.turn;
      button.hidden = !mine || waits || !state.claims.includes(button.dataset.listed ?? "");
    }
    const side = opponentOf(state);
    const theirs = mine && state.begun && side === state.turn && betweenPeople(state);
    if (state.version !== this.#version) {
      // Each move gives the opponent a new beginning.
      this.#version = state.version;
      this.#turn = performance.now();
    }
    const since = this.#goneSince;
    if (since === null) {
      this.#waits = 0;
      this.#told = false;
    }
    const friendly = theirs && state.conduct === "friendly";
    const away = since === null ? 0 : Math.max(0, this.now() - since);
    const after = state.claim_after;
    const gone = friendly && isLiveAndFriendly(state) && after !== null && since !== null && this.now() >= this.#waits;
    const idle = friendly && (away >= IDLE || performance.now() - this.#turn >= LONG_TURN);
    byId("claim-proof").hidden = !idle;
    stand(byId("gone"), gone);
    if (gone) this.#count(Math.max(0, after - away));
    this.#makeRoom(gone);
    this.places.heed();
    // What has opened, and is not put aside, changes no more by itself.
    const settled = since === null ? idle : gone && away >= after;
    if (friendly && !settled) this.#timer = setTimeout(() => this.show(), 1000);
  }

  /** On a small screen the panel must cover neither the board nor a clock. @param {boolean} gone whether it is shown */
  #makeRoom(gone) {
    const table = /** @type {HTMLElement} */ (document.querySelector(".table"));
    table.toggleAttribute("data-gone", gone);
    if (!gone) return;
    // A notice that comes and goes among the offers moves nothing.
    const height = (/** @type {Element|null} */ part) => part?.getBoundingClientRect().height ?? 0;
    const room = height(byId("gone").parentElement) - height(byId("connection"));
    table.style.setProperty("--asked", `${Math.round(room)}px`);
  }

  /** @param {number} left until the game can be claimed, in milliseconds */
  #count(left) {
    const open = left <= 0;
    /** @type {HTMLButtonElement} */ (byId("claim-gone")).disabled = !open;
    byId("gone-left").textContent = open ? "" : gettext("You can claim the game in %(time)s.", { time: short(left) });
    if (open && !this.#told) {
      this.#told = true;
      say(gettext("The opponent has left. You can claim the game now."));
    }
  }
}

/** Minutes and seconds. @param {number} ms */
function short(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
