/** Preset phrases between the players of a game: the menu, and what the page tells of one. */

import { byId } from "../site/dom.js";
import { readSetting, storeSetting } from "../site/stored_settings.js";
import { gettext, words } from "../site/translations.js";

/** @typedef {"white"|"black"} Side */
/** @typedef {{kind: "phrase", side: Side, phrase: string}} PhraseMessage */
/** @typedef {{you: Side|null, shared: boolean, level: number|null}} PhraseView the part of a game's state that is used */

/** Milliseconds before another phrase can be sent. */
const PAUSE = 2000;

/** The parts of `game_phrases.html`. */
export class PresetPhrases {
  #pause = 0;
  /** Whether the phrase told last is the opponent's. */ #theirs = false;

  /**
   * @param {{currentState: () => PhraseView, send: (phrase: string) => void, tell: (text: string) => void}} page
   *   `send` sends `{"do": "say", "phrase": phrase}`, and shows it if that is refused; `tell` shows one and reads it
   *   aloud, and an empty text ends that
   */
  constructor({ currentState, send, tell }) {
    this.currentState = currentState;
    this.tell = tell;
    this.button = byId("say-something");
    this.menu = byId("phrase-menu");
    this.mute = byId("mute");
    this.mute.setAttribute("aria-checked", readSetting("mute", "off") === "on" ? "true" : "false");
    this.button.addEventListener("click", () => this.#open(this.menu.hidden ? 0 : null));
    this.button.addEventListener("keydown", (event) => this.#onButton(event));
    this.menu.addEventListener("keydown", (event) => this.#inMenu(event));
    this.menu.addEventListener("click", ({ target }) => {
      const item = /** @type {HTMLElement} */ (target).closest("button");
      if (item === this.mute) this.#toggleMute();
      else if (item?.dataset.phrase && !this.#pause) {
        this.#open(null);
        this.button.focus();
        this.#wait();
        send(item.dataset.phrase);
      }
    });
    document.addEventListener("pointerdown", ({ target }) => {
      if (!byId("phrases").contains(/** @type {Node} */ (target))) this.#open(null);
    });
    this.menu.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget && !byId("phrases").contains(/** @type {Node} */ (relatedTarget))) this.#open(null);
    });
    this.show();
  }

  get muted() {
    return this.mute.getAttribute("aria-checked") === "true";
  }

  /** @returns {HTMLElement[]} */
  get #items() {
    return [.../** @type {NodeListOf<HTMLElement>} */ (this.menu.querySelectorAll("button"))];
  }

  /** Show the menu to the two players of a game between people. */
  show() {
    const { you, shared, level } = this.currentState();
    byId("phrases").hidden = !you || shared || level !== null;
  }

  /** Tell of a phrase; those of a muted opponent are ignored. @param {PhraseMessage} message */
  receive({ side, phrase }) {
    const own = side === this.currentState().you;
    const text = words.phrases[phrase];
    if (!text || (this.muted && !own)) return;
    this.#theirs = !own;
    this.tell(own ? gettext("You: %(phrase)s", { phrase: text }) : gettext("The opponent: %(phrase)s", { phrase: text }));
  }

  /** Disable the phrases for a moment, in which the server would refuse one. */
  #wait() {
    clearTimeout(this.#pause);
    const disableItems = (/** @type {boolean} */ waits) => {
      for (const item of this.#items) if (item !== this.mute) item.setAttribute("aria-disabled", String(waits));
    };
    disableItems(true);
    this.#pause = setTimeout(() => {
      this.#pause = 0;
      disableItems(false);
    }, PAUSE);
  }

  #toggleMute() {
    const muted = !this.muted;
    this.mute.setAttribute("aria-checked", String(muted));
    storeSetting("mute", muted ? "on" : "off");
    if (muted && this.#theirs) this.tell("");
  }

  /** Open the menu with the focus on an item, -1 for the last, or close it. @param {number|null} at */
  #open(at) {
    this.menu.hidden = at === null;
    this.button.setAttribute("aria-expanded", String(at !== null));
    if (at !== null) this.#items.at(at)?.focus();
  }

  /** @param {KeyboardEvent} event */
  #onButton(event) {
    const at = { ArrowDown: 0, ArrowUp: -1 }[event.key];
    if (at === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.#open(at);
  }

  /** The keys of a menu; those of the page wait until it is closed. @param {KeyboardEvent} event */
  #inMenu(event) {
    const items = this.#items;
    const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.stopPropagation();
    if (to !== undefined) {
      event.preventDefault();
      items[(to + items.length) % items.length].focus();
    } else if (event.key === "Escape") {
      this.#open(null);
      this.button.focus();
    } else if (event.key === "Tab") {
      this.#open(null);
    } else if (event.key.length === 1 && event.key !== " ") {
      const letter = event.key.toLocaleLowerCase();
      const next = [...items.slice(at + 1), ...items].find(({ textContent }) => textContent?.trim().toLocaleLowerCase().startsWith(letter));
      next?.focus();
    }
  }
}
