/**
 * Claims of a player: those that the state names, which are asked as a question, and, in friendly games against the clock, the game of an opponent who
 * has left. The countdown is only shown; the server knows when the opponent was last present.
 */

import { isBetweenPeople, isLiveAndFriendly, opponentOf, isPlaying } from "../game/state_selectors.js";
import { byId, say } from "../site/dom.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */

/** Milliseconds of absence, or of the opponent's turn, after which a proven result can be claimed. */
const IDLE = 10_000;
const LONG_TURN = 60_000;
/** Milliseconds for which a player who has given time is not asked again. */
const GRACE = 15_000;

export class Claims {
  /** The moment since which the opponent is to move. */ #turnSince = performance.now();
  #version = -1;
  /** The moment until which the player prefers to wait, in the server's time. */ #postponedUntil = 0;
  #announced = false;
  #timer = 0;
  /** The open claims that the player has put aside, until others are open. */ #putAside = "";

  /**
   * @param {{currentState: () => GameState, send: import("./command_queue.js").Send, misclickGuard: import("./misclick_guard.js").MisclickGuard,
   *   statusBar: import("./status_bar.js").StatusBar, now: () => number}} page `now` is the server's time
   */
  constructor({ currentState, send, misclickGuard, statusBar, now }) {
    this.currentState = currentState;
    this.statusBar = statusBar;
    this.misclickGuard = misclickGuard;
    this.now = now;
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-claim]"))) {
      button.addEventListener("click", (event) =>
        misclickGuard.press(event, button, () => void send("claim", { what: button.dataset.claim }, button)));
    }
    byId("give-time").addEventListener("click", () => {
      this.#postpone(this.now() + GRACE);
      void send("add-time", {});
    });
    byId("claim-later").addEventListener("click", () => {
      this.#putAside = this.#open();
      this.show();
    });
    byId("wait").addEventListener("click", () => {
      const after = this.currentState().claim_after ?? 0;
      const opens = (this.#goneSince ?? 0) + after;
      this.#postpone(opens > this.now() ? opens : this.now() + after);
    });
  }

  /** Postpone the question; it returns unless the opponent does. @param {number} until */
  #postpone(until) {
    this.#postponedUntil = until;
    this.#announced = false;
    this.show();
  }

  /** The moment since which the server counts the opponent's absence; null while they are present. */
  get #goneSince() {
    const state = this.currentState();
    const side = opponentOf(state);
    const seat = side && state.seats[side];
    return !seat || seat.present ? null : (seat.gone ?? null);
  }

  show() {
    const state = this.currentState();
    clearTimeout(this.#timer);
    const mine = isPlaying(state);
    for (const button of this.#listed) {
      // A fourth offer is claimed by the side to move, and not by the side that made it.
      const waits = button.dataset.claim === "fourth-offer" && state.you !== state.turn;
      button.hidden = !mine || waits || !state.claims.includes(button.dataset.listed ?? "");
    }
    const open = this.#open();
    if (open !== this.#putAside) this.#putAside = "";
    this.statusBar.ask("claim", byId("claim-asked"), Boolean(open) && !this.#putAside, gettext("You can end the game by a claim."));
    const side = opponentOf(state);
    const theirs = mine && state.begun && side === state.turn && isBetweenPeople(state);
    if (state.version !== this.#version) {
      // The time of a turn starts with each move.
      this.#version = state.version;
      this.#turnSince = performance.now();
    }
    const since = this.#goneSince;
    if (since === null) {
      this.#postponedUntil = 0;
      this.#announced = false;
    }
    const friendly = theirs && state.conduct === "friendly";
    const away = since === null ? 0 : Math.max(0, this.now() - since);
    const after = state.claim_after;
    const gone = friendly && isLiveAndFriendly(state) && after !== null && since !== null && this.now() >= this.#postponedUntil;
    const idle = friendly && (away >= IDLE || performance.now() - this.#turnSince >= LONG_TURN);
    byId("claim-proof").hidden = !idle;
    this.statusBar.ask("gone", byId("gone"), gone);
    if (gone) this.#countDown(Math.max(0, after - away));
    this.#makeRoom(gone);
    this.misclickGuard.update();
    // A claim that is open and not postponed does not change by itself.
    const settled = since === null ? idle : gone && away >= after;
    if (friendly && !settled) this.#timer = setTimeout(() => this.show(), 1000);
  }

  /** @returns {HTMLElement[]} */
  get #listed() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-listed]"))];
  }

  /** The claims that are open, as one text. */
  #open() {
    return this.#listed.flatMap((button) => (button.hidden ? [] : [button.id])).join(" ");
  }

  /** On a small screen the panel must cover neither the board nor a clock. @param {boolean} gone whether it is shown */
  #makeRoom(gone) {
    const table = /** @type {HTMLElement} */ (document.querySelector(".table"));
    table.toggleAttribute("data-gone", gone);
    if (!gone) return;
    // A notice among the offers must not move them.
    const height = (/** @type {Element|null} */ part) => part?.getBoundingClientRect().height ?? 0;
    const room = height(byId("gone").parentElement) - height(byId("connection"));
    table.style.setProperty("--asked", `${Math.round(room)}px`);
  }

  /** @param {number} left until the game can be claimed, in milliseconds */
  #countDown(left) {
    const open = left <= 0;
    /** @type {HTMLButtonElement} */ (byId("claim-gone")).disabled = !open;
    byId("gone-left").textContent = open ? "" : gettext("You can claim the game in %(time)s.", { time: minutesText(left) });
    if (open && !this.#announced) {
      this.#announced = true;
      say(gettext("The opponent has left. You can claim the game now."));
    }
  }
}

/** Minutes and seconds. @param {number} ms */
function minutesText(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
