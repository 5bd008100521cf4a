/** The settings beside a game: those that concern it. All of them are on the page of settings too. */

import { isBetweenPeople } from "../game/state_selectors.js";
import { byId } from "../site/dom.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */

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
