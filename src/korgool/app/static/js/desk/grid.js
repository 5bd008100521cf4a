/**
 * The grid of results: a row is sent as soon as it is typed, and the hands stay where they are.
 *
 * The server reads what is typed and answers with the row. What could not be sent is kept in the browser, under the id
 * that it was given, and sent again: it happens once. A row with something unsent is left alone by `live.js`. What is
 * typed while an answer is on its way stays, and changes what the answer says.
 */

import { byId, say } from "../page.js";
import { LATE } from "../watchdog.js";
import { replacePart, seqOf, watchdog } from "./live.js";

const form = /** @type {HTMLFormElement} */ (byId("grid"));
const keypad = document.getElementById("keypad");
const place = `korgool-desk ${form.getAttribute("action")}`;
const AGAIN = 2000;

/** @typedef {{board: string, text: string, was: string, reason: string, after: number, id: string}} Sending */
/** What is typed and not answered yet, by board. @type {Map<string, Sending>} */
const waiting = new Map(read().map((one) => [one.board, one]));
let sending = false;

/** @returns {Sending[]} */
function read() {
  try {
    return JSON.parse(localStorage.getItem(place) ?? "[]");
  } catch {
    return [];
  }
}

function keep() {
  try {
    if (waiting.size) localStorage.setItem(place, JSON.stringify([...waiting.values()]));
    else localStorage.removeItem(place);
  } catch {
    // A browser without storage keeps them while the page is open.
  }
}

/** @param {string} board */
const rowOf = (board) => /** @type {HTMLElement} */ (byId(`board-${board}`));
/** @param {string} board */
const fieldOf = (board) => /** @type {HTMLInputElement|null} */ (document.getElementById(`r${board}`));
const fields = () => /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input.result")]);
/** @param {Element|null} element */
const boardOf = (element) => /** @type {HTMLElement|null} */ (element?.closest("[data-board]") ?? null)?.dataset.board ?? "";

/** What is typed in a field, as it is sent. @param {HTMLInputElement} field */
const textOf = (field) => field.value.trim().replace(/\s+/g, " ");

/** Show that a row waits for an answer, or for the network. @param {string} board @param {boolean} lost */
function mark(board, lost) {
  const row = rowOf(board);
  row.dataset.unsent = lost ? "lost" : "sent";
  const state = row.querySelector(".state");
  if (lost && state) state.textContent = form.dataset.waiting ?? "";
}

/** Enter what stands in a row. @param {string} board @returns {boolean} whether something is to be entered */
function enter(board) {
  const field = fieldOf(board);
  if (!field) return false;
  const text = textOf(field);
  const was = field.dataset.was ?? "";
  if (text === was) {
    field.value = was;
    if (waiting.delete(board)) keep();
    delete rowOf(board).dataset.unsent;
    return false;
  }
  const reason = /** @type {HTMLInputElement|null} */ (document.getElementById(`y${board}`))?.value ?? "";
  const held = waiting.get(board);
  if (held && held.text === text && held.reason === reason) return true;
  ask(board, text, was, reason);
  return true;
}

/**
 * Ask the server to enter something in place of what stands there.
 * @param {string} board
 * @param {string} text
 * @param {string} was what stands there
 * @param {string} reason why it is changed
 */
