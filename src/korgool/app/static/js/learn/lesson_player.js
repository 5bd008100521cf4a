/**
 * Plays the boards of a stop: it shows what is asked, takes an answer, and lets the board show what that answer does.
 *
 * A wrong answer is sown and then taken back. What is right, and what each answer does, comes with the page.
 */

import { areCharactersCommands, isCharacter } from "../site/character_keys.js";
import { byId } from "../site/dom.js";
import { gettext } from "../site/translations.js";
import { playCapture, playDrop, playEnd, playLift, playTuz } from "../site/sounds.js";
import { readSetting } from "../site/stored_settings.js";
import { StoneDragging } from "../board/stone_dragging.js";
import { lessonState, markOf } from "./lesson_states.js";

/** @typedef {import("./lesson_states.js").LessonBoard} LessonBoard */

const still = matchMedia("(prefers-reduced-motion: reduce)");
/** Milliseconds in which a wrong answer stays on the board. */
const LOOK = 2600;

export class LessonPlayer {
  #index = 0;
  #mistakes = 0;
  /** Whether the present board waits for an answer. */ #open = false;
  /** Counts what is shown, so that something older does not take it back. */ #run = 0;
  #timer = 0;

  /**
   * @param {string} game
   * @param {LessonBoard[]} boards
   * @param {{say: (text: string) => void, done: (mistakes: number) => void}} told `say` reads aloud; `done` after the last board
   */
  constructor(game, boards, told) {
    this.game = game;
    this.boards = boards;
    this.told = told;
    this.board = /** @type {import("../board/board_element.js").KorgoolBoard} */ (byId("lesson-board"));
    this.next = /** @type {HTMLButtonElement} */ (byId("next"));
    this.verdict = byId("verdict");
    this.choices = byId("choices");
    this.#bind();
  }

