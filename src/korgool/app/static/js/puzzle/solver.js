/** Who solves: somebody with an account, whose answers the server counts, or whoever has this device, which counts by itself. */

import { byId } from "../site/dom.js";
import { deviceDays, storeDay } from "./puzzle_days.js";
import { keepAnswer, sendWaiting, waitingOf } from "./puzzle_outbox.js";
import { courseOf, isAnswered, ratePuzzle, ratingOf, storeAnswered } from "./puzzle_store.js";

/** @typedef {import("./puzzle_player.js").Task} Task */
/** @typedef {import("./puzzle_player.js").Mark} Mark */
/** @typedef {{before: number|null, after: number}} Change */
/** @typedef {{account: string, rating?: {rating: number}, answers?: number, best?: number, course?: number[], days?: Record<string, string>}} Told */

/** @type {Record<Mark, string>} */
const LETTERS = { first: "f", later: "l", shown: "s" };

/** The row of marks as letters. @param {Mark[]} marks */
export const lettersOf = (marks) => marks.map((mark) => LETTERS[mark]).join("");

export class Solver {
  /** The rating now; null before the first rated puzzle. @type {number|null} */ rating;

  /** @param {string} game */
  constructor(game) {
    this.game = game;
    /** @type {Told} */
    this.told = JSON.parse(byId("solver").textContent ?? "{}");
    this.account = this.told.account;
    this.rating = this.account ? (this.told.answers ? this.told.rating?.rating ?? null : null) : ratingOf(game)?.rating ?? null;
  }

  /** The ratings after the last puzzles, oldest first. */
  get course() {
    return this.account ? this.told.course ?? [] : courseOf(this.game);
  }

  /** The marks of the puzzles of the day by day and game. @returns {Record<string, string>} */
  get days() {
    if (!this.account) return deviceDays();
    const here = deviceDays();
    const names = waitingOf(this.account).filter((one) => one.day).map((one) => `${one.day} ${one.puzzle.split("-")[0]}`);
    return { ...Object.fromEntries(names.map((name) => [name, here[name] ?? ""])), ...this.told.days };
  }

  /** Whether a puzzle was answered before. @param {Task} task */
  knows(task) {
    return isAnswered(this.game, task.id);
  }

  /** Send what could not be sent before. */
  async flush() {
    if (this.account) await sendWaiting(this.account);
  }

  /**
   * Have an answer counted.
   * @param {Task} task
   * @param {Mark[]} marks
   * @param {number[][]} tries
   * @param {{rated?: boolean, day?: string}} how
   * @returns {Promise<Change|"waits"|null>} the change of the rating; null where the answer does not count, and "waits" where
   *   the account will count it when the network is back
   */
  async answer(task, marks, tries, { rated = false, day = "" }) {
    const before = this.rating, again = this.knows(task);
    storeAnswered(this.game, task.id);
    if (day) {
      storeDay(day, this.game, lettersOf(marks));
      if (this.account) this.told.days = { [`${day} ${this.game}`]: lettersOf(marks), ...this.told.days };
    }
    if (!this.account && again && !day) return null;
    keepAnswer({ account: this.account, puzzle: task.id, tries, rated, ...(day ? { day } : {}) });
    if (!this.account) {
      if (!rated || again) return null;
      this.rating = ratePuzzle(this.game, task, marks.every((mark) => mark === "first")).rating;
      return { before, after: this.rating };
    }
    const kept = await sendWaiting(this.account);
    if (!kept) return rated ? "waits" : null;
    const own = kept.find((one) => one.puzzle === task.id);
    if (!own?.new || own.after === null) return null;
    this.rating = own.after;
    return { before: own.before, after: own.after };
  }
}
