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
    sessionStorage.setItem(LEFT, JSON.stringify({ at: location.hash, hash, ...saved }));
  } catch {
    // A browser without such a store, or with a full one, keeps the moves in the address.
  }
}

/** Take up what the same page has left behind a moment ago, before its address held it: a reload has the address before. */
export function restoreLeft() {
  try {
    const { at, hash, record } = JSON.parse(sessionStorage.getItem(LEFT) ?? "{}");
    const [visit] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
    if (visit?.type === "reload" && at === location.hash && at !== hash) history.replaceState(record ? { record } : null, "", hash);
  } catch {
    // The address says what it does.
  }
}
