/**
 * Plays a puzzle: a right move is sown and answered, a wrong one is sown and taken back, and the answer can be shown.
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
 * @typedef {{before: Shown, right: number[], moves: Record<string, Move>, answer: Move[], why: string}} Step
 * @typedef {{id: string, game: string, rating: number, task: string, themes: string[], steps: Step[]}} Task
 */
/** What became of each move to find. @typedef {"first"|"later"|"shown"} Mark */

/** Milliseconds before the answer, and in which a wrong move stays on the board. */
const BEFORE = 500, LOOK = 1800;

/** As much of a state as the board needs. @param {string} game @param {Shown} shown @param {number[]} legal @param {Trace|null} last */
const boardState = (game, shown, legal, last) => lessonState(game, shown, { turn: "white", legal, last });

export class PuzzlePlayer {
  /** @type {Task|null} */ #task = null;
  #at = 0;
  #wrong = false;
  /** @type {Mark[]} */ #marks = [];
  /** The holes that were tried, for each move to find. @type {number[][]} */ #tried = [];
  /** Whether a move is waited for. */ #open = false;
  /** Counts what goes on, so that something older ends. */ #run = 0;

  /** @param {{marked: (marks: Mark[]) => void, done: (task: Task, marks: Mark[], tried: number[][]) => void}} told */
  constructor(told) {
    this.told = told;
    this.board = /** @type {import("../board/board_element.js").KorgoolBoard} */ (byId("puzzle-board"));
    this.verdict = byId("verdict");
    this.showButton = /** @type {HTMLButtonElement} */ (byId("show"));
    const { board } = this;
    const wanted = () => readSetting("sound", "on") === "on";
    board.speed = "normal";
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
    this.#tried = [];
    this.#wrong = false;
    byId("task").textContent = task.task;
    this.#say(gettext("Your row is the lower one."));
    this.showButton.hidden = false;
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

  /** @param {number} hole */
  async #try(hole) {
    if (!this.#open) return;
    this.#open = false;
    this.#run += 1;
    const run = this.#run;
    const right = this.#step.right.includes(hole);
    (this.#tried[this.#at] ??= []).push(hole);
    if (!(await this.#play(this.#step.moves[hole], run))) return;
    if (right) {
      await this.#found(this.#wrong ? "later" : "first", run);
      return;
    }
    this.#wrong = true;
    this.#say(gettext("Hole %(hole)s is not it. Try again.", { hole }), "wrong");
    if (await this.#pause(LOOK, run)) this.#ask(null);
  }

  /** The right move lies on the board: say why it is right, and let the opponent answer. @param {Mark} mark @param {number} run */
  async #found(mark, run) {
    const { why, answer } = this.#step;
    const task = /** @type {Task} */ (this.#task);
    this.#marks.push(mark);
    this.told.marked(this.#marks);
    const judged = mark === "shown" ? gettext("The move is shown.") : gettext("Right!");
    const reason = why ? gettext("It %(why)s.", { why }) : "";
    this.#say(`${judged} ${reason}`.trim(), mark === "shown" ? "" : "right");
    this.#wrong = mark === "shown";
    this.#at += 1;
    if (this.#at === task.steps.length) {
      this.showButton.hidden = true;
      if (mark !== "shown" && readSetting("sound", "on") === "on") playEnd("won");
      this.told.done(task, this.#marks, task.steps.map((_, index) => this.#tried[index] ?? []));
      return;
    }
    let last = null;
    for (const move of answer) {
      if (!(await this.#pause(BEFORE, run)) || !(await this.#play(move, run))) return;
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
