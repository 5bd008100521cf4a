/**
 * What has been played in a file of games. The file is read on this device, in slices between which the page works, and goes
 * nowhere. Of a game that cannot be read to its end the moves before the fault count, as in `korgool explorer`.
 */

import { GAMES, Kernel, MOVER_STORE } from "../../kernel.js";
import { placeOf } from "../device/position_conversion.js";
import { gettext } from "../site/translations.js";
import { GameSplitter, TAG, cutLines } from "./game_splitter.js";
import { MovetextError } from "./movetext_parser.js";
import { parseGame } from "./record_parser.js";
import { ResultWords } from "./result_words.js";
import { openRules } from "./rules_provider.js";
import { WorkSlices } from "./work_slices.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./game_splitter.js").Segment} Segment */
/** @typedef {import("./record_parser.js").RecordFacts} RecordFacts */
/** @typedef {import("./played_moves.js").Played} Played */
/** @typedef {{title: string, date: string|null, result: string}} Known what is kept of a game */

const LARGEST_FILE = 32_000_000;
const MOST_PLIES = 3_000_000;
const MOST_OF_A_GAME = 1000;
/** Moves, their numbers and signs between them. */
const MOST_WORDS = 5 * MOST_OF_A_GAME;
/** Bytes of the file that are decoded in one step. */
const PIECE = 1 << 17;
/** Letters of a game that is still read, as in `record_parser.js`. */
const LONGEST_GAME = 1 << 20;
/** Places of the table that are looked through in one step. */
const STRETCH = 1 << 13;
/** Milliseconds between two words on how far it is: each makes the browser draw the page. */
const WORD_MS = 150;
const PLACE_BYTES = 24;
/** Bytes of a position that tell it from others; the side to move is another one. */
const TOLD_BYTES = 22;
const MOST_SHOWN = 6;
const MOVE = /^([1-9])[0-9]?(?:[Xx])?(?:\(([0-9]{1,3})\))?=?[!?]{0,2}$/;
const RESULTS = ["1-0", "0-1", "1/2-1/2"];
const UNKNOWN = /^[ ?.]*$/;

/** Replays games of one kind in the kernel's memory. */
class Replay {
  /** @param {Kernel} kernel @param {number} holes */
  constructor(kernel, holes) {
    this.kernel = kernel;
    this.holes = holes;
    this.exports = kernel.module.exports;
    this.at = kernel.module.reserve(3 * PLACE_BYTES);
    this.white = true;
  }

  start() {
    this.exports.kg_start(this.kernel.address, this.at);
    this.white = true;
  }

  /** @param {import("./game_tree.js").Board} board */
  set(board) {
    this.kernel.write(placeOf(board), this.at);
    this.white = board.turn === "white";
  }

  /** The two halves of a number that stands for the position. @returns {[number, number]} */
  get key() {
    const bytes = this.kernel.module.bytes(this.at, PLACE_BYTES);
    let [high, low] = [this.white ? 0x811c9dc5 : 0x01234567, this.white ? 0x9e3779b9 : 0x7f4a7c15];
    for (let at = 0; at < TOLD_BYTES; at += 1) {
      high = Math.imul(high ^ bytes[at], 0x01000193);
      low = Math.imul(low ^ bytes[at], 0x85ebca6b) ^ (low >>> 13);
    }
    return [high >>> 0, (low ^ (high >>> 15)) >>> 0];
  }

  /** @param {number} hole @param {number} store what the mover has afterwards, 0 where the record does not say @returns {boolean} whether it can be played */
  play(hole, store) {
    const next = this.at + PLACE_BYTES;
    const again = hole <= this.holes ? this.exports.kg_play(this.kernel.address, this.at, hole - 1, next) : -1;
    if (again < 0) return false;
    const bytes = this.kernel.module.bytes(this.at, 2 * PLACE_BYTES);
    // The stores of the side that is to move, and of the other.
    if (store && bytes[PLACE_BYTES + MOVER_STORE + (again ? 0 : 1)] !== store) return false;
    bytes.copyWithin(0, PLACE_BYTES);
    if (!again) this.white = !this.white;
    return true;
  }

  /** The result of the board, or null while the game goes on. */
  get result() {
    const at = this.at + 2 * PLACE_BYTES;
    this.exports.kg_outcome_of(this.kernel.address, this.at, at);
    const [termination, winner] = new Int32Array(this.kernel.module.memory.buffer, at, 2);
    if (!termination) return null;
    if (!winner) return "1/2-1/2";
    return winner > 0 === this.white ? "1-0" : "0-1";
  }
}

export class PlayedFile {
  #high = new Uint32Array(1 << 16);
  #low = new Uint32Array(1 << 16);
  #game = new Uint32Array(1 << 16);
  #move = new Uint8Array(1 << 16);
  #length = 0;
  /** @type {Known[]} */ #games = [];
  /** Games that could not be read to their end. */ bad = 0;
  /** True if the file has more than was read. */ cut = false;
  /** @type {Map<string, Replay>} */ #replays = new Map();

  /** Of the reading. */ #slices = new WorkSlices(new AbortController().signal);

