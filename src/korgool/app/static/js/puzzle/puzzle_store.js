/** What this device remembers of puzzles: the days that were solved, where each theme goes on, and a rating. Nothing is sent. */

import { readSetting, storeSetting } from "../site/stored_settings.js";

/** @typedef {{rating: number, deviation: number, volatility: number}} Rating */

const DAYS = "puzzle-days", PLACES = "puzzle-places", RATINGS = "puzzle-ratings";
/** Days of which the marks are remembered. */
const REMEMBERED = 400;
/** Days of which one may be missed. */
const WEEK = 7;
const DAY = 24 * 3600 * 1000;
/** Where a solver begins, and the deviation of a puzzle. */
const BEGINNER = { rating: 800, deviation: 350, volatility: 0.06 };
const PUZZLE_DEVIATION = 60;
const SCALE = 173.7178, TAU = 0.5;

/** @param {string} name @returns {Record<string, any>} */
function readObject(name) {
  try {
    const found = JSON.parse(readSetting(name, "{}"));
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

/** The marks of the puzzles of the day by `day game`. @returns {Record<string, string>} */
export const solvedDays = () => readObject(DAYS);

/** @param {string} day @param {string} game @param {string} marks */
export function storeDay(day, game, marks) {
  const days = solvedDays();
  const name = `${day} ${game}`;
  if (days[name]) return;
  days[name] = marks;
  const kept = Object.keys(days).sort().slice(-REMEMBERED);
  storeSetting(DAYS, JSON.stringify(Object.fromEntries(kept.map((key) => [key, days[key]]))));
}

/** @param {string} day @param {number} by */
const dayBefore = (day, by) => new Date(Date.parse(`${day}T00:00:00Z`) - by * DAY).toISOString().slice(0, 10);

/**
 * The days in a row up to a day, any game counting. A missed day is forgiven where none of the six days after it was missed;
 * a day that is not over yet never ends a streak.
 * @param {string[]} solved days, with repeats
 * @param {string} today
 */
export function streakOf(solved, today) {
  const days = new Set(solved);
  let count = 0, missed = -WEEK;
  for (let back = 0; back < REMEMBERED; back += 1) {
    if (days.has(dayBefore(today, back))) count += 1;
    else if (back > 0) {
      if (back - missed < WEEK || !days.has(dayBefore(today, back + 1))) break;
      missed = back;
    }
  }
  return count;
}

/** The last seven days, oldest first, and whether each was solved. @param {string[]} solved @param {string} today */
export function weekOf(solved, today) {
  const days = new Set(solved);
  return Array.from({ length: WEEK }, (_, index) => dayBefore(today, WEEK - 1 - index)).map((day) => ({ day, solved: days.has(day) }));
}

/** The days of all games that were solved. */
export const allDays = () => Object.keys(solvedDays()).map((name) => name.split(" ")[0]);

/** Where a theme goes on. @param {string} game @param {string} theme @returns {number} */
export const placeOf = (game, theme) => Number(readObject(PLACES)[`${game} ${theme}`]) || 0;

/** @param {string} game @param {string} theme @param {number} begin */
export function storePlace(game, theme, begin) {
  storeSetting(PLACES, JSON.stringify({ ...readObject(PLACES), [`${game} ${theme}`]: begin }));
}

/** The rating of this device in a game; null before the first rated puzzle. @param {string} game @returns {Rating|null} */
export const ratingOf = (game) => readObject(RATINGS)[game] ?? null;

/** Rate one puzzle and remember the result. @param {string} game @param {number} puzzle its rating @param {boolean} solved */
export function ratePuzzle(game, puzzle, solved) {
  const rated = glicko(ratingOf(game) ?? BEGINNER, puzzle, PUZZLE_DEVIATION, solved ? 1 : 0);
  storeSetting(RATINGS, JSON.stringify({ ...readObject(RATINGS), [game]: rated }));
  return rated;
}

/**
 * Glicko-2 for one game; `korgool.glicko` is the same in Python.
 * @param {Rating} own
 * @param {number} rating of the other
 * @param {number} deviation of the other
 * @param {number} score 0 to 1
 * @returns {Rating}
 */
export function glicko(own, rating, deviation, score) {
  const mu = (own.rating - 1500) / SCALE, phi = own.deviation / SCALE;
  const other = (rating - 1500) / SCALE;
  const g = 1 / Math.sqrt(1 + (3 * (deviation / SCALE) ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + Math.exp(-g * (mu - other)));
  const variance = 1 / (g * g * expected * (1 - expected));
  const delta = variance * g * (score - expected);
  const start = Math.log(own.volatility ** 2);
  const f = (/** @type {number} */ x) => {
    const e = Math.exp(x);
    const total = phi * phi + variance + e;
    return (e * (delta * delta - total)) / (2 * total * total) - (x - start) / TAU ** 2;
  };
  let low = start, high;
  if (delta * delta > phi * phi + variance) high = Math.log(delta * delta - phi * phi - variance);
  else {
    let k = 1;
    while (f(start - k * TAU) < 0) k += 1;
    high = start - k * TAU;
  }
  let atLow = f(low), atHigh = f(high);
  while (Math.abs(high - low) > 1e-9) {
    const middle = low + ((low - high) * atLow) / (atHigh - atLow);
    const there = f(middle);
    if (there * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [middle, there];
  }
  const volatility = Math.exp(low / 2);
  const wider = Math.sqrt(phi * phi + volatility ** 2);
  const after = 1 / Math.sqrt(1 / (wider * wider) + 1 / variance);
  return { rating: SCALE * (mu + after * after * g * (score - expected)) + 1500, deviation: SCALE * after, volatility };
}
