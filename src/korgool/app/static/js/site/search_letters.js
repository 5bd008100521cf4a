// @ts-check
/** Made by kernel/generate.py from korgool.languages.name_search. Do not edit. */

/** @type {Readonly<Record<string, string>>} */
export const LETTERS = Object.freeze({
  "ө": "о", "ү": "у", "ұ": "у", "ң": "н", "қ": "к", "ғ": "г", "ә": "а", "і": "и", "һ": "х", "ҥ": "н", "ӊ": "н",
  "ӈ": "н", "ҡ": "к", "ҝ": "к", "ӄ": "к", "ҕ": "г", "ґ": "г", "ӕ": "а", "э": "е", "ҳ": "х", "җ": "ж", "ҙ": "з",
  "ҫ": "с", "ҷ": "ч", "ҹ": "ч", "є": "е", "ј": "и", "љ": "л", "њ": "н", "ћ": "ч", "ђ": "дж", "џ": "дж", "ъ": "",
  "ь": "", "ӏ": "", "ı": "i", "ə": "a", "æ": "ae", "œ": "oe", "ø": "o", "ɵ": "o", "ð": "d", "đ": "d", "ł": "l",
  "ħ": "h", "ŧ": "t", "þ": "th", "ß": "ss", "ŋ": "n", "ĸ": "k", "ς": "σ", "-": "-", "‐": "-", "‑": "-", "‒": "-",
  "–": "-", "—": "-", "―": "-", "−": "-", "﹘": "-", "﹣": "-", "－": "-", "·": "-", "'": "-", "’": "-", "‘": "-",
  "‛": "-", "ʼ": "-", "ʻ": "-", "ʾ": "-", "ʿ": "-", "`": "-", "´": "-", "ʹ": "-", "′": "-", "＇": "-",
});
/** @type {Readonly<Record<string, string>>} */
export const LOOKALIKES = Object.freeze({
  "a": "а", "c": "с", "e": "е", "o": "о", "p": "р", "x": "х", "y": "у", "i": "и", "k": "к", "h": "х", "m": "м",
  "t": "т",
});
/** @type {Readonly<Record<string, string>>} */
export const ROMAN = Object.freeze({
  "а": "a", "б": "b", "в": "v", "г": "g", "д": "d", "е": "e", "ж": "j", "з": "z", "и": "i", "й": "i", "к": "k",
  "л": "l", "м": "m", "н": "n", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "у": "u", "ф": "f", "х": "h",
  "ы": "i", "ц": "ts", "ч": "ch", "ш": "sh", "щ": "sh", "ю": "yu", "я": "ya",
});
/** @type {Readonly<Record<string, string>>} */
export const MARKED = Object.freeze({
  "ş": "sh", "š": "sh", "ç": "ch", "č": "ch", "ž": "zh", "Ş": "sh", "Š": "sh", "Ç": "ch", "Č": "ch", "Ž": "zh",
});
/** @type {Readonly<Record<string, string>>} */
export const BARE = Object.freeze({
  "S": "s", "C": "c",
});
export const SPELLINGS = Object.freeze([
  ["dzh|dj|zh", "j"], ["shch|sch|sh", "S"], ["ch", "C"], ["ts|tz", "c"], ["kh", "h"], ["gh", "g"], ["ph", "f"],
  ["ng", "n"], ["x", "ks"], ["q", "k"], ["w", "v"], ["y", "i"], ["i+o", "e"], ["^i+(?=[au])", "Y"],
  ["ai+(?=[au])", "aY"], ["ei+(?=[au])", "eY"], ["oi+(?=[au])", "oY"], ["ui+(?=[au])", "uY"], ["i+(?=[aeu])", ""],
  ["Y", "i"], ["ae", "a"], ["oe", "o"], ["ue", "u"],
]);
