// @ts-check
/**
 * What this device has tapped for the scoresheet of a board and the server has not taken yet, and the sheet as both together
 * give it. It lies in the browser's storage: a reload, a dead battery and a network that is away lose nothing.
 *
 * A server that took over from another one may know less than that one had acknowledged. The device that keeps the sheet then
 * sends what is missing once more.
 */

import { newId } from "../site/send_command.js";

/** @typedef {"white"|"black"} Side */
/** @typedef {{result_text: string, termination: string, winner: Side|null}} End */
/**
 * @typedef {object} Told the sheet as the server tells it, see `SheetTold`
 * @property {number} round
 * @property {number} board
 * @property {string} white
 * @property {string} black
 * @property {string} game
 * @property {number[]} choices
 * @property {number} sets
 * @property {number} set
 * @property {number[]} moves
 * @property {End|null} ended
 * @property {boolean} over
 * @property {"white"|"black"|"official"|null} kept
 * @property {boolean} mine
 * @property {number[]} objections
 * @property {string[]} agreed
 * @property {boolean} confirmed
 * @property {boolean} settled
 * @property {{set: number, ply: number, was: number}[]} corrections
 * @property {number} lines
 * @property {string} result
 * @property {string|null} entered
 */
/** @typedef {{id: string, do: string, set?: number, ply?: number, hole?: number, side?: string, winner?: string, cause?: string}} Entry */
/** @typedef {{told: Told, waiting: Entry[]}} Stored */

const DEVICE = "korgool-device";

/** The name that this device has given itself. */
export function deviceName() {
  try {
    const found = localStorage.getItem(DEVICE) ?? newId();
    localStorage.setItem(DEVICE, found);
    return found.slice(0, 40);
  } catch {
    return unnamed;
  }
}
const unnamed = newId().slice(0, 40);

export class KeptSheet {
  /** @type {Told} */ told;
  /** What the server has not taken yet, the oldest first. @type {Entry[]} */ waiting = [];
  #place;

  /** @param {string} address where the sheet is asked for @param {Told} told */
  constructor(address, told) {
    this.#place = `korgool-sheet ${address} ${told.round}`;
    this.told = told;
    this.reload();
  }

  /** Read what another tab of this device has written meanwhile. */
  reload() {
    try {
      /** @type {Stored|null} */
      const held = JSON.parse(localStorage.getItem(this.#place) ?? "null");
      if (!held || !Array.isArray(held.waiting) || held.told.white !== this.told.white || held.told.black !== this.told.black) return;
      this.waiting = held.waiting;
      if (held.told.lines >= this.told.lines) this.told = held.told;
    } catch {
      // A browser without storage keeps it while the page is open.
    }
  }

  #store() {
    try {
      localStorage.setItem(this.#place, JSON.stringify({ told: this.told, waiting: this.waiting }));
    } catch {
      // As above.
    }
  }

  /** Write an entry; it waits for the server. @param {Omit<Entry, "id">} entry */
  write(entry) {
    this.waiting.push({ id: newId().slice(0, 40), set: this.shown().set, ...entry });
    this.#store();
  }

  /** Take over what the server tells. @param {Told} fresh */
  take(fresh) {
    const before = this.told;
    if (fresh.white !== before.white || fresh.black !== before.black) this.waiting = []; // others sit there now
    const lost = fresh.white === before.white && fresh.black === before.black && before.mine && fresh.lines < before.lines && fresh.set === before.set && !fresh.ended
      && fresh.moves.length <= before.moves.length && fresh.moves.every((hole, at) => hole === before.moves[at]);
    this.told = fresh;
    if (lost) {
      const again = before.moves.slice(fresh.moves.length).map((hole, at) => (
        { id: newId().slice(0, 40), do: "move", set: fresh.set, ply: fresh.moves.length + at + 1, hole }));
      this.waiting = [{ id: newId().slice(0, 40), do: "keep" }, ...again, ...this.waiting];
    }
    this.#store();
  }

  /** The server has taken these. @param {Entry[]} done */
  taken(done) {
    const ids = new Set(done.map(({ id }) => id));
    this.waiting = this.waiting.filter(({ id }) => !ids.has(id));
    this.#store();
  }

  /** Give up what waits, since the server refuses it. @returns {Entry[]} */
  giveUp() {
    const { waiting } = this;
    this.waiting = [];
    this.#store();
    return waiting;
  }

  /** The sheet with what waits. @returns {Told} */
  shown() {
    /** @type {Told} */
    const made = structuredClone(this.told);
    const by = /** @type {HTMLElement} */ (document.getElementById("sheet")).dataset.by;
    for (const entry of this.waiting) {
      const { ply = 0 } = entry;
      if (entry.do === "keep") Object.assign(made, { kept: by, mine: true });
      else if (entry.do === "move") made.moves.push(entry.hole ?? 0);
      else if (entry.do === "undo") {
        made.moves.slice(ply).forEach((was, at) => made.corrections.push({ set: made.set, ply: ply + at + 1, was }));
        made.moves.length = Math.min(made.moves.length, ply);
        made.objections = made.objections.filter((one) => one <= ply);
        made.ended = null;
      } else if (entry.do === "object") made.objections.push(ply);
      else if (entry.do === "agree") {
        made.agreed.push(entry.side || String(by));
        made.objections = [];
      } else if (entry.do === "end") {
        made.ended = { result_text: "", termination: entry.cause ?? "", winner: /** @type {Side|null} */ (entry.winner || null) };
      } else if (entry.do === "next") Object.assign(made, { set: made.set + 1, moves: [], ended: null, agreed: [], objections: [] });
      if (["move", "undo", "end", "object"].includes(entry.do)) made.agreed = [];
    }
    return made;
  }
}
