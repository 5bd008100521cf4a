/**
 * The list of puzzles: each theme goes on where this device has left it, the cards tell streak, rating and best run, and
 * answers from before somebody had an account can be taken into it.
 */

import { byId } from "../site/dom.js";
import { gettext, ngettext } from "../site/translations.js";
import { solvedDays, streakOf } from "./puzzle_days.js";
import { forgetNobodys, sendWaiting, waitingOf } from "./puzzle_outbox.js";
import { bestRunOf, placeOf } from "./puzzle_store.js";
import { drawCourse } from "./rating_course.js";
import { Solver } from "./solver.js";

const list = byId("puzzle-list");
const game = list.dataset.game ?? "";
const solver = new Solver(game);

for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-theme]"))) {
  const begin = placeOf(game, link.dataset.theme ?? "");
  if (!begin) continue;
  const address = new URL(link.href);
  address.searchParams.set("begin", String(begin));
  link.href = address.href;
  const count = link.querySelector(".count");
  if (count) count.textContent = `${begin} / ${count.textContent}`;
}
if (solver.rating !== null) {
  const rating = Math.round(solver.rating);
  /** @type {HTMLAnchorElement} */ (byId("rated")).href = `/puzzles/${game}/rated?near=${rating}`;
  byId("own-rating").textContent = gettext("Your rating %(rating)s", { rating });
  const course = drawCourse(solver.course);
  if (course) byId("own-rating").after(course);
}
const best = Math.max(solver.account ? solver.told.best ?? 0 : 0, solver.account ? 0 : bestRunOf(game));
if (best) byId("own-best").textContent = gettext("Your best: %(n)s", { n: best });
const streak = streakOf(solvedDays(solver.days), list.dataset.day ?? "");
if (streak) byId("streak").textContent = ngettext("%(n)s day in a row.", "%(n)s days in a row.", streak, { n: streak });

/** Offer what was solved on this device without an account. */
function offer() {
  const count = solver.account ? waitingOf("").length : 0;
  byId("taking").hidden = !count;
  const text = byId("taking").querySelector("span");
  if (text && count) text.textContent = gettext("Puzzles answered here without an account: %(n)s.", { n: count });
}

byId("take").addEventListener("click", async () => {
  const kept = await sendWaiting(solver.account, "");
  if (kept) location.reload();
  else byId("taken").textContent = gettext("The server did not answer. Try again later.");
});
byId("leave").addEventListener("click", () => {
  forgetNobodys();
  offer();
});
offer();
void solver.flush();
