/**
 * Brings the mistakes of an account and of its devices together: what is new here is sent, each answer once by its id, and
 * what is new there is stored. Without an answer of the server all waits on the device.
 */

import { sendCommand } from "../site/send_command.js";
import { seenOf, takeIn, unsentOf } from "./mistake_store.js";

/** @typedef {import("./mistake_store.js").Stored} Stored */
/** What became of it: all is sent and known, nothing answers, or nobody is signed in any more. @typedef {"done"|"silent"|"ended"} Synced */
/**
 * @typedef {{cards: {card: import("./mistake_store.js").Mistake, memory: import("./mistake_store.js").Memory|null,
 *   dropped: boolean, switched: number}[], seen: number, more: boolean, refused: string[]}} Told
 */

/** What one request carries at most; its body stays far below what the server takes. */
const MOST = { cards: 20, answers: 100 };
/** Requests in a row at most: as many as the cards of an account need. */
const MOST_REQUESTS = 150;

/** @type {Promise<Synced>|null} */
let running = null;

/** Send and fetch until both sides have the same. @param {string} who the mark of the account @returns {Promise<Synced>} */
export function syncMistakes(who) {
  running ??= work(who).finally(() => { running = null; });
  return running;
}

/** @param {string} who @returns {Promise<Synced>} */
async function work(who) {
  for (let count = 0; count < MOST_REQUESTS; count += 1) {
    const sent = unsentOf(who, MOST);
    const cards = sent.cards.map(({ card, dropped, switched }) => ({ ...card, dropped, switched }));
    /** @type {{status: number, told: Told|null}} */
    const { status, told } = await sendCommand("/api/mistakes", { cards, answers: sent.answers, seen: seenOf(who), mark: who });
    if (!told) return status === 401 || status === 403 || status === 409 ? "ended" : "silent";
    takeIn(who, told.cards.map((one) => ({ ...one, sent: true })), sent, told.refused, told.seen);
    const left = unsentOf(who, MOST);
    if (!told.more && !left.cards.length && !left.answers.length) return "done";
  }
  return "silent";
}