  #bind() {
    const { board } = this;
    const wanted = () => readSetting("sound", "on") === "on";
    board.teaching = true;
    board.speed = "normal";
    board.onStone = () => wanted() && playDrop();
    board.onStep = (what) => wanted() && { lift: playLift, capture: playCapture, tuz: playTuz }[what]();
    board.addEventListener("sow", (event) => this.#answer(String(/** @type {CustomEvent} */ (event).detail.hole)));
    board.addEventListener("refuse", (event) => { this.verdict.textContent = /** @type {CustomEvent} */ (event).detail.text; });
    // A hole to sow may be tapped, or its stones dragged to anywhere on the board.
    board.addEventListener("pointerdown", () => { this.#dragged = false; }, true);
    new StoneDragging(board, {
      count: ({ side, hole }) => (this.#open && this.#now.way === "hole" && side === this.#now.turn && this.#now.legal.includes(hole) ? this.#now.before[side][hole - 1] : 0),
      move: ({ side, hole }) => { this.#dragged = board.choose(side, hole); },
    });
    // Any hole may be an answer: then the click is taken before the board sees it.
    board.addEventListener("click", (event) => {
      // The mouse clicks where a drag ends, which is no tap that ends the sowing.
      if (this.#dragged) {
        event.stopPropagation();
        return;
      }
      // While stones move, a tap ends that; a hole to sow is the board's own.
      if (board.hasAttribute("data-moving") || (this.#open && this.#now.way === "hole")) return;
      event.stopPropagation();
      const button = /** @type {Element} */ (event.target).closest(".hole-button");
      if (this.#wrongShown) this.#takeBack();
      else if (this.#open && this.#now.way === "place" && button instanceof HTMLElement) this.#answer(`${button.dataset.side} ${button.dataset.hole}`);
    }, true);
    document.addEventListener("keydown", (event) => {
      if (event.altKey || event.ctrlKey || event.metaKey || !this.#open || this.#now.way !== "hole") return;
      if (isCharacter(event) && !areCharactersCommands()) return;
      if (board.digit(event)) event.preventDefault();
    });
    this.next.addEventListener("click", () => {
      if (this.#wrongShown) this.#takeBack();
      else if (!this.#open) this.#forward();
    });
  }

  #wrongShown = false;
  /** Whether the last press was a drag that sowed. */ #dragged = false;

  get #now() {
    return this.boards[this.#index];
  }

  /** Begin with the first board. */
  start() {
    this.#index = 0;
    this.#mistakes = 0;
    byId("steps").replaceChildren(...this.boards.map(() => document.createElement("li")));
    this.#ask();
  }

  /** Show the present board and ask. */
  #ask() {
    const { task, choices } = this.#now;
    byId("task").textContent = task;
    this.verdict.textContent = "";
    this.verdict.className = "verdict";
    this.#show();
    this.choices.replaceChildren(...choices.map(({ value, text }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "button big";
      button.dataset.value = value;
      button.textContent = text;
      button.addEventListener("click", () => this.#answer(value));
      return button;
    }));
    const steps = [...byId("steps").children];
    steps.forEach((step, index) => {
      step.classList.toggle("here", index === this.#index);
      step.classList.toggle("done", index < this.#index);
    });
    byId("lesson").setAttribute("data-way", this.#now.way);
    this.told.say(task);
  }

  /** Show the board as it is asked about, and wait for an answer. */
  #show() {
    const { before, turn, legal, way, mark } = this.#now;
    clearTimeout(this.#timer);
    this.#run += 1;
    this.#wrongShown = false;
    this.#open = true;
    const { board } = this;
    board.editing = way === "place";
    byId("lesson").toggleAttribute("data-asking", mark > 0);
    board.show(lessonState(this.game, before, { turn, legal: way === "hole" ? legal : [], last: mark ? markOf(turn, mark) : null }));
    this.next.disabled = true;
    this.next.textContent = this.next.dataset.next ?? "";
    this.next.classList.add("primary");
    for (const button of this.choices.querySelectorAll("button")) button.disabled = false;
  }

  /** @param {string} answer */
  async #answer(answer) {
    if (!this.#open) return;
    this.#open = false;
    const now = this.#now;
    const right = now.right.includes(answer);
    if (!right) this.#mistakes += 1;
    const shown = now.shown[now.way === "hole" ? answer : ""];
    for (const button of this.choices.querySelectorAll("button")) {
      button.disabled = true;
      button.classList.toggle("wrong", !right && button.dataset.value === answer);
      button.classList.toggle("right", right && button.dataset.value === answer);
    }
    const { board } = this;
    board.editing = false;
    byId("lesson").removeAttribute("data-asking");
    this.#run += 1;
    const run = this.#run;
    const after = lessonState(this.game, shown.after, { turn: now.turn, last: shown.trace });
    board.expect(after);
    await board.sow(shown.trace, after);
    if (run !== this.#run) return;
    const judged = right ? gettext("Right!") : gettext("Not yet.");
    const text = `${judged} ${shown.remark}`.trim();
    this.verdict.textContent = text;
    this.verdict.className = `verdict ${right ? "right" : "wrong"}`;
    this.told.say(text);
    this.#wrongShown = !right;
    this.next.disabled = false;
    this.next.textContent = (right ? this.next.dataset.next : this.next.dataset.again) ?? "";
    this.next.classList.toggle("primary", right);
    byId("steps").children[this.#index]?.classList.toggle("done", right);
    if (document.activeElement === document.body || this.choices.contains(document.activeElement)) this.next.focus({ preventScroll: true });
    if (!right && !still.matches) this.#timer = setTimeout(() => { if (run === this.#run) this.#takeBack(); }, LOOK);
  }

  /** Take a wrong answer back; what was said of it stays. */
  #takeBack() {
    const focused = document.activeElement === this.next;
    this.#show();
    if (focused) byId("task").focus({ preventScroll: true });
  }

  #forward() {
    const focused = document.activeElement === this.next;
    this.#index += 1;
    if (this.#index === this.boards.length) {
      if (readSetting("sound", "on") === "on") playEnd("won");
      this.told.done(this.#mistakes);
      return;
    }
    this.#ask();
    if (focused) byId("task").focus({ preventScroll: true });
  }
}
