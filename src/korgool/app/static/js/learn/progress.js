/** What was learnt on this device: the best stars of each stop. Nothing of it is sent anywhere. */

import { countLesson } from "../site/device_count.js";
import { readSetting, storeSetting, writeCookie } from "../site/stored_settings.js";

const NAME = "lessons";

/** @returns {Record<string, Record<string, number>>} the stars by game and stop */
function readAll() {
  try {
    const found = JSON.parse(readSetting(NAME, "{}"));
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

/** The stars of the stops of a game that are finished. @param {string} game @returns {Record<string, number>} */
export const starsOf = (game) => readAll()[game] ?? {};

/**
 * Keep the stars of a stop, the best of all times.
 * @param {string} game
 * @param {string} stop
 * @param {number} stars
 */
export function storeStars(game, stop, stars) {
  const all = readAll();
  const own = { ...all[game] };
  own[stop] = Math.max(own[stop] ?? 0, stars);
  storeSetting(NAME, JSON.stringify({ ...all, [game]: own }));
  if (!countLesson()) return;
  // The first page puts lessons first for who has had none (`server/site/home.py`).
  writeCookie("learnt", "1");
}

/** The stars of a stop by its mistakes, as in `korgool.training.lessons`. @param {number} mistakes */
export const starsFor = (mistakes) => Math.max(0, 3 - mistakes);
