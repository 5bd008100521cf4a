/**
 * What the board of a game shows: the present, to which its sowings lead one after the other with a beat between them,
 * or a position that is looked back at.
 */

import { beat } from "./sowing.js";

/** @typedef {import("./board.js").KorgoolBoard} KorgoolBoard */
/** @typedef {import("./past.js").Past} Past */
/** @typedef {import("./types.js").GameEvent} GameEvent */
/** @typedef {import("./types.js").GameState} GameState */
/** @typedef {import("./types.js").Trace} Trace */
/** @typedef {{trace: Trace, state: GameState, again: boolean}} Sowing `again` for one that was shown before */

/** More sowings than this are a crowd that nobody wants to wait for. */
const CROWD = 8;
/** Milliseconds of a player's clock below which nothing is dwelt on. */
const HURRY = 20_000;

export class Stage {
  /** The newest state, whatever the board still animates. @type {GameState} */ present;
  /** How far the board has come on its way to the present. @type {GameState} */ rested;
  /** The ply that is looked back at, or null for the present. @type {number|null} */ picked = null;
  /** @type {import("./sowing.js").Speed} */ #speed = "normal";
  /** @type {Sowing[]} */ #queue = [];
  /** Counts what was shown at once, in place of the sowings that waited. */ #cuts = 0;
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
    board.show(state);
  }

  /** @param {import("./sowing.js").Speed} speed */
  set speed(speed) {
    this.#speed = speed;
    this.board.speed = speed;
  }

  /** The ply that is shown, or on its way. */
  get ply() {
    return this.picked ?? this.present.moves.length;
  }

  /** The game has gone on. @param {GameEvent} event */
  take({ kind, trace, state }) {
    this.present = state;
    this.past.keep(state);
    const sowing = kind === "move" && trace ? { trace, state, again: false } : null;
    if (this.picked !== null && this.picked < state.moves.length) {
      // Who looks back stays where he is.
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

  /** Show a state at once, or by the one sowing that leads there. @param {GameState} state @param {Trace|null} [step] */
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

  /** What the last sowing brought about is to be seen before the next one begins; the player's own does not wait. */
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
   * Look at the position after a ply; the last one is the present.
   * @param {number} ply
   * @returns {Promise<GameState|null>} what is shown then, or null; rejects where the server does not answer
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
    // While the server was asked, the player may have gone on.
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

/** A position that is over, as nobody can play on in it. @param {GameState} state @returns {GameState} */
function past(state) {
  return { ...state, legal: [], previews: {}, outcome: null };
}
