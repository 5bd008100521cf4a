/**
 * The results that this device has not brought to the server yet. They belong to the device and not to the page on which
 * they were typed: every page of the event sends them, each under the id that it was given, so it happens once.
 *
 * A place in the browser's storage for each board keeps them, so that two tabs do not overwrite each other's. One tab
 * sends at a time. Storage has no locks, and pages without TLS no others: if two tabs begin in the same moment, both
 * send, and the server does it once.
 *
 * Where the network goes silent a request never ends by itself. It is given up after some seconds and made again, each
 * time with more patience, because a slow network is no silent one.
 */

import { newId, tokens } from "../site/send_command.js";
import { fetchWhole, LATE, SILENT } from "../site/connection_watchdog.js";

const PLACE = "korgool-outbox";
/** How the places began before there was an outbox. */
const BEFORE = "korgool-desk";
/** Milliseconds to wait for an answer, the more often there was none. */
const PATIENCE = [8000, 15000, 30000];
/** Milliseconds to wait between two attempts. */
const PAUSES = [2000, 4000, 8000, 15000];

/**
 * @typedef {object} StoredResult a result as it was typed
 * @property {string} id the id of the command
 * @property {string} event the address of the event, or of its group
 * @property {string} round
 * @property {string} board
 * @property {string} names who plays there
 * @property {string} text what was typed
 * @property {string} language in which it was typed
 * @property {string} was what stood there
 * @property {string} reason why it changes
 * @property {boolean} [stays] whether a disputed result stays instead
 * @property {number} after the last line of the log that was known there
 * @property {string} who the official who typed it
 * @property {string} by their name
 * @property {number} at when, in milliseconds since 1970
 * @property {""|"refused"|"other"} [state] whether it waits for hands: it was refused, or somebody else is at the desk now
 * @property {string} [why] the reason, or who is at the desk now
 */

/** The event whose page this is, or the group of it, also where the page only leads to one. */
export const eventId = eventOf();
/** The whole event: each of its pages sends what was typed in any of its groups. */
const whole = eventId.split("~")[0];
/** Tells `change`, and `answered` with the answer to something that was sent. */
export const outbox = new EventTarget();
/** What the last attempt has found: nothing answers, or who asks may not enter results (any more). */
export const lastAttempt = { silent: false, ended: false };

/** What cannot be stored is kept while the page is open. @type {Map<string, string>} */
const unstored = new Map();
const tab = newId();

