/**
 * Reads records and positions on the device as `korgool.notation.reading` does: any dialect, with tags, comments, marks
 * and variations.
 *
 * A differential test compares the two readers. Only what few texts have needs the server: other rules than the usual
 * ones, a game longer than any that was played, a text of megabytes.
 */

import { openRules, LineError, LocalRules } from "./rules_provider.js";
import { MovetextError, MovetextParser, ServerOnlyError, parseResult } from "./movetext_parser.js";
import { BARE, TAG, splitGames } from "./game_splitter.js";
import { pattern, strip } from "./python_text.js";
import { ResultWords } from "./result_words.js";
import { ServerUnreachableError } from "./server_requests.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("./game_splitter.js").Segment} Segment */
/** @typedef {import("./game_tree.js").Snapshot} Snapshot */
/** @typedef {import("./movetext_parser.js").Notes} Notes */
/** @typedef {import("./movetext_parser.js").Variation} Variation */
/**
 * @typedef {{game: string, position: string|null, moves: number[], result: string, players: (string|null)[],
 *   tags: Record<string, string>, dialect: string} & Notes} ParsedGame position: null for the usual start; tags: without
 *   unknown ones and those that follow from the rest
 */
/** @typedef {ParsedGame & {more: boolean}} Pasted more: whether further games follow, which are ignored */
/**
 * @typedef {{titles: Record<string, string>, variants: Record<string, string>, tags: {names: string[], order: string[], derived: string[],
 *   tgk: string[]}, results: import("./result_words.js").ResultTables}} RecordFacts variants: the games by the names
 *   that a tag may give them, in small letters without blanks and signs
 */

const LONGEST = 8_000_000;
const LONGEST_GAME = 1 << 20;
const POSITION = pattern("^[0-9A-Za-z,]+/[0-9A-Za-z,]*(?:\\s|$)");
const PAIR = pattern("^(?:[0-9]+\\.\\s*[^\\s.(){}*-]+(?:\\s+[^\\s.(){}*-]+)?\\s*|\\s*(?:1-0|0-1|1/2-1/2|\\*)\\s*)$");
const UNKNOWN = /^[ ?.]*$/;
const SILENT = ["", "standard", "normal", "fromposition"];
const MOST_PLIES = 1000;
/** Games of a text that are offered. */
const MOST_GAMES = 2000;

/**
 * @param {string} text
 * @param {string} game the game, if the text does not name its own
 * @param {RecordFacts} facts
 * @returns {Promise<Pasted>} the first game
 * @throws {MovetextError} it cannot be read; the message says where and why
 * @throws {ServerOnlyError} only the server can read it
 * @throws {ServerUnreachableError} the rules are not on this device
 */
export async function parseRecord(text, game, facts) {
  if (text.length > LONGEST || text.includes("\0")) throw new ServerOnlyError(text.slice(0, 24));
  const plain = strip(text).replace(/^\ufeff/, "");
  if (!plain) throw nothing();
  if (POSITION.test(plain)) return { ...await readPosition(plain, game, Object.keys(facts.titles)), more: false };
  const reader = new Reader(game, facts, new ResultWords(facts.results));
  let found = null;
  for (const segment of splitGames(text, reader.words)) {
    if (found) {
      if (await reader.isGame(segment)) return { ...found, more: true };
    } else found = await reader.read(segment);
  }
  if (!found) throw nothing();
  return { ...found, more: false };
}

/**
 * Read a game that `GameSplitter` has cut out.
 * @param {Segment} segment
 * @param {string} game the game, if the record does not name its own
 * @param {RecordFacts} facts
 * @param {import("./work_slices.js").WorkSlices} slices
 * @returns {Promise<ParsedGame|null>} null for comments between games
 * @throws {MovetextError|ServerOnlyError|ServerUnreachableError} as `parseRecord`
 */
export const parseGame = (segment, game, facts, slices) => new Reader(game, facts, new ResultWords(facts.results), slices).read(segment);

/**
 * The games of a text, each with its text alone; one that stands alone is not cut out.
 * @param {string} text
 * @param {RecordFacts} facts
 * @returns {{title: string, text: string}[]}
 */
