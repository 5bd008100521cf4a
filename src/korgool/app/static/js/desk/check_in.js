/**
 * The check-in: a name and Enter check in the only player found, and the field is ready for the next. Lines change where
 * they stand, those of other officials too, and stay there until the next search or filter: nothing moves under a finger.
 */
import { newId, tokens } from "../site/send_command.js";
import { byId } from "../site/dom.js";
import { finds, sought } from "../site/name_search.js";
import { LATE } from "../site/connection_watchdog.js";
import { fetchUpdates, watchdog } from "./log_updates.js";

/** Milliseconds in which a second tap on a line that has just changed was meant for what stood there before. */
const SETTLES = 600;
const AGAIN = 2000;

const form = /** @type {HTMLFormElement|null} */ (document.getElementById("search"));
const field = /** @type {HTMLInputElement} */ (document.getElementById("q"));
const list = byId("people");
const noted = byId("noted");

/** Visibility and state of each line, by id. @type {Map<string, {hidden: boolean, state: string}>} */
const lineStates = new Map();
/** The time of the last change of a line, by id. @type {Map<string, number>} */
const changed = new Map();
/** @typedef {{line: string, name: string, action: string, fields: [string, string][]}} Noting */
/** Requests without an answer, by the id of their line; the browser keeps them until the check-in is opened again. @type {Map<string, Noting>} */
const waiting = new Map();
const place = `korgool-check-in ${byId("console").dataset.event} ${/** @type {HTMLInputElement|null} */ (form?.elements.namedItem("round"))?.value}`;
let sending = false;
let ended = false;

function keep() {
  try {
    if (waiting.size) localStorage.setItem(place, JSON.stringify([...waiting.values()]));
    else localStorage.removeItem(place);
  } catch {
    // A browser without storage keeps them while the page is open.
  }
}

/** Requests stored when the page was left. @returns {Noting[]} */
function storedRequests() {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "[]");
  } catch {
    return [];
  }
}

const lines = () => /** @type {HTMLElement[]} */ ([...list.querySelectorAll(":scope > li")]);
/** @param {Element} line */
const nameOf = (line) => line.querySelector("strong")?.textContent ?? "";

/** The lines that match the query: its number, or all of its words. */
function matchingLines() {
  const query = field.value.trim();
  if (/^\d+$/.test(query)) return lines().filter((line) => (line.dataset.text ?? "").split(" ")[0] === query);
  const words = sought(query);
  return lines().filter((line) => finds(words, line.dataset.text ?? ""));
}

/** Show the lines that are searched, or with an empty field those that the view is of. */
function filter() {
  const all = new Set(matchingLines());
  const view = field.value.trim() ? "" : (list.dataset.show ?? "");
  for (const line of lines()) {
    const state = line.dataset.state ?? "";
    line.hidden = !all.has(line) || (view !== "" && state !== view);
    lineStates.set(line.id, { hidden: line.hidden, state });
  }
}

/** @param {string} text */
function tell(text) {
  noted.textContent = text;
}

/** Send what a button of a line says, once, as soon as that is possible. @param {HTMLElement} line @param {HTMLButtonElement} button */
function press(line, button) {
  const noting = button.form;
  if (!noting || waiting.has(line.id)) return;
  const fields = /** @type {[string, string][]} */ ([...new FormData(noting)].map(([name, value]) => [name, String(value)]));
  fields.push([button.name, button.value], ["id", newId()]);
  waiting.set(line.id, { line: line.id, name: nameOf(line), action: noting.action, fields });
  keep();
  mark(line.id, "sent");
  void send();
}

/** Show that a line waits for an answer, or has waited long; empty for neither. @param {string} id @param {"sent"|"lost"|""} how */
function mark(id, how) {
  const line = document.getElementById(id);
  if (!line) return;
  if (how) line.dataset.unsent = how;
  else delete line.dataset.unsent;
}

async function send() {
  if (sending || ended) return;
  sending = true;
  try {
    for (const one of [...waiting.values()]) if (!(await sendOne(one))) return;
  } finally {
    sending = false;
  }
  if (waiting.size) void send();
}

