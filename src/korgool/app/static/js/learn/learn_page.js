/**
 * The pages to learn a game: the path with its stars, and a stop that is played.
 *
 * Without a network the worker gives the path of a game for each of its stops, so this script looks at the address.
 */

import "../board/board_element.js";
import { byId } from "../site/dom.js";
import { gettext, speakOf } from "../site/translations.js";
import { tellClasses } from "./own_classes.js";
import { LessonPlayer } from "./lesson_player.js";
import { starsFor, starsOf, storeStars } from "./progress.js";
import { ReadingAloud } from "./reading_aloud.js";

/** @typedef {{name: string, title: string, boards: number}} Stop */

const stops = /** @type {Stop[]} */ (JSON.parse(byId("stops").textContent ?? "[]"));
const lessons = /** @type {Record<string, import("./lesson_states.js").LessonBoard[]>} */ (JSON.parse(byId("lessons").textContent ?? "{}"));
const [, , named = "", asked = ""] = location.pathname.split("/");
const lesson = document.getElementById("lesson");
const game = lesson?.dataset.game ?? named;
speakOf(game);

/** Fill some of the stars of a row. @param {Element} row @param {number} count */
function fillStars(row, count) {
  [...row.children].forEach((star, index) => star.classList.toggle("on", index < count));
}

/** Mark on the path what is done and what comes next. */
function showPath() {
  const earned = starsOf(game);
  const next = stops.find(({ name }) => !(name in earned));
  for (const item of document.querySelectorAll("#path > li")) {
    const stop = /** @type {HTMLElement} */ (item).dataset.stop ?? "";
    const row = item.querySelector(".stars");
    item.classList.toggle("done", stop in earned);
    const link = item.querySelector("a");
    if (stop === next?.name) link?.setAttribute("aria-current", "step");
    else link?.removeAttribute("aria-current");
    if (!row) continue;
    fillStars(row, earned[stop] ?? 0);
    const words = item.querySelector(".earned");
    if (words) words.textContent = stop in earned ? gettext("%(n)s of 3 stars", { n: earned[stop] }) : "";
  }
  const button = /** @type {HTMLAnchorElement} */ (byId("go-on"));
  if (next && next !== stops[0]) {
    button.href = `/learn/${game}/${next.name}`;
    button.textContent = (button.dataset.on ?? "").replace("%(title)s", next.title);
  }
}

/** @param {Stop} stop @param {number} at */
function playStop(stop, at) {
  const section = /** @type {HTMLElement} */ (lesson);
  const end = byId("lesson-end");
  const title = byId("lesson-title");
  const reading = new ReadingAloud(/** @type {HTMLButtonElement} */ (byId("aloud")));
  const number = document.createElement("span");
  number.className = "number";
  number.textContent = String(at + 1);
  // Who is on the way to a game sees no path.
  if (stops.length > 1) title.replaceChildren(number, ` ${stop.title}`);
  const player = new LessonPlayer(game, lessons[stop.name], {
    say: (text) => reading.say(text),
    done: (mistakes) => {
      const stars = starsFor(mistakes);
      storeStars(game, stop.name, stars);
      tellClasses("stop", game, stop.name, stars);
      section.hidden = true;
      end.hidden = false;
      byId("end-title").textContent = stars ? gettext("%(n)s of 3 stars", { n: stars }) : gettext("Done. Once more for stars?");
      fillStars(/** @type {Element} */ (end.querySelector(".stars")), stars);
      const note = mistakes ? gettext("Without a mistake there are three stars.") : gettext("Not one mistake!");
      byId("end-note").textContent = note;
      const following = stops[at + 1];
      const onward = /** @type {HTMLAnchorElement} */ (byId("onward"));
      if (following) {
        onward.href = `/learn/${game}/${following.name}`;
        onward.textContent = gettext("Next: %(title)s", { title: following.title });
      }
      byId("end-title").focus();
      reading.say(`${byId("end-title").textContent}. ${note}`);
    },
  });
  byId("once-more").addEventListener("click", () => {
    end.hidden = true;
    section.hidden = false;
    player.start();
    byId("task").focus();
  });
  section.hidden = false;
  player.start();
}

const at = stops.findIndex(({ name }) => name === asked);
const path = document.getElementById("path-page");
if (at >= 0 && lessons[asked]?.length) {
  if (path) {
    path.hidden = true;
    document.body.classList.add("at-lesson");
  }
  playStop(stops[at], at);
} else if (path) {
  showPath();
  // A page that comes back from the browser's own cache has older stars.
  addEventListener("pageshow", ({ persisted }) => { if (persisted) showPath(); });
  if (at >= 0) byId("minute").scrollIntoView();
}
