/**
 * How names are searched on a page: as `korgool.languages.name_search` does it, by the same tables. Letters without their
 * marks, ө by о, ı by i, names in any order, hyphens or not, Cyrillic by Latin letters and Latin by Cyrillic ones.
 */
import { LETTERS, LOOKALIKES, ROMAN, SPELLINGS } from "./letters.js";

const JOINT = "-";
const CYRILLIC = /[\u0400-\u052f]/;
const LATIN = /[a-z]/;
const EXPRESSIONS = SPELLINGS.map(([pattern, instead]) => ({ pattern: new RegExp(pattern, "g"), instead }));

/** What each letter is searched by, filled as letters are met. @type {Map<string, string>} */
const met = new Map();

/** A small letter without marks, as it is searched; a blank for what stands between words. @param {string} letter */
function plain(letter) {
  const known = LETTERS[letter];
  if (known !== undefined || /[\p{Mn}\p{Cf}]/u.test(letter)) return known ?? "";
  return /[\p{L}\p{N}]/u.test(letter) ? letter : " ";
}

/** @param {string} letter */
function letters(letter) {
  let found = met.get(letter);
  if (found === undefined) {
    found = LETTERS[letter] === JOINT ? JOINT : [...letter.normalize("NFKD").toLowerCase()].map(plain).join("");
    met.set(letter, found);
  }
  return found;
}

/** @param {string} word @param {Readonly<Record<string, string>>} table */
const put = (word, table) => [...word].map((letter) => table[letter] ?? letter).join("");

/** A word by its sounds in Latin letters, however it is written. @param {string} word */
function spelt(word) {
  let text = put(word, ROMAN);
  for (const { pattern, instead } of EXPRESSIONS) text = text.replace(pattern, instead);
  return text.replace(/(.)\1/g, "$1");
}

/**
 * The words of a text: each without hyphens and apostrophes, and what stands between these.
 * @param {string} text
 */
export function sought(text) {
  return [...text]
    .map(letters)
    .join("")
    .split(/\s+/)
    .map((word) => word.split(JOINT).filter(Boolean).map((part) => (CYRILLIC.test(part) ? put(part, LOOKALIKES) : part)))
    .filter((parts) => parts.length)
    .map((parts) => ({ joined: parts.join(""), parts }));
}

/**
 * Whether all words stand in a text, in any order, numbers whole; no words stand in every text.
 * @param {ReturnType<typeof sought>} words @param {string} text
 */
export function finds(words, text) {
  if (!words.length) return true;
  const there = sought(text);
  const whole = there.map(({ joined }) => joined).join(" ");
  const forms = there.flatMap(({ joined, parts }) => [joined, ...parts]);
  const within = (/** @type {string} */ word) => {
    if (/^\p{Nd}+$/u.test(word)) return forms.includes(word);
    if (whole.includes(word)) return true;
    const cyrillic = CYRILLIC.test(word);
    const sounds = cyrillic || LATIN.test(word) ? spelt(word) : "";
    return sounds !== "" && forms.some((one) => CYRILLIC.test(one) !== cyrillic && spelt(one).includes(sounds));
  };
  return words.every(({ joined, parts }) => within(joined) || parts.every(within));
}
