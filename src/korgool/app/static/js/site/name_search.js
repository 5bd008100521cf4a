/**
 * How names are searched on a page: as `korgool.languages.name_search` does it, by the same tables. Letters without their
 * marks, ө by о, ı by i, names in any order, hyphens or not, Cyrillic by Latin letters and Latin by Cyrillic ones.
 */
import { BARE, LETTERS, LOOKALIKES, MARKED, ROMAN, SPELLINGS } from "./search_letters.js";

const JOINT = "-";
const CYRILLIC = /[\u0400-\u052f]/;
const LATIN = /[a-z]/;
const EXPRESSIONS = SPELLINGS.map(([pattern, instead]) => ({ pattern: new RegExp(pattern, "g"), instead }));
/** Letters from which a word is also found inside of others, and across a blank. */
const SHORT = 3;
const LONG = 6;

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
  return once(text);
}

/** Each letter once where it stands twice. @param {string} text */
const once = (text) => text.replace(/(.)\1/gu, "$1");

/** The words of a text, and the parts of those with hyphens. @param {ReturnType<typeof sought>} words */
const formsOf = (words) => words.flatMap(({ joined, parts }) => [joined, ...parts]);

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
 * The words of a text by their sounds, for a word that is typed in Cyrillic or in Latin letters.
 * @param {string} text @param {string[]} forms @param {boolean} cyrillic
 */
function sounds(text, forms, cyrillic) {
  const latin = forms.filter((form) => !CYRILLIC.test(form));
  if (latin.length) latin.push(...formsOf(sought(put(text.normalize("NFC"), MARKED))));
  const found = latin.filter((form) => !CYRILLIC.test(form)).map(spelt);
  if (cyrillic) return found;
  const others = forms.filter((form) => CYRILLIC.test(form)).map(spelt);
  return [...found, ...others, ...others.map((sound) => put(sound, BARE))];
}

/**
 * Whether all words stand in a text, in any order; no words stand in every text. Numbers stand there whole, and words of
 * one or two letters at the beginning of others.
 * @param {ReturnType<typeof sought>} words @param {string} text
 */
export function finds(words, text) {
  if (!words.length) return true;
  const there = sought(text);
  const whole = there.map(({ joined }) => joined).join(" ");
  const forms = formsOf(there);
  const pairs = there.slice(1).map(({ joined }, at) => there[at].joined + joined);
  const within = (/** @type {string} */ word) => {
    if (/^\p{Nd}+$/u.test(word)) return forms.includes(word);
    if (forms.some((one) => one.startsWith(word))) return true;
    const length = [...word].length;
    const joint = length >= LONG ? pairs : [];
    if (joint.some((pair) => pair.startsWith(word))) return true;
    if (length >= SHORT && whole.includes(word)) return true;
    const single = once(word);
    if ([...single].length > SHORT && once(whole).includes(single)) return true;
    const cyrillic = CYRILLIC.test(word);
    if (!cyrillic && !LATIN.test(word)) return false;
    const sound = spelt(word);
    const inside = [...sound].length >= SHORT;
    return (
      sounds(text, forms, cyrillic).some((one) => (inside ? one.includes(sound) : one.startsWith(sound))) ||
      joint.some((pair) => sounds(pair, [pair], cyrillic).some((one) => one.startsWith(sound)))
    );
  };
  return words.every(({ joined, parts }) => within(joined) || parts.every(within));
}
