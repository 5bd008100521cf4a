/**
 * The page of a player at a table: it is kept as the server has it, and what is said on it waits on the phone until the
 * server has answered, also when the page is closed meanwhile. A report takes the place of an earlier one, and a call too.
 */

import { byId } from "../site/dom.js";
import { fetchWhole, SILENT, Watchdog } from "../site/connection_watchdog.js";
import { newId, tokens } from "../site/send_command.js";

/** Milliseconds between two questions, and between two attempts to send. */
const EVERY = 3000;
/** Milliseconds to wait for an answer to what is sent. */
const PATIENCE = 12000;

const part = byId("table-part");
const address = part.dataset.address ?? "";
const PLACE = `korgool-table ${address}`;

/** @typedef {{path: string, fields: [string, string][], at: number}} Said what was said and has no answer yet */

/** What cannot be stored is kept while the page is open. @type {Said[]} */
let unstored = [];

/** What waits, the oldest first. @returns {Said[]} */
function waiting() {
  try {
    const found = JSON.parse(localStorage.getItem(PLACE) ?? "null");
    return found ? [found].flat() : unstored; // an earlier version of this page kept one alone
  } catch {
    return unstored;
  }
}

/** @param {Said[]} all */
function store(all) {
  unstored = all;
  try {
    if (all.length) localStorage.setItem(PLACE, JSON.stringify(all));
    else localStorage.removeItem(PLACE);
  } catch {
    // A browser without storage.
  }
  if (!all.length) byId("waits").hidden = true;
}

/** Keep what was said, in place of what was said at the same door before. @param {Said} said */
const keep = (said) => store([...waiting().filter(({ path }) => path !== said.path), said]);

const watchdog = new Watchdog((open) => (byId("lost").hidden = open));

/** Whether a finger or the keys are at the part, which then stays as it is. */
function busy() {
  if (part.querySelector(":active, details[open]:not(.otherwise)")) return true;
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (part.querySelectorAll("input:not([type=hidden])"));
  return [...fields].some((field) => field.value !== field.defaultValue || field.checked !== field.defaultChecked);
}

/** The part as it was last shown. */
let shown = "";

/** Of what is shown, as the server names it. */
let tag = "";

/** @param {string} html @param {boolean} always also while somebody types @returns {boolean} whether it is shown now */
function show(html, always = false) {
  if (always) tag = "";
  const plain = html.replace(/(name="_csrf_token" value=")[0-9a-f]+/g, "$1");
  if (plain === shown) return true;
  if (!always && busy()) return false;
  shown = plain;
  part.innerHTML = html;
  count();
  return true;
}

/** Bring the page up to what the server has. */
async function renew() {
  const headers = { accept: "text/html", ...(tag && { "if-none-match": tag }) };
  const { answer, text } = await watchdog.fetch(`${address}/part`, { headers, cache: "no-store" }, SILENT);
  watchdog.open = true;
  if (answer.status === 200 && show(text)) tag = answer.headers.get("etag") ?? "";
  else if (answer.status === 410 && !waiting().length) location.reload(); // the round is over
}

let sending = false;

/** Send what waits, one after the other. */
async function send() {
  const [said] = waiting();
  if (!said || sending) return;
  sending = true;
  const late = setTimeout(() => (byId("waits").hidden = false), 1500);
  try {
    let status = 403;
    let text = "";
    for (const token of tokens()) {
      const body = new URLSearchParams([...said.fields, ["part", "1"], ["_csrf_token", token]]);
      const asked = { method: "POST", body, headers: { accept: "text/html" }, keepalive: true };
      const answered = await fetchWhole(said.path, asked, PATIENCE);
      ({ status } = answered.answer);
      text = answered.text;
      if (status !== 403) break; // the token may be of somebody else on the same host
    }
    watchdog.open = true;
    if (status >= 500 || status === 429) throw new Error(`${status}`);
    store(waiting().filter((one) => one.path !== said.path || one.at !== said.at));
    if (status === 403) location.reload();
    else if ([200, 409, 422].includes(status)) show(text, true);
    else location.assign(address); // it says why
  } catch {
    byId("waits").hidden = false;
  } finally {
    clearTimeout(late);
    sending = false;
  }
  if (byId("waits").hidden && waiting().length) void send();
}

/** Show the stones of the other kazan, and for which field one is asked. */
function count() {
  for (const set of /** @type {NodeListOf<HTMLElement>} */ (part.querySelectorAll(".set"))) {
    const pick = (/** @type {string} */ name) => /** @type {HTMLInputElement|null} */ (set.querySelector(`input[name^=${name}]:checked`))?.value ?? "";
    const won = pick("won");
    const cause = pick("cause");
    const total = Number(set.dataset.total);
    const stones = /** @type {HTMLInputElement} */ (set.querySelector("input[name^=stones]"));
    const counted = /** @type {HTMLElement} */ (set.querySelector(".counted"));
    const whole = /^\d+$/.test(stones.value.trim()) ? Number(stones.value) : -1;
    const asks = cause !== "forfeit" && (won === "white" || won === "black" || (won === "draw" && cause !== ""));
    /** @type {HTMLElement} */ (set.querySelector(".stones")).hidden = !asks;
    /** @type {HTMLElement} */ (set.querySelector(".other")).hidden = cause === "" && !("both" in set.dataset);
    counted.hidden = cause !== "" || "both" in set.dataset || whole < 0 || whole > total;
    /** @type {HTMLElement} */ (counted.querySelector("strong")).textContent = String(total - whole);
    for (const label of /** @type {NodeListOf<HTMLElement>} */ (set.querySelectorAll("[data-own]"))) {
      label.textContent = (won === "draw" ? label.dataset.white : label.dataset.own) ?? "";
    }
  }
}

part.addEventListener("input", ({ target }) => {
  count();
  // Another digit would be more stones than there are: the fingers go on in the other field.
  if (!(target instanceof HTMLInputElement) || !target.name.startsWith("stones")) return;
  const set = /** @type {HTMLElement} */ (target.closest(".set"));
  const other = /** @type {HTMLInputElement} */ (set.querySelector("input[name^=other]"));
  if (Number(target.value) * 10 > Number(set.dataset.total) && !other.value && other.offsetParent) other.focus();
});
part.addEventListener("change", ({ target }) => {
  count();
  if (!(target instanceof HTMLInputElement) || !target.name.startsWith("won") || target.value === "draw") return;
  /** @type {HTMLInputElement|null} */ (target.closest(".set")?.querySelector("input[name^=stones]") ?? null)?.focus();
});

part.addEventListener("submit", (event) => {
  event.preventDefault();
  const form = /** @type {HTMLFormElement} */ (event.target);
  const pressed = /** @type {HTMLButtonElement|null} */ (event.submitter);
  const fields = /** @type {[string, string][]} */ ([...new FormData(form)].filter(([name]) => name !== "_csrf_token"));
  if (pressed?.name) fields.push([pressed.name, pressed.value]);
  fields.push(["id", newId()]);
  keep({ path: new URL(form.action).pathname, fields, at: Date.now() });
  void send();
});

async function turn() {
  try {
    await send();
    if (!document.hidden) await renew();
  } catch {
    watchdog.open = false;
  }
  setTimeout(turn, EVERY);
}

shown = part.innerHTML;
count();
part.dataset.ready = "";
addEventListener("online", () => void send());
void turn();
