/** Cuts a text into games as `korgool.notation.segments` does, line by line. */

import { pattern, strip } from "./python_text.js";

/** @typedef {import("./result_words.js").ResultWords} ResultWords */
/** @typedef {"tagged"|"text"|"bare"|"unknown"} Kind text: moves without tags */
/** @typedef {{number: number, text: string}} Line number: of the line, from 1 */
/** @typedef {{kind: Kind, lines: Line[], moves: boolean}} Segment the lines of a game, without blank ones; moves: more than tags and comments */

/** `1-0`, `½-½`, `1 (82) - 0 (60)` and their like; `1-1` is a move. */
export const RESULT = "(?!1[-–—]1)(1/2|½|0[.,]5|1|0)\\s?(?:\\(([0-9]{1,3})\\)\\s?)?[-–—:]\\s?(1/2|½|0[.,]5|1|0)(?:\\s?\\(([0-9]{1,3})\\))?(?=[\\s{;]|$)";
/** A tag at the beginning of a text. */
export const TAG = pattern('^\\[\\s*([A-Za-z][A-Za-z0-9_]*)\\s+"((?:[^"\\\\]|\\\\[^\\n])*)"\\s*\\]\\s*');
const TAGS = new RegExp(TAG.source.slice(1), "g");
export const BARE = pattern("^([0-9]+)(?:\\s+(1-0|0-1|1/2-1/2|\\*))?\\s*$");
const NUMBERED = pattern("^([0-9]{1,6})(?:[.)]|…)");
const END = `(?:\\*|${RESULT})(?=[\\s{;]|$)`;
const ENDS_AT_ONCE = pattern(`^(?:^|\\s)${END}`);
const ENDS = pattern(`(?:^|\\s)${END}`);
const LATER_ENDS = pattern(`\\s${END}`);
const SIGNS = /[*:–—({;})-]/;
const JOINT = /[*:–—-]/;
const BEFORE_JOINT = 16;
const TAG_LIKE = pattern('^\\[\\s*([A-Za-z][A-Za-z0-9_]*)\\s+"');
const MOVE_LIKE = pattern("^(?:[0-9]|[a-iA-I][12]|\\*(?:\\s|$))");

/**
 * @param {string} text
 * @param {ResultWords} words
 * @returns {Segment[]} the games, and what stands between them
 */
export function splitGames(text, words) {
  const splitter = new GameSplitter(words);
  const found = [];
  for (const line of cutLines(text)) found.push(...splitter.feed(line));
  return [...found, ...splitter.flush()];
}

/** The lines of a text one after the other, without what ends them. @param {string} text @returns {Generator<string>} */
export const cutLines = (text) => linesOf(text);

/** @param {string} text */
function* linesOf(text) {
  for (const [, line = ""] of text.matchAll(/([^\r\n]+)(?:\r\n|\r|\n|$)|\r\n|\r|\n/g)) yield line;
}

/** Gathers lines into games. */
export class GameSplitter {
  /** @type {Segment|null} */ #segment = null;
  /** The last game stood on one line. */ #lineByLine = false;
  /** The lines so far. */ #lines = 0;
  #number = 0;
  #gap = false;
  /** @type {Set<string>} */ #tags = new Set();
  #moves = false;
  #comment = false;
  #single = false;
  /** A result has been given in figures. */ #figures = false;
  /** A result has been given in words. */ #worded = false;
  #depth = 0;

  /** @param {ResultWords} words */
  constructor(words) {
    this.words = words;
  }

  /** The game being gathered, if any. @returns {Segment[]} */
  flush() {
    const done = this.#segment ? [this.#segment] : [];
    this.#segment = null;
    this.#tags = new Set();
    this.#moves = this.#comment = this.#single = this.#figures = this.#worded = false;
    this.#depth = 0;
    return done;
  }

