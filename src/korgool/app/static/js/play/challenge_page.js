/** The page of one's own invitation: share or copy the link, and go to the game as soon as somebody has accepted. */

import { byId, copied } from "../site/dom.js";
import { SILENT, Watchdog } from "../site/connection_watchdog.js";

const { id } = byId("invitation").dataset;
const link = /** @type {HTMLInputElement|null} */ (document.getElementById("link"));
/** Seconds that the server waits for news before it answers: few where somebody looks, who is told of silence soon. */
const WAIT = 3;
/** While nobody does; others see only offers that are waited for. */
const LONG = "passing" in byId("invitation").dataset ? 4 : 20;
/** Milliseconds before the next question after one that failed. */
const PAUSE = 1500;

const watchdog = new Watchdog((open) => { byId("lost").hidden = open; });

if (link) {
  const share = byId("share");
  const copy = byId("copy");
  // Browsers share only from pages that came over TLS.
  share.hidden = !navigator.share;
  copy.hidden = false;
  if (share.hidden) copy.classList.add("primary");
  share.addEventListener("click", () => {
    // A reader who closes the system's sheet again has changed their mind.
    navigator.share({ title: "Korgool", text: link.dataset.text, url: link.value }).catch(() => undefined);
  });
  link.addEventListener("focus", () => link.select());
  copy.addEventListener("click", async () => {
    const told = byId("copied");
    told.textContent = ((await copied(link)) ? told.dataset.done : told.dataset.failed) ?? "";
  });
}

/**
 * Ask what has become of the invitation, and go where that leads.
 * @param {number} wait seconds that the server may wait for news
 * @returns {Promise<boolean>} whether it is open no more
 */
async function look(wait) {
  const way = SILENT - 1000 * WAIT;
  const { answer, text } = await watchdog.fetch(`/api/challenges/${id}?wait=${wait}`, { cache: "no-store" }, 1000 * wait + way);
  if (!answer.ok) throw new Error(String(answer.status));
  watchdog.open = true;
  const { state, game } = JSON.parse(text);
  if (state === "accepted" && game) location.replace(`/games/${game}`);
  else if (state !== "open") location.reload();
  return state !== "open";
}

/** Ask until the invitation is open no more. */
async function wait() {
  for (;;) {
    try {
      if (await look(document.hidden ? LONG : WAIT)) return;
    } catch {
      watchdog.open = false;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

// Who comes back from sending the link learns at once whether the line still works.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) look(0).catch(() => undefined);
});
void wait();
