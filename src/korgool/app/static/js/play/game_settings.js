/** The settings of a game's page: each is remembered, and applied at once. */

import { betweenPeople } from "../game/state_selectors.js";
import { byId } from "../site/dom.js";
import { recall, remember } from "../site/stored_settings.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */

/**
 * A box that is remembered.
 * @param {string} id of the box, and the name of the setting
 * @param {boolean} otherwise what holds until somebody chooses
 * @param {(on: boolean) => void} [apply] called now and after each change
 */
export function checkbox(id, otherwise, apply = () => {}) {
  const box = /** @type {HTMLInputElement} */ (byId(id));
  box.checked = recall(id, otherwise ? "on" : "off") === "on";
  box.addEventListener("change", () => {
    remember(id, box.checked ? "on" : "off");
    apply(box.checked);
  });
  apply(box.checked);
  return box;
}

/**
 * A list of which one value is remembered.
 * @param {string} id of the list, and the name of the setting
 * @param {string} otherwise
 * @param {(value: string) => void} apply called now and after each change
 */
export function selection(id, otherwise, apply) {
  const list = /** @type {HTMLSelectElement} */ (byId(id));
  list.value = recall(id, otherwise);
  if (!list.value) list.value = otherwise;
  list.addEventListener("change", () => {
    remember(id, list.value);
    apply(list.value);
  });
  apply(list.value);
}

/** Show the settings that this game and this device have. @param {GameState} state */
export function offerSettings(state) {
  byId("settings").hidden = false;
  byId("turning-row").hidden = !state.shared;
  byId("premove-row").hidden = byId("premove-if-row").hidden = !state.you || state.shared;
  byId("chime-row").hidden = byId("vibration-row").hidden = !state.you || state.shared;
  if (!navigator.vibrate) byId("vibration-row").hidden = true;
}

/** Whether a player is called to the board until they choose otherwise: people think longer than engines. @param {GameState} state */
export const callsByDefault = (state) => betweenPeople(state) && !state.shared;
