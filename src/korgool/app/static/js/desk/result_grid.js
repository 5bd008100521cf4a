/**
 * The grid of results: a row goes to the outbox of the device as soon as it is typed, and the hands stay where they are.
 *
 * The server reads what is typed and answers with the row. A row with something unsent is left alone by `log_updates.js`. What
 * is typed while an answer is on its way stays, and changes what the answer says.
 */

import { newId } from "../site/send_command.js";
import { byId, say } from "../site/dom.js";
import { LATE } from "../site/connection_watchdog.js";
import { applyPage, replacePart, seqOf, watchdog } from "./log_updates.js";
import { eventId, lastAttempt, outbox, removeResult, resend, sendResults, storedResult, storedResults, storeResult } from "./result_outbox.js";

const form = /** @type {HTMLFormElement} */ (byId("grid"));
const page = byId("console");
const keypad = document.getElementById("keypad");
const round = form.dataset.round ?? "";
const own = () => storedResults().filter((one) => one.event === eventId && one.round === round);

/** @param {string} board */
const rowOf = (board) => /** @type {HTMLElement} */ (byId(`board-${board}`));
/** @param {string} board */
const fieldOf = (board) => /** @type {HTMLInputElement|null} */ (document.getElementById(`r${board}`));
const fields = () => /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input.result")]);
/** @param {Element|null} element */
const boardOf = (element) => /** @type {HTMLElement|null} */ (element?.closest("[data-board]") ?? null)?.dataset.board ?? "";

/** What is typed in a field, as it is sent. @param {HTMLInputElement} field */
const textOf = (field) => field.value.trim().replace(/\s+/g, " ");

/** Show that a row waits for an answer, or for the network. @param {string} board @param {boolean} late */
function mark(board, late) {
  const row = rowOf(board);
  row.dataset.unsent = late ? "lost" : "sent";
  const state = row.querySelector(".state");
  if (late && state) state.textContent = form.dataset.waiting ?? "";
}

/** Enter what stands in a row. @param {string} board @returns {boolean} whether something is to be entered */
function enter(board) {
  const field = fieldOf(board);
  if (!field) return false;
  const text = textOf(field);
  const was = field.dataset.was ?? "";
  const held = storedResult(round, board);
  if (text === was && held?.stays && !held.state) return false; // it is on its way
  if (text === was) {
    field.value = was;
    forget(board);
    delete rowOf(board).dataset.unsent;
    return false;
  }
  const reason = reasonOf(board);
  if (held && !held.state && held.text === text && held.reason === reason) return true;
  ask(board, text, was, reason);
  return true;
}

/**
 * Ask the server to enter something in place of what stands there.
 * @param {string} board
 * @param {string} text
 * @param {string} was what stands there
 * @param {string} reason why it is changed
 * @param {boolean} stays whether what is disputed there stays instead
 */
function ask(board, text, was, reason, stays = false) {
  const { who = "", name: by = "" } = page.dataset;
  const names = [...rowOf(board).querySelectorAll(".who")].map((one) => one.textContent?.trim()).join(" – ");
  const after = seqOf(`board-${board}`);
  mark(board, false);
  const language = document.documentElement.lang;
  storeResult({ id: newId(), event: eventId, round, board, names, text, language, was, reason, stays, after, who, by, at: Date.now() });
  void sendResults();
}

/** Why a result is changed, as it is typed. @param {string} board */
const reasonOf = (board) => /** @type {HTMLInputElement|null} */ (document.getElementById(`y${board}`))?.value ?? "";

/** Let a disputed result stay. @param {string} board */
function settle(board) {
  const was = fieldOf(board)?.dataset.was ?? "";
  ask(board, was, was, reasonOf(board), true);
}

/** Enter a row whose reason is typed: what is typed there, or the other result of a dispute. @param {string} board */
function decide(board) {
  const field = fieldOf(board);
  const others = /** @type {NodeListOf<HTMLButtonElement>} */ (rowOf(board).querySelectorAll(`.dispute button[name="r${board}"]`));
  if (!field || textOf(field) !== field.dataset.was || !others.length) enter(board);
  else if (others.length > 1) others[0].focus(); // which of them?
  else {
    field.value = others[0].value;
    enter(board);
  }
}

/** Take back what is kept for a board. @param {string} board */
function forget(board) {
  const held = storedResult(round, board);
  if (held) removeResult(held);
}

