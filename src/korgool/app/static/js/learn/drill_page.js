/** Drills: as many right answers as possible in a minute. The questions come with the page, the best of all times stays on this device. */

import "../board/board_element.js";
import { byId } from "../site/dom.js";
import { readSetting, storeSetting } from "../site/stored_settings.js";
import { gettext, speakOf } from "../site/translations.js";
import { lessonState, markOf } from "./lesson_states.js";
import { tellClasses } from "./own_classes.js";

/**
 * @typedef {{task: string, way: "place"|"choice", before: import("../board/moving_board.js").Shown, mark: number,
 *   choices: {value: string, text: string}[], right: string}} Question
 */

/** Milliseconds before a new question takes an answer. */
const SETTLE = 250;
const section = byId("lesson");
const game = section.dataset.game ?? "";
const seconds = Number(section.dataset.seconds);
const all = /** @type {Record<string, Question[]>} */ (JSON.parse(byId("questions").textContent ?? "{}"));
const board = /** @type {import("../board/board_element.js").KorgoolBoard} */ (byId("lesson-board"));
const choices = byId("choices");
speakOf(game);

/** @param {string} drill */
const best = (drill) => Number(readSetting(`drill-${game}-${drill}`, "0")) || 0;

/** The questions in another order each time. @param {Question[]} questions */
const shuffled = (questions) => questions.map((one) => ({ one, by: Math.random() })).sort((a, b) => a.by - b.by).map(({ one }) => one);

class Run {
  #right = 0;
  #asked = 0;
  #open = false;
  #over = false;

  /** @param {string} drill @param {string} title */
  constructor(drill, title) {
    this.drill = drill;
    this.questions = shuffled(all[drill]);
    this.end = performance.now() + seconds * 1000;
    byId("drill-title").textContent = title;
    this.timer = setInterval(() => this.#tick(), 200);
    this.#tick();
    this.#ask();
  }

  get #now() {
    return this.questions[this.#asked % this.questions.length];
  }

  #tick() {
    const left = Math.max(0, this.end - performance.now());
    byId("time").style.width = `${Math.round(left / seconds / 10)}%`;
    if (!left) this.#finish();
  }

  #ask() {
    const { task, way, before, mark, choices: offered } = this.#now;
    this.#open = true;
    byId("task").textContent = task;
    byId("score").textContent = String(this.#right);
    section.setAttribute("data-way", way);
    section.toggleAttribute("data-asking", mark > 0);
    board.editing = way === "place";
    board.show(lessonState(game, before, { turn: "white", last: mark ? markOf("white", mark) : null }));
    // The buttons stay where they are if they offer the same, so that a finger or the focus rests on them.
    const same = offered.length === choices.childElementCount;
    if (!same) choices.replaceChildren(...offered.map(() => document.createElement("button")));
    offered.forEach(({ value, text }, index) => {
      const button = /** @type {HTMLButtonElement} */ (choices.children[index]);
      button.type = "button";
      button.className = "button big";
      button.textContent = text;
      button.onclick = () => this.answer(value);
    });
  }

  /** @param {string} value */
  answer(value) {
    if (!this.#open || this.#over) return;
    const right = value === this.#now.right;
    if (right) this.#right += 1;
    const verdict = byId("verdict");
    verdict.className = `verdict ${right ? "right" : "wrong"}`;
    verdict.textContent = right ? gettext("Right!") : gettext("No: %(answer)s.", { answer: this.#answerText() });
    this.#asked += 1;
    this.#ask();
    // The choices stay in their places: the second tap of two is no answer to what nobody has read yet.
    this.#open = false;
    setTimeout(() => { this.#open = true; }, SETTLE);
  }

  /** What had been right, in words. */
  #answerText() {
    const { choices: offered, right } = this.#now;
    const text = offered.find(({ value }) => value === right)?.text;
    if (text) return text;
    const [side, hole] = right.split(" ");
    return side === "white" ? gettext("Your hole %(hole)s", { hole }) : gettext("The opponent's hole %(hole)s", { hole });
  }

  /** End it before its time. */
  drop() {
    this.#over = true;
    clearInterval(this.timer);
  }

  #finish() {
    this.drop();
    const before = best(this.drill);
    tellClasses("drill", game, this.drill, this.#right);
    if (this.#right > before) storeSetting(`drill-${game}-${this.drill}`, String(this.#right));
    section.hidden = true;
    byId("lesson-end").hidden = false;
    byId("end-title").textContent = gettext("Right answers: %(n)s", { n: this.#right });
    byId("end-note").textContent = this.#right > before ? gettext("Your best so far.") : gettext("Your best: %(n)s", { n: before });
    byId("end-title").focus();
  }
}

/** @type {Run|null} */
let run = null;

board.addEventListener("click", (event) => {
  event.stopPropagation();
  const button = /** @type {Element} */ (event.target).closest(".hole-button");
  if (section.dataset.way === "place" && button instanceof HTMLElement) run?.answer(`${button.dataset.side} ${button.dataset.hole}`);
}, true);

/** @param {string} drill @param {string} title */
function begin(drill, title) {
  byId("drill-list").hidden = true;
  byId("lesson-end").hidden = true;
  section.hidden = false;
  document.body.classList.add("at-lesson");
  byId("verdict").textContent = "";
  choices.replaceChildren();
  run = new Run(drill, title);
  byId("drill-title").focus();
}

function showList() {
  run?.drop();
  section.hidden = true;
  byId("lesson-end").hidden = true;
  byId("drill-list").hidden = false;
  document.body.classList.remove("at-lesson");
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-drill]"))) {
    const most = best(button.dataset.drill ?? "");
    const line = button.querySelector(".best");
    if (line) line.textContent = most ? gettext("Your best: %(n)s", { n: most }) : "";
  }
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-drill]"))) {
  button.addEventListener("click", () => begin(button.dataset.drill ?? "", button.dataset.title ?? ""));
}
byId("once-more").addEventListener("click", () => { if (run) begin(run.drill, byId("drill-title").textContent ?? ""); });
for (const id of ["leave", "to-drills"]) byId(id).addEventListener("click", showList);
showList();
// A link may name the drill: it begins with the first tap on its button, which is where the focus is.
const named = document.querySelector(`[data-drill="${CSS.escape(location.hash.slice(1))}"]`);
if (named instanceof HTMLElement) named.focus();
