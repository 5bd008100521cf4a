/** The page of settings. Everything is stored on this device at once, and there is nothing to be sent. */

import { HOLE_NAMES } from "../game/hole_names.js";
import { CHARACTERS } from "./character_keys.js";
import { byId } from "./dom.js";
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

byId("settings").addEventListener("change", tellStored);
byId("settings").inert = false;
