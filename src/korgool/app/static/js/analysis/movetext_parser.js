/** Reads the movetext of a game ply by ply: numbers, moves, comments, the result; as in `korgool.notation.movetext`. */

import { stepTitle } from "../game/move_steps.js";
import { landingOf } from "../game/move_trace.js";
import { gettext } from "../site/translations.js";
import { fieldText } from "./move_notation.js";

/** @typedef {import("./game_tree.js").Snapshot} Snapshot */
/** @typedef {import("./rules_provider.js").LocalRules} LocalRules */

/** The text cannot be read; the message says where and why. */
export class MovetextError extends Error {}

/** Only the server can read this kind of text. */
export class ServerOnlyError extends Error {}

const RESULT = /(1\/2|½|0[.,]5|1|0)\s?(?:\(\d{1,3}\)\s?)?[-–—:]\s?(1\/2|½|0[.,]5|1|0)(?:\s?\(\d{1,3}\))?(?=[\s{;]|$)/y;
const POINTS = new Map([["1", 2], ["0", 0], ["0.5", 1], ["0,5", 1], ["1/2", 1], ["½", 1]]);
const NO_RESULT = /\*(?=[\s{;]|$)/y;
const NUMBER = /(\d{1,6})(\.+|…)/y;
const GAP = /\.\.+|…/y;
const WORD = /[^\s,{};()$]+(?:\(\d{1,4}\)[^\s,{};()$]*)*|(?:\(\d{1,4}\)[^\s,{};()$]*)+/y;
const MOVE = /^(\d)(\d)?((?:[XxХх]|\(\d{1,4}\)|=)*)[!?]{0,2}$/;
const MARK = /[XxХх]|\(\d{1,4}\)|=/g;
const MARKS = /^(?:[XxХх]|\(\d{1,4}\)|=)+$/;
const COORDINATES = /^[a-iA-I][12]/;

/**
 * The result in a text, or null if it is not one.
 * @param {string} text such as `1-0`, `½-½`, `1 (82) - 0 (60)`
 */
export function parseResult(text) {
  if (["*", "?", ""].includes(text.trim())) return "*";
  RESULT.lastIndex = 0;
  const found = RESULT.exec(text.trim());
  if (!found || found[0] !== text.trim()) return null;
  const [white, black] = [POINTS.get(found[1]) ?? 0, POINTS.get(found[2]) ?? 0];
  if (white + black !== 2) return null;
  return ["0-1", "1/2-1/2", "1-0"][white];
}

/** The step that comes next in a position. @param {Snapshot} position */
export const stepAt = ({ number, board }) => stepTitle(number, board.turn);

export class MovetextParser {
  /** @type {number[]} */ moves = [];
  /** The result after the moves. @type {string|null} */ result = null;
  /** True if a tuz must be marked, as in the TGK dialect. */ tuzMarked = false;
  /** True while a comment continues on the next line. */ inside = false;
  #comment = "";
  #joined = false;
  #numbered = false;
  /** True if a move number stands after the last ply. */ #numberedHere = false;
  /** Plies with more than the hole. */ #full = 0;
  /** True if the last ply is written as its hole alone. */ #short = false;
  /** True if a mark or comment follows the last ply. */ #noted = false;

  /** Before the last ply. @type {Snapshot} */ #before;

  /** @param {LocalRules} rules @param {Snapshot} start */
  constructor(rules, start) {
    this.rules = rules;
    this.#before = start;
    /** After the last ply. */
    this.at = start;
  }

  /**
   * Read one line.
   * @param {string} line without its end
   * @throws {MovetextError} it does not fit; `moves` end before the fault
   * @throws {ServerOnlyError} it holds what only the server reads
   */
  read(line) {
    let place = 0;
    /** @param {RegExp} kind sticky */
    const next = (kind) => {
      kind.lastIndex = place;
      const found = kind.exec(line);
      if (found) place = kind.lastIndex;
      return found;
    };
    while (place < line.length) {
      if (this.inside) {
        const end = line.indexOf("}", place);
        this.#comment += line.slice(place, end < 0 ? undefined : end);
        if (end < 0) return;
        [this.inside, place] = [false, end + 1];
        this.#noted ||= this.#comment.trim() !== "" && !(this.result && /^zero$/i.test(this.#comment.trim()));
        continue;
      }
      const letter = line[place];
      if (letter === " " || letter === "\t") place += 1;
      else if (letter === "{") [this.inside, this.#comment, place] = [true, "", place + 1];
      else if (letter === ",") {
        if (!this.at.trace || this.#joined || this.result) this.#misplaced(",");
        [this.#joined, place] = [true, place + 1];
      } else if (letter === ";" || letter === "$") throw new ServerOnlyError(letter);
      else if (letter === "}") this.#misplaced(letter);
      else {
        const result = next(RESULT) ?? next(NO_RESULT);
        const number = result ? null : next(NUMBER);
        if (result) this.#end(result[0]);
        else if (number) this.#number(number);
        else if (!next(GAP)) {
          const word = next(WORD);
          if (!word) throw new ServerOnlyError(letter); // the parenthesis of a variation
          this.#word(word[0]);
        }
      }
    }
  }

  /** The text has ended. @throws {MovetextError} within a comment or a turn, or within the last ply */
  finish() {
    const plies = this.moves.length;
    const cut = this.#short && plies > 1 && this.#full === plies - 1 && !this.result && !this.#noted;
    if (!this.inside && !this.#joined && !cut) return;
    const lost = cut && !this.inside && !this.#joined;
    if (lost) this.moves.pop();
    const step = stepAt(lost ? this.#before : this.at);
    throw new MovetextError(gettext("%(step)s: the record seems cut off here.", { step }));
  }

  /** @param {string} text @returns {never} */
  #misplaced(text) {
    const values = { step: stepAt(this.at), text: text.slice(0, 24) };
    throw new MovetextError(gettext("%(step)s: “%(text)s” does not belong here.", values));
  }

  /** @param {string} text */
  #end(text) {
    const result = parseResult(text);
    if (this.result || !result) this.#misplaced(text);
    this.result = result;
  }

  /** A move number shows that no ply was lost before it. @param {RegExpExecArray} found */
  #number([text, digits, dots]) {
    this.#numbered = this.#numberedHere = true;
    const black = dots.length > 1 || dots === "…";
    const due = Number(digits) === this.at.number && black === (this.at.board.turn === "black");
    if (this.result || !due) this.#misplaced(text);
  }

  /** @param {string} text */
  #word(text) {
    if (this.result) this.#misplaced(text);
    if (this.at.trace && MARKS.test(text)) {
      // Marks separated from their move, as in `76 (10)`; after a number it is unclear to which move they belong.
      if (this.#numberedHere) throw new ServerOnlyError(text);
      this.#noted = true;
      this.#check(this.at, text, text, this.at);
    } else this.#move(text);
  }

  /** @param {string} text */
  #move(text) {
    const found = MOVE.exec(text);
    if (!found && COORDINATES.test(text)) throw new ServerOnlyError(text);
    if (!found) {
      const values = { step: stepAt(this.at), text: text.slice(0, 24) };
      throw new MovetextError(gettext("%(step)s: “%(text)s” is not a move.", values));
    }
    const [, hole, landing, marks] = found;
    const after = playHole(this.rules, this.at, Number(hole), text);
    const trace = /** @type {import("../game/message_types.js").Trace} */ (after.trace);
    if (landing && Number(landing) !== landingOf(trace).hole) this.#unfit(after, text, this.at);
    this.#check(after, text, marks, this.at);
    if (this.tuzMarked && trace.tuz && !/[XxХх]/.test(marks)) this.#unfit(after, text, this.at);
    const again = Boolean(this.at.trace?.extra_turn);
    if (this.#joined ? !again : again && this.#numbered) this.#misplaced(text);
    this.#joined = this.#noted = this.#numberedHere = false;
    this.#short = text.length === 1;
    this.#full += Number(!this.#short);
    this.moves.push(Number(hole));
    this.#before = this.at;
    this.at = after;
    this.#noted = /[!?]$/.test(text);
  }

  /** Verify the marks of a move. @param {Snapshot} after it @param {string} text @param {string} marks @param {Snapshot} place */
  #check(after, text, marks, place) {
    const trace = /** @type {import("../game/message_types.js").Trace} */ (after.trace);
    const store = after.board.stores[trace.side === "white" ? 0 : 1];
    const kinds = new Set();
    for (const [mark] of marks.matchAll(MARK)) {
      const kind = mark === "=" || mark[0] === "(" ? mark[0] : "X";
      const wrong = (kind === "X" && !trace.tuz) || (kind === "(" && Number(mark.slice(1, -1)) !== store);
      if (wrong || kinds.has(kind)) this.#unfit(after, text, place);
      kinds.add(kind);
    }
  }

  /** @param {Snapshot} after @param {string} text @param {Snapshot} place whose step the message names @returns {never} */
  #unfit({ trace, board }, text, place) {
    const move = fieldText(/** @type {import("../game/message_types.js").Trace} */ (trace), board.stores);
    const values = { step: stepAt(place), text: text.slice(0, 24), move };
    throw new MovetextError(gettext("%(step)s: “%(text)s” does not fit; the move is %(move)s.", values));
  }
}

/**
 * The position after one more ply.
 * @param {LocalRules} rules
 * @param {Snapshot} before
 * @param {number} hole
 * @param {string} text as it is written
 * @throws {MovetextError} the hole cannot be sown
 */
export function playHole(rules, before, hole, text) {
  if (before.legal.includes(hole)) return rules.follow(before, hole);
  const values = { step: stepAt(before), text: text.slice(0, 24) };
  throw new MovetextError(gettext("%(step)s: “%(text)s” cannot be played.", values));
}
