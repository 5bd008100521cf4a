/** A visitor's settings, stored in the browser; if that is not allowed, they last as long as the page. */

/** @type {Map<string, string>} */
const memory = new Map();

/** @param {string} name @param {string} otherwise */
export function readSetting(name, otherwise) {
  try {
    return localStorage.getItem(`korgool.${name}`) ?? otherwise;
  } catch {
    return memory.get(name) ?? otherwise;
  }
}

/** @param {string} name @param {string} value */
export function storeSetting(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(`korgool.${name}`, value);
  } catch {
    // Private windows may refuse; the page works anyway.
  }
}
