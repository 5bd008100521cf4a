/** The pages on which puzzles are solved: the one of the day, and series of a theme or near a rating. */

import "../board/board_element.js";
import { byId } from "../site/dom.js";
import { gettext, ngettext, speakOf } from "../site/translations.js";
import { shareText } from "../site/web_share.js";
import { solvedDays, streakOf, weekOf } from "./puzzle_days.js";
import { PuzzlePlayer } from "./puzzle_player.js";
import { storePlace } from "./puzzle_store.js";
import { drawCourse } from "./rating_course.js";
import { lettersOf, Solver } from "./solver.js";

/** @typedef {import("./puzzle_player.js").Task} Task */
/** @typedef {import("./puzzle_player.js").Mark} Mark */

const section = byId("puzzle");
const { game = "", day = "", theme = "", following = "0" } = section.dataset;
const rated = section.hasAttribute("data-rated");
/** The class that has this task, and the numbers of the puzzles there. */
const ofClass = section.dataset.class ?? "";
const parts = (section.dataset.parts ?? "").split(",").map(Number);
const solver = new Solver(game);
/** The puzzles that are left. */
const left = /** @type {Task[]} */ (JSON.parse(byId("tasks").textContent ?? "[]"));
const next = /** @type {HTMLButtonElement} */ (byId("next"));
/** The squares of marks, by their letters. @type {Record<string, string>} */
const SQUARES = { f: "🟩", l: "🟨", s: "⬛" };
speakOf(game);

/** The puzzle on the board. @type {Task} */
let now;
/** The marks of the puzzles that are done. @type {Mark[][]} */
const rows = [];
let used = false;

/** Marks as squares; older releases have kept squares. @param {string} letters */
const rowOf = (letters) => Array.from(letters, (one) => SQUARES[one] ?? one).join("");

/** @param {Mark|undefined} mark */
function square(mark) {
  const item = document.createElement("li");
  if (mark) item.dataset.mark = mark;
  return item;
}

/** @param {Mark[]} marks */
const showMarks = (marks) => byId("marks").replaceChildren(...now.steps.map((_, index) => square(marks[index])));

/** @param {number} number */
const signed = (number) => (number < 0 ? `−${-number}` : `+${number}`);

/** @param {number} rating */
const ratingText = (rating) => gettext("Your rating %(rating)s", { rating: Math.round(rating) });

/**
 * Take the next puzzle: of rated ones the nearest to the rating, and none that was answered before while there are others.
 * A page from the cache has been used before.
 */
function begin() {
  let at = 0;
  if (rated) {
    const wanted = solver.rating ?? left[0].rating;
    const fresh = left.filter((one) => !solver.knows(one));
    const [nearest] = [...(fresh.length ? fresh : left)].sort((a, b) => Math.abs(a.rating - wanted) - Math.abs(b.rating - wanted));
    at = left.indexOf(nearest);
  }
  [now] = left.splice(at, 1);
  used = false;
  section.dataset.puzzle = now.id;
  player.start(now);
}

/** @param {Task} task @param {Mark[]} marks @param {number[][]} tries */
async function done(task, marks, tries) {
  if (used) return;
  used = true;
  rows.push([...marks]);
  const about = [gettext("Difficulty %(rating)s", { rating: task.rating }), ...task.themes];
  const tell = (/** @type {string} */ more) => { byId("about").textContent = [...about, more].filter(Boolean).join(" · "); };
  tell("");
  next.hidden = false;
  next.textContent = left.length ? gettext("Next") : gettext("To the result");
  next.focus({ preventScroll: true });
  if (ofClass) {
    void reportPuzzle(tries);
    return;
  }
  if (!day && !rated && !left.length) storePlace(game, theme, Number(following));
  const change = await solver.answer(task, marks, tries, { rated, day });
  if (task !== now || !rated) return;
  if (change === "waits") tell(gettext("It is counted when there is a network again."));
  else if (change) tell(ratingText(change.after) + (change.before === null ? "" : ` (${signed(Math.round(change.after) - Math.round(change.before))})`));
  else tell(gettext("You have answered this puzzle before; it does not count again."));
}

const reports = ofClass ? import("../classes/class_reports.js") : null;

/** Tell the class what was tried. @param {number[][]} tries */
async function reportPuzzle(tries) {
  const part = parts[rows.length - 1];
  (await reports)?.report({ class: ofClass, member: Number(section.dataset.member), task: Number(section.dataset.task), part, tries });
}

/** Show what was solved. */
function showEnd() {
  section.hidden = true;
  byId("puzzle-end").hidden = false;
  const solved = rows.filter((row) => !row.includes("shown")).length;
  byId("row").replaceChildren(...rows.flat().map(square));
  byId("end-title").textContent = day ? (solved ? gettext("Solved!") : gettext("The answer was shown.")) : gettext("Solved: %(n)s of %(all)s", { n: solved, all: rows.length });
  byId("end-note").textContent = rated && solver.rating !== null ? ratingText(solver.rating)
    : gettext("Green at the first try, yellow after a wrong one, dark where the move was shown.");
  if (rated) showCourse();
  if (day) showWeek();
  byId("end-title").focus();
}

function showCourse() {
  /** @type {HTMLAnchorElement} */ (byId("more")).href = `/puzzles/${game}/rated${solver.rating === null ? "" : `?near=${Math.round(solver.rating)}`}`;
  const course = drawCourse(solver.course);
  if (course) byId("end-note").after(course);
}

function showWeek() {
  const days = solvedDays(solver.days);
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
  const row = streak ? ngettext("%(n)s day in a row.", "%(n)s days in a row.", streak, { n: streak }) : "";
  const forgiven = gettext("One missed day a week is forgiven.");
  byId("streak").textContent = `${row} ${forgiven}`.trim();
}

function share() {
  const row = rowOf(solver.days[`${day} ${game}`] || lettersOf(rows[0] ?? []));
  const text = `Korgool · ${byId("puzzle-title").textContent?.replace(/\s+/g, " ").trim()} · ${row}`;
  const url = new URL(`/puzzle?game=${game}`, location.href).href;
  void shareText(text, url, (copied) => { byId("shared").textContent = copied ? gettext("The row is copied.") : `${text} ${url}`; });
}

const player = new PuzzlePlayer({ marked: showMarks, done: (task, marks, tries) => void done(task, marks, tries) });
next.addEventListener("click", () => {
  if (!left.length) {
    showEnd();
    return;
  }
  next.hidden = true;
  byId("about").textContent = "";
  begin();
  byId("task").focus({ preventScroll: true });
});
document.getElementById("share")?.addEventListener("click", share);
begin();
const known = day && solver.days[`${day} ${game}`];
if (known) {
  // Solved before: the marks of that time stand, and the board can be played again.
  byId("about").textContent = gettext("You have solved it today: %(row)s", { row: rowOf(known) });
}
void solver.flush();
