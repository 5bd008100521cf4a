// @ts-check
/**
 * The rules in the browser: the same C as on the server, compiled to WebAssembly. It takes and returns plain numbers;
 * positions are seen from the side to move. The search over it is in js/device/kernel_search.js. A content security policy
 * needs 'wasm-unsafe-eval'.
 */

import { KernelModule } from "./js/device/wasm_loader.js";

export { GAMES } from "./js/game/rules_records.js";

/**
 * @typedef {object} Place A position as the side to move sees it.
 * @property {number[]} own stones in its holes, from its left
 * @property {number[]} other stones in the opponent's holes, from the opponent's left
 * @property {[number, number]} stores its store and the opponent's
 * @property {[number, number]} tuz number of the hole that it owns, and of the one the opponent owns; 0 for none
 */

/**
 * @typedef {object} Ending
 * @property {1 | 2 | 3 | 4} termination majority, all stones in equal stores, no move, a side is empty
 * @property {-1 | 0 | 1} winner 1 for the side to move
 * @property {[number, number]} stores after the sweep, of the side to move and of the opponent
 * @property {[number, number]} swept what the sweep gave to each
 */

/**
 * @typedef {object} Told One sowing, stone by stone. Places are 0 to 8 for a hole of the mover, 9 to 17 for one of the
 *   opponent, MOVER_STORE, and 19 for the opponent's store.
 * @property {Place} after as the next player sees it
 * @property {boolean} again whether the same side moves again
 * @property {Ending | null} ending as the next player sees it
 * @property {number} lifted
 * @property {{ place: number, lies: number }[]} drops where each stone falls and where it then lies
 * @property {{ place: number, stones: number }[]} captured
 * @property {number} tuz number of the opponent's hole that became the mover's tuz, or 0
 * @property {boolean} extraTurn whether the mover moves again in a game that is not over
 */

/**
 * @typedef {object} Reason One fact for or against a move, see kernel/reasons.h.
 * @property {string} kind one of KINDS
 * @property {number} weight puts the facts in order
 * @property {number} stones
 * @property {number} left
 * @property {number} hole its number, or 0
 * @property {boolean} shared whether it holds as well for the move that this one was compared to
 * @property {number[]} line the holes sown before it happens
 */

export const MOVER_STORE = 18;

/** The kinds of reasons, in the order of KG_WHY_GOAL and so on; korgool.engine.reasons has the same names. */
export const KINDS = [
  "goal", "wins", "draws", "starves", "sweeps", "tuz", "captures", "opposite", "turn", "follows", "feeds",
  "stops_win", "stops_tuz", "saves", "reduces", "threatens_win", "threatens_tuz", "threatens", "sure", "forces", "home",
  "prepares", "prepares_tuz", "later", "later_tuz", "tempo", "starving", "avoids_win", "avoids_tuz", "avoids", "ahead", "loses", "allows_win", "allows_tuz", "allows", "feeds_other",
  "misses_win", "misses_tuz", "misses", "misses_turn", "allows_later", "allows_tuz_later", "misses_later", "misses_tuz_later",
  "runs_out", "gives_moves", "starved", "behind",
];

/** Bytes of kg_position, kg_outcome and kg_sowing, and where the parts of the last begin. */
export const PLACE_BYTES = 24;
const OUTCOME_BYTES = 24;
const TOLD_BYTES = 584;
const REASON_BYTES = 32;
const REASON_LINE = 24;
const MAX_REASONS = 32;
/** Moves of an expected line that are looked at. */
const MAX_LINE = 96;
const TOLD = { outcome: 24, lifted: 48, captures: 52, tuz: 56, extra: 60, drops: 64, lies: 320, captured: 576, taken: 578 };

/** One game's rules. */
export class Kernel {
  #holes;
  #scratch;

  /**
   * Fetches the module and makes a kernel of it.
   * @param {string | URL} url where kernel.wasm is
   * @param {readonly number[]} rules a record of GAMES, or one with other choices
   */
  static async load(url, rules) {
    return new Kernel(await KernelModule.load(url), rules);
  }

