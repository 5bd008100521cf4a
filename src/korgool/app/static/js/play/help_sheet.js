/** The sheet of help: the rules of this game in pictures, the rings, and the keys where there is a keyboard. */

import { bindSheet } from "../site/sheets.js";
import { byId } from "../site/dom.js";

/** True once a key was pressed: then there is a keyboard, whatever else the device has. */
let typed = false;
addEventListener("keydown", () => { typed = true; }, { once: true, capture: true });

let bound = false;

export function showHelp() {
  const sheet = /** @type {HTMLDialogElement} */ (byId("key-help"));
  const keys = typed || matchMedia("(hover: hover) and (pointer: fine)").matches;
  /** @type {HTMLElement} */ (sheet.querySelector(".with-keys")).hidden = !keys;
  if (!bound) bindSheet(sheet);
  bound = true;
  sheet.showModal();
}