/** The answer to a row of this round. @param {CustomEvent<{one: import("./result_outbox.js").StoredResult, row: HTMLElement, page: Document}>} answer */
function answered(answer) {
  const { one, row: fresh } = answer.detail;
  if (one.event !== eventId || one.round !== round || !fieldOf(one.board)) return;
  answer.preventDefault();
  const { board } = one;
  const last = storedResult(round, board);
  // Taken back meanwhile, or typed anew, which follows.
  if (last?.id !== one.id && (!last || fresh.matches("[data-unsent]"))) return;
  const seq = Number(answer.detail.page.getElementById("console")?.dataset.seq);
  put(one, fresh, seq);
  applyPage(answer.detail.page, seq); // what stands above the rows
  if (last) removeResult(last);
  const was = fieldOf(board)?.dataset.was;
  // What was entered meanwhile changes what stands there now.
  if (last && last.id !== one.id && was !== undefined && last.text !== was) ask(board, last.text, was, last.reason);
}

/**
 * Put the answered row in its place. Who is in it goes on typing, or is asked for the reason.
 * @param {import("./result_outbox.js").StoredResult} one what is answered
 * @param {HTMLElement} fresh
 * @param {number} seq
 */
function put({ board, text }, fresh, seq) {
  const field = fieldOf(board);
  const here = document.activeElement === field;
  const since = field && textOf(field) !== text ? field.value : null;
  const [from, to] = [field?.selectionStart ?? null, field?.selectionEnd ?? null];
  const row = replacePart(fresh, seq);
  const trouble = row.querySelector(".trouble, .dispute ul");
  const reason = /** @type {HTMLInputElement|null} */ (document.getElementById(`y${board}`));
  const now = fieldOf(board);
  if (now && since !== null) {
    now.value = since;
    if (here) now.setSelectionRange(from, to);
  } else if (here && reason) {
    reason.focus();
    reason.select();
  } else if (here && now && row.querySelector(".choices")) now.setSelectionRange(now.value.length, now.value.length); // a letter follows
  else if (here) now?.select();
  if (trouble) say(`${board}: ${trouble.textContent?.trim().replace(/\s+/g, " ") ?? ""}`);
}

/** Go to another board. @param {HTMLInputElement} field @param {number} way @param {boolean} missing */
function go(field, way, missing) {
  const all = fields();
  for (let at = all.indexOf(field) + way; at >= 0 && at < all.length; at += way) {
    if (all[at].closest("[hidden]") || (missing && (all[at].dataset.was || all[at].value))) continue;
    all[at].focus();
    all[at].select();
    return;
  }
}

/** The stones in what is typed; empty if there are none. @param {string} text */
const stonesIn = (text) => /\d+\s*[-:–—\s]\s*\d+(?=\D*$)/.exec(text)?.[0] ?? "";

/** The stones where these do not tell the winner, perhaps with an arrow and the time behind them. @param {string} text */
function undecided(text) {
  const typed = /^\s*(\d+)\s*[-:–—\s]\s*(\d+)\s*([←→]?)\s*(\p{L}*)\s*$/u.exec(text);
  const word = typed?.[4].toLocaleLowerCase() ?? "";
  const half = Number(form.dataset.half);
  const open = typed && Math.max(Number(typed[1]), Number(typed[2])) <= half && Number(typed[1]) + Number(typed[2]) < 2 * half;
  const asks = (form.dataset.time ?? "").split(" ").some((one) => one.startsWith(word)); // any other cause tells the winner
  return open && asks ? { stones: `${typed[1]}-${typed[2]}`, arrow: typed[3], word: typed[4] } : null;
}

/**
 * Put an arrow to the winner behind stones that do not tell them; otherwise the key moves the cursor.
 * @param {HTMLInputElement} field
 * @param {string} arrow
 */
function point(field, arrow) {
  const typed = undecided(field.value);
  const whole = field.value.length;
  const atEnd = field.selectionEnd === whole && [0, whole].includes(field.selectionStart ?? 0);
  if (!typed || !atEnd) return false;
  field.value = [typed.stones, arrow, typed.word].filter(Boolean).join(" ");
  return true;
}

/** The signs that a key has on keyboards whose digits are letters, as the Kazakh one: by the place of the key. */
const KEYS = new Map([["Minus", "-"], ["Equal", "="]]);
for (const digit of "1234567890") KEYS.set(`Digit${digit}`, digit);

