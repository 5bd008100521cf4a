/** Copies and saves the record, the position, and a link to the shown node. */

import { byId, say } from "../site/dom.js";
import { gettext } from "../site/translations.js";
import { moveText } from "./move_notation.js";

/** @typedef {import("./game_tree.js").Node} Node */

/** @type {Node|null} */
let shown = null;
/** The address of what is shown; the browser's own follows it a moment later. */
let link = () => location.href;

/** @type {Record<string, () => string>} */
const TEXTS = {
  record: () => {
    // The moves up to here and the continuation of the line.
    let last = /** @type {Node} */ (shown);
    while (last.children.length) last = last.children[0];
    return moveText(last.path);
  },
  position: () => shown?.snapshot.position ?? "",
  link: () => link(),
};

/** @param {string} name */
async function copy(name) {
  const field = /** @type {HTMLInputElement} */ (byId(`share-${name}`));
  field.value = TEXTS[name]();
  try {
    await navigator.clipboard.writeText(field.value);
  } catch {
    // Without access to the clipboard, select the text for the visitor to copy.
    field.focus();
    field.select();
    return;
  }
  const button = byId(`copy-${name}`);
  button.textContent = gettext("Copied");
  say(gettext("Copied"));
  setTimeout(() => { button.textContent = gettext("Copy"); }, 2000);
}

for (const name of Object.keys(TEXTS)) byId(`copy-${name}`).addEventListener("click", () => void copy(name));
byId("share").addEventListener("toggle", fill);

function fill() {
  if (!(/** @type {HTMLDetailsElement} */ (byId("share")).open) || !shown) return;
  for (const [name, text] of Object.entries(TEXTS)) {
    /** @type {HTMLInputElement} */ (byId(`share-${name}`)).value = text();
  }
}

/** Offer the record, position and link of another node. @param {Node} node @param {() => string} address what leads there */
export function updateShare(node, address) {
  [shown, link] = [node, address];
  fill();
}
