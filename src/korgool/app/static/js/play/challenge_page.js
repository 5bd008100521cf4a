/** The page of the visitor's own challenge: shares or copies the link, and opens the game when the challenge is accepted. */

import { byId, copyField } from "../site/dom.js";
import { SILENT, Watchdog } from "../site/connection_watchdog.js";

const { id } = byId("invitation").dataset;
const link = /** @type {HTMLInputElement|null} */ (document.getElementById("link"));
/** Seconds that the server may wait for news before it answers: few while the page is visible, so that a lost connection is noticed soon. */
const WAIT = 3;
/** The same while the page is hidden; the lobby lists only challenges whose page is waiting. */
const HIDDEN_WAIT = "passing" in byId("invitation").dataset ? 4 : 20;
/** Milliseconds before the next request after one that failed. */
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
    // Closing the system's sheet is no error.
    navigator.share({ title: "Korgool", text: link.dataset.text, url: link.value }).catch(() => undefined);
  });
  link.addEventListener("focus", () => link.select());
  copy.addEventListener("click", async () => {
    const status = byId("copied");
    status.textContent = ((await copyField(link)) ? status.dataset.done : status.dataset.failed) ?? "";
  });
}

/**
 * Fetch the state of the challenge, and open the game or reload.
 * @param {number} wait seconds that the server may wait for news
 * @returns {Promise<boolean>} whether it is closed
 */
async function checkChallenge(wait) {
  const way = SILENT - 1000 * WAIT;
  const { answer, text } = await watchdog.fetch(`/api/challenges/${id}?wait=${wait}`, { cache: "no-store" }, 1000 * wait + way);
  if (!answer.ok) throw new Error(String(answer.status));
  watchdog.open = true;
  const { state, game } = JSON.parse(text);
  if (state === "accepted" && game) location.replace(`/games/${game}`);
  else if (state !== "open") location.reload();
  return state !== "open";
}

/** Wait until the challenge is closed. */
async function waitForAnswer() {
  for (;;) {
    try {
      if (await checkChallenge(document.hidden ? HIDDEN_WAIT : WAIT)) return;
    } catch {
      watchdog.open = false;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }
}

// A visitor who returns from sending the link sees at once whether the connection works.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) checkChallenge(0).catch(() => undefined);
});
void waitForAnswer();
