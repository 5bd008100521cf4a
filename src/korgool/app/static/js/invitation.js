/** The page of one's own invitation: share or copy the link, and go to the game as soon as somebody has accepted. */

import { byId, copied } from "./page.js";
import { SILENT, Watchdog } from "./watchdog.js";

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

/** Ask what has become of the invitation until it is open no more. */
async function wait() {
  for (;;) {
    try {
      const wait = document.hidden ? LONG : WAIT;
      const way = SILENT - 1000 * WAIT;
      const { answer, text } = await watchdog.fetch(`/api/challenges/${id}?wait=${wait}`, { cache: "no-store" }, 1000 * wait + way);
      if (!answer.ok) throw new Error(String(answer.status));
      const { state, game } = JSON.parse(text);
      watchdog.open = true;
      if (state === "accepted" && game) return location.replace(`/games/${game}`);
      if (state !== "open") return location.reload();
    } catch {
      watchdog.open = false;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

void wait();