  /** @param {RecordFacts} facts @param {string} game the game of records that do not name theirs */
  constructor(facts, game) {
    this.facts = facts;
    this.game = game;
    this.words = new ResultWords(facts.results);
  }

  get games() {
    return this.#games.length;
  }

  /**
   * Read a file.
   * @param {File} file
   * @param {(games: number) => void} progress called with the number of games read
   * @param {AbortSignal} signal
   * @throws {MovetextError} it is too large, or no text
   */
  async read(file, progress, signal) {
    if (file.size > LARGEST_FILE) throw new MovetextError(gettext("The file is too large; at most %(n)s MB are read.", { n: LARGEST_FILE / 1_000_000 }));
    let told = 0;
    this.#slices = new WorkSlices(signal, () => {
      const now = Date.now();
      if (now - told < WORD_MS) return;
      told = now;
      progress(this.games);
    });
    await this.#takeAll(file);
    if (!this.games) throw new MovetextError(gettext("There is no game in this file."));
  }

  /** @param {File} file */
  async #takeAll(file) {
    const splitter = new GameSplitter(this.words);
    for await (const text of wholeLines(file)) {
      for (const line of cutLines(text)) {
        const cutOut = splitter.feed(line);
        const pause = this.#slices.due();
        if (pause) await pause;
        for (const segment of cutOut) {
          await this.#take(segment);
          this.cut = this.#length >= MOST_PLIES;
          if (this.cut) return;
        }
      }
    }
    for (const segment of splitter.flush()) await this.#take(segment);
  }

  /**
   * What was played in a position.
   * @param {string} game
   * @param {Node} node
   * @param {AbortSignal} signal
   * @returns {Promise<Played>}
   * @throws {DOMException} the search was given up
   */
  async ask(game, node, signal) {
    const replay = await this.#replay(game);
    replay.set(node.snapshot.board);
    const [high, low] = replay.key;
    /** @type {Map<number, import("./played_moves.js").PlayedMove>} */
    const moves = new Map();
    /** The newest, of those of one day the first in the file. @type {Known[]} */
    const newest = [];
    /** The game that was met last, and its moves: a bit for each. */
    let [last, counted] = [-1, 0];
    const slices = new WorkSlices(signal);
    for (let at = 0; at < this.#length; at += 1) {
      if (at % STRETCH === 0) {
        const pause = slices.due();
        if (pause) await pause;
      }
      if (this.#low[at] !== low || this.#high[at] !== high) continue;
      const [index, move] = [this.#game[at], this.#move[at]];
      if (index !== last) {
        [last, counted] = [index, 0];
        insert(newest, this.#games[index]);
      }
      if (!move || counted & (1 << move)) continue;
      counted |= 1 << move;
      const { result, date } = this.#games[index];
      const known = moves.get(move) ?? { move, games: 0, white: 0, draws: 0, black: 0, last: null };
      known.games += 1;
      if (result === "1-0") known.white += 1;
      else if (result === "0-1") known.black += 1;
      else if (result === "1/2-1/2") known.draws += 1;
      if (date && (!known.last || date > known.last)) known.last = date;
      moves.set(move, known);
    }
    return {
      moves: [...moves.values()].sort((one, other) => other.games - one.games || one.move - other.move),
      games: newest.map(({ title, result, date }) => ({ id: "", title, result, date })),
    };
  }

  /** @param {string} game */
  async #replay(game) {
    const rules = GAMES[/** @type {keyof typeof GAMES} */ (game)];
    const replay = this.#replays.get(game) ?? new Replay(await Kernel.load(new URL("../../kernel.wasm", import.meta.url), rules), rules[0]);
    this.#replays.set(game, replay);
    return replay;
  }

  /** @param {Segment} segment */
  async #take(segment) {
    const { kind, lines, moves } = segment;
    if (kind === "unknown" || (kind === "text" && !moves)) return;
    const letters = lines.reduce((sum, { text }) => sum + text.length + 1, 0);
    if (letters > LONGEST_GAME) {
      this.bad += 1;
      return;
    }
    /** @type {Record<string, string>} */
    const tags = {};
    let place = 0;
    for (; kind === "tagged" && place < lines.length && lines[place].text.trimStart().startsWith("["); place += 1) {
      for (let rest = lines[place].text.trim(), found = TAG.exec(rest); found; rest = rest.slice(found[0].length), found = TAG.exec(rest)) tags[found[1]] = found[2];
    }
    const plain = kind !== "bare" && !tags.FEN && !tags.Rules ? this.#plain(lines.slice(place).map((line) => line.text).join(" ")) : null;
    const game = this.#named(tags.Variant ?? "");
    if (plain?.length && game) await this.#play(game, plain, tags);
    else await this.#parse(segment, tags);
  }

  /** The game that a Variant tag names, null for a name that only the reader of records understands. @param {string} text */
  #named(text) {
    const key = text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
    if (!key) return this.game;
    return Object.hasOwn(this.facts.variants, key) ? this.facts.variants[key] : null;
  }

  /** The moves of a text that has nothing but moves, numbers and comments: hole and store; null for any other. @param {string} text */
  #plain(text) {
    const bare = withoutBraces(text)?.replace(/\$\d+/g, " ");
    if (bare === undefined || /[;%{}]|(?:^|\s)\(/.test(bare)) return null;
    /** @type {[number, number][]} */
    const moves = [];
    const words = bare.split(/[\s,]+/, MOST_WORDS);
    if (words.length === MOST_WORDS) return null;
    for (const word of words) {
      const move = word.replace(/^\d+\.+/, "");
      if (!move || move === "*" || RESULTS.includes(move)) continue;
      const found = MOVE.exec(move);
      if (!found) return null;
      moves.push([Number(found[1]), Number(found[2] ?? 0)]);
    }
    return moves.length > MOST_OF_A_GAME ? null : moves;
  }

  /** @param {string} game @param {[number, number][]} moves @param {Record<string, string>} tags @param {import("./game_tree.js").Board|null} [start] */
  async #play(game, moves, tags, start = null) {
    const replay = this.#replays.get(game) ?? (await this.#replay(game));
    if (start) replay.set(start);
    else replay.start();
    const index = this.#games.length;
    this.#games.push({ title: "", date: null, result: "*" });
    let sound = true;
    for (const [hole, store] of moves) {
      const pause = this.#slices.due();
      if (pause) await pause;
      const key = replay.key;
      sound = replay.play(hole, store);
      if (!sound) break;
      this.#add(key, index, hole);
    }
    this.#add(replay.key, index, 0);
    if (!sound) this.bad += 1;
    this.#games[index] = known(tags, replay.result ?? (RESULTS.includes(tags.Result) ? tags.Result : "*"));
  }

  /** Any other record is read as the board reads it. @param {Segment} segment @param {Record<string, string>} tags */
  async #parse(segment, tags) {
    try {
      const record = await parseGame(segment, this.game, this.facts, this.#slices);
      if (!record) return;
      const start = record.position === null ? null : (await (await openRules(record.game)).line(record.position, []))[0].board;
      await this.#play(record.game, record.moves.map((hole) => [hole, 0]), { ...tags, Result: record.result }, start);
    } catch (error) {
      if (this.#slices.signal.aborted) throw error;
      this.bad += 1;
    }
  }

  /** @param {[number, number]} key @param {number} game @param {number} move */
  #add([high, low], game, move) {
    const at = this.#length;
    if (at === this.#move.length) {
      [this.#high, this.#low, this.#game] = [this.#high, this.#low, this.#game].map((one) => grown(one, new Uint32Array(2 * at)));
      this.#move = grown(this.#move, new Uint8Array(2 * at));
    }
    [this.#high[at], this.#low[at], this.#game[at], this.#move[at]] = [high, low, game, move];
    this.#length += 1;
  }
}

/**
 * The text of a file in pieces of whole lines. Of a line that is too long to be read the rest is left out.
 * @param {File} file
 * @returns {AsyncGenerator<string>}
 * @throws {MovetextError} it is no text
 */
async function* wholeLines(file) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let rest = "";
  for (let from = 0; from < file.size; from += PIECE) {
    const last = from + PIECE >= file.size;
    try {
      rest += decoder.decode(await file.slice(from, from + PIECE).arrayBuffer(), { stream: !last });
    } catch {
      throw new MovetextError(gettext("The file is no text in UTF-8; save it as UTF-8."));
    }
    // A \r at the end may be half of a line's end.
    const end = last ? rest.length : Math.max(rest.lastIndexOf("\n"), rest.lastIndexOf("\r", rest.length - 2)) + 1;
    if (end) yield rest.slice(0, end);
    rest = end ? rest.slice(end) : rest.slice(0, LONGEST_GAME);
  }
}

