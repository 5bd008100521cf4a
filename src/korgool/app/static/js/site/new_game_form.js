/** The form for a new game: it starts with the visitor's last choices, and offers the strengths that the game has. */

import { readSetting, storeSetting } from "./stored_settings.js";

const form = /** @type {HTMLFormElement|null} */ (document.querySelector("form.new-game"));

/** @param {string} name @returns {HTMLInputElement[]} */
const choices = (name) => [.../** @type {Iterable<HTMLInputElement>} */ (form?.elements.namedItem(name) ?? [])];

const rating = /** @type {HTMLInputElement|null} */ (form?.elements.namedItem("rating") ?? null);
const slider = /** @type {HTMLInputElement|null} */ (document.getElementById("rating-slider"));
if (rating && slider) {
  slider.disabled = false;
  // Moving the slider or entering a number selects that strength.
  const choose = () => choices("level").forEach((level) => (level.checked = level.value === "rating"));
  slider.addEventListener("input", () => {
    rating.value = slider.value;
    choose();
  });
  rating.addEventListener("input", () => {
    slider.value = rating.value;
    choose();
  });
  // The visitor may have entered a number before this script ran.
  if (rating.value !== rating.defaultValue) choose();
  else rating.value = readSetting("new.rating", rating.value);
}

/** Disable levels that the chosen game does not have; the one below takes the place of a chosen one. */
function allow() {
  const game = choices("game").find(({ checked }) => checked)?.value ?? "";
  const levels = choices("level");
  for (const [index, level] of levels.entries()) {
    level.disabled = !(level.dataset.games?.split(" ").includes(game) ?? true);
    if (level.disabled && level.checked) levels[index - 1].checked = true;
  }
  if (!rating || !slider) return;
  const [lowest, highest] = JSON.parse(rating.dataset.ratings ?? "{}")[game] ?? [rating.min, rating.max];
  rating.min = slider.min = String(lowest);
  rating.max = slider.max = String(highest);
  // Writing the value back also clears text that is not a number, which would block the form even if a level is chosen.
  const wanted = Math.round(Number(rating.value));
  rating.value = rating.value && String(Math.max(lowest, Math.min(highest, wanted)));
  slider.value = rating.value;
}

for (const name of ["side", "level", "clock"]) {
  const last = readSetting(`new.${name}`, "");
  // The visitor may have chosen before this script ran.
  if (choices(name).some(({ checked, defaultChecked }) => checked !== defaultChecked)) continue;
  for (const input of choices(name)) if (input.value === last) input.checked = true;
}
allow();
form?.addEventListener("change", allow);
// A browser that goes back to this page restores the choices after this script has run.
addEventListener("pageshow", allow);
form?.addEventListener("submit", () => {
  for (const [name, value] of new FormData(form)) if (!name.startsWith("_")) storeSetting(`new.${name}`, String(value));
});