/** The reason of a refusal, from a page or a JSON answer. @param {string} text @param {string} status */
function reason(text, status) {
  try {
    return String(JSON.parse(text).detail ?? status);
  } catch {
    const page = new DOMParser().parseFromString(text, "text/html");
    return page.querySelector("#work [role=alert]:not([hidden])")?.textContent?.trim() ?? page.querySelector("h1")?.textContent ?? status;
  }
}

/** @param {Noting} one @returns {Promise<boolean>} whether it arrived */
async function sendOne({ line, name, action, fields }) {
  const late = setTimeout(() => {
    mark(line, "lost");
    tell(`${name}: ${form?.dataset.waiting ?? ""}`);
  }, LATE);
  const body = new URLSearchParams(fields);
  let status = 0;
  let why = "";
  try {
    for (const token of tokens()) {
      body.set("_csrf_token", token);
      // By this header no page follows: what has changed on it comes by the log.
      const { answer, text } = await watchdog.fetch(action, { method: "POST", body, headers: { accept: "application/json" } });
      if (answer.status >= 500 || answer.status === 429) throw new Error(`${answer.status}`);
      ({ status } = answer);
      why = status === 204 ? "" : reason(text, `${status}`);
      if (status !== 403) break; // the token may be of somebody else on the same host, or of a machine before this one
    }
    if (!status) throw new Error("no token");
  } catch {
    watchdog.open = false;
    return false;
  } finally {
    clearTimeout(late);
  }
  watchdog.open = true;
  if (status === 401) {
    ended = true; // it waits until an official has signed in and opens the page again
    mark(line, "lost");
    tell(`${name}: ${form?.dataset.waiting ?? ""}`);
    return false;
  }
  waiting.delete(line);
  keep();
  mark(line, "");
  if (why) tell(`${name}: ${why}`);
  else if (noted.textContent === `${name}: ${form?.dataset.waiting ?? ""}`) tell("");
  try {
    await fetchUpdates();
  } catch {
    // The change comes with the next poll of the log.
  }
  return true;
}

if (form) {
  filter();
  field.addEventListener("input", () => {
    tell("");
    filter();
  });
  // An official who returns to the field types the next name.
  field.addEventListener("focus", () => field.select());

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!field.value.trim()) return;
    const [line, ...others] = matchingLines();
    const button = /** @type {HTMLButtonElement|null|undefined} */ (line?.querySelector("button[form^=come]"));
    const there = line?.dataset.state === "there";
    if (!line || others.length || !(button || there)) {
      const state = line?.querySelector(".state")?.textContent ?? "";
      tell(!line ? (form.dataset.nobody ?? "") : others.length ? (form.dataset.several ?? "") : `${nameOf(line)}: ${state}`);
      field.select();
      return;
    }
    if (button) press(line, button);
    tell(`${nameOf(line)}: ✓ ${form.dataset.noted ?? ""}`);
    field.value = "";
    filter();
  });

  list.addEventListener("click", (event) => {
    const button = /** @type {HTMLButtonElement|null} */ (/** @type {Element} */ (event.target).closest("button[form]"));
    const line = /** @type {HTMLElement|null} */ (button?.closest("li") ?? null);
    if (!button || !line) return;
    event.preventDefault();
    if (performance.now() - (changed.get(line.id) ?? -SETTLES) < SETTLES) return;
    tell("");
    press(line, button);
  });

  // A line that comes anew is shown or not as it was.
  list.addEventListener("placed", ({ target }) => {
    const line = /** @type {HTMLElement} */ (target);
    const before = lineStates.get(line.id);
    const state = line.dataset.state ?? "";
    if (before && before.state !== state) changed.set(line.id, performance.now());
    const fits = (field.value.trim() || (list.dataset.show || state) === state) && matchingLines().includes(line);
    line.hidden = before ? before.hidden : !fits;
    lineStates.set(line.id, { hidden: line.hidden, state });
  });

  // One box at a time, and none once a finger is elsewhere.
  document.addEventListener("click", ({ target }) => {
    for (const box of list.querySelectorAll("details[open]")) if (!box.contains(/** @type {Node} */ (target))) box.removeAttribute("open");
  });

  for (const one of storedRequests()) {
    waiting.set(one.line, one);
    mark(one.line, "lost");
  }
  void send();
  byId("console").addEventListener("online", () => void send());
  window.setInterval(() => void (waiting.size && send()), AGAIN);
}
