// @ts-check
/** Brings what a device has tapped to the server, in order, and asks what is new; where nothing answers, again and again. */

import { fetchWhole } from "../site/connection_watchdog.js";
import { tokens } from "../site/send_command.js";

/** @typedef {import("./kept_sheet.js").Told} Told */

/** Milliseconds between two questions: of the device that keeps the sheet, and of one that looks on. */
const KEEPING = 4000, LOOKING = 2000;
/** Milliseconds to wait after a failure, the more often there was one. */
const PAUSES = [1000, 2000, 4000, 8000];
/** Milliseconds for an answer. */
const PATIENCE = 8000;
const MOST = 100;

export class SheetSending {
  /** Whether nothing answered lately. */ silent = false;
  /** Whether nothing is taken here any more: the page must be opened again. */ ended = false;
  #failures = 0;
  #busy = false;
  #timer = 0;

  /**
   * @param {import("./kept_sheet.js").KeptSheet} sheet
   * @param {string} address
   * @param {string} device
   * @param {{changed: () => void, refused: (detail: string, given: import("./kept_sheet.js").Entry[]) => void, closed: (detail: string, given: import("./kept_sheet.js").Entry[]) => void}} told
   */
  constructor(sheet, address, device, told) {
    this.sheet = sheet;
    this.address = address;
    this.device = device;
    this.told = told;
    addEventListener("online", () => void this.go());
    document.addEventListener("visibilitychange", () => void (document.hidden || this.go()));
  }

  /** Send what waits, or ask what is new; then again after a while. */
  async go() {
    if (this.#busy) return;
    this.#busy = true;
    clearTimeout(this.#timer);
    let more = true;
    try {
      while (more) more = await this.#once();
      this.#failures = 0;
      this.silent = false;
    } catch {
      this.#failures += 1;
      this.silent = true;
    }
    this.#busy = false;
    this.told.changed();
    const pause = this.#failures ? PAUSES[Math.min(this.#failures, PAUSES.length) - 1] : this.sheet.told.mine ? KEEPING : LOOKING;
    if (!this.ended) this.#timer = window.setTimeout(() => void (document.hidden && !this.sheet.waiting.length ? this.#later() : this.go()), pause);
  }

  #later() {
    this.#timer = window.setTimeout(() => void this.go(), LOOKING * 5);
  }

  /** @returns {Promise<boolean>} whether more waits */
  async #once() {
    const given = this.sheet.waiting.slice(0, MOST);
    if (!given.length) {
      const { answer, text } = await fetchWhole(`${this.address}?device=${encodeURIComponent(this.device)}`, { headers: { accept: "application/json" } }, PATIENCE);
      if (answer.ok) this.#take(JSON.parse(text));
      else this.#failed(answer.status, text);
      return answer.ok && this.sheet.waiting.length > 0;
    }
    const { status, text } = await this.#post(given);
    if (status === 200) {
      this.sheet.taken(given);
      this.#take(JSON.parse(text));
      return this.sheet.waiting.length > 0;
    }
    const said = parsed(text);
    if (said.sheet) {
      this.sheet.taken(given.slice(0, said.done));
      const lost = this.sheet.giveUp();
      this.sheet.take(said.sheet);
      this.told.refused(said.detail ?? "", lost);
      return false;
    }
    this.#failed(status, text);
    return false;
  }

  /** The sheet of another round is another page: nothing of this one belongs there. @param {Told} fresh */
  #take(fresh) {
    if (fresh.round === this.sheet.told.round) return this.sheet.take(fresh);
    this.ended = true;
    location.reload();
  }

  /** @param {import("./kept_sheet.js").Entry[]} entries */
  async #post(entries) {
    let found = { status: 0, text: "" };
    for (const token of tokens()) {
      const headers = { accept: "application/json", "content-type": "application/json", "x-csrftoken": token };
      const body = JSON.stringify({ device: this.device, round: this.sheet.told.round, entries });
      const { answer, text } = await fetchWhole(this.address, { method: "POST", headers, body, keepalive: true }, PATIENCE);
      found = { status: answer.status, text };
      if (answer.status !== 403) break; // the token may be of somebody else on the same host
    }
    return found;
  }

  /** @param {number} status @param {string} text */
  #failed(status, text) {
    if (status === 0 || status === 429 || status >= 500) throw new Error("nothing answers");
    this.ended = [403, 404, 410].includes(status);
    // What is for a round that is over is never taken; without the right to write it may be tomorrow.
    this.told.closed(parsed(text).detail ?? "", status === 410 ? this.sheet.giveUp() : []);
  }
}

/** @param {string} text @returns {{detail?: string, done: number, sheet?: Told}} */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { done: 0 };
  }
}
