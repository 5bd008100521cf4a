/** The page of one's own invitation: share or copy the link, and go to the game as soon as somebody has accepted. */

import { byId, copied } from "./page.js";

const { id } = byId("invitation").dataset;
const link = /** @type {HTMLInputElement|null} */ (document.getElementById("link"));
/** Seconds that the server waits for news before it answers: few where others see only offers that are waited for. */
const WAIT = "passing" in byId("invitation").dataset ? 4 : 20;
/** Milliseconds before the next question after one that failed. */
const PAUSE = 3000;

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
      const answer = await fetch(`/api/challenges/${id}?wait=${WAIT}`, { cache: "no-store" });
      if (!answer.ok) throw new Error(String(answer.status));
      const { state, game } = await answer.json();
      if (state === "accepted" && game) return location.replace(`/games/${game}`);
      if (state !== "open") return location.reload();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

void wait();
