/** The lobby keeps itself up to date while somebody looks at it. */

import { byId } from "../site/dom.js";
import { SILENT, Watchdog } from "../site/connection_watchdog.js";

const list = byId("lobby");
/** Milliseconds between two looks. */
const EVERY = 3000;
let shown = "";
const watchdog = new Watchdog((open) => { byId("lost").hidden = open; });

/** Fetch the list, and show it where it has changed; the reader's place in it stays. */
async function refresh() {
  const { answer, text: html } = await watchdog.fetch(
    "/lobby/list", { headers: { accept: "text/html" }, cache: "no-store" }, SILENT - EVERY,
  );
  watchdog.open = true;
  if (!answer.ok || html === shown) return;
  shown = html;
  const held = document.activeElement?.closest("#lobby li")?.id;
  list.innerHTML = html;
  const again = held && document.getElementById(held)?.querySelector("button, a");
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}

async function keep() {
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
void keep();
