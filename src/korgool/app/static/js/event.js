/** The public pages of an event: they keep themselves up to date, filter their lists, and turn on the wall. */
import { finds, sought } from "./site/name_search.js";

/** Milliseconds to wait for the next screen of the wall before asking again. */
const PATIENCE = 30000;
const body = document.body;
const parts = () => [...document.querySelectorAll(".part[id], #now, #leading, #changed, #source")];
/** The parts as they came, to tell what has changed. */
const shown = new Map();
const field = document.getElementById("q");

/** Show moments in the reader's own time; in digits where the browser does not know the months ("M12"). */
function localMoments() {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: "medium", timeStyle: "short" });
  const digits = new Intl.DateTimeFormat("ru", { dateStyle: "short", timeStyle: "short" });
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time.moment"))) {
    const text = format.format(new Date(time.dateTime));
    time.textContent = /\bM\d\d\b/.test(text) ? digits.format(new Date(time.dateTime)) : text;
  }
}

/** Hide the lines that the field does not ask for: all its words are in a line, or the line has the number. */
function filter() {
  if (!(field instanceof HTMLInputElement)) return;
  const asked = field.value.trim();
  const number = /^\d+$/.test(asked);
  const words = sought(asked);
  let found = false;
  for (const row of /** @type {NodeListOf<HTMLTableRowElement>} */ (document.querySelectorAll(".part tbody tr"))) {
    const fits = number
      ? [...row.querySelectorAll("td.n, small")].some((cell) => cell.textContent.trim().split(/\D/)[0] === asked)
      : finds(words, row.textContent);
    row.hidden = !fits;
    found ||= fits;
  }
  const nobody = document.getElementById("nobody");
  if (nobody) nobody.hidden = found || !words.length;
}

/** The first line that is in view, and how far from the top it stands. */
function place() {
  const row = [...document.querySelectorAll(".part tr[id]")].find((one) => one.getBoundingClientRect().bottom > 0);
  return row ? { id: row.id, top: row.getBoundingClientRect().top } : null;
}

/** Take over what has changed; the reader's place, the focus and the filter stay. @param {Document} fresh */
function takeOver(fresh) {
  const held = place();
  const focused = document.activeElement?.closest(".part") ? document.activeElement.getAttribute("href") : null;
  for (const old of parts()) {
    const now = fresh.getElementById(old.id);
    if (!now || now.isEqualNode(shown.get(old.id))) continue;
    const before = new Map([...old.querySelectorAll("tr[id]")].map((row) => [row.id, row.textContent]));
    shown.set(old.id, now);
    old.replaceChildren(...document.importNode(now, true).childNodes);
    for (const row of old.querySelectorAll("tr[id]")) {
      if (before.has(row.id) && before.get(row.id) !== row.textContent) row.classList.add("fresh");
    }
  }
  filter();
  localMoments();
  const link = focused && document.querySelector(`.part a[href="${CSS.escape(focused)}"]`);
  if (link instanceof HTMLElement) link.focus({ preventScroll: true });
  const row = held && document.getElementById(held.id);
  if (row) scrollBy(0, row.getBoundingClientRect().top - held.top);
}

/** The validator of what is shown. @type {string|null} */
let tag = null;
/** Ask whether the page has changed; the browser sends the validator of what it has. */
async function look() {
  const answer = await fetch(location.pathname + location.search, { headers: { accept: "text/html" }, cache: "no-cache" });
  const now = answer.headers.get("etag") ?? answer.headers.get("last-modified");
  if (!answer.ok || (now && now === tag)) return;
  tag = now;
  takeOver(new DOMParser().parseFromString(await answer.text(), "text/html"));
}

/** Look again and again. @param {number} seconds between two looks */
async function keep(seconds) {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    if (document.hidden) continue;
    try {
      await look();
    } catch {
      // Without a network the page stays as it is.
    }
  }
}

/**
 * Go to the next screen if it is there: without a network this one stays, and the wall goes on afterwards.
 * @param {string} next
 * @returns {Promise<boolean>} whether it is on its way
 */
async function turn(next) {
  if (location.protocol !== "file:") {
    const signal = AbortSignal.timeout?.(PATIENCE); // where the network goes away, some requests never end
    const answer = await fetch(next, { headers: { accept: "text/html" }, signal }).catch(() => null);
    if (!answer?.ok) return false;
  }
  location.replace(next);
  return true;
}

for (const part of parts()) shown.set(part.id, part.cloneNode(true));
document.querySelector(".strip [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
localMoments();
if (field instanceof HTMLInputElement) {
  field.addEventListener("input", filter);
  if (!document.querySelector(".find button")) field.form?.addEventListener("submit", (event) => event.preventDefault());
  filter();
}
if (Number(body.dataset.refresh) && !body.dataset.next) {
  void keep(Number(body.dataset.refresh));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) look().catch(() => undefined);
  });
}
const { next, rounds } = body.dataset;
if (next) {
  // The space bar holds the wall.
  let turning = true;
  document.addEventListener("keydown", (event) => {
    if (event.key === " ") turning = !turning;
  });
  // A slow network takes longer than a turn; asking again would make it slower.
  let coming = false;
  setInterval(async () => {
    if (!turning || coming) return;
    coming = true;
    coming = await turn(next);
  }, Number(body.dataset.seconds) * 1000);
}
// Of many groups, the one that is shown.
document.querySelector(".groups [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
// Codes on paper lead to the overview with round and board.
const asked = new URLSearchParams(location.search);
const round = asked.get("round") ?? "";
if (/^\d+$/.test(round) && rounds) {
  location.replace(rounds.replace("ROUND", round) + (asked.has("board") ? `#b${Number(asked.get("board"))}` : ""));
}
// The entrance of a folder leads to the first language that the reader knows, with what a code on paper asks for.
if (body.classList.contains("entrance")) {
  const links = [.../** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll(".choose a"))];
  const own = navigator.languages.map((name) => links.find((link) => link.lang === name.split("-")[0])).find(Boolean);
  location.replace((own ?? links[0]).href + location.search);
}
// Results that an official has typed on this device, and that wait: few devices have any.
try {
  const waits = Object.keys(localStorage).some((name) => /^korgool-(outbox|desk) /.test(name));
  if (waits && document.getElementById("outbox")) void import("./desk/waiting.js");
} catch {
  // A browser without storage keeps nothing.
}
