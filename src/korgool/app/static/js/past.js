/** The positions of a game by ply: those that came by, and the others once they are asked for. */

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
   * @returns {Promise<GameState[]>} rejects where they cannot be had
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
      // What was taken back is another game's past.
      if (!state || !state.moves.every(({ hole }, index) => hole === present.moves[index]?.hole)) return null;
      found.push(state);
    }
    return found;
  }
}
