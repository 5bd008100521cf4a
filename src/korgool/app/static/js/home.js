/** The first page: the form starts with what the visitor chose last, and offers perfect play where a game has it. */

import { recall, remember } from "./settings.js";

const form = /** @type {HTMLFormElement|null} */ (document.querySelector("form.new-game"));

/** @param {string} name @returns {HTMLInputElement[]} */
const choices = (name) => [.../** @type {Iterable<HTMLInputElement>} */ (form?.elements.namedItem(name) ?? [])];

/** A level that the chosen game does not have cannot be chosen; the one below it takes its place. */
function allow() {
  const game = choices("game").find(({ checked }) => checked)?.value ?? "";
  const levels = choices("level");
  for (const [index, level] of levels.entries()) {
    level.disabled = !(level.dataset.games?.split(" ").includes(game) ?? true);
    if (level.disabled && level.checked) levels[index - 1].checked = true;
  }
}

for (const name of ["game", "side", "level", "clock"]) {
  const last = recall(`new.${name}`, "");
  // Who was quicker than this script has chosen already.
  if (choices(name).some(({ checked, defaultChecked }) => checked !== defaultChecked)) continue;
  for (const input of choices(name)) if (input.value === last) input.checked = true;
}
allow();
form?.addEventListener("change", allow);
// A browser that steps back to this page puts in what was chosen, after this script has run.
addEventListener("pageshow", allow);
form?.addEventListener("submit", () => {
  for (const [name, value] of new FormData(form)) if (!name.startsWith("_")) remember(`new.${name}`, String(value));
});
