/**
 * The end of a game: a sheet over the lower half of a phone, above which the whole board is in view, and the head of the
 * panel on a desk. Who closes it has a chip on the board that brings it back.
 */

import { outcomeHeadline, resultText } from "../game/sentences.js";
import { isOver } from "../game/state_selectors.js";
import { byId, icon } from "../site/dom.js";
import { showOutcome } from "./result_panel.js";
import { sharePicture } from "../site/web_share.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("../analysis/review_summary.js").GameSummary} GameSummary */

/** The bars are so much longer than the stones that win. */
const BEYOND = 1.16;
/** What Escape closes first. */
const OPEN = "dialog[open], details.menu[open], .phrase-menu:not([hidden])";

export class EndSheet {
  #shown = false;
  #closed = false;
  #looksBack = false;
  #reviewed = false;
  #leaving = new AbortController();

  /**
   * @param {{sheet: HTMLElement, chip: HTMLElement, game: HTMLElement}} parts `game` holds the board and the sheet
   * @param {(text: string) => void} notice
   */
  constructor({ sheet, chip, game }, notice) {
    this.sheet = sheet;
    this.chip = chip;
    this.game = game;
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (sheet.querySelector(name));
    this.told = part(".told");
    this.summary = part("#review-summary");
    addEventListener("pagehide", () => this.#leaving.abort());
    addEventListener("pageshow", ({ persisted }) => {
      if (!persisted) return;
      this.#leaving = new AbortController();
      if (this.state && this.#shown && !this.#reviewed) void this.#review(this.state);
    });
    /** @type {GameState|null} */
    this.state = null;
    part("#close-result").addEventListener("click", () => this.#close());
    this.chip.addEventListener("click", () => {
      this.#toggle(false);
      part("#close-result").focus();
    });
    // Before the commands of the page, of which Escape is one.
    addEventListener("keydown", (event) => this.#escape(event), true);
    part("#share-picture").addEventListener("click", () => {
      if (this.state) void sharePicture(`/games/${this.state.id}`, `${outcomeHeadline(this.state)} ${resultText(this.state)}`.trim(), notice);
    });
  }

  /** @param {boolean} closed */
  #toggle(closed) {
    this.#closed = closed;
    if (this.state) this.show(this.state, this.#looksBack);
  }

  /** Escape closes the sheet from within, and from anywhere where it lies over the board. @param {KeyboardEvent} event */
  #escape(event) {
    if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || this.sheet.hidden) return;
    const within = this.sheet.contains(document.activeElement);
    const over = getComputedStyle(this.sheet).position === "fixed" && !document.querySelector(OPEN);
    if (!within && !over) return;
    event.preventDefault();
    if (within || document.activeElement === document.body) this.#close();
    else this.#toggle(true);
  }

  /** Close the sheet; the focus goes to the chip that has the place. */
  #close() {
    this.#toggle(true);
    (this.#looksBack ? byId("back") : this.chip).focus();
  }

  /**
   * Show the end once all stones rest.
   * @param {GameState} state that the board has reached
   * @param {boolean} looksBack whether an earlier position is shown, whose chip has the place
   */
  show(state, looksBack) {
    this.state = state;
    this.#looksBack = looksBack;
    const over = isOver(state);
    if (over && !this.#shown) this.#fill(state);
    const open = over && !this.#closed;
    this.sheet.hidden = !open;
    this.game.toggleAttribute("data-sheet", open);
    this.chip.hidden = !over || !this.#closed || looksBack;
    document.body.classList.toggle("over", over);
  }

  /** @param {GameState} state */
  #fill(state) {
    this.#shown = true;
    showOutcome(this.told, state);
    this.chip.replaceChildren(icon("cup"), [outcomeHeadline(state), state.outcome ? state.stores.join(" : ") : ""].filter(Boolean).join(" · "));
    for (const row of /** @type {NodeListOf<HTMLElement>} */ (this.sheet.querySelectorAll(".totals > div"))) this.#fillBar(row, state);
    const review = this.sheet.querySelector("#review-game");
    if (!state.moves.length) review?.remove();
    else {
      void this.#tellOverlooked(state);
      void this.#review(state);
    }
  }

  /** After a game against a level, say what both overlooked; each row leads to its move in the review. @param {GameState} state */
  async #tellOverlooked(state) {
    if (!state.you || state.level === null) return;
    try {
      const { overlookedRows } = await import("./overlooked.js");
      const { KernelRules } = await import("../device/kernel_rules.js");
      const rules = await KernelRules.load(/** @type {import("../device/kernel_rules.js").Game} */ (state.game));
      this.#fillRows("#overlooked", overlookedRows(state, rules));
    } catch {
      // Without the rules on this device the sheet says nothing of it.
    }
  }

  /** Fill a list of links. @param {string} name @param {{name: string, text: string, href: string}[]} rows */
  #fillRows(name, rows) {
    const list = /** @type {HTMLElement} */ (this.sheet.querySelector(name));
    list.hidden = !rows.length;
    list.replaceChildren(...rows.map((row) => {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = row.href;
      const head = document.createElement("b");
      head.textContent = row.name;
      link.append(head, ` ${row.text}`);
      item.append(link);
      return item;
    }));
  }

  /** @param {HTMLElement} row @param {GameState} state */
  #fillBar(row, { stores }) {
    const stones = stores[row.dataset.side === "white" ? 0 : 1];
    const bar = /** @type {SVGElement} */ (row.querySelector(".bar"));
    const goal = Number(bar.dataset.goal);
    const most = Math.max(goal * BEYOND, ...stores);
    bar.querySelector(".part")?.setAttribute("width", (100 * stones / most).toFixed(1));
    bar.querySelector(".goal")?.setAttribute("x", (100 * goal / most).toFixed(1));
    /** @type {HTMLElement} */ (row.querySelector("b")).textContent = String(stones);
  }

  /** Let this device find the accuracy and the worst moves while the visitor looks at the board. @param {GameState} state */
  async #review(state) {
    try {
      const { summariseGame } = await import("../analysis/review_summary.js");
      const { signal } = this.#leaving;
      const summary = await summariseGame(state, { signal, onProgress: (part) => this.#showSummary(state, part) });
      if (!summary) return;
      this.#showSummary(state, summary);
      this.#reviewed = true;
    } catch {
      // Old browsers, no network, or a page whose policy or memory does not allow the engine: the review page explains.
    }
  }

  /** @param {GameState} state @param {GameSummary} summary */
  #showSummary(state, summary) {
    const { worst, share } = summary;
    const sides = /** @type {Side[]} */ (state.you && !state.shared ? [state.you, state.you === "white" ? "black" : "white"] : ["white", "black"]);
    const tile = document.createElement("p");
    tile.className = "tile";
    tile.append(gettext("Accuracy"), ...sides.flatMap((side) => {
      const { accuracy } = summary[side];
      if (accuracy === null) return [];
      const player = document.createElement("span");
      const value = document.createElement("b");
      value.textContent = `${Math.round(accuracy)} %`;
      player.append(this.sheet.querySelector(`.totals [data-side="${side}"] dt`)?.textContent ?? "", " ", value);
      return [player];
    }));
    this.#fillRows("#worst", worst.map(({ name, move, sign, text, href }) => ({ name: `${name}: ${move} ${sign}`, text, href })));
    this.summary.replaceChildren(tile);
    this.summary.hidden = tile.childElementCount === 0;
    this.summary.toggleAttribute("data-growing", share < 1);
    const word = this.sheet.querySelector("#review-game .word");
    if (word && share >= 1 && worst.length) word.textContent = gettext("Find the better move");
  }
}
