/**
 * What this device counts: whether a first lesson was finished, and whether the first game has a capture. It stands in the
 * browser's storage, the page of settings shows and deletes it, and nothing ever sends it.
 */

import { readSetting, removeSetting, storeSetting } from "./stored_settings.js";

/** @typedef {{lesson: string, game: string, capture: {at: string, move: number, stones: number}|null}} DeviceCount times in ISO 8601, empty for none */

const LESSON = "first-lesson";
const GAME = "first-game";
const CAPTURE = "first-capture";

/** Count the first lesson, once. @returns {boolean} whether it was the first */
export const countLesson = () => countOnce(LESSON);

/** Count the first game, once. */
export const countGame = () => countOnce(GAME);

/** @param {string} name */
function countOnce(name) {
  if (readSetting(name, "")) return false;
  storeSetting(name, new Date().toISOString());
  return true;
}

/** Count the first capture of the player in the first game, once. @param {number} move its number @param {number} stones */
export function countCapture(move, stones) {
  if (!readSetting(CAPTURE, "")) storeSetting(CAPTURE, `${new Date().toISOString()} ${move} ${stones}`);
}

/** @returns {DeviceCount} */
export function readCount() {
  const [at, move, stones] = readSetting(CAPTURE, "").split(" ");
  return { lesson: readSetting(LESSON, ""), game: readSetting(GAME, ""), capture: stones ? { at, move: Number(move), stones: Number(stones) } : null };
}

/** Delete all of it. */
export function deleteCount() {
  for (const name of [LESSON, GAME, CAPTURE]) removeSetting(name);
}
