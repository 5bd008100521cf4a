/** Reads the movetext of a game: numbers, moves, comments, marks, variations, the result; as in `korgool.notation.movetext`. */

import { stepTitle } from "../game/move_steps.js";
import { landingOf } from "../game/move_trace.js";
import { gettext } from "../site/translations.js";
import { RESULT } from "./game_splitter.js";
import { coordinateText, fieldText } from "./move_notation.js";
import { pattern, squeeze, strip } from "./python_text.js";
import { POINTS, RESULTS } from "./result_words.js";

/** @typedef {import("./game_tree.js").Snapshot} Snapshot */
/** @typedef {import("./rules_provider.js").LocalRules} LocalRules */
/** @typedef {import("./result_words.js").ResultWords} ResultWords */
/** @typedef {import("../game/message_types.js").Trace} Trace */
/**
 * @typedef {{comments: [number, string][], glyphs: [number, number][], offers: number[], variations: Variation[]}} Notes
 *   by plies from the start of the game; the ply before the first stands for what is before the first move
 */
/** @typedef {{ply: number, moves: number[], after: string[]} & Notes} Variation a line in place of a ply */

/** The text cannot be read; the message says where and why. */
export class MovetextError extends Error {
  /** @param {string} message @param {number} [ply] the first ply of the game that is missing */
  constructor(message, ply = 1) {
    super(message);
    this.ply = ply;
  }
}

/** Only the server can read this kind of text. */
export class ServerOnlyError extends Error {}

const MOST_PLIES = 1000;
const MOST_VARIED = 50_000;
const MOST_DEPTH = 100;
const TOKEN = pattern(
  `\\s*(?:(?<result>${RESULT}|\\*(?=[\\s{;]|$))`
  + "|(?<number>[0-9]{1,6})(?<dots>\\.+|…)|(?<round>[0-9]{1,6})\\)(?<black>\\.\\.+|…)?"
  + "|(?<gap>\\.\\.+|…)|(?<comma>,)|(?<open>\\{)|(?<rest>;)|(?<close>\\})|\\$(?<glyph>[0-9]{1,3})(?![0-9])"
  + "|(?<word>[^\\s,{};()$]+(?:\\([0-9]{1,4}\\)[^\\s,{};()$]*)*|(?:\\([0-9]{1,4}\\)[^\\s,{};()$]*)+)|(?<begin>\\()|(?<end>\\))|(?<stray>\\S)|$)", "y",
);
const WHOLE_RESULT = pattern(`^${RESULT}$`);
const REMARKS = new Map([["!", 1], ["?", 2], ["!!", 3], ["??", 4], ["!?", 5], ["?!", 6]]);
const MOVE = /^([0-9])(?:[-–—]?([0-9]))?((?:[XxХх*]|\([0-9]{1,4}\)|=)*)([!?]{0,2})$/;
const MARK = /[XxХх*]|\([0-9]{1,4}\)|=/g;
const MARKS = /^(?:[XxХх*]|\([0-9]{1,4}\)|=)+$/;
const COORDINATES = /^([a-iA-I])([12])(?:([a-iA-I][12])|0)$/;

/** The result in a text, or null if it is not one. @param {string} text such as `1-0`, `½-½`, `1 (82) - 0 (60)` */
export function parseResult(text) {
  const plain = strip(text);
  if (["*", "?", ""].includes(plain)) return "*";
  const found = WHOLE_RESULT.exec(plain);
  const points = found && [POINTS.get(found[1]) ?? 0, POINTS.get(found[3]) ?? 0];
  return points && points[0] + points[1] === 2 ? RESULTS[points[0]] : null;
}

/** A line as far as it is read: the game itself, or a variation. */
class MoveLine {
  /** @type {number[]} */ moves = [];
  /** @type {[number, string][]} */ comments = [];
  /** @type {[number, number][]} */ glyphs = [];
  /** @type {number[]} */ offers = [];
  /** @type {Variation[]} */ variations = [];
  joined = false;
  /** True if a move number stands before the ply to come. */ due = false;
  /** True if an offer stands between that number and its ply. */ asked = false;

