/**
 * Reads records and positions without the server, a subset of what `korgool.notation` reads: one game as digits, or in
 * field notation with or without numbers, comments and the tags of PGN style or TGK; or a position text.
 *
 * The server accepts and refuses the same texts. Anything else needs the server.
 */

import { openRules, LocalRules } from "./rules_provider.js";
import { ServerOnlyError, playHole, MovetextParser, parseResult, MovetextError, stepAt } from "./movetext_parser.js";
import { ServerUnreachableError } from "./server_requests.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("./paste_import.js").Pasted} Pasted */
/** @typedef {{tags: Map<string, string>, lines: string[]}} Game its tags by small letters, and its lines */

const LONGEST = 100_000;
/** The most plies, as on the server. */
const MOST_PLIES = 1000;
const STRANGE = /[^\S \t\n]|[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff]/;
const POSITION = /^[0-9A-Za-z,]+\/[0-9A-Za-z,]*(\s|$)/;
const TAG = /^\[\s*([A-Za-z][A-Za-z0-9_]*)\s+"((?:[^"\\]|\\.)*)"\s*\]$/;
const BARE = /^(\d+)(?:\s+(1-0|0-1|1\/2-1\/2|\*))?$/;
const NUMBERED = /^(\d{1,6})(?:\.|…)/;
const PAIR = /^(?:\d+\.\s*[^\s.(){}*-]+(?:\s+[^\s.(){}*-]+)?\s*|\s*(?:1-0|0-1|1\/2-1\/2|\*)\s*)$/;
const TGK = new Set(["event", "site", "date", "round", "white", "black", "result", "count", "comment"]);

/**
 * @param {string} text
 * @param {string} game the game, if the text does not name its own
 * @param {Record<string, string>} titles of the games, as a Variant tag names them
 * @returns {Promise<Pasted>}
 * @throws {MovetextError} it cannot be read; the message says where and why
 * @throws {ServerUnreachableError} only the server can read it
 */
export async function parseRecord(text, game, titles) {
  try {
    const plain = text.replace(/^\ufeff/, "").replaceAll("\r\n", "\n");
    if (plain.length > LONGEST || STRANGE.test(plain)) throw new ServerOnlyError(text.slice(0, 24));
    if (!plain.trim()) throw nothing();
    if (POSITION.test(plain.trim())) return await readPosition(plain.trim(), game, Object.keys(titles));
    return await readGame(plain, game, titles);
  } catch (error) {
    if (!(error instanceof ServerOnlyError)) throw error;
    throw new MovetextError(gettext("Without the network, only a single game can be read, in digits, in moves such as 76(10), or in PGN or TGK without a set-up start, or a position text."));
  }
}

const nothing = () => new MovetextError(gettext("There is no record and no position in this text."));

/** @param {string} game @throws {ServerUnreachableError} the rules are not on this device */
async function rulesOf(game) {
  const rules = await openRules(game);
  if (!(rules instanceof LocalRules)) throw new ServerUnreachableError(game);
  return rules;
}

/** @param {string} text @param {string} game @param {string[]} games @returns {Promise<Pasted>} */
async function readPosition(text, game, games) {
  let first = "";
  for (const name of [game, ...games.filter((other) => other !== game)]) {
    try {
      const [start] = await (await rulesOf(name)).line(text, []);
      return { game: name, position: start.position, moves: [], result: "*", players: [null, null], more: false };
    } catch (error) {
      if (error instanceof ServerUnreachableError) throw error;
      first ||= error instanceof Error ? error.message : "";
    }
  }
  throw new MovetextError(first);
}

