/** The status bar over the top of a game's page: notices for a while, and the lost connection. */

import { gettext } from "../site/translations.js";

/** Milliseconds for which a notice is shown, and for which a lost connection is not shown. */
const SHOWN = 7000;
const CONNECTION_DELAY = 1200;

export class StatusBar {
  #notice = "";
  #lost = false;
  #timers = { notice: 0, lost: 0 };

  /** @param {HTMLElement} line */
  constructor(line) {
    this.line = line;
  }

  /** @param {{notice?: string, lost?: boolean}} now */
  #show({ notice = this.#notice, lost = this.#lost }) {
    this.#notice = notice;
    this.#lost = lost;
    const text = notice || (lost ? gettext("The connection is lost. Trying again…") : "");
    this.line.hidden = !text;
    if (text) this.line.textContent = text;
  }

  /** Show a message to the visitor for a while. @param {string} text */
  notice(text) {
    this.#show({ notice: text });
    clearTimeout(this.#timers.notice);
    this.#timers.notice = setTimeout(() => this.#show({ notice: "" }), SHOWN);
  }

  /** Show why the server refused a command. @param {import("./live_connection.js").CommandError} error */
  refusal({ detail, clause }) {
    const text = detail || gettext("That did not work. Try again.");
    this.notice(clause ? `${text} (${clause})` : text);
  }

  /** @param {boolean} open @param {boolean} [silent] whether it counts as lost because of silence */
  connection(open, silent = false) {
    clearTimeout(this.#timers.lost);
    if (open) this.#show({ lost: false });
    else if (silent) this.#show({ notice: "", lost: true });
    // A short interruption recovers by itself; only a longer one is reported.
    else if (!this.#lost) this.#timers.lost = setTimeout(() => this.#show({ notice: "", lost: true }), CONNECTION_DELAY);
  }
}