  /**
   * @param {KernelModule} module
   * @param {readonly number[]} rules
   * @throws {RangeError} rules that the kernel cannot play
   */
  constructor(module, rules) {
    this.module = module;
    this.#holes = rules[0] ?? 0;
    this.#scratch = module.reserve(2 * PLACE_BYTES + Math.max(TOLD_BYTES, 2 * MAX_LINE + MAX_REASONS * REASON_BYTES));
    /** Where the kernel lies in the module's memory. */
    this.address = module.reserve(Number(module.exports.kg_kernel_bytes()));
    new Int32Array(module.memory.buffer, this.#scratch, rules.length).set(rules);
    if (module.exports.kg_kernel_init(this.address, this.#scratch) !== 0) throw new RangeError("the kernel cannot play these rules");
  }

  /** @returns {Place} the start of the game */
  start() {
    this.module.exports.kg_start(this.address, this.#scratch);
    return this.#read(this.#scratch);
  }

  /**
   * The number of sequences of exactly `depth` plies.
   * @param {Place} place
   * @param {number} depth
   * @param {boolean} [bulk] count the last ply and do not sow it
   */
  perft(place, depth, bulk = true) {
    return Number(this.module.exports.kg_perft(this.address, this.#given(place), depth, bulk ? 1 : 0));
  }

  /** @param {Place} place whether it can be a position of the game */
  fits(place) {
    this.write(place, this.#scratch);
    return this.module.exports.kg_check(this.address, this.#scratch) === 0;
  }

  /**
   * @param {Place} place
   * @returns {number[]} the holes that may be sown, from 1; none when the game is over
   */
  legal(place) {
    const mask = this.module.exports.kg_legal(this.address, this.#given(place));
    return Array.from({ length: this.#holes }, (_, hole) => hole + 1).filter((number) => (mask >> (number - 1)) & 1);
  }

  /**
   * The position after sowing a hole.
   * @param {Place} place
   * @param {number} hole its number, from 1
   * @returns {{ place: Place, again: boolean }} `again` if the same side moves again
   */
  play(place, hole) {
    const from = this.#given(place);
    const again = this.module.exports.kg_play(this.address, from, hole - 1, from + PLACE_BYTES);
    if (again < 0) throw new RangeError(`hole ${hole} cannot be sown`);
    return { place: this.#read(from + PLACE_BYTES), again: again === 1 };
  }

  /**
   * Sowing a hole, told stone by stone.
   * @param {Place} place
   * @param {number} hole its number, from 1
   * @returns {Told}
   */
  tell(place, hole) {
    const at = this.#given(place) + PLACE_BYTES;
    const again = this.module.exports.kg_tell(this.address, this.#scratch, hole - 1, at);
    if (again < 0) throw new RangeError(`hole ${hole} cannot be sown`);
    const view = this.module.view(at, TOLD_BYTES);
    const lifted = view.getInt32(TOLD.lifted, true);
    const list = (/** @type {number} */ length, /** @type {number} */ from) => Array.from({ length }, (_, index) => view.getUint8(from + index));
    const lies = list(lifted, TOLD.lies);
    const captures = view.getInt32(TOLD.captures, true);
    const taken = list(captures, TOLD.taken);
    return {
      after: this.#read(at),
      again: again === 1,
      ending: this.#ending(at + TOLD.outcome),
      lifted,
      drops: list(lifted, TOLD.drops).map((place, index) => ({ place, lies: lies[index] ?? place })),
      captured: list(captures, TOLD.captured).map((place, index) => ({ place, stones: taken[index] ?? 0 })),
      tuz: view.getInt32(TOLD.tuz, true),
      extraTurn: view.getInt32(TOLD.extra, true) === 1,
    };
  }

  /**
   * What speaks for the first move of a line; a fact that does not hold as well for another move comes first.
   * @param {Place} place
   * @param {number[]} line hole numbers: the move and those expected after it
   * @param {number[]} [other] likewise, of the other move
   * @returns {Reason[]}
   */
  reasons(place, line, other = []) {
    return this.#compared(this.module.exports.kg_reasons, place, line, other);
  }

  /**
   * What speaks against the first move of a line compared with that of a better one, in order of weight.
   * @param {Place} place
   * @param {number[]} line hole numbers: the move and those expected after it
   * @param {number[]} better likewise
   * @returns {Reason[]}
   */
  faults(place, line, better) {
    return this.#compared(this.module.exports.kg_faults, place, line, better);
  }

  /** @param {Function} find @param {Place} place @param {number[][]} lines @returns {Reason[]} */
  #compared(find, place, ...lines) {
    const at = this.#given(place) + PLACE_BYTES;
    const given = lines.flatMap((line, index) => {
      const known = line.slice(0, MAX_LINE).map((number) => (number > 0 && number < 256 ? number - 1 : 255));
      this.module.bytes(at + index * MAX_LINE, MAX_LINE).set(known);
      return [at + index * MAX_LINE, known.length];
    });
    const address = at + 2 * MAX_LINE;
    const count = find(this.address, this.#scratch, ...given, address);
    if (count < 0) throw new RangeError("the move cannot be played");
    return Array.from({ length: count }, (_, index) => {
      const from = address + index * REASON_BYTES;
      const [kind = 0, weight = 0, stones = 0, left = 0, hole = 0, shared = 0] = new Int32Array(this.module.memory.buffer, from, REASON_LINE / 4);
      const line = [...this.module.bytes(from + REASON_LINE, REASON_BYTES - REASON_LINE)].filter(Boolean);
      return { kind: KINDS[kind - 1] ?? "", weight, stones, left, hole, shared: shared === 1, line };
    });
  }

  /**
   * @param {Place} place
   * @returns {Ending | null} how the board ends the game, or null while it goes on
   */
  ending(place) {
    const at = this.#given(place) + PLACE_BYTES;
    this.module.exports.kg_outcome_of(this.address, this.#scratch, at);
    return this.#ending(at);
  }

  /**
   * Writes a position as the kernel reads it.
   * @param {Place} place
   * @param {number} address of PLACE_BYTES bytes
   * @throws {RangeError} not so many holes, or stones that no byte holds
   */
  write(place, address) {
    const bytes = this.module.bytes(address, PLACE_BYTES).fill(0);
    const numbers = [...place.own, ...place.other, ...place.stores, ...place.tuz];
    if (place.own.length !== this.#holes || place.other.length !== this.#holes || !numbers.every((n) => Number.isInteger(n) && n >= 0 && n <= 255))
      throw new RangeError(`a position has ${this.#holes} holes a side, each of 0 to 255 stones`);
    place.own.forEach((stones, hole) => (bytes[hole < 8 ? hole : 16] = stones));
    place.other.forEach((stones, hole) => (bytes[hole < 8 ? 8 + hole : 17] = stones));
    bytes.set([...place.stores, ...place.tuz], 18);
  }

  /**
   * @param {Place} place
   * @returns {number} where it was written, after the kernel found it to be a position
   */
  #given(place) {
    if (!this.fits(place)) throw new RangeError("this is no position of the game");
    return this.#scratch;
  }

  /**
   * @param {number} address
   * @returns {Place}
   */
  #read(address) {
    const bytes = this.module.bytes(address, PLACE_BYTES);
    const row = (/** @type {number} */ at, /** @type {number} */ last) => [...bytes.slice(at, at + 8), bytes[last] ?? 0].slice(0, this.#holes);
    return { own: row(0, 16), other: row(8, 17), stores: [bytes[18] ?? 0, bytes[19] ?? 0], tuz: [bytes[20] ?? 0, bytes[21] ?? 0] };
  }

  /**
   * @param {number} address
   * @returns {Ending | null}
   */
  #ending(address) {
    const [termination, winner, ...rest] = new Int32Array(this.module.memory.buffer, address, OUTCOME_BYTES / 4);
    const [own = 0, other = 0, gained = 0, lost = 0] = rest;
    return termination ? /** @type {Ending} */ ({ termination, winner, stores: [own, other], swept: [gained, lost] }) : null;
  }
}
