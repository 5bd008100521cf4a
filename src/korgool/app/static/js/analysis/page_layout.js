/** What stands around the board: tabs beside it, and the sheets that its tools open. */

import { bindSheet } from "../site/sheets.js";
import { bindTabs } from "../site/tabs.js";
import { byId } from "../site/dom.js";

/** @typedef {"lines"|"moves"|"review"|"book"} Pane */

/** Functions that wait for a pane to be shown. @type {Record<string, (() => void)[]>} */
const waiting = {};

const show = bindTabs(/** @type {HTMLElement} */ (document.querySelector(".tabs")), (id) => waiting[id]?.forEach((act) => act()));

/** Show one of the panes beside the board. @param {Pane} name */
export const showPane = (name) => show(`pane-${name}`);

/** Return whether a pane is shown. @param {Pane} name */
export const isShown = (name) => !byId(`pane-${name}`).hidden;

/** Call a function each time a pane is shown. @param {Pane} name @param {() => void} act */
export const onPaneShown = (name, act) => { (waiting[`pane-${name}`] ??= []).push(act); };

/** @param {string} button @param {string} sheet */
function opens(button, sheet) {
  byId(button).addEventListener("click", bindSheet(/** @type {HTMLDialogElement} */ (byId(sheet))));
}

opens("set-up", "set-up-sheet");
opens("settings-open", "settings-sheet");
byId("share-open").addEventListener("click", () => {
  showPane("moves");
  const share = /** @type {HTMLDetailsElement} */ (byId("share"));
  share.open = true;
  share.scrollIntoView({ block: "nearest" });
  share.querySelector("summary")?.focus({ preventScroll: true });
});
