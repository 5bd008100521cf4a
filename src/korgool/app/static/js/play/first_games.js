/** The first games on this device, in which the board explains more. */

import { readSetting, storeSetting } from "../site/stored_settings.js";

/** All games, and those against the engine, in which the coach speaks. @typedef {"first-games"|"coached-games"} Name */

const MOST = 3;

/** The games of a list, the first one first. @param {Name} name */
const listed = (name) => readSetting(name, "").split(" ").filter(Boolean);

/** Return whether a game is one of the first on this device, and remember it if it is. @param {string} id @param {Name} [name] */
export function isEarlyGame(id, name = "first-games") {
  const games = listed(name);
  if (games.includes(id)) return true;
  if (games.length >= MOST) return false;
  storeSetting(name, [...games, id].join(" "));
  return true;
}

/** Return whether a game is the very first on this device. @param {string} id */
export const isFirstGame = (id) => listed("first-games")[0] === id;
