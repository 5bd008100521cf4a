/** The words of the page in the visitor's language, embedded by the server; the English text is the key. */

/** @typedef {{language: string, plural: string, messages: Record<string, string|string[]>,
 *   games: Record<string, string>, levels: string[], perfect: string, reasons: Record<string, string>}} Words */

/** @type {Words} */
export const words = JSON.parse(document.getElementById("words")?.textContent ?? "null") ?? {
  language: "en", plural: "", messages: {}, games: {}, levels: [], perfect: "", reasons: {},
};

/**
 * Put values into a text such as "hole %(hole)s".
 * @param {string} text
 * @param {Record<string, string|number>} values
 */
function fill(text, values) {
  return text.replace(/%\((\w+)\)s/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * The translation of an English text.
 * @param {string} text
 * @param {Record<string, string|number>} [values]
 */
export function gettext(text, values = {}) {
  const found = words.messages[text];
  return fill(typeof found === "string" ? found : text, values);
}

/**
 * The translation in the plural form of `n`.
 * @param {string} one
 * @param {string} many
 * @param {number} n
 * @param {Record<string, string|number>} [values]
 */
export function ngettext(one, many, n, values = {}) {
  const found = words.messages[one];
  const form = Number(words.plural[n] ?? words.plural.at(-1) ?? 1);
  const text = Array.isArray(found) ? found[form] : n === 1 ? one : many;
  return fill(text, { n, ...values });
}

/** Whether a level is perfect play, which stands above all levels. @param {number} level */
export const isPerfect = (level) => level > words.levels.length;

/** A level with its name; perfect play has no number to show. @param {number} level */
export const levelTitle = (level) => (isPerfect(level) ? words.perfect : `${level} · ${words.levels[level - 1]}`);
