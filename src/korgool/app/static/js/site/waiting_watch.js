/**
 * Keeps up to date what waits for the reader of a page: the badge and the title, the section *Your turn* and the line of
 * a challenge where the page has them, and the way to the next game. A page that is looked at asks the server, which
 * answers as soon as something changes; a hidden one looks now and then.
 */

import { fetchWhole } from "./connection_watchdog.js";
import { whenIdle } from "./dom.js";
import { writeWaiting } from "./page_title.js";

/** Seconds that the server may wait before it answers, and milliseconds after those until its answer is given up. */
const WAIT = 8;
const WAY = 4000;
/** Milliseconds between two looks of a hidden page, and before the next request after one that failed or came at once. */
const HIDDEN = 30_000;
const PAUSE = 3000;
const LONGEST_PAUSE = 60_000;
/** The address of the game on this page: what it wants is seen without a badge. */
const here = /^\/games\/(\w{12})$/.exec(location.pathname)?.[1];
const place = /** @type {HTMLMetaElement|null} */ (document.querySelector('meta[name="waiting"]'));
let known = place?.content ?? "";
let wake = () => {};

/**
 * @typedef {{id: string, url: string, game: string, clock: string, name: string, expires: number}} Challenge
 * @typedef {{count: number, tag: string, games: {id: string}[], challenges: Challenge[]}} Waiting
 */

/** A pause that ends early when the page is looked at again. @param {number} ms */
const pause = (ms) => new Promise((done) => {
  const timer = setTimeout(done, ms);
  wake = () => {
    clearTimeout(timer);
    done(undefined);
  };
});

/** Show what waits. @param {Waiting} waiting */
async function show({ games, challenges }) {
  const count = games.filter(({ id }) => id !== here).length + challenges.length;
  writeWaiting(count);
  for (const badge of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-waiting-badge]"))) {
    badge.hidden = !count;
    const number = badge.querySelector(".badge");
    if (number) number.textContent = String(count || "");
  }
  const next = document.getElementById("next-waiting");
  if (next) next.dataset.count = String(games.filter(({ id }) => id !== here).length);
  await renewParts();
  document.dispatchEvent(new Event("waiting"));
}

/** Fetch the parts of the page that list what waits. The focus stays where it is in them. */
async function renewParts() {
  const parts = [...document.querySelectorAll("[data-waiting-part]")];
  if (!parts.length) return;
  const { answer, text } = await fetchWhole("/games/waiting", { headers: { accept: "text/html" }, cache: "no-store" });
  if (!answer.ok) throw new Error(String(answer.status)); // and ask again later
  const fresh = new DOMParser().parseFromString(text, "text/html");
  for (const part of parts) {
    const name = part.getAttribute("data-waiting-part");
    const other = fresh.querySelector(`[data-waiting-part="${name}"]`);
    if (!other || other.isEqualNode(part)) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
    part.replaceWith(other);
    const link = focused && other.querySelector(`a[href="${CSS.escape(focused)}"]`);
    if (link instanceof HTMLElement) link.focus({ preventScroll: true });
  }
}

/** Ask once; returns whether something has changed. @param {number} wait seconds that the server may wait */
async function look(wait) {
  const { answer, text } = await fetchWhole(`/api/waiting?wait=${wait}&known=${known}`, { cache: "no-store" }, 1000 * wait + WAY);
  if (!answer.ok) throw new Error(String(answer.status));
  /** @type {Waiting} */
  const waiting = JSON.parse(text);
  if (waiting.tag === known) return false;
  await show(waiting);
  known = waiting.tag;
  return true;
}

async function watch() {
  await whenIdle();
  let failed = 0;
  for (;;) {
    const began = performance.now();
    const wait = document.hidden ? 0 : WAIT;
    try {
      const changed = await look(wait);
      failed = 0;
      if (document.hidden) await pause(HIDDEN);
      else if (!changed && performance.now() - began < PAUSE) await pause(PAUSE);
    } catch {
      failed += 1;
      await pause(Math.min(LONGEST_PAUSE, PAUSE * 2 ** Math.min(failed - 1, 5)));
    }
  }
}

/** Look at once: the page has come back to its reader, or the network has. */
const again = () => {
  if (document.hidden) return;
  wake();
};
if (known) {
  document.addEventListener("visibilitychange", again);
  addEventListener("online", again);
  addEventListener("pageshow", (event) => event.persisted && look(0).catch(() => undefined));
  void watch();
}
