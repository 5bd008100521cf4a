/** The pages on which puzzles are solved: the one of the day, and series of a theme or near a rating. */

import "../board/board_element.js";
import { byId, copyText } from "../site/dom.js";
import { gettext, ngettext, speakOf } from "../site/translations.js";
import { PuzzlePlayer } from "./puzzle_player.js";
import { allDays, ratePuzzle, ratingOf, solvedDays, storeDay, storePlace, streakOf, weekOf } from "./puzzle_store.js";

/** @typedef {import("./puzzle_player.js").Task} Task */
/** @typedef {import("./puzzle_player.js").Mark} Mark */

const section = byId("puzzle");
const { game = "", day = "", theme = "", following = "0" } = section.dataset;
const rated = section.hasAttribute("data-rated");
/** The class that has this task, and the numbers of the puzzles there. */
const ofClass = section.dataset.class ?? "";
const parts = (section.dataset.parts ?? "").split(",").map(Number);
const tasks = /** @type {Task[]} */ (JSON.parse(byId("tasks").textContent ?? "[]"));
const next = /** @type {HTMLButtonElement} */ (byId("next"));
const SQUARES = { first: "🟩", later: "🟨", shown: "⬛" };
speakOf(game);

let at = 0;
/** The marks of the puzzles that are done. @type {Mark[][]} */
const rows = [];

/** @param {Mark[]} marks */
const rowOf = (marks) => marks.map((mark) => SQUARES[mark]).join("");

/** @param {Mark|undefined} mark */
function square(mark) {
  const item = document.createElement("li");
  if (mark) item.dataset.mark = mark;
  return item;
}

/** @param {Mark[]} marks */
const showMarks = (marks) => byId("marks").replaceChildren(...tasks[at].steps.map((_, index) => square(marks[index])));

/** @param {Task} task @param {Mark[]} marks @param {number[][]} tried */
function done(task, marks, tried) {
  rows.push([...marks]);
  const told = [gettext("Difficulty %(rating)s", { rating: task.rating }), ...task.themes];
  if (rated) {
    const before = ratingOf(game)?.rating;
    const { rating } = ratePuzzle(game, task.rating, marks.every((mark) => mark === "first"));
    told.push(gettext("Your rating %(rating)s", { rating: Math.round(rating) }) + (before === undefined ? "" : ` (${signed(Math.round(rating) - Math.round(before))})`));
  }
  byId("about").textContent = told.join(" · ");
  next.hidden = false;
  next.textContent = at + 1 < tasks.length ? gettext("Next") : gettext("To the result");
  next.focus({ preventScroll: true });
  if (ofClass) void reportPuzzle(tried);
  else if (day) storeDay(day, game, rowOf(marks));
  else if (!rated && at + 1 === tasks.length) storePlace(game, theme, Number(following));
}

const reports = ofClass ? import("../classes/class_reports.js") : null;

/** Tell the class what was tried. @param {number[][]} tries */
async function reportPuzzle(tries) {
  (await reports)?.report({ class: ofClass, member: Number(section.dataset.member), task: Number(section.dataset.task), part: parts[at], tries });
}

/** @param {number} number */
const signed = (number) => (number < 0 ? `−${-number}` : `+${number}`);

/** Show what was solved. */
function showEnd() {
  section.hidden = true;
  byId("puzzle-end").hidden = false;
  const solved = rows.filter((row) => !row.includes("shown")).length;
  byId("row").replaceChildren(...rows.flat().map(square));
  byId("end-title").textContent = day ? (solved ? gettext("Solved!") : gettext("The answer was shown.")) : gettext("Solved: %(n)s of %(all)s", { n: solved, all: rows.length });
  byId("end-note").textContent = rated ? gettext("Your rating %(rating)s", { rating: Math.round(ratingOf(game)?.rating ?? 0) })
    : gettext("Green at the first try, yellow after a wrong one, dark where the move was shown.");
  if (rated) /** @type {HTMLAnchorElement} */ (byId("more")).href = `/puzzles/${game}?rating=${Math.round(ratingOf(game)?.rating ?? 800)}`;
  if (day) showWeek();
  byId("end-title").focus();
}

function showWeek() {
  const days = allDays();
  const named = new Intl.DateTimeFormat(document.documentElement.lang, { weekday: "short", timeZone: "UTC" });
  byId("week").replaceChildren(...weekOf(days, day).map((one) => {
    const item = document.createElement("li");
    item.textContent = named.format(new Date(`${one.day}T00:00:00Z`));
    item.toggleAttribute("data-solved", one.solved);
    const said = document.createElement("span");
    said.className = "hidden";
    said.textContent = one.solved ? gettext("solved") : gettext("not solved");
    item.append(" ", said);
    return item;
  }));
  const streak = streakOf(days, day);
  const row = ngettext("%(n)s day in a row.", "%(n)s days in a row.", streak, { n: streak });
  const forgiven = gettext("One missed day a week is forgiven.");
  byId("streak").textContent = `${row} ${forgiven}`;
}

/** @param {string} row */
async function share(row) {
  const address = new URL(`/puzzle?game=${game}`, location.href).href;
  const text = `Korgool · ${byId("puzzle-title").textContent?.replace(/\s+/g, " ").trim()} · ${row}`;
  if (navigator.share) {
    try {
      await navigator.share({ text: `${text}\n${address}` });
      return;
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") return;
    }
  }
  byId("shared").textContent = (await copyText(`${text}\n${address}`)) ? gettext("The row is copied.") : `${text} ${address}`;
}

const player = new PuzzlePlayer({ marked: showMarks, done });
next.addEventListener("click", () => {
  if (at + 1 === tasks.length) {
    showEnd();
    return;
  }
  at += 1;
  next.hidden = true;
  byId("about").textContent = "";
  player.start(tasks[at]);
  byId("task").focus({ preventScroll: true });
});
document.getElementById("share")?.addEventListener("click", () => void share(solvedDays()[`${day} ${game}`] ?? rowOf(rows[0] ?? [])));
player.start(tasks[0]);
const known = day && solvedDays()[`${day} ${game}`];
if (known) {
  // Solved before on this device: the marks of that time stand, and the board can be played again.
  byId("about").textContent = gettext("You have solved it today: %(row)s", { row: known });
}
