/** The first games on this device, in which the board explains more. */

import { readSetting, storeSetting } from "../site/stored_settings.js";

const NAME = "first-games";
const MOST = 3;

/** Return whether a game is one of the first on this device, and remember it if it is. @param {string} id */
export function isEarlyGame(id) {
  const games = readSetting(NAME, "").split(" ").filter(Boolean);
  if (games.includes(id)) return true;
  if (games.length >= MOST) return false;
  storeSetting(NAME, [...games, id].join(" "));
  return true;
}
