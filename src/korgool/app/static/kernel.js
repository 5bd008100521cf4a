// @ts-check
/**
 * The native kernel in the browser: the same C as on the server, compiled to WebAssembly. Plain numbers go in and out;
 * a position is told as its side to move sees it. A content security policy needs 'wasm-unsafe-eval'.
 */

/**
 * @typedef {object} Place A position as the side to move sees it.
 * @property {number[]} own stones in his holes, from his left
 * @property {number[]} other stones in the opponent's holes, from the opponent's left
 * @property {[number, number]} stores his store and the opponent's
 * @property {[number, number]} tuz number of the hole he owns, and of the one the opponent owns; 0 for none
 */

/**
 * @typedef {object} Line
 * @property {number} move hole number, from 1
 * @property {number} evaluation expected final store difference for the side to move, in stones
 * @property {-1 | 0 | 1} certain 1 when the side to move surely wins, -1 when it surely loses
 * @property {boolean} exact whether the evaluation is proven
 * @property {number} depth plies looked ahead
 * @property {number[]} pv hole numbers of the line expected
 */

const UNIT = 32;
const WIN = 16000;
const CERTAIN = 12000;
const MAX_LINES = 9;
const LINE_BYTES = 120;
const REPORT_BYTES = 24 + MAX_LINES * LINE_BYTES;
const PAGE = 65536;

/** The rules records in the order of `kg_rules`. */
export const GAMES = Object.freeze({
  toguz: [9, 9, 82, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 3, 73],
  mangala: [6, 4, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 3, 73],
  castle: [6, 4, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 3, 73],
  bestemshe: [5, 5, 26, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 3, 73],
});

/** One game's rules and search in a module instance of its own. */
export class Kernel {
  /** @type {Record<string, any>} */ #exports;
  /** @type {WebAssembly.Memory} */ #memory;
  #holes;
  #kernel = 0;
  #engine = 0;
  #scratch = 0;
  #free;

  /**
   * Fetches the module and makes a kernel of it.
   * @param {string | URL} url where kernel.wasm is
   * @param {readonly number[]} rules a record of GAMES, or one with other choices
   * @param {number} [tableBytes] memory of the transposition table, at most
   */
  static async load(url, rules, tableBytes = 4 << 20) {
    const imports = { korgool: { now: () => performance.now() / 1000 } };
    const { instance } = await WebAssembly.instantiateStreaming(fetch(url), imports);
    return new Kernel(instance, rules, tableBytes);
  }

