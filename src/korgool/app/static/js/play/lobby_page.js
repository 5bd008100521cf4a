/** The lobby: keeps its list up to date while the page is visible, and opens the sheet for an offer. */

import { byId } from "../site/dom.js";
import { SILENT, Watchdog } from "../site/connection_watchdog.js";
import { bindSheet } from "../site/sheets.js";

const list = byId("lobby");
/** Milliseconds between two requests. */
const EVERY = 3000;
const watchdog = new Watchdog((open) => { byId("lost").hidden = open; });

/** Fetch the list, and show it if it has changed; the focus stays. */
async function refresh() {
  const { answer, text: html } = await watchdog.fetch(
    `/lobby/list${location.search}`, { headers: { accept: "text/html" }, cache: "no-store" }, SILENT - EVERY,
  );
  watchdog.open = true;
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  // What is under a finger stays there until it has been lifted.
  if (!answer.ok || fresh.innerHTML.trim() === list.innerHTML.trim() || list.querySelector(":active")) return;
  const focusedId = document.activeElement?.closest("#lobby li")?.id;
  list.replaceChildren(fresh.content);
  const focusable = focusedId && document.getElementById(focusedId)?.querySelector("button, a");
  if (focusable instanceof HTMLElement) focusable.focus({ preventScroll: true });
}

async function refreshForever() {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, EVERY));
    if (document.hidden) continue;
    try {
      await refresh();
    } catch {
      // Without a network the list stays as it is, and the page says so.
    }
  }
}

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

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) refresh().catch(() => undefined);
});
void refreshForever();
