/**
 * Decides what the board of a game shows: the current position, reached by its sowings one after the other with a pause
 * between them, or an earlier position that the visitor looks at.
 */

import { pauseAfterSowing } from "../board/sowing_timeline.js";

/** @typedef {import("../board/board_element.js").KorgoolBoard} KorgoolBoard */
/** @typedef {import("./position_cache.js").PositionCache} PositionCache */
/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Trace} Trace */
/** @typedef {{trace: Trace, state: GameState, again: boolean}} Sowing `again` for one that was shown before */

/** If more sowings than this are waiting, they are not animated. */
const LONGEST_QUEUE = 8;
/** Milliseconds on the player's clock below which there are no long pauses. */
const LOW_TIME = 20_000;

export class Playback {
  /** The newest state, whatever the board still animates. @type {GameState} */ newest;
  /** The state that the board has reached on its way to the newest. @type {GameState} */ settled;
  /** The ply the visitor looks back at, or null for the current position. @type {number|null} */ shownPly = null;
  /** @type {import("../board/sowing_timeline.js").Speed} */ #speed = "normal";
  /** @type {Sowing[]} */ #queue = [];
  /** Counts the times a state was shown at once instead of the waiting sowings. */ #generation = 0;
  #running = false;
  /** The moment when the last sowing came to rest. */ #settledAt = -Infinity;

  /**
   * @param {KorgoolBoard} board
   * @param {PositionCache} positions
   * @param {GameState} state
   * @param {{sowing: (sowing: Sowing) => void, shown: () => void}} events `sowing` when one begins or is skipped;
   *   `shown` when another state is on the board
   */
  constructor(board, positions, state, events) {
    this.board = board;
    this.positions = positions;
    this.events = events;
    this.newest = this.settled = state;
    positions.store(state);
  }

  /** Show the board for the first time. */
  showFirst() {
    this.board.show(this.newest);
  }

  /** @param {import("../board/sowing_timeline.js").Speed} speed */
  set speed(speed) {
    this.#speed = speed;
    this.board.speed = speed;
  }

  /** The ply that is shown, or being animated. */
  get ply() {
    return this.shownPly ?? this.newest.moves.length;
  }

  /**
   * Go on to the newest state of the game.
   * @param {GameState} state the newest
   * @param {Trace|null} [trace] of the ply that led there, if one did
   */
  advance(state, trace = null) {
    this.newest = state;
    this.positions.store(state);
    const sowing = trace && { trace, state, again: false };
    if (this.shownPly !== null && this.shownPly < state.moves.length) {
      // A visitor who looks back stays at that position.
      if (sowing) this.events.sowing(sowing);
      this.settled = state;
      this.events.shown();
      return;
    }
    this.shownPly = null;
    this.board.past = false;
    this.board.expect(state);
    if (sowing) this.#queue.push(sowing);
    if (sowing && this.#queue.length <= LONGEST_QUEUE) void this.#playQueue();
    else this.#showAtOnce(state);
    this.events.shown();
  }

  /**
   * Show a state at once, or animate the one sowing that leads to it.
   * @param {GameState} state
   * @param {Trace|null} [step]
   */
  #showAtOnce(state, step = null) {
    this.#generation += 1;
    for (const sowing of this.#queue.splice(0)) if (!sowing.again) this.events.sowing(sowing);
    this.settled = this.newest;
    this.board.past = this.shownPly !== null;
    if (!step) {
      this.board.show(state);
      return;
    }
    this.board.finishAnimation();
    this.board.expect(state);
    this.board.speed = this.#speed;
    void this.board.sow(step, state);
  }

  async #playQueue() {
    if (this.#running) return;
    this.#running = true;
    while (this.#queue.length) {
      const cuts = this.#generation;
      await this.#pause();
      if (cuts !== this.#generation) continue;
      const sowing = /** @type {Sowing} */ (this.#queue.shift());
      this.events.sowing(sowing);
      this.board.speed = this.#hurried ? "fast" : this.#speed;
      await this.board.sow(sowing.trace, sowing.state);
      if (cuts !== this.#generation) continue;
      this.#settledAt = performance.now();
      if (!sowing.again) this.settled = sowing.state;
      this.events.shown();
    }
    this.#running = false;
  }

  /** Wait until the result of the last sowing has been seen; the player's own sowing does not wait. */
  async #pause() {
    const { trace, again } = this.#queue[0];
    if (trace.side === this.newest.you && !again) return;
    const wait = this.#settledAt + pauseAfterSowing(this.#hurried ? "off" : this.#speed) - performance.now();
    if (wait > 0 && !document.hidden) await new Promise((resolve) => setTimeout(resolve, wait));
  }

  /** True if the player has no time to watch. */
  get #hurried() {
    const { clock, you } = this.newest;
    return Boolean(clock && you && clock[`${you}_ms`] < LOW_TIME);
  }

  /**
   * Look at the position after a ply; the last ply is the current position.
   * @param {number} ply
   * @returns {Promise<GameState|null>} what is shown then, or null; rejects if the server does not answer
   */
  async showPly(ply) {
    const before = this.ply;
    const last = this.newest.moves.length;
    const wanted = Math.max(0, Math.min(last, ply));
    if (wanted === before && this.shownPly !== null) return null;
    this.shownPly = wanted < last ? wanted : null;
    let state = this.newest;
    try {
      if (this.shownPly !== null) state = asPastPosition((await this.positions.between(wanted, wanted, () => this.newest))[0]);
    } catch (error) {
      if (this.shownPly === wanted) this.shownPly = before < last ? before : null;
      throw error;
    }
    // The player may have moved on while the server was asked.
    if (this.shownPly !== (wanted < last ? wanted : null)) return null;
    if (this.shownPly === null) state = this.newest;
    const step = wanted === before + 1 ? state.last : null;
    this.#showAtOnce(state, step);
    this.events.shown();
    return state;
  }

  /**
   * Show the last sowing once more, and those of the same turn before it.
   * @returns {Promise<void>} rejects where the server does not answer
   */
  async replay() {
    const { ply, newest: { moves } } = this;
    if (!ply) return;
    let from = ply - 1;
    while (from && moves[from - 1].side === moves[ply - 1].side) from -= 1;
    const states = await this.positions.between(from, ply, () => this.newest);
    if (ply !== this.ply) return;
    const end = this.shownPly === null ? this.newest : asPastPosition(states[ply - from]);
    this.#showAtOnce(asPastPosition(states[0]));
    this.board.expect(end);
    this.#settledAt = performance.now();
    states.slice(1).forEach(({ last }, index, { length }) => {
      const state = index + 1 < length ? asPastPosition(states[index + 1]) : end;
      if (last) this.#queue.push({ trace: last, state, again: true });
    });
    void this.#playQueue();
  }
}

/** The state of an earlier position, in which no move can be made. @param {GameState} state @returns {GameState} */
function asPastPosition(state) {
  return { ...state, legal: [], previews: {}, outcome: null };
}
