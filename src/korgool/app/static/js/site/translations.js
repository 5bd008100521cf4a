/** The texts of the page in the visitor's language, embedded by the server and looked up by the English text. */

import { wonHole } from "../game/rules_records.js";

/**
 * @typedef {{language: string, plural: string, messages: Record<string, string|string[]>, holes: Record<string,
 *   string[]>, stones: {games: string[], forms: Record<string, string>}, games: Record<string, string>, opponents: string[], perfect: string, phrases: Record<string, string>, reasons: Record<string, string>,
 *   why: Record<string, string|string[]>}}
 *   Words
 */

/** @type {Words} */
export const words = JSON.parse(document.getElementById("words")?.textContent ?? "null") ?? {
  language: "en", plural: "", messages: {}, holes: {}, stones: { games: [], forms: {} }, games: {}, opponents: [], perfect: "", phrases: {}, reasons: {}, why: {},
};

let stones = false;

/** Speak of a game from now on: in some languages mangala's stones have another name. @param {string} game */
export function speakOf(game) {
  stones = words.stones.games.includes(game) && Object.keys(words.stones.forms).length > 0;
}

/** A text as it is said of the game spoken of; as in `korgool.languages.stones`. @param {string} text */
export function ofGame(text) {
  if (!stones) return text;
  return text.replace(/(?:тогуз )?\p{L}+/giu, (word) => {
    const stone = words.stones.forms[word.toLowerCase()];
    if (!stone) return word;
    return word[0] === word[0].toUpperCase() ? stone[0].toUpperCase() + stone.slice(1) : stone;
  });
}

/**
 * Put values into a text such as "hole %(hole)s".
 * @param {string} text
 * @param {Record<string, string|number>} values
 */
function fill(text, values) {
  return ofGame(text).replace(/%\((\w+)\)s/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * The translation of an English text.
 * @param {string} text
 * @param {Record<string, string|number>} [values]
 */
export function gettext(text, values = {}) {
  const translation = words.messages[text];
  return fill(typeof translation === "string" ? translation : text, values);
}

/**
 * The translation in the plural form of `n`.
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Record<string, string|number>} [values]
 */
export function ngettext(one, many, n, values = {}) {
  const translation = words.messages[one];
  const text = Array.isArray(translation) ? translation[form(n)] : n === 1 ? one : many;
  return fill(text, { n, ...values });
}

/** Return the plural form of a number. @param {number} n */
const form = (n) => Number(words.plural[n] ?? words.plural.at(-1) ?? 1);

/**
 * A reason for or against a move; its texts are those of korgool.app.words.reasons.
 * @param {import("../../kernel.js").Reason} reason
 * @param {string} game
 */
export function reasonText({ kind, stones, left, hole, line }, game) {
  const text = words.why[`${kind} ${wonHole(game)}`] ?? words.why[kind] ?? kind;
  return fill(Array.isArray(text) ? text[form(stones)] : text, { n: stones, left, hole, line: line.join(", ") });
}

/** Return whether a level is perfect play, which is above all levels. @param {number} level */
export const isPerfect = (level) => level === words.opponents.length;

/** The name of a level or of perfect play; “Engine” for a rating. @param {number} level */
export const opponentName = (level) => words.opponents[level - 1] ?? gettext("Engine");

/** A level, a rating, or the word for perfect play. @param {number} level */
function strengthText(level) {
  if (isPerfect(level)) return words.perfect;
  return level <= words.opponents.length ? gettext("level %(level)s", { level }) : gettext("rating %(rating)s", { rating: level });
}

/** An opponent in a list: its name with its strength, or only the rating. @param {number} level */
export const opponentTitle = (level) =>
  (level <= words.opponents.length ? `${opponentName(level)} · ` : "") + strengthText(level);
