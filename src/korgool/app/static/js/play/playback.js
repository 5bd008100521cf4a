/**
 * Decides what the board of a game shows: the current position, reached by its sowings one after the other with a pause
 * between them, or an earlier position that the visitor looks at.
 */

import { beat } from "../board/sowing_timeline.js";

/** @typedef {import("../board/board_element.js").KorgoolBoard} KorgoolBoard */
/** @typedef {import("./position_cache.js").Past} Past */
/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Trace} Trace */
/** @typedef {{trace: Trace, state: GameState, again: boolean}} Sowing `again` for one that was shown before */

/** If more sowings than this are waiting, they are not animated. */
const CROWD = 8;
/** Milliseconds on the player's clock below which there are no long pauses. */
const HURRY = 20_000;

export class Stage {
  /** The newest state, whatever the board still animates. @type {GameState} */ present;
  /** The state that the board has reached on its way to the newest. @type {GameState} */ rested;
  /** The ply the visitor looks back at, or null for the current position. @type {number|null} */ picked = null;
  /** @type {import("../board/sowing_timeline.js").Speed} */ #speed = "normal";
  /** @type {Sowing[]} */ #queue = [];
  /** Counts the times a state was shown at once instead of the waiting sowings. */ #cuts = 0;
  #running = false;
  /** When the last sowing came to rest. */ #since = -Infinity;

  /**
   * @param {KorgoolBoard} board
   * @param {Past} past
   * @param {GameState} state
   * @param {{sowing: (sowing: Sowing) => void, shown: () => void}} tell `sowing` when one begins, or is left out;
   *   `shown` when something else is shown
   */
  constructor(board, past, state, tell) {
    this.board = board;
    this.past = past;
    this.tell = tell;
    this.present = this.rested = state;
    past.keep(state);
  }

  /** Show the board for the first time. */
  begin() {
    this.board.show(this.present);
  }

  /** @param {import("../board/sowing_timeline.js").Speed} speed */
  set speed(speed) {
    this.#speed = speed;
    this.board.speed = speed;
  }

  /** The ply that is shown, or being animated. */
  get ply() {
    return this.picked ?? this.present.moves.length;
  }

  /**
   * The game has gone on.
   * @param {GameState} state the newest
   * @param {Trace|null} [trace] of the ply that led there, if one did
   */
  take(state, trace = null) {
    this.present = state;
    this.past.keep(state);
    const sowing = trace && { trace, state, again: false };
    if (this.picked !== null && this.picked < state.moves.length) {
      // A visitor who looks back stays at that position.
      if (sowing) this.tell.sowing(sowing);
      this.rested = state;
      this.tell.shown();
      return;
    }
    this.picked = null;
    this.board.expect(state);
    if (sowing) this.#queue.push(sowing);
    if (sowing && this.#queue.length <= CROWD) void this.#run();
    else this.#cut(state);
    this.tell.shown();
  }

  /**
   * Show a state at once, or animate the one sowing that leads to it.
   * @param {GameState} state
   * @param {Trace|null} [step]
   */
  #cut(state, step = null) {
    this.#cuts += 1;
    for (const sowing of this.#queue.splice(0)) if (!sowing.again) this.tell.sowing(sowing);
    this.rested = this.present;
    if (!step) {
      this.board.show(state);
      return;
    }
    this.board.settle();
    this.board.expect(state);
    this.board.speed = this.#speed;
    void this.board.sow(step, state);
  }

  async #run() {
    if (this.#running) return;
    this.#running = true;
    while (this.#queue.length) {
      const cuts = this.#cuts;
      await this.#beat();
      if (cuts !== this.#cuts) continue;
      const sowing = /** @type {Sowing} */ (this.#queue.shift());
      this.tell.sowing(sowing);
      this.board.speed = this.#hurried ? "fast" : this.#speed;
      await this.board.sow(sowing.trace, sowing.state);
      if (cuts !== this.#cuts) continue;
      this.#since = performance.now();
      if (!sowing.again) this.rested = sowing.state;
      this.tell.shown();
    }
    this.#running = false;
  }

  /** Wait until the result of the last sowing has been seen; the player's own sowing does not wait. */
  async #beat() {
    const { trace, again } = this.#queue[0];
    if (trace.side === this.present.you && !again) return;
    const wait = this.#since + beat(this.#hurried ? "off" : this.#speed) - performance.now();
    if (wait > 0 && !document.hidden) await new Promise((resolve) => setTimeout(resolve, wait));
  }

  /** Whether the player has no time to watch. */
  get #hurried() {
    const { clock, you } = this.present;
    return Boolean(clock && you && clock[`${you}_ms`] < HURRY);
  }

  /**
   * Look at the position after a ply; the last ply is the current position.
   * @param {number} ply
   * @returns {Promise<GameState|null>} what is shown then, or null; rejects if the server does not answer
   */
  async look(ply) {
    const before = this.ply;
    const last = this.present.moves.length;
    const wanted = Math.max(0, Math.min(last, ply));
    if (wanted === before && this.picked !== null) return null;
    this.picked = wanted < last ? wanted : null;
    let state = this.present;
    try {
      if (this.picked !== null) state = past((await this.past.between(wanted, wanted, () => this.present))[0]);
    } catch (error) {
      if (this.picked === wanted) this.picked = before < last ? before : null;
      throw error;
    }
    // The player may have moved on while the server was asked.
    if (this.picked !== (wanted < last ? wanted : null)) return null;
    if (this.picked === null) state = this.present;
    const step = wanted === before + 1 ? state.last : null;
    this.#cut(state, step);
    this.tell.shown();
    return state;
  }

  /**
   * Show the last sowing once more, and those of the same turn before it.
   * @returns {Promise<void>} rejects where the server does not answer
   */
  async again() {
    const { ply, present: { moves } } = this;
    if (!ply) return;
    let from = ply - 1;
    while (from && moves[from - 1].side === moves[ply - 1].side) from -= 1;
    const states = await this.past.between(from, ply, () => this.present);
    if (ply !== this.ply) return;
    const end = this.picked === null ? this.present : past(states[ply - from]);
    this.#cut(past(states[0]));
    this.board.expect(end);
    this.#since = performance.now();
    states.slice(1).forEach(({ last }, index, { length }) => {
      const state = index + 1 < length ? past(states[index + 1]) : end;
      if (last) this.#queue.push({ trace: last, state, again: true });
    });
    void this.#run();
  }
}

/** A position as it is shown when nobody may play in it. @param {GameState} state @returns {GameState} */
function past(state) {
  return { ...state, legal: [], previews: {}, outcome: null };
}
