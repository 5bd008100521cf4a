/** Fields of settings: each shows what is stored, stores what is chosen, and lets it hold at once. */

import { byId } from "./dom.js";
import { readSetting, storeSetting } from "./stored_settings.js";

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
