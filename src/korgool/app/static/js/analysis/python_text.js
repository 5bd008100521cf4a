/** Text as `korgool.notation` takes it: the same blanks, which are not those of scripts. */

const SPACE = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";

/**
 * A regular expression whose `\s` and `\S` have the blanks of the reader in Python.
 * @param {string} source without brackets around `\S`
 * @param {string} [flags]
 */
export function pattern(source, flags = "") {
  const changed = source.replace(/\\.|\[(?:[^\]\\]|\\.)*\]/g, (part) => {
    if (part[0] === "[") return part.replaceAll("\\s", SPACE);
    return part === "\\s" ? `[${SPACE}]` : part === "\\S" ? `[^${SPACE}]` : part;
  });
  return new RegExp(changed, flags);
}

const BLANK = pattern("\\s");
const GAPS = pattern("\\s+", "g");

/** Without blanks at both ends. @param {string} text */
export function strip(text) {
  let [from, to] = [0, text.length];
  while (from < to && BLANK.test(text[from])) from += 1;
  while (to > from && BLANK.test(text[to - 1])) to -= 1;
  return text.slice(from, to);
}

/** With single spaces and none at the ends. @param {string} text */
export const squeeze = (text) => strip(text).replace(GAPS, " ");
