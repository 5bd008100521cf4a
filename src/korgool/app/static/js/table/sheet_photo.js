/** The photo of a scoresheet: it is sent beside the report, which does not wait for it; without a network it says so. */

import { fetchWhole } from "../site/connection_watchdog.js";
import { byId } from "../site/dom.js";
import { tokens } from "../site/send_command.js";

/** Milliseconds for a photo of some megabytes through the network of a full hall. */
const PATIENCE = 60000;

const section = byId("table-photo");
let sending = false;

/** @param {string} text @param {boolean} wrong */
function say(text, wrong) {
  const [problem, sent] = [".refused", ".sent"].map((name) => /** @type {HTMLElement} */ (section.querySelector(name)));
  problem.hidden = !wrong;
  sent.hidden = wrong;
  (wrong ? problem : sent).textContent = text;
}

section.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (sending) return;
  sending = true;
  const form = /** @type {HTMLFormElement} */ (event.target);
  say(section.dataset.waiting ?? "", false);
  try {
    let status = 403;
    let html = "";
    for (const token of tokens()) {
      const body = new FormData(form);
      body.set("part", "1");
      body.set("_csrf_token", token);
      const answered = await fetchWhole(new URL(form.action).pathname, { method: "POST", body, headers: { accept: "text/html" } }, PATIENCE);
      ({ status } = answered.answer);
      html = answered.text;
      if (status !== 403) break; // the token may be of somebody else on the same host
    }
    if (![200, 422, 429].includes(status) || !html.includes("sheet-photo")) throw new Error(`${status}`);
    section.innerHTML = html;
  } catch {
    say(section.dataset.lost ?? "", true);
  } finally {
    sending = false;
  }
});
section.dataset.ready = "";
