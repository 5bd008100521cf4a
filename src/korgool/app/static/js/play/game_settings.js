/** The settings of a game's page: each is stored, and applied at once. */

import { isBetweenPeople } from "../game/state_selectors.js";
import { byId } from "../site/dom.js";
import { readSetting, storeSetting } from "../site/stored_settings.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */

/**
 * Bind a checkbox to a stored setting.
 * @param {string} id of the box, and the name of the setting
 * @param {boolean} otherwise the default
 * @param {(on: boolean) => void} [apply] called now and after each change
 */
export function bindCheckbox(id, otherwise, apply = () => {}) {
  const box = /** @type {HTMLInputElement} */ (byId(id));
  box.checked = readSetting(id, otherwise ? "on" : "off") === "on";
  box.addEventListener("change", () => {
    storeSetting(id, box.checked ? "on" : "off");
    apply(box.checked);
  });
  apply(box.checked);
  return box;
}

/**
 * Bind a select element to a stored setting.
 * @param {string} id of the list, and the name of the setting
 * @param {string} otherwise
 * @param {(value: string) => void} apply called now and after each change
 */
export function bindSelect(id, otherwise, apply) {
  const list = /** @type {HTMLSelectElement} */ (byId(id));
  list.value = readSetting(id, otherwise);
  if (!list.value) list.value = otherwise;
  list.addEventListener("change", () => {
    storeSetting(id, list.value);
    apply(list.value);
  });
  apply(list.value);
}

/** Show the settings that this game and this device have. @param {GameState} state */
export function showSettings(state) {
  byId("settings").hidden = false;
  byId("turning-row").hidden = !state.shared;
  byId("premove-row").hidden = byId("premove-if-row").hidden = !state.you || state.shared;
  byId("chime-row").hidden = byId("vibration-row").hidden = !state.you || state.shared;
  if (!navigator.vibrate) byId("vibration-row").hidden = true;
}

/** Return whether turn alerts are on by default: people think longer than engines. @param {GameState} state */
export const alertsByDefault = (state) => isBetweenPeople(state) && !state.shared;