  /** @param {Snapshot} at the position reached @param {number} first the ply of its first move */
  constructor(at, first) {
    this.at = at;
    this.previous = at;
    this.first = first;
  }

  /** The last ply, or the one before the first. */
  get ply() {
    return this.first + this.moves.length - 1;
  }

  /** @param {string} text a comment on the last ply, after the variations that already stand there */
  remark(text) {
    const said = squeeze(text).replaceAll("}", ")");
    const last = this.variations[this.variations.length - 1];
    if (last?.ply === this.ply) last.after.push(said);
    else this.comments.push([this.ply, said]);
  }
}

export class MovetextParser {
  /** The result after the moves. @type {string|null} */ result = null;
  /** True if a tuz must be marked, as in the TGK dialect. */ tuzMarked = false;
  /** @type {boolean|null} */ #coordinates = null;
  /** @type {MoveLine[]} */ #parents = [];
  #numbered = false;
  /** @type {number|null} */ #countsFrom = null;
  /** @type {string[]|null} */ #comment = null;
  #varied = 0;
  #full = 0;
  #short = false;
  #noted = false;
  #worded = false;
  #rounds = false;

  /** @param {LocalRules} rules @param {Snapshot} start @param {ResultWords} words */
  constructor(rules, start, words) {
    this.rules = rules;
    this.start = start;
    this.words = words;
    /** The game itself. */
    this.main = new MoveLine(start, 1);
    this.line = this.main;
  }

  /** Read one line. @param {string} text without its end @throws {MovetextError} it does not fit; `main` ends before the fault */
  read(text) {
    for (const _ of this.steps(text));
  }

  /** The same, word by word. @param {string} text @returns {Generator<void>} */
  *steps(text) {
    if (this.#comment === null && !this.#parents.length) {
      const said = this.words.read(text);
      if (said !== null) return this.#conclude(said);
    }
    if (this.#comment === null && text[0] === "%") return undefined;
    let place = 0;
    while (place < text.length) {
      if (this.#comment !== null) {
        const end = text.indexOf("}", place);
        this.#comment.push(text.slice(place, end < 0 ? undefined : end));
        if (end < 0) return undefined;
        this.#closeComment();
        place = end + 1;
        continue;
      }
      TOKEN.lastIndex = place;
      const { groups, 0: all } = /** @type {RegExpExecArray & {groups: Record<string, string>}} */ (TOKEN.exec(text));
      place += all.length;
      if (groups.rest) {
        this.#remark(text.slice(place));
        return undefined;
      }
      this.#token(groups);
      yield;
    }
    return undefined;
  }

  /** @param {Record<string, string>} found */
  #token({ result, number, dots, round, black, comma, open, close, glyph, word, begin, end, stray }) {
    if (word) this.#word(word);
    else if (number) this.#number(number + dots, Number(number), dots.length > 1 || dots === "…");
    else if (round) this.#round(round, black);
    else if (open) this.#comment = [];
    else if (comma) {
      if (!this.line.at.trace || this.line.joined || this.result !== null || !this.line.moves.length) this.#misplaced(",");
      this.line.joined = true;
    } else if (glyph) this.#mark(Number(glyph));
    else if (begin) this.#begin();
    else if (end) this.#end();
    else if (close || stray) this.#misplaced(close || stray);
    else if (result) this.#endOfGame(result);
  }

  /** True if the moves are in coordinates. */
  get inCoordinates() {
    return this.#coordinates === true;
  }

  /** The text has ended. @throws {MovetextError} within a comment, a variation or a turn, or within the last ply */
  finish() {
    const { main } = this;
    if (this.#comment !== null || this.#parents.length || main.joined) this.#cutOff();
    if (main.asked) this.#remark("=");
    const plies = main.moves.length;
    if (plies > 1 && this.#full === plies - 1 && this.#short && this.result === null && !this.#noted) {
      main.moves.pop();
      main.at = main.previous;
      this.#cutOff();
    }
  }

  /** @param {string} said what is wrong @returns {never} */
  #refuse(said) {
    throw new MovetextError(said, this.main.moves.length + 1);
  }

