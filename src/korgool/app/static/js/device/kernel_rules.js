// @ts-check
/** The rules of one game for pages, from the kernel: legal holes, the effect of a sowing, the end of a game. */

import { GAMES, Kernel, MOVER_STORE } from "../../kernel.js";
import { landingOf, numberOf, capturedStones } from "../game/move_trace.js";
import { parsePosition, boardOf, opponentSide, placeOf, SIDES, positionText } from "./position_conversion.js";

/** @typedef {import("./position_conversion.js").Board} Board */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("../game/message_types.js").Trace} Trace */
/** @typedef {import("../game/message_types.js").Outcome} Outcome */
/** @typedef {import("../game/message_types.js").Preview} Preview */
/** @typedef {import("../../kernel.js").Ending} Ending */
/** @typedef {import("../../kernel.js").Reason} Reason */
/** @typedef {keyof typeof GAMES} Game */
/** @typedef {{holes: number, total: number, tuz: boolean}} Shape */

const TERMINATIONS = ["", "majority", "equal", "no_move", "side_empty"];
const OPPONENT = 9;

export class KernelRules {
  #kernel;
  #total;

  /**
   * @param {Game} game
   * @param {{url?: string | URL, choices?: readonly number[]}} [options] url: where kernel.wasm is; choices: the
   *   record of rules with named options, instead of the game's own
   * @returns {Promise<KernelRules>} rejects with a TypeError or a CompileError where the kernel cannot be loaded
   */
  static async load(game, options = {}) {
    if (!Object.hasOwn(GAMES, game)) throw new RangeError(`there is no game '${game}'`);
    const url = options.url ?? new URL("../../kernel.wasm", import.meta.url);
    const choices = options.choices ?? GAMES[game];
    return new KernelRules(game, await Kernel.load(url, choices), choices);
  }

  /** @param {Game} game @param {Kernel} kernel @param {readonly number[]} choices */
  constructor(game, kernel, choices) {
    this.game = game;
    this.#kernel = kernel;
    const [holes = 0, stones = 0] = choices;
    /** Holes of each side. */
    this.holes = holes;
    this.#total = 2 * holes * stones;
  }

