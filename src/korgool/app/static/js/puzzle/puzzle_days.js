/** The days on which the puzzle of the day was answered on this device, and the row of days that one missed day a week does not end. */

import { storeSetting, writeCookie } from "../site/stored_settings.js";
import { readObject } from "./puzzle_store.js";

const DAYS = "puzzle-days";
/** Days of which the marks are remembered. */
const REMEMBERED = 400;
/** Days of which one may be missed, as in `korgool.training.puzzle_days`. */
const WEEK = 7;
const DAY = 24 * 3600 * 1000;

/** The marks of the puzzles of the day by `day game`. @returns {Record<string, string>} */
export const deviceDays = () => readObject(DAYS);

/** @param {string} day @param {string} game @param {string} marks */
export function storeDay(day, game, marks) {
  const days = deviceDays();
  const name = `${day} ${game}`;
  if (!days[name]) {
    days[name] = marks;
    const kept = Object.keys(days).sort().slice(-REMEMBERED);
    storeSetting(DAYS, JSON.stringify(Object.fromEntries(kept.map((key) => [key, days[key]]))));
  }
  // The first page shows the puzzle of the day to who has not answered it (`server/site/home.py`).
  const games = Object.keys(days).filter((key) => key.startsWith(day)).map((key) => key.split(" ")[1]);
  writeCookie("puzzle", `${day}.${games.join("-")}.${streakOf(solvedDays(days), day)}`);
}

/** @param {string} day @param {number} by */
const dayBefore = (day, by) => new Date(Date.parse(`${day}T00:00:00Z`) - by * DAY).toISOString().slice(0, 10);

/** Whether every move was found, by the letters of the server or the squares of older releases. @param {string} marks */
const isFound = (marks) => Boolean(marks) && !marks.includes("s") && !marks.includes("⬛");

/** The days on which a puzzle of any game was found. @param {Record<string, string>} days */
export const solvedDays = (days) => Object.entries(days).filter(([, marks]) => isFound(marks)).map(([name]) => name.split(" ")[0]);

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
