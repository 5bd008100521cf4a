/**
 * What this device remembers of puzzles: where each theme goes on, which were answered, the best timed run, and the rating of
 * whoever has no account. None of it is sent unless somebody wants to have it in their account.
 */

import { readSetting, storeSetting } from "../site/stored_settings.js";
import { BEGINNER, glicko } from "./glicko.js";

/** @typedef {import("./glicko.js").Rating} Rating */

const PLACES = "puzzle-places", RATINGS = "puzzle-ratings", COURSES = "puzzle-courses", ANSWERED = "puzzle-answered", RUNS = "puzzle-runs";
/** Ratings of a course, and puzzles of a game that are remembered as answered. */
const COURSE = 60, MOST = 2500;

/** @param {string} name @returns {Record<string, any>} */
export function readObject(name) {
  try {
    const found = JSON.parse(readSetting(name, "{}"));
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

/** @param {string} name @param {string} key @param {unknown} value */
const storeIn = (name, key, value) => storeSetting(name, JSON.stringify({ ...readObject(name), [key]: value }));

/** Where a theme goes on. @param {string} game @param {string} theme @returns {number} */
export const placeOf = (game, theme) => Number(readObject(PLACES)[`${game} ${theme}`]) || 0;

/** @param {string} game @param {string} theme @param {number} begin */
export const storePlace = (game, theme, begin) => storeIn(PLACES, `${game} ${theme}`, begin);

/** The most puzzles solved in a timed run on this device. @param {string} game @returns {number} */
export const bestRunOf = (game) => Number(readObject(RUNS)[game]) || 0;

/** Keep a timed run; true if it is the best so far. @param {string} game @param {number} solved */
export function storeRun(game, solved) {
  if (solved <= bestRunOf(game)) return false;
  storeIn(RUNS, game, solved);
  return true;
}

/** The part of a puzzle's id that differs within its game. @param {string} id */
const short = (id) => id.slice(id.indexOf("-") + 1);

/** @param {string} game @returns {string[]} */
const answered = (game) => {
  const found = readObject(ANSWERED)[game];
  return Array.isArray(found) ? found : [];
};

/** Whether a puzzle was answered on this device. @param {string} game @param {string} id */
export const isAnswered = (game, id) => answered(game).includes(short(id));

/** @param {string} game @param {string} id */
export function storeAnswered(game, id) {
  if (!isAnswered(game, id)) storeIn(ANSWERED, game, [...answered(game), short(id)].slice(-MOST));
}

/** The rating of this device in a game; null before the first rated puzzle. @param {string} game @returns {Rating|null} */
export const ratingOf = (game) => readObject(RATINGS)[game] ?? null;

/** The ratings after the last puzzles, oldest first. @param {string} game @returns {number[]} */
export const courseOf = (game) => {
  const found = readObject(COURSES)[game];
  return Array.isArray(found) ? found.map(Number) : [];
};

/**
 * Rate one puzzle and remember the result.
 * @param {string} game
 * @param {{rating: number, deviation: number}} puzzle
 * @param {boolean} solved
 */
export function ratePuzzle(game, puzzle, solved) {
  const rated = glicko(ratingOf(game) ?? BEGINNER, puzzle.rating, puzzle.deviation, solved ? 1 : 0);
  storeIn(RATINGS, game, rated);
  storeIn(COURSES, game, [...courseOf(game), Math.round(rated.rating)].slice(-COURSE));
  return rated;
}