  /** @returns {Board} the start of the game */
  start() {
    return boardOf(this.#kernel.start(), "white");
  }

  /** @param {Board} board @returns {number[]} the holes that may be sown, from 1; none when the game is over */
  legal(board) {
    this.check(board);
    return this.#kernel.legal(placeOf(board));
  }

  /**
   * Sows. The returned board is that before any sweep; `outcome` has the stores after it.
   * @param {Board} board
   * @param {number} hole its number, from 1
   * @returns {{board: Board, trace: Trace}}
   * @throws {RangeError} it is not a position, or the hole cannot be sown
   */
  sow(board, hole) {
    if (!this.legal(board).includes(hole)) throw new RangeError(this.#refusal(board, hole));
    const result = this.#kernel.tell(placeOf(board), hole);
    const side = board.turn, next = result.again ? side : opponentSide(side);
    const number = (/** @type {number} */ place) => numberOf(spot(place, side));
    const keptDrops = result.drops.flatMap(({ place, lies }, index) => (lies === place ? [] : [index]));
    const swept = result.ending ? bySide(result.ending.swept, next) : [0, 0];
    /** @type {Trace} */
    const trace = {
      side,
      hole,
      lifted: result.lifted,
      drops: result.drops.map(({ place }) => number(place)),
    };
    if (keptDrops.length) trace.kept = keptDrops;
    if (result.captured.length) trace.captured = result.captured.map(({ place, stones }) => [number(place), stones]);
    if (result.tuz) trace.tuz = result.tuz;
    if (result.extraTurn) trace.extra_turn = true;
    if (swept[0] || swept[1]) trace.sweep = /** @type {[number, number]} */ (swept);
    return { board: boardOf(result.after, next), trace };
  }

  /**
   * The effect of sowing a hole in short, as in the states of games.
   * @param {Board} board
   * @param {number} hole
   * @returns {Preview}
   */
  preview(board, hole) {
    const { board: after, trace } = this.sow(board, hole);
    const { side, hole: last } = landingOf(trace);
    const outcome = this.outcome(after);
    const stores = outcome?.stores ?? after.stores;
    return { side, hole: last, captures: capturedStones(trace), tuz: Boolean(trace.tuz), extra_turn: Boolean(trace.extra_turn), ends: outcome !== null, stores };
  }

  /**
   * The reasons for the first move of a line; one that does not hold as well for another move comes first.
   * @param {Board} board
   * @param {number[]} line the move and those expected after it
   * @param {number[]} [other] likewise, of the other move
   * @returns {Reason[]}
   */
  reasons(board, line, other) {
    return this.#kernel.reasons(placeOf(board), line, other);
  }

  /**
   * The reasons against the first move of a line compared with that of a better one, in order of weight.
   * @param {Board} board
   * @param {number[]} line the move and those expected after it
   * @param {number[]} better likewise
   * @returns {Reason[]}
   */
  faults(board, line, better) {
    return this.#kernel.faults(placeOf(board), line, better);
  }

  /** @param {Board} board @returns {Outcome | null} how the board ends the game, or null while it goes on */
  outcome(board) {
    this.check(board);
    const ending = this.#kernel.ending(placeOf(board));
    if (!ending) return null;
    const stores = bySide(ending.stores, board.turn);
    const winner = ending.winner === 0 ? null : ending.winner > 0 ? board.turn : opponentSide(board.turn);
    const [white, black] = winner === null ? ["0.5", "0.5"] : winner === "white" ? ["1", "0"] : ["0", "1"];
    return {
      result: winner === null ? "1/2-1/2" : `${white}-${black}`,
      result_text: `${white} (${stores[0]}) - ${black} (${stores[1]})`,
      termination: TERMINATIONS[ending.termination] ?? "",
      winner,
      stores,
    };
  }

  /**
   * @param {Board} board
   * @throws {RangeError} with every reason why it is no position of the game
   */
  check(board) {
    const problems = this.#problems(board);
    if (problems.length) throw new RangeError(problems.join("; "));
    if (!this.#kernel.fits(placeOf(board))) throw new RangeError(`${this.#tuzProblem(board)}`);
  }

  /** @param {Board} board @param {number} [number] of the move @returns {string} position text */
  text(board, number = 1) {
    return positionText(board, number);
  }

  /**
   * @param {string} text position text, such as `9S,…,9S/9S,…,9S 0 0 S 1`
   * @returns {Board}
   * @throws {RangeError} with every reason why it is no position of the game
   */
  parse(text) {
    const { board, number } = parsePosition(text);
    this.check(board);
    if (number < 1) throw new RangeError(`the move number is ${number}, it counts from 1`);
    return board;
  }

  /** @param {Board} board @returns {string[]} why its numbers are not those of the game */
  #problems(board) {
    const { white, black, stores, tuz, turn } = board;
    if (![white, black, stores, tuz].every(Array.isArray) || stores.length !== 2 || tuz.length !== 2 || !SIDES.includes(turn))
      return ["this is no board"];
    const found = [];
    for (const [name, row, store] of /** @type {[string, number[], number][]} */ ([["White", white, stores[0]], ["Black", black, stores[1]]])) {
      if (row.length !== this.holes) found.push(`${name} has ${row.length} holes instead of ${this.holes}`);
      row.forEach((stones, hole) => {
        if (!isCount(stones)) found.push(`${name}'s hole ${hole + 1} holds ${stones} stones`);
      });
      if (!isCount(store)) found.push(`${name}'s store holds ${store} stones`);
    }
    for (const [index, name] of ["White", "Black"].entries()) {
      const number = tuz[index] ?? null;
      if (number !== null && !(Number.isInteger(number) && number >= 1 && number <= this.holes))
        found.push(`${name}'s tuz in hole ${number}: there is no such hole`);
    }
    if (found.length) return found;
    const total = [...white, ...black, ...stores].reduce((sum, stones) => sum + stones, 0);
    return total === this.#total ? [] : [`there are ${total} stones instead of ${this.#total}`];
  }

  /**
   * The reason why the kernel refuses a board whose numbers are right: one tuz is impossible, or both together.
   * @param {Board} board
   */
  #tuzProblem(board) {
    for (const [index, name] of ["White", "Black"].entries()) {
      const number = board.tuz[index] ?? null;
      const row = index === 0 ? board.black : board.white;
      if (number === null) continue;
      if (row[number - 1]) return `${name}'s tuz in hole ${number} holds ${row[number - 1]} stones, a tuz is always empty`;
      const alone = { ...board, tuz: /** @type {[number | null, number | null]} */ (index === 0 ? [number, null] : [null, number]) };
      if (!this.#kernel.fits(placeOf(alone))) return `${name}'s tuz in hole ${number}: this game allows none there`;
    }
    return `both sides own a tuz with the number ${board.tuz[0]}`;
  }

  /** @param {Board} board @param {number} hole */
  #refusal(board, hole) {
    const outcome = this.outcome(board);
    if (outcome) return `the game is over: ${outcome.result_text}, ${outcome.termination}`;
    if (!(Number.isInteger(hole) && hole >= 1 && hole <= this.holes)) return `there is no hole ${hole}; holes are numbered 1 to ${this.holes}`;
    return `hole ${hole} of ${board.turn === "white" ? "White" : "Black"} cannot be sown; possible are ${this.legal(board).join(", ")}`;
  }
}

/** @param {number} number */
function isCount(number) {
  return Number.isInteger(number) && number >= 0 && number <= 255;
}

/** @param {[number, number]} pair of the side to move and the other @param {Side} turn @returns {[number, number]} of White and Black */
function bySide(pair, turn) {
  return turn === "white" ? [pair[0], pair[1]] : [pair[1], pair[0]];
}

/** @param {number} place a hole or the mover's store @param {Side} mover */
function spot(place, mover) {
  if (place === MOVER_STORE) return { side: mover, hole: 0 };
  return place < OPPONENT ? { side: mover, hole: place + 1 } : { side: opponentSide(mover), hole: place - OPPONENT + 1 };
}
