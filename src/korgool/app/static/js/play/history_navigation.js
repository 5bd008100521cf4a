/** Navigation through the history of a game: steps through its positions, turns the board, reads it out, with keys for all of this. */

import { ownSide } from "../game/state_selectors.js";
import { bindShortcuts } from "./keyboard_shortcuts.js";
import { CommandError } from "./live_connection.js";
import { byId, disable, icon, say } from "../site/dom.js";
import { CHARACTERS } from "../site/character_keys.js";
import { bindCheckbox } from "../site/settings_fields.js";
import { showHelp } from "./help_sheet.js";
import { boardText, clocksText, movesText } from "./board_announcements.js";
import { moveNumber, stepTitle } from "../game/move_steps.js";
import { holeName, moveText, storesText } from "../game/sentences.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("../board/board_element.js").KorgoolBoard} KorgoolBoard */
/** @typedef {import("./playback.js").Playback} Playback */

export class HistoryNavigation {
  /**
   * @param {KorgoolBoard} board
   * @param {Playback} playback
   * @param {{currentState: () => GameState, clocks: import("./clocks.js").Clocks, notice: (text: string) => void,
   *   changed: () => void, hint: () => void, drop: () => boolean}} page `changed` where the page has to be drawn;
   *   `drop` cancels a premove and returns whether there was one
   */
  constructor(board, playback, page) {
    this.board = board;
    this.playback = playback;
    this.page = page;
    this.#wire();
  }

  /** Show the position after a ply; the last ply is the current position. @param {number} ply */
  showPly(ply) {
    return this.#fetched(this.playback.showPly(ply));
  }

  returnToCurrent = () => void this.showPly(this.#last);

  get #last() {
    return this.page.currentState().moves.length;
  }

  /**
   * Wait for positions from the history; show a notice if the server does not answer.
   * @template T
   * @param {Promise<T>} work
   */
  async #fetched(work) {
    try {
      return await work;
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof RangeError)) throw error;
      this.page.notice(gettext("The server does not answer. Try again."));
      this.page.changed();
      return null;
    }
  }

  /** Step forward or back, and announce the position. @param {number} ply */
  async #stepTo(ply) {
    const state = await this.showPly(ply);
    if (!state) return;
    const { shownPly } = this.playback;
    const words = [shownPly === null ? gettext("The current position") : this.#moveTitle(shownPly)];
    if (state.last) words.push(moveText(state.last, state));
    say(words.join(". "));
  }

  /** The move that led to a past position, without its side. @param {number} ply */
  #moveTitle(ply) {
    return ply ? gettext("Move %(n)s", { n: moveNumber(this.page.currentState().moves, ply) }) : gettext("Start");
  }

  /** Put a side at the lower edge, with its name. @param {Side} side */
  turnTo(side) {
    if (this.board.below === side) return;
    this.board.below = side;
    const [far, near] = ["far", "near"].map((place) => /** @type {HTMLElement} */ (document.querySelector(`.strip.${place}`)));
    far.classList.replace("far", "near");
    near.classList.replace("near", "far");
    const place = document.createComment("");
    far.replaceWith(place);
    near.replaceWith(far);
    place.replaceWith(near);
  }

  /** What the chip on the board says while an earlier position is shown. @param {number} ply */
  #chipText(ply) {
    const { moves } = this.page.currentState();
    if (!ply) return gettext("Start · back to the game");
    return gettext("%(step)s · back to the game", { step: stepTitle(moveNumber(moves, ply), moves[ply - 1].side) });
  }

  #flip = () => this.turnTo(this.board.below === "white" ? "black" : "white");

  /** Announce the last moves of both sides again. */
  async #repeat() {
    const { ply, positions } = this.playback;
    const { moves: plies } = this.page.currentState();
    let from = ply;
    for (const side of [plies[ply - 1]?.side, plies[ply - 1]?.side === "white" ? "black" : "white"]) {
      while (from && plies[from - 1].side === side) from -= 1;
    }
    const states = await this.#fetched(positions.between(from, ply, this.page.currentState));
    if (states) say(movesText(states.slice(1)));
  }

  /** Announce the effect of the focused hole, or of every hole that may be sown. */
  #describe() {
    const { board } = this;
    const now = board.shown;
    const at = board.focused;
    if (!now) return;
    const holes = at ? [at] : now.legal.map((hole) => ({ side: /** @type {Side} */ (now.you), hole }));
    const sentences = holes.map(({ side, hole }) => {
      const can = side === now.you && now.legal.includes(hole);
      const would = board.previewText(side, hole) || (can ? gettext("It can be sown now.") : gettext("It cannot be sown now."));
      return `${holeName(now, side, hole)}: ${would}`;
    });
    say(sentences.join(" ") || gettext("No hole can be sown now."));
  }

  #wire() {
    const { board, playback } = this;
    const steps = {
      first: () => void this.#stepTo(0),
      previous: () => void this.#stepTo(playback.ply - 1),
      next: () => void this.#stepTo(playback.ply + 1),
      last: () => void this.#stepTo(this.#last),
      flip: this.#flip,
      again: () => void this.#fetched(playback.replay()),
      hint: () => this.page.hint(),
      keys: showHelp,
    };
    for (const [id, act] of Object.entries(steps)) {
      byId(id).addEventListener("click", () => byId(id).getAttribute("aria-disabled") === "true" || act());
    }
    byId("back").addEventListener("click", this.returnToCurrent);
    bindCheckbox(CHARACTERS, true);
    const shown = (/** @type {(state: GameState) => string} */ text) => board.shown && say(text(board.shown));
    bindShortcuts({
      ArrowLeft: steps.previous, ArrowRight: steps.next, Home: steps.first, End: steps.last,
      ",": steps.previous, ".": steps.next,
      Escape: () => this.page.drop() || (playback.shownPly !== null && this.returnToCurrent()),
      f: this.#flip, a: () => byId("again").click(), h: () => byId("hint").click(), "?": steps.keys,
      l: () => void this.#repeat(), b: () => shown(boardText), s: () => shown(storesText),
      t: () => say(clocksText(this.page.clocks)), d: () => this.#describe(),
    }, (event) => board.digit(event));
  }

  /** Update the buttons. */
  show() {
    const { ply, shownPly } = this.playback;
    const state = this.page.currentState();
    const steps = { first: ply > 0, previous: ply > 0, next: shownPly !== null, last: shownPly !== null, again: ply > 0 };
    for (const [id, can] of Object.entries(steps)) disable(id, !can);
    const back = byId("back");
    back.hidden = shownPly === null;
    if (shownPly !== null) {
      const text = this.#chipText(shownPly);
      if (back.textContent !== text) back.replaceChildren(icon("back"), text);
    }
    const analyse = /** @type {HTMLAnchorElement} */ (byId("analyse"));
    analyse.href = `/analysis#game=${state.game}&moves=${state.moves.map(({ hole }) => hole).join(",")}&side=${ownSide(state) ?? "white"}`;
    if (state.start) analyse.href += `&start=${encodeURIComponent(state.start)}`;
  }
}
