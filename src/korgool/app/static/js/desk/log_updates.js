/**
 * What other officials do while a page of the console is open: their changes come onto it, and it says who made them.
 *
 * The page asks for the new lines of the event's log. Where there are some it fetches itself once more, and takes over
 * each part marked `data-live="NAME"` that differs from what the server sent before. A part with something unsent is left
 * as it is, and so is one on which a finger lies: it has the class `behind`, and `seqOf` goes on giving the line up to which
 * it is known. It follows when that is taken back. What comes above the lines that one looks at does not move them.
 */

import { byId } from "../site/dom.js";
import { SILENT, Watchdog } from "../site/connection_watchdog.js";

/** Milliseconds between two questions, and while nobody looks. */
const OFTEN = 1500;
const SELDOM = 15000;
const SHOWN = 6000;

const root = byId("console");
const event = root.dataset.event ?? "";
let seq = Number(root.dataset.seq);

/** What the server sent of each part, and the line of the log up to which the part is known. @type {Map<string, {html: string, seq: number}>} */
const parts = new Map();
for (const part of live(document)) note(part, seq);

/** @param {ParentNode} page */
function live(page) {
  return /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-live]"));
}

/** @param {HTMLElement} part @param {number} at */
function note(part, at) {
  parts.set(part.dataset.live ?? "", { html: plain(part), seq: at });
}

