/** The lobby: keeps its list up to date while the page is visible, and opens the sheet for an offer. */

import { SILENT } from "../site/connection_watchdog.js";
import { byId } from "../site/dom.js";
import { keepFresh } from "../site/renewed_part.js";
import { bindSheet } from "../site/sheets.js";

/** Milliseconds between two requests. */
const EVERY = 3000;

const sheet = /** @type {HTMLDialogElement} */ (byId("offer"));
document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("[data-offer], [data-close]") : null;
  // The browser opens other windows and tabs.
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (link.matches("[data-close]")) sheet.close();
  else sheet.showModal();
});
bindSheet(sheet);
if (sheet.open) {
  sheet.close();
  sheet.showModal();
}
document.querySelector(".list-page .chips.row [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });

const lost = byId("lost");
keepFresh(byId("lobby"), () => `/lobby/list${location.search}`, EVERY, (open) => { lost.hidden = open; }, SILENT - EVERY);