  /** The step that is due, as players count. */
  #step() {
    const step = stepTitle(this.line.at.number, this.line.at.board.turn);
    return this.#parents.length ? gettext("%(step)s, in a variation", { step }) : step;
  }

  /** The values of every message. @param {string} text */
  #values(text) {
    return { step: this.#step(), text: text.slice(0, 24) };
  }

  /** @returns {never} */
  #cutOff() {
    this.#refuse(gettext("%(step)s: the record seems cut off here.", this.#values("")));
  }

  /** @param {string} text @returns {never} */
  #misplaced(text) {
    this.#refuse(gettext("%(step)s: “%(text)s” does not belong here.", this.#values(text)));
  }

  #begin() {
    const { line } = this;
    if (this.result !== null || !line.moves.length || this.#parents.length >= MOST_DEPTH) this.#misplaced("(");
    this.#noted = true;
    this.#parents.push(line);
    this.line = new MoveLine(line.previous, line.ply);
  }

  #end() {
    const { line } = this;
    if (!this.#parents.length || !line.moves.length || line.joined) this.#misplaced(")");
    if (line.asked) line.remark("=");
    this.line = /** @type {MoveLine} */ (this.#parents.pop());
    const { first: ply, moves, comments, glyphs, offers, variations } = line;
    this.line.variations.push({ ply, moves, comments, glyphs, offers, variations, after: [] });
  }

  /** @param {string} text */
  #endOfGame(text) {
    const result = parseResult(text);
    if (this.#parents.length || result === null) this.#misplaced(text);
    if (this.result !== null && (!this.#worded || this.result !== result)) this.#misplaced(text);
    [this.result, this.#worded] = [result, false];
  }

  /** A result in words, which may say again what figures have said. @param {string} result */
  #conclude(result) {
    if (this.result !== null && this.result !== result) this.#misplaced(result);
    [this.#worded, this.result] = [this.result === null, result];
  }

  #closeComment() {
    const text = /** @type {string[]} */ (this.#comment).join("\n");
    this.#comment = null;
    if (this.result === null || strip(text).toLowerCase() !== "zero") this.#remark(text);
  }

  /** @param {string} text */
  #remark(text) {
    this.#noted = true;
    this.line.remark(text);
  }

  /** @param {number} glyph */
  #mark(glyph) {
    this.#noted = true;
    this.line.glyphs.push([this.line.ply, glyph]);
  }

  /** The number that the ply to come may have. @param {number|null} from */
  #due(from) {
    return this.line.at.number - this.start.number + (from ?? 1);
  }

  /** A move number shows that no ply was lost before it. @param {string} text @param {number} number @param {boolean} black */
  #number(text, number, black) {
    this.#numbered = true;
    this.#countsFrom ??= number === this.line.at.number ? this.start.number : 1;
    const fits = number === this.#due(this.#countsFrom) && black === (this.line.at.board.turn === "black");
    if (this.result !== null || !fits) this.#misplaced(text);
    this.line.due = true;
  }

  /** `1)`: a move number, or in a variation a hole alone and the end of it. @param {string} digits @param {string|undefined} black */
  #round(digits, black) {
    const due = Number(digits) === this.#due(this.#countsFrom || null);
    if (!this.#parents.length || (this.#rounds && !this.line.due && (black || due))) {
      this.#rounds = true;
      this.#number(`${digits})`, Number(digits), Boolean(black));
    } else {
      this.#word(digits);
      this.#end();
    }
  }

  /** @param {string} text */
  #word(text) {
    const { line } = this;
    if (this.result !== null) this.#misplaced(text);
    if (line.due && text[0] === "=") {
      [line.asked, text] = [true, text.slice(1)];
      if (!text) return;
    }
    if (line.moves.length && MARKS.test(text)) {
      this.#noted = true;
      if (this.#check(line.at, text, text) && !line.offers.includes(line.ply)) line.offers.push(line.ply);
      return;
    }
    if (line.ply >= MOST_PLIES) throw new ServerOnlyError(String(line.ply));
    if (line !== this.main && ++this.#varied > MOST_VARIED) throw new ServerOnlyError(String(this.#varied));
    this.#move(line, text);
  }

  /** @param {MoveLine} line @param {string} text */
  #move(line, text) {
    const coordinates = COORDINATES.test(text);
    this.#coordinates ??= coordinates;
    if (coordinates !== this.#coordinates && (coordinates || /^\p{Nd}/u.test(text))) this.#misplaced(text);
    const { after, offer, remark } = this.#coordinates ? this.#placed(line, text) : this.#played(line, text);
    const again = Boolean(line.at.trace?.extra_turn);
    if (line.joined ? !again : again && this.#numbered && line.moves.length) this.#misplaced(text);
    this.#noted = false;
    if (line === this.main) {
      this.#short = text.length === 1;
      this.#full += Number(!this.#short);
    }
    line.moves.push(/** @type {Trace} */ (after.trace).hole);
    [line.previous, line.at] = [line.at, after];
    if (offer || line.asked) line.offers.push(line.ply);
    line.joined = line.due = line.asked = false;
    if (remark) this.#mark(remark);
  }

  /** A move in field notation. @param {MoveLine} line @param {string} text */
  #played(line, text) {
    const found = MOVE.exec(text);
    if (!found) this.#refuse(gettext("%(step)s: “%(text)s” is not a move.", this.#values(text)));
    const [, hole, landing, marks] = found;
    const after = this.#sow(line, Number(hole), text);
    const trace = /** @type {Trace} */ (after.trace);
    if (landing && Number(landing) !== landingOf(trace).hole) this.#unfit(after, text);
    const offer = this.#check(after, text, marks);
    if (this.tuzMarked && trace.tuz && !/[XxХх*]/.test(marks)) this.#unfit(after, text);
    return { after, offer, remark: REMARKS.get(found[4]) ?? 0 };
  }

  /** A move in coordinates. @param {MoveLine} line @param {string} text */
  #placed(line, text) {
    const found = COORDINATES.exec(text);
    if (!found) this.#refuse(gettext("%(step)s: “%(text)s” is not a move.", this.#values(text)));
    const { turn, white } = line.at.board;
    const column = "abcdefghi".indexOf(found[1].toLowerCase());
    const hole = found[2] === "1" ? column + 1 : white.length - column;
    if (found[2] !== (turn === "white" ? "1" : "2")) this.#refuse(gettext("%(step)s: “%(text)s” cannot be played.", this.#values(text)));
    const after = this.#sow(line, hole, text);
    const due = coordinateText(/** @type {Trace} */ (after.trace), white.length);
    if (due !== text.toLowerCase()) this.#unfit(after, text, due);
    return { after, offer: false, remark: 0 };
  }

  /** @param {MoveLine} line @param {number} hole @param {string} text as it is written */
  #sow({ at }, hole, text) {
    if (!at.legal.includes(hole)) this.#refuse(gettext("%(step)s: “%(text)s” cannot be played.", this.#values(text)));
    return this.rules.follow(at, hole);
  }

  /** Verify the marks of a move; true if a draw is offered. @param {Snapshot} after it @param {string} text @param {string} marks */
  #check(after, text, marks) {
    const trace = /** @type {Trace} */ (after.trace);
    const store = after.board.stores[trace.side === "white" ? 0 : 1];
    const kinds = new Set();
    for (const [mark] of marks.matchAll(MARK)) {
      const kind = mark === "=" || mark[0] === "(" ? mark[0] : "X";
      const wrong = (kind === "X" && !trace.tuz) || (kind === "(" && Number(mark.slice(1, -1)) !== store);
      if (wrong || kinds.has(kind)) this.#unfit(after, text);
      kinds.add(kind);
    }
    return kinds.has("=");
  }

  /** @param {Snapshot} after @param {string} text @param {string} [move] @returns {never} */
  #unfit({ trace, board }, text, move = fieldText(/** @type {Trace} */ (trace), board.stores)) {
    this.#refuse(gettext("%(step)s: “%(text)s” does not fit; the move is %(move)s.", { ...this.#values(text), move }));
  }
}
