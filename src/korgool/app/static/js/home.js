/** The first page: the form starts with what the visitor chose last. */

import { recall, remember } from "./settings.js";

const form = /** @type {HTMLFormElement|null} */ (document.querySelector("form.new-game"));
for (const name of ["game", "side", "level", "clock"]) {
  const last = recall(`new.${name}`, "");
  const field = /** @type {RadioNodeList|undefined} */ (form?.elements.namedItem(name) ?? undefined);
  for (const input of /** @type {Iterable<HTMLInputElement>} */ (field ?? [])) {
    if (input.value === last) input.checked = true;
  }
}
form?.addEventListener("submit", () => {
  for (const [name, value] of new FormData(form)) if (!name.startsWith("_")) remember(`new.${name}`, String(value));
});
