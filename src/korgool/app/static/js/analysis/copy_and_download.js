/** Copies and saves the record in every form, the position, and a link to what is shown. */

import { byId, say } from "../site/dom.js";
import { gettext } from "../site/translations.js";
import { moveText } from "./move_notation.js";
import { bindRecordSheet } from "./record_print.js";
import { SUFFIXES, writeRecord } from "./record_writer.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./game_tree.js").Tree} Tree */
/** @typedef {{tree: Tree, current: Node, game: string, start: string|null, facts: import("./record_parser.js").RecordFacts}} Shown */

/** @type {Shown|null} */
let shown = null;
/** The address of what is shown; the browser's own follows it a moment later. */
let link = () => location.href;

const form = /** @type {HTMLSelectElement} */ (byId("share-form"));
const field = (/** @type {string} */ name) => /** @type {HTMLInputElement|HTMLTextAreaElement} */ (byId(`share-${name}`));

/** @type {Record<string, () => string|null>} */
const TEXTS = {
  record: () => {
    if (!shown) return "";
    // The moves up to here and the continuation of the line.
    let last = shown.current;
    while (last.children.length) last = last.children[0];
    const dialect = form.value;
    if (dialect === "moves") return moveText(last.path);
    return writeRecord(shown.tree, last.path, shown, /** @type {import("./record_writer.js").Dialect} */ (dialect));
  },
  position: () => shown?.current.snapshot.position ?? "",
  link: () => link(),
};

/** @param {string} name @returns {boolean} whether there is a text */
function fillField(name) {
  const text = TEXTS[name]();
  field(name).value = (text ?? "").replace(/\n+$/, "\n");
  if (name === "record") byId("share-problem").hidden = text !== null;
  return Boolean(text);
}

/** @param {string} name */
async function copy(name) {
  if (!fillField(name)) return;
  try {
    await navigator.clipboard.writeText(field(name).value);
  } catch {
    // Without access to the clipboard, select the text for the visitor to copy.
    field(name).focus();
    field(name).select();
    return;
  }
  const button = byId(`copy-${name}`);
  button.textContent = gettext("Copied");
  say(gettext("Copied"));
  setTimeout(() => { button.textContent = gettext("Copy"); }, 2000);
}

function save() {
  const text = TEXTS.record();
  if (!text || !shown) return;
  const suffix = form.value === "moves" ? ".txt" : SUFFIXES[/** @type {import("./record_writer.js").Dialect} */ (form.value)];
  const names = [shown.tree.tags.White, shown.tree.tags.Black].filter(Boolean).join("-");
  saveFile(new Blob([text], { type: "text/plain" }), `${names.replace(/[^\p{L}\p{N}]+/gu, "-").slice(0, 80) || "korgool"}${suffix}`);
}

/** Hand a file to the visitor. @param {Blob} content @param {string} name */
export function saveFile(content, name) {
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(content);
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

for (const name of Object.keys(TEXTS)) byId(`copy-${name}`).addEventListener("click", () => void copy(name));
byId("save-record").addEventListener("click", save);
bindRecordSheet(() => shown);
form.addEventListener("change", () => fillField("record"));
byId("share").addEventListener("toggle", fill);

function fill() {
  if (!(/** @type {HTMLDetailsElement} */ (byId("share")).open) || !shown) return;
  for (const name of Object.keys(TEXTS)) fillField(name);
}

/** Offer the record, position and link of what is shown. @param {Shown} now @param {() => string} address what leads there */
export function updateShare(now, address) {
  [shown, link] = [now, address];
  fill();
}

/** What is shown. */
export const currentShown = () => shown;
