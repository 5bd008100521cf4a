/**
 * Actions of a player beside moving: offers of draws, take-backs and rematches, added time, resigning, and ending a game
 * that has hardly begun. The state says which are possible; the server decides.
 */

import { isBetweenPeople, isLiveAndFriendly, isOver, isSlow, opponentOf, isPlaying, ownSide } from "../game/state_selectors.js";
import { byId, say } from "../site/dom.js";
import { askToConfirm } from "./misclick_guard.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("./command_queue.js").Send} Send */

/** Plies before which a game can be ended without a result. */
const HARDLY_BEGUN = 2;

const OFFER_TEXTS = /** @type {const} */ ({
  draw: () => gettext("The opponent offers a draw."),
  takeback: () => gettext("The opponent asks to take back."),
  rematch: () => gettext("The opponent offers a rematch."),
});
/** @typedef {keyof typeof OFFER_TEXTS} Kind */
const KINDS = /** @type {Kind[]} */ (Object.keys(OFFER_TEXTS));

const EVENT_TEXTS = new Map([
  ["decline-draw", () => gettext("The draw is declined.")],
  ["decline-takeback", () => gettext("Taking back is declined.")],
  ["takeback", () => gettext("Taken back.")],
  ["begin", () => gettext("The game begins.")],
  ["outage", () => gettext("The server was away; nobody lost time by that.")],
]);

export class GameActions {
  /** True if the player has put the offer of a rematch aside. */ #rematchPutAside = false;

  /**
   * @param {{currentState: () => GameState, send: Send, back: () => void, misclickGuard: import("./misclick_guard.js").MisclickGuard,
   *   statusBar: import("./status_bar.js").StatusBar}} page `back` leads to the current position
   */
  constructor({ currentState, send, back, misclickGuard, statusBar }) {
    this.currentState = currentState;
    this.statusBar = statusBar;
    /** @param {string} id @param {() => void} act */
    const click = (id, act) => byId(id).addEventListener("click", act);
    /** @param {string} id @param {string} name */
    const sends = (id, name) => click(id, () => void send(name, {}, byId(id)));
    /** @param {string} id @param {string} name of a command that ends the game */
    const ends = (id, name) =>
      byId(id).addEventListener("click", (event) => misclickGuard.press(event, byId(id), () => void send(name, {}, byId(id))));
    click("undo", back);
    sends("undo", "ask-takeback");
    sends("draw", "offer-draw");
    sends("more-time", "add-time");
    ends("abort", "abort");
    sends("rematch", "rematch");
    sends("accept-rematch", "rematch");
    click("decline-rematch", () => {
      this.#rematchPutAside = true;
      this.#showOffer("rematch", false);
      byId("rematch").hidden = false;
    });
    ends("accept-draw", "accept-draw");
    for (const name of ["decline-draw", "accept-takeback", "decline-takeback"]) sends(name, name);
    click("resign", () => {
      askToConfirm(gettext("Resign this game?"), gettext("Resign"), () => void send("resign", {}, byId("resign")));
    });
  }

  /** Values sent with the next move: a draw offer, where the rules of a competition want it so. */
  get withMove() {
    return !byId("offering").hidden && this.#box.checked ? { offer: true } : {};
  }

  get #box() {
    return /** @type {HTMLInputElement} */ (byId("with-offer"));
  }

  /** Announce an event. @param {import("../game/message_types.js").GameEvent} event @param {GameState} state after it */
  announce({ kind, side, trace }, state) {
    if (kind === "move" && trace?.side === state.you) this.#box.checked = false;
    if (kind === "add-time" && state.you) {
      say(side === state.you ? gettext("You were given 15 seconds.") : gettext("The opponent was given 15 seconds."));
    } else if (EVENT_TEXTS.has(kind) && (isBetweenPeople(state) || kind === "takeback")) say(/** @type {() => string} */ (EVENT_TEXTS.get(kind))());
  }

  /** @param {GameState} rested the state that the board has reached */
  show(rested) {
    const state = this.currentState();
    const { you, offers, conduct, moves, rated } = state;
    const people = isBetweenPeople(state);
    const mine = isPlaying(state) && !isOver(rested);
    const friendly = conduct === "friendly";
    const early = people && moves.length < HARDLY_BEGUN;
    this.#button("hint", mine && !people);
    this.#button("draw", mine && people && friendly && state.begun, !offers.draw);
    this.#button("undo", mine && friendly && !rated, state.can_undo && !offers.takeback);
    /** @type {HTMLElement} */ (byId("undo").querySelector(".word")).textContent = opponentOf(state) && people ? gettext("Ask to take back") : gettext("Take back");
    this.#button("more-time", mine && state.begun && isLiveAndFriendly(state) && !state.shared);
    this.#button("abort", mine && early);
    this.#button("resign", mine && state.begun && !early);
    byId("offering").hidden = !(mine && people && !friendly && state.begun);
    const over = isOver(rested);
    this.#showNextGame(state, over);
    this.#button("rematch", Boolean(you) && over && !state.rematch && offers.rematch !== you && (this.#rematchPutAside || !offers.rematch));
    const next = /** @type {HTMLAnchorElement} */ (byId("next-game"));
    next.hidden = !over || !state.rematch;
    if (state.rematch) next.href = `/games/${state.rematch}`;
    for (const kind of KINDS) {
      const put = kind === "rematch" && this.#rematchPutAside;
      this.#showOffer(kind, !put && Boolean(you) && offers[kind] !== undefined && offers[kind] !== you);
    }
    const own = you && KINDS.find((kind) => offers[kind] === you);
    byId("offered").hidden = !own;
    if (own) byId("offered").textContent = OWN_OFFER_TEXTS[own]();
  }

  /**
   * Lead on from a slow game in which nothing is to be done, or from one that is over, to the next that waits.
   * @param {GameState} state @param {boolean} over
   */
  #showNextGame(state, over) {
    const line = byId("next-waiting");
    const count = line.dataset.count;
    line.toggleAttribute("data-waits", !over);
    line.hidden = count === "0" || !state.you || !(over || (isSlow(state) && state.turn !== ownSide(state)));
    /** @type {HTMLElement} */ (line.querySelector(".badge")).textContent = line.hidden ? "" : (count ?? "");
  }

  /** @param {Kind} kind @param {boolean} asked */
  #showOffer(kind, asked) {
    this.statusBar.ask(kind, byId(`${kind}-asked`), asked, OFFER_TEXTS[kind]());
  }

  /** @param {string} id @param {boolean} shown @param {boolean} [can] */
  #button(id, shown, can = true) {
    const button = /** @type {HTMLButtonElement} */ (byId(id));
    button.hidden = !shown;
    if (id !== "hint") button.disabled = !can;
  }
}

const OWN_OFFER_TEXTS = {
  draw: () => gettext("You have offered a draw."),
  takeback: () => gettext("You have asked to take back."),
  rematch: () => gettext("You have offered a rematch."),
};
