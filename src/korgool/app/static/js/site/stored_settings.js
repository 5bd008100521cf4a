/**
 * A visitor's settings, stored in the browser; if that is not allowed, they last as long as the page. This is the only
 * store of settings: those of how pages look are copied into cookies, since the server makes pages as they look.
 */

/** The settings of how pages look, each with its usual value (`server/http/appearance.py`). */
const APPEARANCE = new Map([["theme", "system"], ["board", "wood"], ["stones", "ivory"]]);
const YEAR = 365 * 24 * 3600;

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

/** @param {string} name */
export function removeSetting(name) {
  memory.delete(name);
  try {
    localStorage.removeItem(`korgool.${name}`);
  } catch {
    // As above.
  }
}

/**
 * Store a setting of how pages look, and let this page look so.
 * @param {string} name `theme`, `board` or `stones`
 * @param {string} value
 */
export function storeAppearance(name, value) {
  storeSetting(name, value);
  writeLook(name, value);
  applyAppearance();
}

/** Write a cookie for a year; an empty value deletes it. @param {string} name @param {string} value */
export function writeCookie(name, value) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${name}=${value}; path=/; max-age=${value ? YEAR : 0}; samesite=lax${secure}`;
}

/** @param {string} name @param {string} value */
const writeLook = (name, value) => writeCookie(`look_${name}`, value === APPEARANCE.get(name) ? "" : value);

/**
 * Let this page look as chosen. One from the cache may be older than the choice, and one from the server not know it:
 * Safari keeps the cookies of scripts for seven days.
 */
export function applyAppearance() {
  for (const [name, usual] of APPEARANCE) {
    const value = readSetting(name, usual);
    if ((document.documentElement.dataset[name] ?? usual) !== value) writeLook(name, value);
    if (value === usual) delete document.documentElement.dataset[name];
    else document.documentElement.dataset[name] = value;
  }
}