function eventOf() {
  const asked = new URLSearchParams(location.search);
  const places = [location.pathname, asked.get("next") ?? "", `/events/${asked.get("event") ?? ""}`];
  return places.map((one) => /^\/events\/([a-z0-9]{8}(?:~\d+)?)(?![^/?#])/.exec(one)?.[1]).find(Boolean) ?? "";
}

/** @param {string} event @param {string} round @param {string} board */
const placeOf = (event, round, board) => `${PLACE} ${event} ${round} ${board}`;

/** Whether a place is for something of this event. @param {string} place */
const isOurs = (place) => Boolean(whole) && [" ", "~"].some((end) => place.startsWith(`${PLACE} ${whole}${end}`));

/** @param {string} place @returns {StoredResult|null} */
function read(place) {
  try {
    const text = unstored.get(place) ?? localStorage.getItem(place);
    const one = text && JSON.parse(text);
    return one?.id && one.board ? one : null;
  } catch {
    return null;
  }
}

/** Everything that this device keeps for the event, the oldest first. @returns {StoredResult[]} */
export function storedResults() {
  let places = [...unstored.keys()];
  try {
    places = [...new Set([...places, ...Object.keys(localStorage)])];
  } catch {
    // A browser without storage.
  }
  const own = places.filter(isOurs).map(read);
  return own.filter((one) => one !== null).sort((one, two) => one.at - two.at);
}

/** What is kept for a board. @param {string} round @param {string} board @param {string} event */
export function storedResult(round, board, event = eventId) {
  return read(placeOf(event, round, board));
}

/** Keep something, in place of what was kept for the same board. @param {StoredResult} one */
export function storeResult(one) {
  const place = placeOf(one.event, one.round, one.board);
  const text = JSON.stringify(one);
  try {
    localStorage.setItem(place, text);
    unstored.delete(place);
  } catch {
    unstored.set(place, text);
  }
  changed();
  setTimeout(changed, LATE);
}

/** Keep something no longer, unless something else was typed there meanwhile. @param {StoredResult} one */
export function removeResult(one) {
  const place = placeOf(one.event, one.round, one.board);
  if (read(place)?.id === one.id) {
    unstored.delete(place);
    try {
      localStorage.removeItem(place);
    } catch {
      // It was not stored.
    }
  }
  changed();
}

/** Send something again that has waited for hands. @param {StoredResult} one @param {Partial<StoredResult>} [change] */
export function resend(one, change = {}) {
  storeResult({ ...one, state: "", why: "", ...change });
  void sendResults();
}

function changed() {
  outbox.dispatchEvent(new CustomEvent("change"));
}

/** Whether this tab may send now. */
function mine() {
  const place = `korgool-sender ${whole}`;
  try {
    const held = JSON.parse(localStorage.getItem(place) ?? "null");
    if (held && held.tab !== tab && held.until > Date.now()) return false;
    localStorage.setItem(place, JSON.stringify({ tab, until: Date.now() + patience() + 2000 }));
    return JSON.parse(localStorage.getItem(place) ?? "null")?.tab === tab;
  } catch {
    return true;
  }
}

function leave() {
  const place = `korgool-sender ${whole}`;
  try {
    if (JSON.parse(localStorage.getItem(place) ?? "null")?.tab === tab) localStorage.removeItem(place);
  } catch {
    // Nothing was stored.
  }
}

let failures = 0;
let sending = false;
let timer = 0;
const patience = () => PATIENCE[Math.min(failures, PATIENCE.length - 1)];

/** Send what waits, one after the other, as long as there are answers. */
export async function sendResults() {
  if (sending) return;
  sending = true;
  clearTimeout(timer);
  try {
    for (let one = next(); one && mine(); one = next()) {
      if (!(await sendOne(one))) break;
    }
  } finally {
    sending = false;
    leave();
  }
  if (next()) timer = window.setTimeout(() => void sendResults(), PAUSES[Math.min(failures, PAUSES.length - 1)]);
}

const next = () => storedResults().find((one) => !one.state);

/** @param {StoredResult} one @param {string} token */
async function post(one, token) {
  const body = new URLSearchParams({
    _csrf_token: token, rows: "1", after: String(one.after), id: one.id, who: one.who, by: one.by, language: one.language,
    [`r${one.board}`]: one.text, [`w${one.board}`]: one.was, [`y${one.board}`]: one.reason,
  });
  if (one.stays) body.set("stays", one.board);
  // A page that is left lets it go on.
  const asked = { method: "POST", body, headers: { accept: "application/json" }, keepalive: true };
  const { answer, text } = await fetchWhole(`/events/${one.event}/desk/round/${one.round}/results`, asked, patience());
  return { status: answer.status, text };
}

/** @param {StoredResult} one @returns {Promise<boolean>} whether the next one may be sent */
async function sendOne(one) {
  const silence = setTimeout(() => note({ silent: true }), SILENT);
  let answer = { status: 0, text: "" };
  try {
    for (const token of tokens()) {
      answer = await post(one, token);
      if (answer.status !== 403) break; // the token may be of somebody else on the same host
    }
  } catch {
    // Nothing answers.
  } finally {
    clearTimeout(silence);
  }
  const { status, text } = answer;
  if (status === 0 || status >= 500 || status === 429) {
    failures += 1;
    note({ silent: true });
    return false;
  }
  failures = 0;
  if (status === 401 || status === 403) {
    const official = said(text).official;
    if (official) storeIf(one, "other", official);
    else failures = PAUSES.length; // who may not now will hardly be let in within seconds
    note({ silent: false, ended: !official });
    return Boolean(official);
  }
  note({ silent: false, ended: false });
  const page = new DOMParser().parseFromString(text, "text/html");
  const row = page.getElementById(`board-${one.board}`);
  if (!row) storeIf(one, "refused", said(text).detail ?? `${status}`);
  else if (outbox.dispatchEvent(new CustomEvent("answered", { detail: { one, row, page }, cancelable: true }))) {
    const disputed = [...row.querySelectorAll(".dispute li")].map(plain).join("; ");
    // The log holds it. Pages of the desk show what is disputed; whoever has gone to another page is told there.
    if (disputed && !document.getElementById("console")) storeIf(one, "refused", disputed);
    else if (row.dataset.unsent === undefined) removeResult(one);
    else storeIf(one, "refused", plain(row.querySelector(".trouble .refused")));
  }
  return true;
}

/** The text of an element in one line. @param {Element|null} element */
const plain = (element) => element?.textContent?.trim().replace(/\s+/g, " ") ?? "";

/** What an answer without a page says. @param {string} text @returns {{detail?: string, official?: string}} */
function said(text) {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** @param {StoredResult} one @param {"refused"|"other"} state @param {string} why */
function storeIf(one, state, why) {
  if (storedResult(one.round, one.board, one.event)?.id === one.id) storeResult({ ...one, state, why });
}

/** @param {{silent: boolean, ended?: boolean}} now */
function note(now) {
  Object.assign(lastAttempt, now);
  changed();
}

/**
 * Take in what waits from before this program's upgrade: one place for each round then, and the official not named. A tab
 * with the page of that time may still send it; that is the same command.
 */
function takeEarlier() {
  const places = Object.keys(localStorage).filter((one) => one.startsWith(`${BEFORE} /events/${eventId}/desk/round/`));
  for (const place of eventId ? places : []) {
    const round = /(\d+)\/results$/.exec(place)?.[1] ?? "";
    for (const one of earlier(place)) {
      const { id, board, text, was = "", reason = "", after } = one;
      const language = document.documentElement.lang;
      if (id && board && !storedResult(round, board)) {
        storeResult({ id, event: eventId, round, board, names: "", text, language, was, reason, after, who: "", by: "", at: 0 });
      }
    }
    if (!unstored.size) localStorage.removeItem(place);
  }
}

/** What stands in a place of that time. @param {string} place @returns {StoredResult[]} */
function earlier(place) {
  try {
    return [JSON.parse(localStorage.getItem(place) ?? "[]")].flat().filter(Boolean);
  } catch {
    return [];
  }
}

try {
  takeEarlier();
} catch {
  // A browser without storage.
}
addEventListener("storage", ({ key }) => {
  if (key && isOurs(key)) changed();
});
addEventListener("pagehide", leave);
addEventListener("online", () => void sendResults());
document.addEventListener("visibilitychange", () => void (document.hidden || sendResults()));
