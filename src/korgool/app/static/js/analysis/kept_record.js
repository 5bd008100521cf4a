/** The record that the browser keeps beside an address, where the address cannot hold all of it. */

import { parseRecord } from "./record_parser.js";

/** The name of what a page leaves behind: another language is another address, which the browser keeps nothing beside. */
const LEFT = "korgool.left";

/**
 * The record beside the present address, if it is of that game.
 * @param {string} game
 * @param {import("./record_parser.js").RecordFacts} facts
 */
export async function keptRecord(game, facts) {
  try {
    const left = JSON.parse(sessionStorage.getItem(LEFT) ?? "{}");
    const text = history.state?.record ?? (left.hash === location.hash ? left.record : null);
    const record = typeof text === "string" ? await parseRecord(text, game, facts) : null;
    return record?.game === game ? record : null;
  } catch {
    return null; // without the rules on this device the moves of the address remain
  }
}

/** Leave a record for the next page with this address. @param {string} hash @param {{record: string|null}|null} saved */
export function leaveRecord(hash, saved) {
  try {
    sessionStorage.setItem(LEFT, JSON.stringify({ hash, ...saved }));
  } catch {
    // A browser without such a store, or with a full one, keeps the moves in the address.
  }
}

/** Leave nothing: the page goes before it has opened anything. */
export function leaveNothing() {
  try {
    sessionStorage.removeItem(LEFT);
  } catch {
    // As above.
  }
}

/**
 * Take up what the same page has left behind a moment ago: a reload begins with the address that the browser knew, and that
 * may be one change older.
 */
export function restoreLeft() {
  try {
    const { hash, record } = JSON.parse(sessionStorage.getItem(LEFT) ?? "{}");
    const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    // An address that asks for something else, such as a better move, is no older one of this page.
    const older = hash && hash !== location.hash && (location.hash === "" || location.hash.startsWith("#game="));
    if (visit?.type === "reload" && older) history.replaceState(record ? { record } : null, "", hash);
  } catch {
    // The address says what it does.
  }
}
