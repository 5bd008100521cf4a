/** The line at the edge of a game's screen: notices for a while, and a lost connection. */

import { gettext } from "./words.js";

/** Milliseconds for which a notice is shown, and for which a lost connection is nobody's concern. */
const SHOWN = 7000;
const SHORT = 1200;

export class Messages {
  #timer = 0;
  #lost = 0;

  /** @param {HTMLElement} line */
  constructor(line) {
    this.line = line;
  }

  /** @param {string} text @param {"notice"|"lost"} kind */
  #show(text, kind) {
    this.line.textContent = text;
    this.line.dataset.kind = kind;
    this.line.hidden = false;
  }

  /** @param {"notice"|"lost"} kind */
  #hide(kind) {
    if (this.line.dataset.kind === kind) this.line.hidden = true;
  }

  /** Show a message to the visitor for a while. @param {string} text */
  notice(text) {
    this.#show(text, "notice");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#hide("notice"), SHOWN);
  }

  /** Why the server refused something. @param {import("./live.js").CommandError} error */
  refusal({ detail, clause }) {
    const text = detail || gettext("That did not work. Try again.");
    this.notice(clause ? `${text} (${clause})` : text);
  }

  /** @param {boolean} open */
  connection(open) {
    clearTimeout(this.#lost);
    if (open) this.#hide("lost");
    // A short interruption recovers by itself; only a longer one is reported.
    else this.#lost = setTimeout(() => this.#show(gettext("The connection is lost. Trying again…"), "lost"), SHORT);
  }
}
