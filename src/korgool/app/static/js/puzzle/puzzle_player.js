/**
 * Plays a puzzle: a right move is sown and answered, a wrong one is sown, answered too, and taken back, and what was to find
 * can be shown. Against the clock the first wrong move ends it.
 *
 * It knows no rules: what each move does comes with the page.
 */

import { lessonState } from "../learn/lesson_states.js";
import { areCharactersCommands, isCharacter } from "../site/character_keys.js";
import { byId } from "../site/dom.js";
import { gettext } from "../site/translations.js";
import { playCapture, playDrop, playEnd, playLift, playTuz } from "../site/sounds.js";
import { readSetting } from "../site/stored_settings.js";

/** @typedef {import("../game/message_types.js").Trace} Trace */
/** @typedef {import("../board/moving_board.js").Shown} Shown */
/**
 * @typedef {{trace: Trace, after: Shown}} Move
 * @typedef {{before: Shown, right: number[], moves: Record<string, Move>, wrong: Record<string, {why: string, answer: Move[]}>,
 *   answer: Move[], why: string}} Step
 * @typedef {{id: string, game: string, rating: number, deviation: number, task: string, themes: string[], steps: Step[]}} Task
 */
/** What became of each move to find. @typedef {"first"|"later"|"shown"} Mark */

/** Milliseconds before the answer, and in which what a wrong move allows stays on the board. */
const BEFORE = 500, LOOK = 1800;

/** As much of a state as the board needs. @param {string} game @param {Shown} shown @param {number[]} legal @param {Trace|null} last */
const boardState = (game, shown, legal, last) => lessonState(game, shown, { turn: "white", legal, last });

export class PuzzlePlayer {
  /** @type {Task|null} */ #task = null;
  #at = 0;
  #wrong = false;
  /** @type {Mark[]} */ #marks = [];
  /** What was tried for each move. @type {number[][]} */ #tries = [];
  /** Whether a move is waited for. */ #open = false;
  /** Counts what goes on, so that something older ends. */ #run = 0;

  /** Whether the first wrong move ends a puzzle, and nobody waits for a picture. */ hurried = false;

