/**
 * Sends what a player does, one thing after the other. What is pressed while another command is under way waits for it,
 * and is sent if its button is still there by then. A button whose own command is under way says so, and takes no more;
 * one that is under way for long says that it is not sent yet.
 */

import { CommandError } from "./live_connection.js";
import { LATE } from "../site/connection_watchdog.js";
import { gettext } from "../site/translations.js";

/** @typedef {{name: string, values: Record<string, unknown>, late: boolean}} Open a command that waits or is under way, perhaps for long */
/** @typedef {(name: string, values?: Record<string, unknown>, button?: HTMLElement) => Promise<unknown>} Send */

export class Commands {
  /** @type {Open[]} */ #open = [];
  /** Ends with the last of them. @type {Promise<unknown>} */ #last = Promise.resolve();

  /**
   * @param {{command: (name: string, values?: Record<string, unknown>) => Promise<unknown>, changed: () => void,
   *   refused: (error: CommandError) => void}} table `command` sends one
   */
  constructor(table) {
    this.table = table;
  }

  /** Whether one of this name waits or is under way. @param {string} name */
  has(name) {
    return Boolean(this.of(name));
  }

  /** The first of this name that waits or is under way. @param {string} name */
  of(name) {
    return this.#open.find((one) => one.name === name);
  }

  /**
   * Send a command after those before it, and show why if it is refused.
   * @param {string} name
   * @param {Record<string, unknown>} [values]
   * @param {HTMLElement} [button] the one that was pressed
   */
  async send(name, values, button) {
    if (button?.hasAttribute("aria-busy")) return null;
    button?.setAttribute("aria-busy", "true");
    const before = this.#open.length ? this.#last : null;
    const one = { name, values: values ?? {}, late: false };
    this.#open.push(one);
    const timer = setTimeout(() => {
      one.late = true;
      button?.setAttribute("data-late", gettext("not sent yet"));
      this.table.changed();
    }, LATE);
    const turn = this.#after(before, name, values, button);
    this.#last = turn.catch(() => null);
    this.table.changed();
    try {
      return await turn;
    } finally {
      clearTimeout(timer);
      this.#open.splice(this.#open.indexOf(one), 1);
      button?.removeAttribute("aria-busy");
      button?.removeAttribute("data-late");
      this.table.changed();
    }
  }

  /** @param {Promise<unknown>|null} before @param {string} name @param {Record<string, unknown>} [values] @param {HTMLElement} [button] */
  async #after(before, name, values, button) {
    await before;
    if (before && button && !button.getClientRects().length) return null; // what it answered is over
    try {
      return await this.table.command(name, values);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      this.table.refused(error);
      return null;
    }
  }
}
