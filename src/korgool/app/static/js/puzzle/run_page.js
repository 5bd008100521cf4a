/** A timed run: puzzles from easy to hard against the clock, three mistakes, and afterwards a look at what was missed. */

import "../board/board_element.js";
import { sendCommand } from "../site/send_command.js";
import { byId, say } from "../site/dom.js";
import { gettext, speakOf } from "../site/translations.js";
import { PuzzlePlayer } from "./puzzle_player.js";
import { bestRunOf, storeRun } from "./puzzle_store.js";
import { Solver } from "./solver.js";

/** @typedef {import("./puzzle_player.js").Task} Task */

const section = byId("puzzle");
const { game = "" } = section.dataset;
const seconds = Number(section.dataset.seconds), most = Number(section.dataset.mistakes);
const solver = new Solver(game);
const all = /** @type {Task[]} */ (JSON.parse(byId("tasks").textContent ?? "[]"));
const next = /** @type {HTMLButtonElement} */ (byId("next"));
/** Milliseconds in which a puzzle that is over can be seen. */
const GLANCE = 350;
speakOf(game);

/** The runs that the page has brought along: each goes from the easiest on. @type {Task[][]} */
const runs = [];
for (const task of all) {
  const run = runs[runs.length - 1];
  if (run?.length && task.rating >= run[run.length - 1].rating) run.push(task);
  else runs.push([task]);
}
let begun = 0, best = Math.max(solver.told.best ?? 0, solver.account ? 0 : bestRunOf(game));

/** A run that goes on. */
class Run {
  #at = -1;
  #solved = 0;
  #over = false;
  /** @type {Task[]} */ missed = [];
  /** @type {{puzzle: string, tries: number[][]}[]} */ answers = [];

  /** @param {Task[]} tasks */
  constructor(tasks) {
    this.tasks = tasks;
    this.end = performance.now() + seconds * 1000;
    this.timer = setInterval(() => this.#tick(), 200);
    player.hurried = true;
    this.#tick();
    this.#showMistakes();
    this.#ask();
  }

  #tick() {
    const rest = Math.max(0, Math.ceil((this.end - performance.now()) / 1000));
    const clock = byId("clock");
    clock.textContent = `${Math.floor(rest / 60)}:${String(rest % 60).padStart(2, "0")}`;
    clock.toggleAttribute("data-short", rest <= 15);
    if (!rest) this.finish();
  }

  #ask() {
    this.#at += 1;
    if (this.#at === this.tasks.length) this.finish();
    else player.start(this.tasks[this.#at]);
  }

  #showMistakes() {
    const mistakes = byId("mistakes"), made = this.missed.length;
    mistakes.textContent = "●".repeat(made) + "○".repeat(most - made);
    mistakes.setAttribute("aria-label", gettext("Mistakes: %(n)s of %(most)s", { n: made, most }));
  }

  /** @param {Task} task @param {boolean} found @param {number[][]} tries */
  done(task, found, tries) {
    if (this.#over) return;
    this.answers.push({ puzzle: task.id, tries });
    const verdict = byId("verdict");
    verdict.className = `verdict ${found ? "right" : "wrong"}`;
    verdict.textContent = found ? gettext("Right!") : gettext("That was a mistake.");
    if (found) {
      this.#solved += 1;
      byId("score").textContent = String(this.#solved);
    } else {
      this.missed.push(task);
      this.#showMistakes();
    }
    if (this.missed.length === most) this.finish();
    else setTimeout(() => { if (!this.#over) this.#ask(); }, GLANCE);
  }

  finish() {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.timer);
    player.stop();
    showEnd(this.#solved, this);
  }
}

/** @type {Run|null} */
let run = null;
/** What was missed and is looked at again. @type {Task[]} */
let again = [];

const player = new PuzzlePlayer({
  marked: () => {},
  done: (task, marks, tries) => {
    if (player.hurried) {
      run?.done(task, marks.every((mark) => mark === "first"), tries);
      return;
    }
    next.hidden = false;
    next.textContent = again.length ? gettext("Next") : gettext("To the result");
    next.focus({ preventScroll: true });
  },
});

function begin() {
  for (const id of ["run-start", "puzzle-end"]) byId(id).hidden = true;
  section.hidden = false;
  document.body.classList.add("at-puzzle");
  section.removeAttribute("data-looking");
  byId("score").textContent = "0";
  next.hidden = true;
  run = new Run(runs[begun % runs.length]);
  begun += 1;
  byId("task").focus({ preventScroll: true });
}

/** @param {number} solved @param {Run} over */
function showEnd(solved, over) {
  section.hidden = true;
  document.body.classList.remove("at-puzzle");
  byId("puzzle-end").hidden = false;
  byId("end-title").textContent = gettext("Solved: %(n)s", { n: solved });
  byId("end-note").textContent = solved > best ? gettext("Your best so far.") : best ? gettext("Your best: %(n)s", { n: best }) : "";
  best = Math.max(best, solved);
  if (!solver.account) storeRun(game, solved);
  else if (solved) void keepRun(over.answers);
  const { missed } = over;
  byId("missed-part").hidden = !missed.length;
  byId("missed").replaceChildren(...missed.map((task, index) => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    button.className = "button";
    button.textContent = [gettext("Difficulty %(rating)s", { rating: task.rating }), ...task.themes].join(" · ");
    button.addEventListener("click", () => look(missed.slice(index)));
    item.append(button);
    return item;
  }));
  byId("end-title").focus();
}

/** @param {{puzzle: string, tries: number[][]}[]} answers */
async function keepRun(answers) {
  const { told } = await sendCommand("/api/puzzles/runs", { game, answers });
  if (told) best = Math.max(best, told.best);
  else say(gettext("There is no network; this run is not kept in the account."));
}

/** Look at what was missed, without the clock. @param {Task[]} missed */
function look(missed) {
  again = [...missed];
  byId("puzzle-end").hidden = true;
  section.hidden = false;
  document.body.classList.add("at-puzzle");
  section.setAttribute("data-looking", "");
  player.hurried = false;
  lookOn();
}

function lookOn() {
  const task = again.shift();
  next.hidden = true;
  if (task) player.start(task);
  else backToEnd();
}

function backToEnd() {
  player.stop();
  section.hidden = true;
  document.body.classList.remove("at-puzzle");
  byId("puzzle-end").hidden = false;
  byId("end-title").focus();
}

next.addEventListener("click", lookOn);
byId("begin").addEventListener("click", begin);
byId("once-more").addEventListener("click", begin);
byId("leave").addEventListener("click", () => (player.hurried ? run?.finish() : backToEnd()));
if (best) byId("own-best").textContent = gettext("Your best: %(n)s", { n: best });
