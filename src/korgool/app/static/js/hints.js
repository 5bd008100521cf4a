/** Counts the hints used in each game against the engine; the page shows the number. */

import { recall, remember } from "./settings.js";

/** @typedef {import("./types.js").GameState} GameState */

/** The number of games whose hints are remembered. */
const MOST = 50;

export class Hints {
  asking = false;

  /** @param {string} id of the game */
  constructor(id) {
    this.id = id;
  }

  /** @returns {Record<string, number>} */
  get #counts() {
    try {
      return JSON.parse(recall("hints", "{}"));
    } catch {
      return {};
    }
  }

  /** How many hints were used in this game, in this browser. */
  get count() {
    return Number(this.#counts[this.id] ?? 0);
  }

  /**
   * The hole that the engine would sow, and what speaks for it.
   * @param {GameState} state
   * @returns {Promise<{hole: number, why: string}>} rejects if nobody answers
   */
  async ask({ game, start, moves }) {
    this.asking = true;
    try {
      const { ask } = await import("./hint.js");
      const found = await ask(game, start, moves.map((move) => move.hole));
      const { [this.id]: before = 0, ...others } = this.#counts;
      const kept = Object.entries(others).slice(1 - MOST);
      remember("hints", JSON.stringify(Object.fromEntries([...kept, [this.id, before + 1]])));
      return found;
    } finally {
      this.asking = false;
    }
  }
}
