/**
 * Sends the commands of a player one after the other. A command given while another is under way waits for it, and is
 * sent if its button is still shown by then. A button whose command is under way is busy and takes no presses; after a
 * while it says that the command is not sent yet.
 */

import { CommandError } from "./live_connection.js";
import { LATE } from "../site/connection_watchdog.js";
import { gettext } from "../site/translations.js";

/** @typedef {{name: string, values: Record<string, unknown>, late: boolean}} QueuedCommand a command that waits or is under way, perhaps for long */
/** @typedef {(name: string, values?: Record<string, unknown>, button?: HTMLElement) => Promise<unknown>} Send */

export class CommandQueue {
  /** @type {QueuedCommand[]} */ #queue = [];
  /** Settles with the last of them. @type {Promise<unknown>} */ #last = Promise.resolve();

  /**
   * @param {{command: (name: string, values?: Record<string, unknown>) => Promise<unknown>, changed: () => void,
   *   refused: (error: CommandError) => void}} page `command` sends one
   */
  constructor(page) {
    this.page = page;
  }

  /** Return whether a command of this name waits or is under way. @param {string} name */
  has(name) {
    return Boolean(this.find(name));
  }

  /** Return whether a command is not sent yet although it was given a while ago. */
  get late() {
    return this.#queue.some(({ late }) => late);
  }

  /** Return the first command of this name that waits or is under way. @param {string} name */
  find(name) {
    return this.#queue.find((command) => command.name === name);
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
    const before = this.#queue.length ? this.#last : null;
    const command = { name, values: values ?? {}, late: false };
    this.#queue.push(command);
    const timer = setTimeout(() => {
      command.late = true;
      button?.setAttribute("data-late", gettext("not sent yet"));
      this.page.changed();
    }, LATE);
    const turn = this.#after(before, name, values, button);
    this.#last = turn.catch(() => null);
    this.page.changed();
    try {
      return await turn;
    } finally {
      clearTimeout(timer);
      this.#queue.splice(this.#queue.indexOf(command), 1);
      button?.removeAttribute("aria-busy");
      button?.removeAttribute("data-late");
      this.page.changed();
    }
  }

  /** @param {Promise<unknown>|null} before @param {string} name @param {Record<string, unknown>} [values] @param {HTMLElement} [button] */
  async #after(before, name, values, button) {
    await before;
    if (before && button && !button.getClientRects().length) return null; // the offer that it answered is gone
    try {
      return await this.page.command(name, values);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      this.page.refused(error);
      return null;
    }
  }
}
