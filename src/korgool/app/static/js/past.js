/** The earlier positions of a game by ply: those already seen, and the others fetched on demand. */

/** @typedef {import("./types.js").GameEvent} GameEvent */
/** @typedef {import("./types.js").GameState} GameState */

export class Past {
  /** @type {Map<number, GameState>} */ #known = new Map();

  /** @param {() => Promise<GameEvent[]>} history every event of the game from its start */
  constructor(history) {
    this.history = history;
  }

  /** @param {GameState} state */
  keep(state) {
    this.#known.set(state.moves.length, state);
  }

  /**
   * The positions after the plies `from` to `to` of a game.
   * @param {number} from
   * @param {number} to
   * @param {() => GameState} present
   * @returns {Promise<GameState[]>} rejects if they cannot be fetched
   */
  async between(from, to, present) {
    if (!this.#range(from, to, present())) for (const { state } of await this.history()) this.keep(state);
    const found = this.#range(from, to, present());
    if (!found) throw new RangeError(`plies ${from} to ${to} are no part of the game any more`);
    return found;
  }

  /** @param {number} from @param {number} to @param {GameState} present */
  #range(from, to, present) {
    const found = [];
    for (let ply = from; ply <= to; ply += 1) {
      const state = this.#known.get(ply);
      // Moves that were taken back no longer belong to this game.
      if (!state || !state.moves.every(({ hole }, index) => hole === present.moves[index]?.hole)) return null;
      found.push(state);
    }
    return found;
  }
}
