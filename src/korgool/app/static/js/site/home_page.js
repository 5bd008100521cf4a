/** The first page: its living board, the form for another game as a sheet, and what does not work without a network. */

import { whenIdle } from "./dom.js";
import "./new_game_form.js";
import { bindSheet } from "./sheets.js";
import { readSetting } from "./stored_settings.js";

const living = document.querySelector(".living");
// A puzzle stands still until somebody goes to it.
if (living instanceof HTMLElement && !living.hasAttribute("data-puzzle")) {
  void whenIdle().then(async () => new (await import("./living_board.js")).LivingBoard(living));
}

const sheet = document.getElementById("new-game-sheet");
const other = document.getElementById("other-game");
if (sheet instanceof HTMLDialogElement && other) {
  other.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    sheet.showModal();
  });
  bindSheet(sheet);
  sheet.querySelector(".close")?.addEventListener("click", () => sheet.close());
}

// The device knows when a mistake of one's own games comes back (`js/mistakes/mistake_store.js`).
const mistakes = document.getElementById("own-mistakes");
if (mistakes) mistakes.hidden = Number(readSetting("mistakes-due", "Infinity")) > Date.now();

/** What needs other people needs a network, and says so. */
function showNetwork() {
  const away = !navigator.onLine;
  const why = document.getElementById("no-network");
  if (why) why.hidden = !away;
  for (const link of document.querySelectorAll("[data-needs-network]")) {
    link.toggleAttribute("data-away", away);
    if (away) link.setAttribute("aria-disabled", "true");
    else link.removeAttribute("aria-disabled");
  }
}

document.addEventListener("click", (event) => {
  if (event.target instanceof Element && event.target.closest("[data-away]")) event.preventDefault();
});
for (const name of ["online", "offline"]) addEventListener(name, showNetwork);
showNetwork();
