/** The page of settings. Everything is stored on this device at once, and there is nothing to be sent. */

import { HOLE_NAMES } from "../game/hole_names.js";
import { CHARACTERS } from "./character_keys.js";
import { byId } from "./dom.js";
import { deleteCount, readCount } from "./device_count.js";
import { momentText } from "./local_times.js";
import { bindCheckbox, bindSelect } from "./settings_fields.js";
import { playDrop, playTurn, prepareSoundsWhen } from "./sounds.js";
import { readSetting, storeAppearance } from "./stored_settings.js";

/** Say that a choice holds, as nothing else may be seen to change. */
function tellStored() {
  byId("stored").textContent = byId("stored").dataset.text ?? "";
}

for (const name of ["theme", "board", "stones"]) {
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(`input[name="${name}"]`));
  const chosen = readSetting(name, fields[0].value);
  for (const field of fields) {
    field.checked = field.value === chosen;
    field.addEventListener("change", () => storeAppearance(name, field.value));
  }
}

bindSelect("speed", "normal", () => undefined);
bindCheckbox("sound", true);
for (const id of ["chime", "vibration"]) {
  const box = bindCheckbox(id, false);
  // Until something is chosen they are on between people and off against engines (`alertsByDefault`): neither.
  box.indeterminate = !readSetting(id, "");
}
bindCheckbox("premove", false);
bindSelect("premove-if", "same", () => undefined);
bindCheckbox("turning", true);
bindCheckbox(CHARACTERS, true);
// Only languages that have such names show this.
if (document.getElementById(HOLE_NAMES)) bindCheckbox(HOLE_NAMES, false);

// Whoever turns a sound on hears it, though none was wanted when the box was pressed.
prepareSoundsWhen(() => true);
byId("sound").addEventListener("change", () => byId("sound").matches(":checked") && playDrop());
byId("chime").addEventListener("change", () => byId("chime").matches(":checked") && playTurn());
if (!navigator.vibrate) byId("vibration").closest("label")?.setAttribute("hidden", "");

const coach = bindCheckbox("coach", false);
// Until something is chosen it is on in the first games: neither.
coach.indeterminate = !readSetting("coach", "");

/** Show what this device counts. */
function showCount() {
  const { lesson, game, capture } = readCount();
  const lines = { lesson: lesson && momentText(Date.parse(lesson)), game: game && momentText(Date.parse(game)), capture: "" };
  if (capture) {
    const { text = "" } = byId("count-capture").dataset;
    lines.capture = text.replace("%(move)s", String(capture.move)).replace("%(n)s", String(capture.stones));
  }
  for (const [name, line] of Object.entries(lines)) byId(`count-${name}`).textContent = line || (byId("count").dataset.none ?? "");
  byId("delete-count").hidden = !(lesson || game || capture);
}

byId("delete-count").addEventListener("click", () => {
  deleteCount();
  showCount();
  byId("count-deleted").textContent = byId("count-deleted").dataset.text ?? "";
});
showCount();

byId("settings").addEventListener("change", tellStored);
byId("settings").inert = false;
