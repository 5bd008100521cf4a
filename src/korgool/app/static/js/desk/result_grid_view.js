/** The view of the result grid: low rows, open boards only, and the jump to a board by its number. */

import { CHARACTERS, areCharactersCommands } from "../site/character_keys.js";
import { byId } from "../site/dom.js";
import { bindCheckbox } from "../site/settings_fields.js";

const PLACE = "korgool-grid";
const form = byId("grid");
const view = byId("view");
const jump = /** @type {HTMLInputElement} */ (byId("jump"));
const openOnly = /** @type {HTMLInputElement} */ (byId("open-only"));
const dense = /** @type {HTMLInputElement} */ (byId("dense"));

/** The boards that had a result when the open ones were asked for. Those that get one stay: no row moves under the hands. @type {Set<string>} */
let hidden = new Set();

const rows = () => /** @type {HTMLElement[]} */ ([...form.querySelectorAll(".board")]);

function filter() {
  const ended = rows().filter((row) => row.matches(".ended") && !row.matches("[data-unsent], .disputed"));
  hidden = new Set(openOnly.checked ? ended.map((row) => row.id) : []);
  for (const row of rows()) row.hidden = hidden.has(row.id);
}

function heights() {
  form.classList.toggle("dense", dense.checked);
  if (!dense.checked) return;
  history.scrollRestoration = "manual"; // a page that comes anew begins with the rows, too
  view.scrollIntoView({ block: "start" });
}

function keep() {
  try {
    localStorage.setItem(PLACE, JSON.stringify({ open: openOnly.checked, dense: dense.checked }));
  } catch {
    // The setting lasts as long as the page.
  }
}

try {
  const stored = JSON.parse(localStorage.getItem(PLACE) ?? "{}");
  openOnly.checked = stored.open === true;
  dense.checked = stored.dense === true;
} catch {
  // A browser without storage.
}
filter();
heights();
openOnly.addEventListener("change", () => (filter(), keep()));
dense.addEventListener("change", () => (heights(), keep()));

// A replaced row is shown as the one before it, unless its board is open again.
form.addEventListener("placed", (event) => {
  const row = /** @type {HTMLElement} */ (event.target);
  if (!row.matches(".ended") || row.matches(".disputed")) hidden.delete(row.id);
  row.hidden = hidden.has(row.id);
});

/** Go to the board whose number is typed. */
function go() {
  const row = document.getElementById(`board-${Number(jump.value)}`);
  jump.toggleAttribute("aria-invalid", !row);
  if (!row) return jump.select();
  hidden.delete(row.id);
  row.hidden = false;
  const field = /** @type {HTMLInputElement|null} */ (row.querySelector("input.result"));
  row.scrollIntoView({ block: "center" });
  jump.value = "";
  field?.focus({ preventScroll: true });
  field?.select();
}

jump.addEventListener("keydown", (event) => {
  if (event.key === "Escape") jump.value = "";
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  go();
});

/** Return whether a key belongs to the text of a field. @param {KeyboardEvent} event */
function belongs({ target, key }) {
  if (!(target instanceof HTMLElement) || !target.matches("input:not([type=checkbox]), textarea, select")) return false;
  if (!(target instanceof HTMLInputElement) || !target.matches(".result") || /\d/.test(key)) return true;
  // No result begins with it, but 1/2 has one inside.
  return Boolean(target.value) && !(target.selectionStart === 0 && target.selectionEnd === target.value.length);
}

bindCheckbox(CHARACTERS, true);
// The key of the slash, also where it is another sign, or a digit that goes into no field.
document.addEventListener("keydown", (event) => {
  const slash = event.key === "/" || (event.code === "Slash" && !event.shiftKey);
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (!(slash || /^\d$/.test(event.key)) || belongs(event) || !areCharactersCommands()) return;
  event.preventDefault();
  jump.value = slash ? "" : event.key;
  jump.focus();
  view.scrollIntoView({ block: "nearest" });
});
