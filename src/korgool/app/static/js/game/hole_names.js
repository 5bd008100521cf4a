/** The traditional names of the holes, for readers whose language has them and who have chosen them. */

import { readSetting } from "../site/stored_settings.js";
import { words } from "../site/translations.js";

/** The name of the setting, and of its field. */
export const HOLE_NAMES = "hole-names";

/**
 * The name of a hole, or "" where there is none or nobody wants it.
 * @param {string} game
 * @param {number} hole
 */
export function traditionalName(game, hole) {
  const name = words.holes[game]?.[hole - 1];
  return name && readSetting(HOLE_NAMES, "off") === "on" ? name : "";
}

/**
 * What is said of a hole, after its traditional name.
 * @param {string} game
 * @param {number} hole
 * @param {string} text
 */
export const named = (game, hole, text) => [traditionalName(game, hole), text].filter(Boolean).join(", ");
