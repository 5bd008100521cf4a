/** Deadlines in words: the time that is left, and its end in the reader's time zone. */

import { momentText } from "../site/local_times.js";
import { gettext, ngettext } from "../site/translations.js";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A time by its two largest units: "2 days 3 hours", "3 hours 5 minutes", "40 seconds". @param {number} ms */
export function timeText(ms) {
  const left = Math.max(0, ms);
  const [days, hours, minutes] = [Math.floor(left / DAY), Math.floor((left % DAY) / HOUR), Math.floor((left % HOUR) / MINUTE)];
  const parts = [];
  if (days) parts.push(ngettext("%(n)s day", "%(n)s days", days));
  if (hours) parts.push(ngettext("%(n)s hour", "%(n)s hours", hours));
  if (!days && minutes) parts.push(ngettext("%(n)s minute", "%(n)s minutes", minutes));
  if (left < MINUTE) parts.push(ngettext("%(n)s second", "%(n)s seconds", Math.ceil(left / 1000)));
  return parts.join(" ");
}

/** Milliseconds until the text of the remaining time changes. @param {number} left */
const untilTextChanges = (left) => (left > 2 * HOUR ? (left % HOUR) + 1000 : left > 2 * MINUTE ? (left % MINUTE) + 500 : 500);

/** Shows the deadline of a turn instead of a running clock. */
export class Deadline {
  #timer = 0;

  /** @param {() => number} now the server's time */
  constructor(now) {
    this.now = now;
  }

  /**
   * @param {HTMLElement[]} faces of the clocks, for the side to move the first
   * @param {HTMLElement} line of text with the whole deadline
   * @param {number|null} due milliseconds since 1970
   */
  show(faces, line, due) {
    clearTimeout(this.#timer);
    const [face, other] = faces;
    face.hidden = due === null;
    other.hidden = true;
    line.hidden = due === null;
    if (due === null) return;
    const left = due - this.now();
    face.textContent = timeText(left);
    face.classList.add("days");
    line.textContent = gettext("The move is due on %(moment)s.", { moment: momentText(due) });
    this.#timer = setTimeout(() => this.show(faces, line, due), Math.min(HOUR, untilTextChanges(Math.max(0, left))));
  }
}
