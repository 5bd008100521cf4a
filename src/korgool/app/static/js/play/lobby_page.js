/** The lobby: keeps its list up to date while the page is visible. */

import { byId } from "../site/dom.js";
import { SILENT, Watchdog } from "../site/connection_watchdog.js";

const list = byId("lobby");
/** Milliseconds between two requests. */
const EVERY = 3000;
let shown = "";
const watchdog = new Watchdog((open) => { byId("lost").hidden = open; });

/** Fetch the list, and show it if it has changed; the focus stays. */
async function refresh() {
  const { answer, text: html } = await watchdog.fetch(
    "/lobby/list", { headers: { accept: "text/html" }, cache: "no-store" }, SILENT - EVERY,
  );
  watchdog.open = true;
  if (!answer.ok || html === shown) return;
  shown = html;
  const focusedId = document.activeElement?.closest("#lobby li")?.id;
  list.innerHTML = html;
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

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) refresh().catch(() => undefined);
});
void refreshForever();