/** A part without what changes with every line of the log. @param {HTMLElement} part */
function plain(part) {
  return new XMLSerializer().serializeToString(part).replace(/(name="after" value=")\d+/g, "$1");
}

/** The last line of the log that a part has seen. @param {string} name */
export function seqOf(name) {
  return parts.get(name)?.seq ?? seq;
}

/** Whether something is typed in a part that is not sent. @param {HTMLElement} part */
function busy(part) {
  if (part.matches("[data-unsent], :active") || part.querySelector("[data-unsent]")) return true;
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (part.querySelectorAll("input:not([type=hidden]), textarea"));
  const lists = /** @type {NodeListOf<HTMLSelectElement>} */ (part.querySelectorAll("select"));
  if ([...lists].some((list) => [...list.options].some((one) => one.selected !== one.defaultSelected))) return true;
  return [...fields].some((field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked);
}

/** The parts that others have changed and that were left as they are. */
function behind() {
  return /** @type {HTMLElement[]} */ ([...document.querySelectorAll("[data-live].behind")]);
}

/** The part of a name on this page. @param {string} name */
function partOf(name) {
  return /** @type {HTMLElement|null} */ (document.querySelector(`[data-live="${CSS.escape(name)}"]`));
}

/** What can have the focus in a part. @param {ParentNode} part */
function controls(part) {
  return /** @type {HTMLElement[]} */ ([...part.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]);
}

/** By what a control is known again in a part that has come anew. @param {Element} one */
function nameOf(one) {
  return one.id || ["href", "form", "name", "value", "aria-label"].map((name) => one.getAttribute(name)).join(" ");
}

/**
 * Put a part in place of the one of its name. The focus stays where it is, or goes to what now has the place of a control
 * that is gone.
 * @param {HTMLElement} fresh
 * @param {number} at
 */
export function replacePart(fresh, at) {
  const name = fresh.dataset.live ?? "";
  const old = partOf(name);
  const here = document.activeElement;
  const before = old && here && old.contains(here) && here !== old ? controls(old).indexOf(/** @type {HTMLElement} */ (here)) : -1;
  note(fresh, at);
  const placed = document.importNode(fresh, true);
  old?.before(placed); // both stand there while the focus goes over: nobody has left the part
  if (here && before >= 0) {
    const now = controls(placed);
    (now.find((one) => nameOf(one) === nameOf(here)) ?? now[Math.min(before, now.length - 1)])?.focus();
  }
  old?.remove();
  placed.dispatchEvent(new CustomEvent("placed", { bubbles: true }));
  return placed;
}

/** The first line in view that is a part, and how far from the top it stands. */
function place() {
  const line = [.../** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("li[data-live]:not([hidden])"))]
    .find((one) => one.getBoundingClientRect().bottom > 0);
  return line ? { name: line.dataset.live ?? "", top: line.getBoundingClientRect().top } : null;
}

/** Put a part that is new on the page where it stands among the others of its list. @param {HTMLElement} fresh @param {number} at */
function insert(fresh, at) {
  const list = fresh.parentElement?.id ? document.getElementById(fresh.parentElement.id) : null;
  if (!list) return;
  const before = /** @type {HTMLElement|null} */ (fresh.previousElementSibling)?.dataset.live ?? "";
  const placed = document.importNode(fresh, true);
  note(fresh, at);
  const above = partOf(before);
  if (above?.parentElement === list) above.after(placed);
  else list.prepend(placed);
  placed.dispatchEvent(new CustomEvent("placed", { bubbles: true }));
}

/**
 * Take over what has changed.
 * @param {Document} page the whole page, or some of its parts
 * @param {number} at
 */
export function applyPage(page, at) {
  const held = place();
  const whole = page.getElementById("work");
  for (const part of behind()) if (whole) part.classList.remove("behind");
  for (const fresh of live(page)) {
    const old = partOf(fresh.dataset.live ?? "");
    old?.classList.remove("behind");
    const known = parts.get(fresh.dataset.live ?? "");
    if (known && known.seq > at) continue; // what has been answered since is newer
    if (!old) {
      insert(fresh, at);
      continue;
    }
    if (known && known.html === plain(fresh)) known.seq = at;
    else if (busy(old)) old.classList.add("behind");
    else replacePart(fresh, at);
  }
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-live] input[name=after]"))) {
    field.value = String(seqOf(/** @type {HTMLElement} */ (field.closest("[data-live]")).dataset.live ?? ""));
  }
  const line = held && partOf(held.name);
  if (line) scrollBy(0, line.getBoundingClientRect().top - held.top);
}

let clearing = 0;

/** Say for a while who has changed something. @param {string[]} names */
function tell(names) {
  if (!names.length) return;
  const news = byId("news");
  news.textContent = (root.dataset.changed ?? "").replace("%(name)s", names.join(", "));
  clearTimeout(clearing);
  clearing = window.setTimeout(() => (news.textContent = ""), SHOWN);
}

/** Everything that the page asks of the server goes by this, which says when the connection is lost. */
export const watchdog = new Watchdog((open) => {
  const lost = byId("lost");
  lost.textContent = open ? "" : (root.dataset.lost ?? "");
  lost.hidden = open;
  root.dispatchEvent(new CustomEvent(open ? "online" : "offline"));
});

/** Whoever may not be here any more is told so. */
function end() {
  watchdog.open = false;
  const lost = byId("lost");
  if (lost.textContent !== root.dataset.ended) lost.textContent = root.dataset.ended ?? "";
}

/** @typedef {{at: number, by: string, parts: [string, number, number][], group?: string, action?: {do: string}}} Line a line of the log */

/**
 * Where that is which some lines have changed: the page, or in the grid the rows alone; nowhere if all of it has come
 * already with the answer to what was entered here.
 * @param {Line[]} lines
 */
function placeOf(lines) {
  const round = document.getElementById("grid")?.dataset.round;
  const late = behind().map((part) => part.dataset.live ?? "");
  const names = new Set(late);
  for (const { at, parts: changed } of lines) {
    const rows = changed.map(([kind, of, board]) => ((kind === "board" || kind === "table") && String(of) === round ? `board-${board}` : ""));
    if (!rows.length || rows.includes("")) return location.href;
    for (const name of [...rows, "where", "count"]) if (seqOf(name) < at) names.add(name);
  }
  if (!names.size) return "";
  const boards = [...names].map((name) => /^board-(\d+)$/.exec(name)?.[1] ?? "");
  if (boards.some((board, at) => !board && !["where", "count"].includes([...names][at]))) return location.href;
  return `${location.pathname}/rows?boards=${boards.filter(Boolean).join(",")}`;
}

/**
 * Whether a line is about the group of this page: its own, of the whole event, or about who somebody is; on a page of all
 * groups every line is. Calls from the tables stand on every page, reports in the grid and the log alone.
 * @param {Line} line
 */
function concerns(line) {
  if (line.action?.do === "call") return true;
  if (line.action?.do === "report" && !document.getElementById("grid") && !location.pathname.endsWith("/log")) return false;
  return !line.group || !root.dataset.group || line.group === root.dataset.group || line.action?.do === "amend" || line.action?.do === "photo";
}

/** Ask what is new, and bring the page up to it. */
export async function fetchUpdates() {
  const { answer, text } = await watchdog.fetch(
    `/api/events/${event}/log?after=${seq}`, { headers: { accept: "application/json" } }, SILENT - OFTEN,
  );
  if (answer.status === 401 || answer.status === 403) return end();
  if (!answer.ok) throw new Error(`${answer.status}`);
  watchdog.open = true;
  /** @type {{lines: Line[]}} */
  const { lines: all } = JSON.parse(text);
  const last = all.at(-1)?.at ?? seq;
  const lines = all.filter(concerns);
  if (!lines.length && behind().every(busy)) {
    seq = Math.max(seq, last);
    return;
  }
  const address = placeOf(lines);
  if (address) {
    const { answer: page, text: html } = await watchdog.fetch(address, { headers: { accept: "text/html" } });
    if (!page.ok || page.redirected) throw new Error(`${page.status}`);
    const fresh = new DOMParser().parseFromString(html, "text/html");
    applyPage(fresh, Number(fresh.getElementById("console")?.dataset.seq ?? last));
  }
  // Nobody need be told what they have done themselves, and players at every board would be too many to name.
  // By name: the log has a line before its sender knows the number.
  tell([...new Set(lines.map(({ by }) => by).filter((by) => by !== root.dataset.name && !/^players, board /.test(by)))]);
  // The page may show more than these lines. Who has done that comes with the next ones.
  seq = Math.max(seq, last);
}

document.querySelector(".groups [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
let timer = 0;

async function turn() {
  clearTimeout(timer);
  try {
    await fetchUpdates();
  } catch {
    watchdog.open = false;
  }
  timer = window.setTimeout(turn, document.hidden ? SELDOM : OFTEN);
}

document.addEventListener("visibilitychange", () => void (document.hidden || turn()));
window.addEventListener("online", () => void turn());
timer = window.setTimeout(turn, OFTEN);
