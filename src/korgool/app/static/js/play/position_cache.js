/** Cache of a game's positions by ply: those already seen, and the others from its events, fetched on demand. */

import { applyEvent } from "./apply_event.js";
import { parsePosition } from "../device/position_conversion.js";
import { GAMES } from "../game/rules_records.js";
import { CommandError } from "./live_connection.js";

/** @typedef {import("../game/message_types.js").GameEvent} GameEvent */
/** @typedef {import("../game/message_types.js").GameState} GameState */

export class PositionCache {
  /** @type {Map<number, GameState>} */ #positions = new Map();

  /** @param {() => Promise<GameEvent[]>} history every event of the game from its start */
  constructor(history) {
    this.history = history;
  }

  /** @param {GameState} state; after a take-back it gets its last ply, which the event lacks */
  store(state) {
    const cached = this.#positions.get(state.moves.length);
    if (!state.last && cached && isPart(cached, state)) state.last = cached.last;
    this.#positions.set(state.moves.length, state);
  }

  /**
   * The positions after the plies `from` to `to` of a game.
   * @param {number} from
   * @param {number} to
   * @param {() => GameState} present
   * @returns {Promise<GameState[]>} rejects if they cannot be fetched
   */
  async between(from, to, present) {
    if (!this.#range(from, to, present())) await this.#fetch(present()).catch(() => this.#compute(present()));
    const states = this.#range(from, to, present());
    if (!states) throw new RangeError(`plies ${from} to ${to} are no part of the game any more`);
    return states;
  }

  /** @param {GameState} present */
  async #fetch(present) {
    /** @type {GameState|null} */
    let state = initialState(present);
    this.store(state);
    for (const event of await this.history()) {
      state = applyEvent(state, event);
      if (!state) throw new RangeError(`event ${event.version} does not follow`);
      this.store(state);
    }
  }

  /** Play the moves again: the server sends at most a few hundred events at once. @param {GameState} present */
  async #compute(present) {
    try {
      if (Object.keys(present.rules).length) throw new RangeError("the kernel plays other options");
      const { openRules } = await import("../analysis/rules_provider.js");
      const line = await (await openRules(present.game)).line(present.start, present.moves.map(({ hole }) => hole));
      line.slice(0, -1).forEach(({ board, trace, position }, ply) => {
        this.store({ ...initialState(present), ...board, position, moves: present.moves.slice(0, ply), last: trace });
      });
    } catch {
      throw new CommandError(0, "");
    }
  }

  /** @param {number} from @param {number} to @param {GameState} present */
  #range(from, to, present) {
    const states = [];
    for (let ply = from; ply <= to; ply += 1) {
      const state = this.#positions.get(ply);
      // Moves that were taken back no longer belong to this game.
      if (!state || !isPart(state, present)) return null;
      states.push(state);
    }
    return states;
  }
}

/** Return whether a game has passed through a state. @param {GameState} state @param {GameState} game */
function isPart(state, game) {
  return state.moves.every(({ hole }, index) => hole === game.moves[index]?.hole);
}

/** A game before its first event. @param {GameState} game @returns {GameState} */
export function initialState(game) {
  const [holes, stones] = GAMES[/** @type {keyof typeof GAMES} */ (game.game)];
  const row = () => /** @type {number[]} */ (Array(holes).fill(stones));
  const usual = { white: row(), black: row(), stores: [0, 0], tuz: [null, null], turn: "white" };
  const board = /** @type {import("../device/position_conversion.js").Board} */ (game.start === null ? usual : parsePosition(game.start).board);
  return {
    ...game, ...board, version: 0, moves: [], legal: [], previews: {}, last: null, outcome: null, aborted: false,
    begun: false, claims: [], offers: {}, position: game.start ?? "", due: null, rematch: null,
  };
}