/** @param {string} text @param {string} game @param {Record<string, string>} titles @returns {Promise<Pasted>} */
async function readGame(text, game, titles) {
  const { tags, lines } = cut(text);
  const variant = tags.get("variant");
  const name = variant === undefined ? game : Object.keys(titles).find((one) => titles[one] === variant);
  if (name === undefined || tags.has("rules") || tags.has("fen")) throw new ServerOnlyError(String(variant));
  const rules = await rulesOf(name);
  const [start] = await rules.line(null, []);
  const header = tags.has("result") ? parseResult(String(tags.get("result"))) : null;
  if (tags.has("result") && header === null) {
    const values = { step: stepAt(start), text: String(tags.get("result")).slice(0, 24) };
    throw new MovetextError(gettext("%(step)s: “%(text)s” does not belong here.", values));
  }
  const bare = tags.size || lines.length !== 1 ? null : BARE.exec(lines[0].trim());
  const read = bare ? readDigits(rules, start, bare[1], bare[2] ?? null) : readMoves(rules, start, tags, lines);
  if (!tags.size && !read.moves.length && !read.result) throw nothing();
  if (read.moves.length > MOST_PLIES) throw new ServerOnlyError(String(read.moves.length));
  const result = [header, read.result].find((one) => one !== null && one !== "*");
  const players = ["white", "black"].map((side) => tags.get(side) ?? "").map((who) => (/^[ ?.]*$/.test(who) ? null : who));
  return { game: name, position: null, moves: read.moves, result: read.at.outcome?.result ?? result ?? "*", players, more: false };
}

/**
 * The tags and the lines of the only game of a text.
 * @param {string} text
 * @returns {Game}
 * @throws {MovetextError} no game begins here
 * @throws {ServerOnlyError} it is not certain that there is only one
 */
function cut(text) {
  const all = text.replace(/\s+$/, "").split("\n");
  while (!all[0].trim()) all.shift();
  /** @type {Map<string, string>} */
  const tags = new Map();
  while (all.length && all[0].trim()[0] === "[") {
    const [, name, value] = TAG.exec(String(all.shift()).trim()) ?? [];
    if (name === undefined || tags.has(name.toLowerCase())) throw new ServerOnlyError("[");
    tags.set(name.toLowerCase(), value.replace(/\\(.)/g, "$1").replaceAll("\t", " "));
  }
  while (tags.size && all.length && !all[0].trim()) all.shift();
  const heads = all.map((line) => line.trim());
  if (heads.some((line) => !line || /^[[%;]/.test(line))) throw new ServerOnlyError("…");
  if (tags.size) return { tags, lines: all };
  if (/^[a-iA-I][12]|^\{/.test(heads[0])) throw new ServerOnlyError(heads[0].slice(0, 24));
  if (!/^\d|^\*(\s|$)/.test(heads[0])) throw nothing();
  const again = heads.slice(1).some((line) => Number(NUMBERED.exec(line)?.[1]) === 1);
  if (heads.length > 1 && (!NUMBERED.test(heads[0]) || again)) throw new ServerOnlyError("…");
  return { tags, lines: all };
}

/**
 * @param {LocalRules} rules
 * @param {import("./game_tree.js").Snapshot} at
 * @param {string} digits
 * @param {string|null} result
 */
function readDigits(rules, at, digits, result) {
  const moves = [...digits].map(Number);
  moves.forEach((hole) => {
    at = playHole(rules, at, hole, String(hole));
  });
  return { moves, result, at };
}

/**
 * @param {LocalRules} rules
 * @param {import("./game_tree.js").Snapshot} start
 * @param {Map<string, string>} tags
 * @param {string[]} lines
 */
function readMoves(rules, start, tags, lines) {
  const movetext = new MovetextParser(rules, start);
  movetext.tuzMarked = tags.size > 0 && lines.length > 0 && [...tags.keys()].every((name) => TGK.has(name)) && lines.every((line) => PAIR.test(line));
  for (const line of lines) {
    if (movetext.result && !movetext.inside) throw new ServerOnlyError(line.slice(0, 24)); // another game begins
    movetext.read(line);
  }
  movetext.finish();
  return movetext;
}