function ask(board, text, was, reason) {
  const after = seqOf(`board-${board}`);
  waiting.set(board, { board, text, was, reason, after, id: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` });
  keep();
  mark(board, false);
  void send();
}

/** Send what waits, one row after the other. */
async function send() {
  if (sending) return;
  sending = true;
  try {
    for (const one of [...waiting.values()]) {
      if (rowOf(one.board).dataset.unsent !== "refused") await sendOne(one);
    }
  } finally {
    sending = false;
  }
  if ([...waiting.values()].some((one) => rowOf(one.board).dataset.unsent === "sent")) void send();
}

/** @param {Sending} one */
async function sendOne(one) {
  const token = /** @type {HTMLMetaElement|null} */ (document.querySelector('meta[name="csrf-token"]'))?.content ?? "";
  const { board } = one;
  const sent = new URLSearchParams({
    _csrf_token: token, rows: "1", after: String(one.after), id: one.id,
    [`r${board}`]: one.text, [`w${board}`]: one.was, [`y${board}`]: one.reason,
  });
  const late = setTimeout(() => waiting.get(board) === one && mark(board, true), LATE);
  let answer, body;
  try {
    ({ answer, text: body } = await watchdog.fetch(form.action, { method: "POST", body: sent, headers: { accept: "text/html" } }));
    if (answer.status >= 500 || answer.status === 429) throw new Error(`${answer.status}`);
    watchdog.open = true;
  } catch {
    watchdog.open = false;
    mark(board, true);
    return;
  } finally {
    clearTimeout(late);
  }
  const page = new DOMParser().parseFromString(body, "text/html");
  const fresh = page.getElementById(`board-${board}`);
  const last = waiting.get(board);
  // Taken back meanwhile, or typed anew, which follows.
  if (last !== one && (!last || !fresh || fresh.matches("[data-unsent]"))) return;
  // Whoever has signed out meanwhile finds it here again afterwards.
  if (!fresh || answer.redirected) return refused(board, page.querySelector("h1")?.textContent ?? `${answer.status}`);
  waiting.delete(board);
  keep();
  put(one, fresh, Number(page.getElementById("console")?.dataset.seq));
  const was = fieldOf(board)?.dataset.was;
  // What was entered meanwhile changes what stands there now.
  if (last && last !== one && was !== undefined && last.text !== was) ask(board, last.text, was, last.reason);
}

/**
 * Put the answered row in its place. Who is in it goes on typing, or is asked for the reason.
 * @param {Sending} one what is answered
 * @param {HTMLElement} fresh
 * @param {number} seq
 */
function put({ board, text }, fresh, seq) {
  const field = fieldOf(board);
  const here = document.activeElement === field;
  const since = field && textOf(field) !== text ? field.value : null;
  const [from, to] = [field?.selectionStart ?? null, field?.selectionEnd ?? null];
  const row = replacePart(fresh, seq);
  const trouble = row.querySelector(".trouble");
  const reason = /** @type {HTMLInputElement|null} */ (document.getElementById(`y${board}`));
  const now = fieldOf(board);
  if (now && since !== null) {
    now.value = since;
    if (here) now.setSelectionRange(from, to);
  } else if (here && reason) {
    reason.focus();
    reason.select();
  } else if (here) now?.select();
  if (trouble) say(`${board}: ${trouble.textContent?.trim().replace(/\s+/g, " ") ?? ""}`);
}

/** @param {string} board @param {string} why */
function refused(board, why) {
  const row = rowOf(board);
  row.dataset.unsent = "refused";
  row.classList.add("troubled");
  const state = row.querySelector(".state");
  if (state) state.textContent = `${form.dataset.refused} ${why}`;
  say(`${board}: ${state?.textContent ?? ""}`);
}

/** Go to another board. @param {HTMLInputElement} field @param {number} way @param {boolean} missing */
function go(field, way, missing) {
  const all = fields();
  for (let at = all.indexOf(field) + way; at >= 0 && at < all.length; at += way) {
    if (missing && (all[at].dataset.was || all[at].value)) continue;
    all[at].focus();
    all[at].select();
    return;
  }
}

form.addEventListener("keydown", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (event.isComposing || !field.matches("input.result, .why input")) return;
  const board = boardOf(field);
  if (event.key === "Escape") {
    leave(board);
  } else if (event.key === "Enter" || ((event.key === "ArrowDown" || event.key === "ArrowUp") && field.matches(".result"))) {
    event.preventDefault();
    const changes = field.matches(".result") && field.dataset.was && enter(board);
    if (changes) return; // another result stands there, and the row asks why
    if (!field.matches(".result")) return void enter(board);
    enter(board);
    go(field, event.key === "ArrowUp" ? -1 : 1, event.key === "Enter");
  }
});

// Leaving a field enters it too: nothing typed waits for a key.
form.addEventListener("focusout", (event) => {
  const left = /** @type {HTMLElement} */ (event.target);
  if (!left.matches("input.result, #keypad button")) return;
  if (boardOf(/** @type {Element|null} */ (event.relatedTarget)) !== boardOf(left)) enter(boardOf(left));
});

// A field that is come to by mouse or finger is selected, as by keys: what is typed replaces what stands there.
/** @type {EventTarget|null} */
let comeTo = null;
document.addEventListener("pointerdown", ({ target }) => {
  comeTo = target === document.activeElement ? null : target;
});
// On a phone the row has moved away below the finger by then: the click itself is somewhere else, perhaps below the grid.
document.addEventListener("click", () => {
  const field = document.activeElement;
  if (field !== comeTo || !(field instanceof HTMLInputElement) || !field.matches("input.result")) return;
  if (field.selectionStart === field.selectionEnd) field.select();
});

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const board = /** @type {HTMLButtonElement|null} */ (event.submitter)?.value;
  for (const one of board ? [board] : fields().map(boardOf)) enter(one);
});

form.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest("[data-leave]");
  if (button) leave(boardOf(button));
});

/** Take back what is typed and not entered. @param {string} board */
function leave(board) {
  const field = fieldOf(board);
  const row = rowOf(board);
  if (!field) return;
  waiting.delete(board);
  keep();
  field.value = field.defaultValue = field.dataset.was ?? "";
  field.removeAttribute("aria-invalid");
  row.classList.remove("troubled");
  delete row.dataset.unsent;
  row.querySelector(".trouble")?.remove();
  field.focus();
}

// The signs that a phone's keys of digits lack stand below the row in which one types.
const touch = matchMedia("(pointer: coarse)").matches;
function digits() {
  if (touch) for (const field of fields()) field.inputMode = "numeric";
}
digits();
form.addEventListener("placed", digits);
form.addEventListener("focusin", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (!keypad || !touch || !field.matches("input.result")) return;
  keypad.hidden = false;
  const row = rowOf(boardOf(field));
  row.append(keypad);
  row.scrollIntoView({ block: "start" }); // the keys of the phone cover half of the screen
});
// A tap on a sign leaves the focus, and with it the keys of the phone, where they are; a key on it gives it back.
keypad?.addEventListener("pointerdown", (event) => event.preventDefault());
keypad?.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement|null} */ (/** @type {HTMLElement} */ (event.target).closest("button"));
  const field = button && fieldOf(boardOf(button));
  if (!button || !field) return;
  if (document.activeElement !== field) field.focus({ preventScroll: true });
  if (button.dataset.whole) field.value = button.dataset.whole;
  else if (button.dataset.first) field.value = `${button.dataset.first} ${field.value.replace(/^(1-0|0-1|=)\s*/, "")}`;
  else if (button.dataset.puts) field.setRangeText(button.dataset.puts, field.selectionStart ?? 0, field.selectionEnd ?? 0, "end");
  if (!button.matches("[data-enters], [data-whole]")) return;
  const changes = field.dataset.was && enter(boardOf(field));
  if (changes) return;
  enter(boardOf(field));
  go(field, 1, true);
});

for (const one of [...waiting.values()]) {
  const field = fieldOf(one.board);
  if (field) field.value = one.text;
  if (field) mark(one.board, true);
  else waiting.delete(one.board);
}
if (waiting.size) void send();
form.dataset.ready = "";
byId("console").addEventListener("online", () => {
  for (const { board } of waiting.values()) mark(board, false);
  void send();
});
window.setInterval(() => void (waiting.size && send()), AGAIN);
