/**
 * Answers that an account has not got yet: those that could not be sent, and those of somebody without an account, who may
 * take them into one later. The server judges them by their tries, and the first answer to each puzzle alone counts, so
 * that nothing is lost or doubled where the same is sent twice or from two tabs.
 */

import { sendCommand } from "../site/send_command.js";
import { readSetting, storeSetting } from "../site/stored_settings.js";

/** @typedef {{account: string, puzzle: string, tries: number[][], rated: boolean, day?: string}} Answer */
/** @typedef {{puzzle: string, marks: string, new: boolean, before: number|null, after: number|null}} Kept */

const NAME = "puzzle-outbox";
/** Answers that wait, at most, and those sent at once (`server/school/puzzles/api.py`). */
const MOST = 300, AT_ONCE = 50;
/** What will be refused again, however often it is sent. */
const USELESS = new Set([400, 404, 413, 422]);

/** @returns {Answer[]} */
function readAll() {
  try {
    const found = JSON.parse(readSetting(NAME, "[]"));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** @param {Answer[]} answers */
const storeAll = (answers) => storeSetting(NAME, JSON.stringify(answers.slice(-MOST)));

/** Those of an account; empty for those of nobody. @param {string} account */
export const waitingOf = (account) => readAll().filter((one) => one.account === account);

/** Keep an answer; the first to a puzzle stays. @param {Answer} answer */
export function keepAnswer(answer) {
  const all = readAll();
  if (!all.some((one) => one.puzzle === answer.puzzle && one.account === answer.account && one.day === answer.day)) storeAll([...all, answer]);
}

/** @param {Answer[]} gone */
function forget(gone) {
  const keys = new Set(gone.map((one) => JSON.stringify(one)));
  storeAll(readAll().filter((one) => !keys.has(JSON.stringify(one))));
}

/** Forget the answers of somebody without an account. */
export const forgetNobodys = () => forget(waitingOf(""));

/** @type {Promise<Kept[]|null>} */
let sending = Promise.resolve(null);

/**
 * Send what waits of an account.
 * @param {string} account
 * @param {string} [from] whose answers, if not those of the account
 * @returns {Promise<Kept[]|null>} the answers as the account has them; null if the server did not take them
 */
export function sendWaiting(account, from = account) {
  sending = sending.then(() => sendAll(account, from));
  return sending;
}

/** @param {string} account @param {string} from */
async function sendAll(account, from) {
  /** @type {Kept[]} */
  const kept = [];
  for (let waiting = waitingOf(from); waiting.length; waiting = waitingOf(from)) {
    const some = waiting.slice(0, AT_ONCE);
    const answers = some.map(({ puzzle, tries, rated, day }) => ({ puzzle, tries, rated, ...(day ? { day } : {}) }));
    const { status, told } = await sendCommand("/api/puzzles/answers", { answers, mark: account });
    if (!told && !USELESS.has(status)) return null;
    forget(some);
    if (waitingOf(from).length >= waiting.length) return null; // the browser's storage takes nothing any more
    kept.push(...(told?.answers ?? []).filter(Boolean));
  }
  return kept;
}
