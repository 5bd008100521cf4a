/**
 * Sends what a player does, one thing after the other. What is pressed while another command is under way waits for it,
 * and is sent if its button is still there by then. A button whose own command is under way says so, and takes no more.
 */

import { CommandError } from "./live.js";

/** @typedef {(name: string, values?: Record<string, unknown>, button?: HTMLElement) => Promise<unknown>} Send */

export class Commands {
  /** The names of those that wait or are under way. @type {string[]} */ #open = [];
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
    return this.#open.includes(name);
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
    this.#open.push(name);
    const turn = this.#after(before, name, values, button);
    this.#last = turn.catch(() => null);
    this.table.changed();
    try {
      return await turn;
    } finally {
      this.#open.splice(this.#open.indexOf(name), 1);
      button?.removeAttribute("aria-busy");
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
