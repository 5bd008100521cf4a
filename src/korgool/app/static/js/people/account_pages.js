/** Pages of an account: show a password while it is typed, copy a token, print recovery codes, show local times. */

import "../site/local_times.js";
import { byId, copyField } from "../site/dom.js";
import { forgetOthers } from "../mistakes/mistake_store.js";

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-shows]"))) {
  const field = byId(button.dataset.shows ?? "");
  button.addEventListener("click", () => {
    const shown = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(shown));
    field.setAttribute("type", shown ? "text" : "password");
  });
  // Browsers keep what was typed in a field of text; a password must not be among it.
  button.form?.addEventListener("submit", () => field.setAttribute("type", "password"));
}

for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-selects]"))) {
  field.addEventListener("focus", () => field.select());
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copies]"))) {
  button.addEventListener("click", async () => {
    const done = await copyField(/** @type {HTMLInputElement} */ (byId(button.dataset.copies ?? "")));
    byId("told").textContent = (done ? button.dataset.done : button.dataset.failed) ?? "";
  });
}

// Who signs out leaves no positions of their games to the next one at this device.
for (const form of document.querySelectorAll('form[action="/sign-out"]')) form.addEventListener("submit", () => forgetOthers(""));

document.querySelector("[data-print]")?.addEventListener("click", () => print());