  /** Take the next line, and return the games that it ends. @param {string} raw @returns {Segment[]} */
  feed(raw) {
    this.#lines += 1;
    let end = raw.length;
    while (raw[end - 1] === "\x1a") end -= 1;
    const line = { number: this.#lines, text: raw.slice(raw[0] === "\ufeff" ? 1 : 0, end) };
    const text = strip(line.text);
    if (!text) return [];
    this.#gap = line.number > this.#number + 1;
    this.#number = line.number;
    const done = this.#segment && !this.#continues(this.#segment, text) ? this.flush() : [];
    if (this.#segment) this.#extend(this.#segment, line, text);
    else done.push(...this.#open(line, text));
    return done;
  }

  /** @param {Segment} segment @param {string} text */
  #continues({ kind }, text) {
    if (kind === "unknown") return !(TAG_LIKE.test(text) || BARE.test(text) || MOVE_LIKE.test(text));
    if (this.#single && !this.#comment) return this.#saysItAgain(text);
    const tag = text[0] === "[" ? TAG.exec(text) : null;
    if (this.#comment) return !(tag && this.#gap);
    if (/^[{;%]/.test(text)) return true;
    if (this.#figures || this.#worded) return this.#saysItAgain(text);
    if (text[0] === "[") {
      if (kind !== "tagged" || this.#moves) return false;
      return !(this.#gap && tag && this.#tags.has(tag[1]));
    }
    const numbered = NUMBERED.exec(text);
    if (this.#depth && !this.#gap) return true;
    if (kind === "text" && !this.#moves) return !BARE.test(text);
    if (kind === "text" && numbered && Number(numbered[1]) === 1) return false;
    if (this.#gap && this.#moves) {
      return Boolean(numbered && Number(numbered[1]) !== 1) || ENDS_AT_ONCE.test(text) || this.words.read(text) !== null;
    }
    return true;
  }

  /** True if a line gives the result of the game before in the other form: in words, or in figures. @param {string} text */
  #saysItAgain(text) {
    if (this.#gap || (/^\p{Nd}/u.test(text) && !SIGNS.test(text))) return false;
    if (this.#worded) return !this.#figures && ENDS_AT_ONCE.test(text);
    return this.words.read(text) !== null;
  }

  /** @param {Line} line @param {string} text */
  #open(line, text) {
    if (/^[%;]/.test(text)) return [];
    /** @type {Kind} */
    let kind = "unknown";
    if (TAG_LIKE.test(text)) kind = "tagged";
    else if (BARE.test(text)) kind = "bare";
    else if (MOVE_LIKE.test(text) || text[0] === "{") kind = "text";
    this.#segment = { kind, lines: [], moves: false };
    this.#extend(this.#segment, line, text);
    if (kind === "bare") this.#single = true;
    else if (kind === "unknown") this.#single = this.#lineByLine;
    this.#lineByLine = this.#single;
    return kind === "unknown" && this.#single && !this.#comment ? this.flush() : [];
  }

  /** @param {Segment} segment @param {Line} line @param {string} text */
  #extend(segment, line, text) {
    segment.lines.push(line);
    if (segment.kind === "tagged" && !this.#moves && text[0] === "[" && !this.#comment) {
      for (const [, name] of text.matchAll(TAGS)) this.#tags.add(name);
      return;
    }
    const [plain, open] = withoutComments(text, this.#comment);
    this.#comment = open;
    if (!plain) return;
    if (segment.kind === "text" && !this.#moves) this.#single = !NUMBERED.test(plain);
    this.#moves = segment.moves = true;
    for (const sign of plain.match(/[()]/g) ?? []) this.#depth = Math.max(0, this.#depth + (sign === "(" ? 1 : -1));
    if (this.words.read(plain) !== null) this.#worded = true;
    else this.#figures ||= hasResult(plain);
  }
}

/** @param {string} plain */
function hasResult(plain) {
  const joint = plain.search(JOINT);
  if (joint < 0) return false;
  const from = Math.max(0, joint - BEFORE_JOINT);
  // What the search in Python begins within a line is no beginning of the line.
  return from ? LATER_ENDS.test(plain.slice(from)) : ENDS.test(plain);
}

/** The text outside braces and before `;`, and whether a comment is open at its end. @param {string} text @param {boolean} inside @returns {[string, boolean]} */
function withoutComments(text, inside) {
  if (!inside && text[0] === "%") return ["", false];
  if (!inside && !/[{;]/.test(text)) return [text, false];
  const parts = [];
  let place = 0;
  while (place < text.length) {
    if (inside) {
      const end = text.indexOf("}", place);
      if (end < 0) return [strip(parts.join("")), true];
      [inside, place] = [false, end + 1];
      continue;
    }
    const found = /[{;]/.exec(text.slice(place));
    if (!found) {
      parts.push(text.slice(place));
      break;
    }
    parts.push(`${text.slice(place, place + found.index)} `);
    if (found[0] === ";") break;
    [inside, place] = [true, place + found.index + 1];
  }
  return [strip(parts.join("")), inside];
}
