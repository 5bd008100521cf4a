/** The earlier positions of a game by ply: those already seen, and the others from its events, fetched on demand. */

import { after } from "./apply_event.js";
import { boardIn } from "../device/position_conversion.js";
import { GAMES } from "../game/rules_records.js";
import { CommandError } from "./live_connection.js";

/** @typedef {import("../game/message_types.js").GameEvent} GameEvent */
/** @typedef {import("../game/message_types.js").GameState} GameState */

export class Past {
  /** @type {Map<number, GameState>} */ #known = new Map();

  /** @param {() => Promise<GameEvent[]>} history every event of the game from its start */
  constructor(history) {
    this.history = history;
  }

  /** @param {GameState} state; after plies were taken back it gets its last one, which the event does not tell */
  keep(state) {
    const known = this.#known.get(state.moves.length);
    if (!state.last && known && isPart(known, state)) state.last = known.last;
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
    if (!this.#range(from, to, present())) await this.#fetch(present()).catch(() => this.#compute(present()));
    const found = this.#range(from, to, present());
    if (!found) throw new RangeError(`plies ${from} to ${to} are no part of the game any more`);
    return found;
  }

  /** @param {GameState} present */
  async #fetch(present) {
    /** @type {GameState|null} */
    let state = beginning(present);
    this.keep(state);
    for (const event of await this.history()) {
      state = after(state, event);
      if (!state) throw new RangeError(`event ${event.version} does not follow`);
      this.keep(state);
    }
  }

  /** Play the moves again: the server tells no more than a few hundred events at once. @param {GameState} present */
  async #compute(present) {
    try {
      if (Object.keys(present.rules).length) throw new RangeError("the kernel plays other options");
      const { openRules } = await import("../analysis/rules_provider.js");
      const line = await (await openRules(present.game)).line(present.start, present.moves.map(({ hole }) => hole));
      line.slice(0, -1).forEach(({ board, trace, position }, ply) => {
        this.keep({ ...beginning(present), ...board, position, moves: present.moves.slice(0, ply), last: trace });
      });
    } catch {
      throw new CommandError(0, "");
    }
  }

  /** @param {number} from @param {number} to @param {GameState} present */
  #range(from, to, present) {
    const found = [];
    for (let ply = from; ply <= to; ply += 1) {
      const state = this.#known.get(ply);
      // Moves that were taken back no longer belong to this game.
      if (!state || !isPart(state, present)) return null;
      found.push(state);
    }
    return found;
  }
}

/** Whether a game has passed through a state. @param {GameState} state @param {GameState} game */
function isPart(state, game) {
  return state.moves.every(({ hole }, index) => hole === game.moves[index]?.hole);
}

/** A game before its first event. @param {GameState} game @returns {GameState} */
export function beginning(game) {
  const [holes, stones] = GAMES[/** @type {keyof typeof GAMES} */ (game.game)];
  const row = () => /** @type {number[]} */ (Array(holes).fill(stones));
  const usual = { white: row(), black: row(), stores: [0, 0], tuz: [null, null], turn: "white" };
  const board = /** @type {import("../device/position_conversion.js").Board} */ (game.start === null ? usual : boardIn(game.start).board);
  return {
    ...game, ...board, version: 0, moves: [], legal: [], previews: {}, last: null, outcome: null, aborted: false,
    begun: false, claims: [], offers: {}, position: game.start ?? "", due: null, rematch: null,
  };
}