  /** @param {{marked: (marks: Mark[]) => void, done: (task: Task, marks: Mark[], tries: number[][]) => void}} told */
  constructor(told) {
    this.told = told;
    this.board = /** @type {import("../board/board_element.js").KorgoolBoard} */ (byId("puzzle-board"));
    this.verdict = byId("verdict");
    this.showButton = /** @type {HTMLButtonElement} */ (byId("show"));
    const { board } = this;
    const wanted = () => readSetting("sound", "on") === "on";
    board.onStone = () => wanted() && playDrop();
    board.onStep = (what) => wanted() && { lift: playLift, capture: playCapture, tuz: playTuz }[what]();
    board.addEventListener("sow", (event) => void this.#try(/** @type {CustomEvent} */ (event).detail.hole));
    board.addEventListener("refuse", (event) => { this.#say(/** @type {CustomEvent} */ (event).detail.text); });
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || !this.#open) return;
      if (event.target instanceof HTMLInputElement || (isCharacter(event) && !areCharactersCommands())) return;
      if (board.digit(event)) event.preventDefault();
    });
    this.showButton.addEventListener("click", () => void this.#showAnswer());
  }

  /** @param {Task} task */
  start(task) {
    this.#task = task;
    this.#at = 0;
    this.#marks = [];
    this.#tries = [];
    this.#wrong = false;
    this.board.speed = this.hurried ? "fast" : "normal";
    byId("task").textContent = task.task;
    this.#say(gettext("Your row is the lower one."));
    this.showButton.hidden = this.hurried;
    this.told.marked(this.#marks);
    this.#ask(null);
  }

  /** @param {string} text @param {string} [kind] */
  #say(text, kind = "") {
    this.verdict.textContent = text;
    this.verdict.className = `verdict ${kind}`.trim();
  }

  get #step() {
    return /** @type {Task} */ (this.#task).steps[this.#at];
  }

  /** Show the position and wait for a move. @param {Trace|null} last */
  #ask(last) {
    this.#run += 1;
    this.#open = true;
    const { before, moves } = this.#step;
    this.board.show(boardState(/** @type {Task} */ (this.#task).game, before, Object.keys(moves).map(Number), last));
  }

  /** Let the board play a move; false if something else came meanwhile. @param {Move} move @param {number} run */
  async #play({ trace, after }, run) {
    const state = boardState(/** @type {Task} */ (this.#task).game, after, [], trace);
    this.board.expect(state);
    await this.board.sow(trace, state);
    return run === this.#run;
  }

  /** @param {number} ms @param {number} run */
  async #pause(ms, run) {
    await new Promise((resolve) => { setTimeout(resolve, ms); });
    return run === this.#run;
  }

  /** Take no more moves, and finish what goes on. */
  stop() {
    this.#run += 1;
    this.#open = false;
    this.board.finishAnimation();
  }

  /** @param {number} hole */
  async #try(hole) {
    if (!this.#open) return;
    this.#open = false;
    this.#run += 1;
    const run = this.#run;
    const { right, moves } = this.#step;
    (this.#tries[this.#at] ??= []).push(hole);
    if (!right.includes(hole) && this.hurried) {
      this.#end(false);
      return;
    }
    if (!(await this.#play(moves[hole], run))) return;
    if (right.includes(hole)) await this.#found(this.#wrong ? "later" : "first", run);
    else await this.#refute(hole, run);
  }

  /** A wrong move lies on the board: say what speaks against it, show what the opponent plays, and take it back. @param {number} hole @param {number} run */
  async #refute(hole, run) {
    const { why, answer } = this.#step.wrong[hole];
    this.#wrong = true;
    const against = why ? gettext("Not hole %(hole)s: %(why)s.", { hole, why }) : gettext("Not hole %(hole)s.", { hole });
    const again = gettext("Try again.");
    this.#say(`${against} ${again}`, "wrong");
    for (const move of answer) if (!(await this.#pause(BEFORE, run)) || !(await this.#play(move, run))) return;
    if (await this.#pause(LOOK, run)) this.#ask(null);
  }

  /** Tell what became of the puzzle. @param {boolean} found */
  #end(found) {
    const task = /** @type {Task} */ (this.#task);
    this.showButton.hidden = true;
    if (found && !this.hurried && readSetting("sound", "on") === "on") playEnd("won");
    const missed = Array(task.steps.length - this.#marks.length).fill("shown");
    this.told.done(task, [...this.#marks, ...missed], task.steps.map((_, index) => this.#tries[index] ?? []));
  }

  /** The right move lies on the board: say why it is right, and let the opponent answer. @param {Mark} mark @param {number} run */
  async #found(mark, run) {
    const { why, answer } = this.#step;
    const task = /** @type {Task} */ (this.#task);
    this.#marks.push(mark);
    this.told.marked(this.#marks);
    const judged = mark === "shown" ? gettext("The move is shown.") : gettext("Right!");
    const reason = why ? gettext("This move: %(why)s.", { why }) : "";
    this.#say(`${judged} ${reason}`.trim(), mark === "shown" ? "" : "right");
    this.#wrong = mark === "shown";
    this.#at += 1;
    if (this.#at === task.steps.length) {
      this.#end(mark !== "shown");
      return;
    }
    let last = null;
    for (const move of answer) {
      if (!(await this.#pause(this.hurried ? 0 : BEFORE, run)) || !(await this.#play(move, run))) return;
      last = move.trace;
    }
    if (mark === "shown") {
      if (await this.#pause(LOOK, run)) await this.#showRight(run);
    } else this.#ask(last);
  }

  /** Show all moves that are left, stone by stone. */
  async #showAnswer() {
    if (!this.#task || this.#at >= this.#task.steps.length) return;
    this.#open = false;
    this.showButton.hidden = true;
    this.board.finishAnimation();
    this.#ask(null);
    this.#open = false;
    await this.#showRight(this.#run);
  }

  /** @param {number} run */
  async #showRight(run) {
    const { moves, right } = this.#step;
    if (await this.#play(moves[right[0]], run)) await this.#found("shown", run);
  }
}