/** @param {KeyboardEvent} event @param {HTMLInputElement} field */
function sign(event, field) {
  const puts = KEYS.get(event.code);
  if (!puts || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return false;
  const letter = /^\p{L}$/u.test(event.key) || ["Digit1\"", "Digit6,", "Digit7."].includes(event.code + event.key);
  const before = field.value.slice(0, field.selectionStart ?? 0);
  if (!letter || /\p{L}/u.test(before) || /\d-\d+ +[←→]?$/.test(before)) return false; // a word begins there
  field.setRangeText(puts, field.selectionStart ?? 0, field.selectionEnd ?? 0, "end");
  return true;
}

form.addEventListener("keydown", (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (event.isComposing || !field.matches("input.result, .why input")) return;
  const board = boardOf(field);
  const arrow = { ArrowLeft: "←", ArrowRight: "→" }[event.key];
  if (field.matches(".result") && (sign(event, field) || (arrow && !event.shiftKey && point(field, arrow)))) {
    event.preventDefault();
  } else if (event.key === "Escape") {
    leave(board);
  } else if (event.key === "Enter" || ((event.key === "ArrowDown" || event.key === "ArrowUp") && field.matches(".result"))) {
    event.preventDefault();
    const changes = field.matches(".result") && field.dataset.was && enter(board);
    if (changes) return; // another result stands there, and the row asks why
    if (!field.matches(".result")) return void decide(board);
    enter(board);
    if (event.key === "Enter" && undecided(field.value)?.arrow === "") return; // the row asks who has won
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
  const pressed = /** @type {HTMLButtonElement|null} */ (event.submitter);
  const board = boardOf(pressed);
  const field = board ? fieldOf(board) : null;
  if (pressed?.name === "stays") settle(board);
  else if (field && pressed?.name === field.name) end(field, pressed.value);
  else for (const one of board ? [board] : fields().map(boardOf)) enter(one);
});

/** Enter how a game has ended, and go on unless another result stands there. @param {HTMLInputElement} field @param {string} text */
function end(field, text) {
  field.value = text;
  field.focus();
  const changes = field.dataset.was && enter(boardOf(field));
  if (changes) return;
  enter(boardOf(field));
  go(field, 1, true);
}

form.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement} */ (event.target).closest("[data-leave]");
  if (button) leave(boardOf(button));
});

/** Take back what is typed and not entered. @param {string} board */
function leave(board) {
  const field = fieldOf(board);
  const row = rowOf(board);
  if (!field) return;
  forget(board);
  field.value = field.defaultValue = field.dataset.was ?? "";
  field.removeAttribute("aria-invalid");
  row.classList.remove("troubled");
  delete row.dataset.unsent;
  row.querySelector(".trouble")?.remove();
  const reason = /** @type {HTMLInputElement|null} */ (row.querySelector(".dispute .why input"));
  if (reason) reason.value = reason.defaultValue;
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
  else if (button.dataset.ends) return end(field, button.dataset.ends.replace("{}", stonesIn(field.value)).replace("  ", " "));
  else if (button.dataset.puts) field.setRangeText(button.dataset.puts, field.selectionStart ?? 0, field.selectionEnd ?? 0, "end");
  if (!button.matches("[data-enters], [data-whole]")) return;
  const changes = field.dataset.was && enter(boardOf(field));
  if (changes) return;
  enter(boardOf(field));
  if (undecided(field.value)?.arrow === "") return; // the row asks who has won
  go(field, 1, true);
});

let silent = false;
/** What of the outbox stands in the fields of this page, or once did, by board. @type {Map<string, import("./result_outbox.js").StoredResult>} */
const seen = new Map();

/** Show what the outbox holds of this round, and no longer what another page has brought to the server. */
function follow() {
  if (lastAttempt.silent !== silent) watchdog.open = silent;
  silent = lastAttempt.silent;
  const held = new Map(own().map((one) => [one.board, one]));
  for (const one of held.values()) {
    const field = fieldOf(one.board);
    if (!field) continue;
    // Of another tab: whoever comes by here does not take it back.
    if (seen.get(one.board)?.id !== one.id && field.value === (field.dataset.was ?? "")) field.value = one.text;
    seen.set(one.board, one);
    mark(one.board, Boolean(one.state) || lastAttempt.silent || lastAttempt.ended || Date.now() - one.at >= LATE);
  }
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-unsent=sent], [data-unsent=lost]"))) {
    const board = boardOf(row);
    const field = held.has(board) ? null : fieldOf(board);
    if (!field) continue;
    delete row.dataset.unsent;
    if (textOf(field) === seen.get(board)?.text) field.value = field.defaultValue; // what is typed meanwhile stays
  }
}

outbox.addEventListener("answered", (answer) => answered(/** @type {CustomEvent} */ (answer)));
outbox.addEventListener("change", follow);
follow();
for (const one of own()) if (one.state === "refused" && fieldOf(one.board)) resend(one); // its row says why, and asks for the reason
form.dataset.ready = "";
page.addEventListener("online", () => void sendResults());