  /**
   * @param {WebAssembly.Instance} instance
   * @param {readonly number[]} rules
   * @param {number} tableBytes
   */
  constructor(instance, rules, tableBytes) {
    this.#exports = /** @type {Record<string, any>} */ (instance.exports);
    this.#memory = this.#exports.memory;
    this.#free = this.#exports.__heap_base.value;
    this.#holes = rules[0] ?? 0;
    this.#scratch = this.#reserve(REPORT_BYTES + 256);
    this.#kernel = this.#reserve(Number(this.#exports.kg_kernel_bytes()));
    this.#engine = this.#reserve(Number(this.#exports.kg_engine_bytes(BigInt(tableBytes))));
    new Int32Array(this.#memory.buffer, this.#scratch, rules.length).set(rules);
    if (this.#exports.kg_kernel_init(this.#kernel, this.#scratch) !== 0) throw new RangeError("the kernel cannot play these rules");
    this.#exports.kg_engine_init(this.#engine, this.#kernel, BigInt(tableBytes));
  }

  /**
   * Zeroed memory after what is taken, aligned to a cache line.
   * @param {number} bytes
   */
  #reserve(bytes) {
    const address = Math.ceil(this.#free / 64) * 64;
    this.#free = address + bytes;
    const missing = Math.ceil((this.#free - this.#memory.buffer.byteLength) / PAGE);
    if (missing > 0) this.#memory.grow(missing);
    return address;
  }

  /** @returns {Place} the start of the game */
  start() {
    this.#exports.kg_start(this.#kernel, this.#scratch);
    return this.#read(this.#scratch);
  }

  /**
   * The number of sequences of exactly `depth` plies.
   * @param {Place} place
   * @param {number} depth
   * @param {boolean} [bulk] count the last ply and do not sow it
   */
  perft(place, depth, bulk = true) {
    return Number(this.#exports.kg_perft(this.#kernel, this.#write(place), depth, bulk ? 1 : 0));
  }

  /**
   * The position after sowing a hole.
   * @param {Place} place
   * @param {number} hole its number, from 1
   * @returns {{ place: Place, again: boolean }} `again` when the same side goes on
   */
  play(place, hole) {
    const from = this.#write(place);
    const again = this.#exports.kg_play(this.#kernel, from, hole - 1, from + 32);
    if (again < 0) throw new RangeError(`hole ${hole} cannot be sown`);
    return { place: this.#read(from + 32), again: again === 1 };
  }

  /**
   * Searches; the page stands still meanwhile, so call it in a worker.
   * @param {Place} place
   * @param {{ seconds?: number, depth?: number, nodes?: number, lines?: number }} limits
   * @returns {{ nodes: number, seconds: number, lines: Line[] }}
   */
  search(place, limits) {
    const position = this.#write(place);
    const bounds = new DataView(this.#memory.buffer, position + 64, 32);
    bounds.setFloat64(0, limits.seconds ?? -1, true);
    bounds.setBigUint64(8, BigInt(limits.nodes ?? 0), true);
    bounds.setInt32(16, limits.depth ?? 100, true);
    bounds.setInt32(20, Math.max(1, Math.min(MAX_LINES, limits.lines ?? 1)), true);
    bounds.setInt32(24, 0, true);
    if (this.#exports.kg_engine_begin(this.#engine, position, 0, position + 64, 0, 0, 0) !== 0) throw new RangeError("the game is over");
    this.#exports.kg_engine_run(this.#engine);
    this.#exports.kg_engine_report(this.#engine, this.#scratch);
    const report = new DataView(this.#memory.buffer, this.#scratch, REPORT_BYTES);
    const lines = Array.from({ length: report.getInt32(16, true) }, (_, index) => this.#line(report, 24 + index * LINE_BYTES));
    return { nodes: Number(report.getBigUint64(0, true)), seconds: report.getFloat64(8, true), lines };
  }

  /** Forgets what earlier searches found. */
  clear() {
    this.#exports.kg_engine_clear(this.#engine);
  }

  /**
   * @param {DataView} report
   * @param {number} at
   * @returns {Line}
   */
  #line(report, at) {
    const value = report.getInt32(at + 4, true);
    const certain = value > CERTAIN ? 1 : value < -CERTAIN ? -1 : 0;
    const length = report.getInt32(at + 16, true);
    return {
      move: report.getInt32(at, true) + 1,
      evaluation: (value - certain * WIN) / UNIT,
      certain,
      exact: report.getInt32(at + 12, true) === 1,
      depth: report.getInt32(at + 8, true),
      pv: Array.from({ length }, (_, ply) => report.getUint8(at + 20 + ply) + 1),
    };
  }

  /**
   * @param {Place} place
   * @returns {number} where it was written
   */
  #write(place) {
    const bytes = new Uint8Array(this.#memory.buffer, this.#scratch, 24).fill(0);
    const numbers = [...place.own, ...place.other, ...place.stores, ...place.tuz];
    if (place.own.length !== this.#holes || place.other.length !== this.#holes || numbers.some((n) => !(n >= 0 && n <= 255)))
      throw new RangeError(`a position has ${this.#holes} holes a side, each of 0 to 255 stones`);
    place.own.forEach((stones, hole) => (bytes[hole < 8 ? hole : 16] = stones));
    place.other.forEach((stones, hole) => (bytes[hole < 8 ? 8 + hole : 17] = stones));
    bytes.set([...place.stores, ...place.tuz], 18);
    if (this.#exports.kg_check(this.#kernel, this.#scratch) !== 0) throw new RangeError("this is no position of the game");
    return this.#scratch;
  }

  /**
   * @param {number} address
   * @returns {Place}
   */
  #read(address) {
    const bytes = new Uint8Array(this.#memory.buffer, address, 24);
    const row = (/** @type {number} */ at, /** @type {number} */ last) => [...bytes.slice(at, at + 8), bytes[last] ?? 0].slice(0, this.#holes);
    return { own: row(0, 16), other: row(8, 17), stores: [bytes[18] ?? 0, bytes[19] ?? 0], tuz: [bytes[20] ?? 0, bytes[21] ?? 0] };
  }
}
