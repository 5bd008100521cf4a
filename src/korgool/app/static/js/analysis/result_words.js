/** Reads results in words, such as `White wins`, as `korgool.notation.result_words` does with the same tables. */

/** @typedef {{letters: [string, string], words: Record<string, string>}} ResultTables as the page's facts give them */

const LONGEST = 100;
const LETTER = /[j-wyzJ-WYZҐ-ӿЀ-ФЦ-фц-џçğışöüÇĞİŞÖÜ]/;
const PAIR = /(1\/2|½|0[.,]5|[0-9]{1,3})[ \t]?(?:\(([0-9]{1,3})\)[ \t]?)?[-–—:][ \t]?(1\/2|½|0[.,]5|[0-9]{1,3})(?:[ \t]?\(([0-9]{1,3})\))?(?![0-9])/g;
const BETWEEN = /[ \t\xa0.,:!=()[\]"«»“”–—-]+/;
/** Points of one side, doubled. @type {Map<string, number>} */
export const POINTS = new Map([["1", 2], ["0", 0], ["0.5", 1], ["0,5", 1], ["1/2", 1], ["½", 1]]);
/** The results by White's points, doubled. */
export const RESULTS = ["0-1", "1/2-1/2", "1-0"];

export class ResultWords {
  #letters;
  #kinds;

  /** @param {ResultTables} tables */
  constructor({ letters: [written, plain], words }) {
    this.#letters = new Map([...written].map((letter, index) => [letter, [...plain][index]]));
    this.#kinds = Object.entries(words).map(([kind, source]) => ({ kind, pattern: new RegExp(`^(?:${source})$`) }));
  }

  /** The result that a line of words gives, or null where it is no such line. @param {string} line */
  read(line) {
    if (line.length > LONGEST || !LETTER.test(line)) return null;
    const text = [...line.toLowerCase().replaceAll("\u0307", "")].map((letter) => this.#letters.get(letter) ?? letter).join("");
    /** @type {string|null} */
    let given = null;
    let stores = false;
    for (const [, first, white, second, black] of text.matchAll(PAIR)) {
      const [left, right] = [POINTS.get(first), POINTS.get(second)];
      let found = Boolean(white && black);
      if (left !== undefined && right !== undefined) {
        if (given !== null || left + right !== 2) return null;
        given = RESULTS[left];
      } else if (/^\d+$/.test(first) && /^\d+$/.test(second) && !white && !black) found = true;
      else return null;
      if (found && stores) return null;
      stores ||= found;
    }
    const words = text.replace(PAIR, " ").split(BETWEEN).filter(Boolean);
    const kinds = new Set(words.map((word) => this.#kinds.find((one) => one.pattern.test(word))?.kind ?? ""));
    const result = said(kinds, given);
    return given !== null && given !== result ? null : result;
  }
}

/** @param {Set<string>} kinds @param {string|null} given the result in figures beside the words */
function said(kinds, given) {
  const told = [...kinds].filter((kind) => kind !== "other" && kind !== "label").sort().join(" ");
  if (told === "draw") return "1/2-1/2";
  if (!told) return kinds.has("label") ? given : null;
  if (told === "white win" || told === "black loss") return "1-0";
  return told === "black win" || told === "loss white" ? "0-1" : null;
}
