/** What stands around the board: tabs beside it, and the sheets that its tools open. */

import { bindSheet } from "../site/sheets.js";
import { bindTabs } from "../site/tabs.js";
import { byId } from "../site/dom.js";

/** @typedef {"lines"|"moves"|"review"|"book"} Pane */

/** @type {((name: Pane) => void)[]} */
const watchers = [];

const show = bindTabs(/** @type {HTMLElement} */ (document.querySelector(".tabs")), (id) => {
  for (const act of watchers) act(/** @type {Pane} */ (id.replace("pane-", "")));
});

/** Show one of the panes beside the board. @param {Pane} name */
export const showPane = (name) => show(`pane-${name}`);

/** Return whether a pane is shown. @param {Pane} name */
export const isShown = (name) => !byId(`pane-${name}`).hidden;

/** Call a function with the name of each pane that is shown from now on. @param {(name: Pane) => void} act */
export const onPaneShown = (act) => { watchers.push(act); };

/** @param {string} id */
export const openSheet = (id) => /** @type {HTMLDialogElement} */ (byId(id)).showModal();

for (const [button, id] of [["set-up", "set-up-sheet"], ["settings-open", "settings-sheet"], ["keys", "keys-sheet"]]) {
  bindSheet(/** @type {HTMLDialogElement} */ (byId(id)));
  byId(button).addEventListener("click", () => openSheet(id));
}
byId("share-open").addEventListener("click", () => {
  showPane("moves");
  const share = /** @type {HTMLDetailsElement} */ (byId("share"));
  share.open = true;
  share.scrollIntoView({ block: "nearest" });
  share.querySelector("summary")?.focus({ preventScroll: true });
});

// Threads share memory, which browsers allow to isolated pages only.
byId("threads-row").hidden = globalThis.crossOriginIsolated !== true;

/**
 * Bring a part beside the board into view, and the board with it: on a phone the board stays at the top, and the part belongs
 * right below it, or takes the screen where the two have no room together.
 * @param {HTMLElement} part
 */
export function bringIntoView(part) {
  const play = document.querySelector(".play");
  const left = document.querySelector(".left");
  if (!play || !left || getComputedStyle(left).display !== "contents") {
    scrollTo({ top: 0 });
    return;
  }
  const stays = getComputedStyle(play).position === "sticky";
  part.style.scrollMarginTop = `${(stays ? play.getBoundingClientRect().height : 0) + 8}px`;
  part.scrollIntoView({ block: "start" });
}