/** A text without what stands in braces; nothing where one is not closed. @param {string} text */
function withoutBraces(text) {
  const parts = [];
  let from = 0;
  for (let open = text.indexOf("{"); open >= 0; open = text.indexOf("{", from)) {
    parts.push(text.slice(from, open));
    from = text.indexOf("}", open) + 1;
    if (!from) return undefined;
  }
  return [...parts, text.slice(from)].join(" ");
}

/** Put a game in its place among the newest, if it is one. @param {Known[]} newest @param {Known} game */
function insert(newest, game) {
  const place = newest.findIndex(({ date }) => (date ?? "") < (game.date ?? ""));
  if (place < 0 && newest.length === MOST_SHOWN) return;
  newest.splice(place < 0 ? newest.length : place, 0, game);
  if (newest.length > MOST_SHOWN) newest.pop();
}

/** @template {Uint32Array|Uint8Array} T @param {T} from @param {T} to */
function grown(from, to) {
  to.set(from);
  return to;
}

/** @param {Record<string, string>} tags @param {string} result @returns {Known} */
function known({ White = "", Black = "", Date: date = "" }, result) {
  const names = [White, Black].map((name) => (UNKNOWN.test(name) ? "?" : name)).join(" – ").slice(0, 80);
  return { title: names === "? – ?" ? "" : names, date: UNKNOWN.test(date) ? null : date.replace(/(\.\?\?)+$/, "").replaceAll(".", "-"), result };
}