export function listGames(text, facts) {
  if (text.length > LONGEST || POSITION.test(strip(text))) return [];
  const segments = splitGames(text, new ResultWords(facts.results)).filter(({ kind, moves }) => kind !== "text" || moves);
  return segments.slice(0, MOST_GAMES).map(({ kind, lines }) => {
    const tags = Object.fromEntries(kind === "tagged" ? lines.flatMap(({ text: line }) => [...line.matchAll(/\[(\w+) "([^"]*)"\]/g)].map(([, name, said]) => [name.toLowerCase(), said])) : []);
    const players = [tags.white, tags.black].filter((name) => name && !UNKNOWN.test(name)).join(" – ");
    const about = [players, tags.event, tags.date].filter((said) => said && !UNKNOWN.test(said)).join(", ");
    return { title: (about || strip(lines[lines.length > 1 && kind === "tagged" ? lines.length - 1 : 0].text)).slice(0, 80), text: lines.map(({ text: line }) => line).join("\n") };
  });
}

const nothing = () => new MovetextError(gettext("There is no record and no position in this text."));

/** @param {string} game @throws {ServerUnreachableError} the rules are not on this device */
async function rulesOf(game) {
  const rules = await openRules(game);
  if (!(rules instanceof LocalRules)) throw new ServerUnreachableError(game);
  return rules;
}

/** @returns {Notes & {tags: Record<string, string>, players: (string|null)[]}} */
const bareNotes = () => ({ tags: {}, players: [null, null], comments: [], glyphs: [], offers: [], variations: [] });

/** @param {string} text @param {string} game @param {string[]} games @returns {Promise<ParsedGame>} */
async function readPosition(text, game, games) {
  let first = "";
  for (const name of [game, ...games.filter((other) => other !== game)]) {
    try {
      const [start] = await (await rulesOf(name)).line(text, []);
      return { ...bareNotes(), game: name, position: start.position, moves: [], result: "*", dialect: "position" };
    } catch (error) {
      if (error instanceof ServerUnreachableError) throw error;
      first ||= error instanceof Error ? error.message : "";
    }
  }
  throw new MovetextError(first);
}

class Reader {
  /** @param {string} game @param {RecordFacts} facts @param {ResultWords} words @param {import("./work_slices.js").WorkSlices} [slices] */
  constructor(game, facts, words, slices) {
    this.game = game;
    this.facts = facts;
    this.words = words;
    this.slices = slices;
    this.names = new Map(facts.tags.names.map((name) => [name.toLowerCase(), name]));
  }

  /** True if it is more than comments between games. @param {Segment} segment */
  async isGame(segment) {
    if (segment.kind !== "text") return true;
    try {
      return (await this.read(segment)) !== null;
    } catch (error) {
      if (error instanceof MovetextError || error instanceof ServerOnlyError) return true;
      throw error;
    }
  }

  /** @param {Segment} segment @returns {Promise<ParsedGame|null>} null for comments between games */
  async read(segment) {
    const { kind, lines } = segment;
    if (lines.reduce((sum, { text }) => sum + text.length + 1, 0) > LONGEST_GAME) throw new ServerOnlyError(kind);
    if (kind === "unknown") throw nothing();
    if (kind === "bare") return this.#bare(lines.map(({ text }) => strip(text)));
    const { tags, body } = this.#head(segment);
    const name = this.#variant(tags.get("Variant") ?? "");
    if (tags.get("Rules")) throw new ServerOnlyError(String(tags.get("Rules")));
    const rules = await rulesOf(name);
    const fen = tags.get("FEN") ?? "";
    const set = !UNKNOWN.test(fen) && strip(fen).toLowerCase() !== "startpos" ? fen : null;
    const start = await begin(rules, set);
    const header = tags.has("Result") ? this.#header(tags.get("Result") ?? "") : null;
    const movetext = new MovetextParser(rules, start, this.words);
    const tgk = kind === "tagged" && body.length > 0 && [...tags.keys()].every((tag) => this.facts.tags.tgk.includes(tag)) && body.every((line) => PAIR.test(line));
    movetext.tuzMarked = tgk;
    for (const line of body) {
      for (const _ of movetext.steps(line)) {
        const pause = this.slices?.due();
        if (pause) await pause;
      }
    }
    movetext.finish();
    const { main, result } = movetext;
    if (kind === "text" && !main.moves.length && result === null) return null;
    const { moves, comments, glyphs, offers } = main;
    const usual = (await begin(rules, null)).position === start.position;
    return {
      game: name, position: usual ? null : start.position, moves, result: settle(main.at, header, result),
      players: ["White", "Black"].map((side) => (UNKNOWN.test(tags.get(side) ?? "") ? null : String(tags.get(side)))),
      tags: Object.fromEntries([...tags].filter(([tag, said]) => !this.facts.tags.derived.includes(tag) && !UNKNOWN.test(said))),
      comments, glyphs, offers, variations: sorted(main.variations),
      dialect: movetext.inCoordinates ? "coordinates" : tgk ? "tgk" : "pgn",
    };
  }

  /** @param {string[]} lines the digits, and perhaps the result in words @returns {Promise<ParsedGame>} */
  async #bare([line, ...after]) {
    const [, digits, figures] = /** @type {RegExpExecArray} */ (BARE.exec(line));
    const rules = await rulesOf(this.game);
    const start = await begin(rules, null);
    const movetext = new MovetextParser(rules, start, this.words);
    if (digits.length > MOST_PLIES) throw new ServerOnlyError(digits.slice(0, 24));
    for (const digit of digits) {
      movetext.read(digit);
      const pause = this.slices?.due();
      if (pause) await pause;
    }
    for (const text of [figures ?? "", ...after]) movetext.read(text);
    const { moves, at } = movetext.main;
    return { ...bareNotes(), game: this.game, position: null, moves, result: settle(at, null, movetext.result), dialect: "bare" };
  }

  /** @param {Segment} segment */
  #head({ kind, lines }) {
    /** @type {Map<string, string>} */
    const tags = new Map();
    let place = 0;
    for (; kind === "tagged" && place < lines.length; place += 1) {
      const text = strip(lines[place].text);
      if (!/^[[%;]/.test(text)) break;
      if (text[0] === "[") this.#tags(text, tags);
    }
    return { tags, body: lines.slice(place).map(({ text }) => text) };
  }

  /** @param {string} text the tags of a line @param {Map<string, string>} tags */
  #tags(text, tags) {
    for (let rest = text; rest;) {
      const found = TAG.exec(rest);
      const name = found && (this.names.get(found[1].toLowerCase()) ?? found[1]);
      if (!found || !name || tags.has(name)) throw misread(rest);
      tags.set(name, found[2].replace(/\\([^\n])/g, "$1").replace(/[\x00-\x1f]/g, " "));
      rest = rest.slice(found[0].length);
    }
  }

  /** The game that a Variant tag names. @param {string} text */
  #variant(text) {
    const key = text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();
    if (SILENT.includes(key)) return this.game;
    if (!Object.hasOwn(this.facts.variants, key)) throw misread(text);
    return this.facts.variants[key];
  }

  /** @param {string} text of the Result tag */
  #header(text) {
    const result = this.words.read(text) ?? parseResult(text);
    if (result === null) throw misread(text);
    return result;
  }
}

/** A tag cannot be read. @param {string} text */
function misread(text) {
  return new MovetextError(gettext("The tag “%(text)s” cannot be read.", { text: text.slice(0, 40) }));
}

/** The start of a game. @param {LocalRules} rules @param {string|null} position */
async function begin(rules, position) {
  try {
    return (await rules.line(position, []))[0];
  } catch (error) {
    throw error instanceof LineError ? new MovetextError(error.message) : error;
  }
}

/** The result that holds: of the board, else of the head, else of the end. @param {Snapshot} at @param {(string|null)[]} said */
function settle({ outcome }, ...said) {
  return outcome?.result ?? said.find((one) => one !== null && one !== "*") ?? "*";
}

/** In the order of their plies, as a record holds them. @param {Variation[]} variations */
function sorted(variations) {
  return [...variations].sort((one, other) => one.ply - other.ply);
}
