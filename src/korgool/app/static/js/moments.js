/** Points in time in the reader's own zone; the server writes them in UTC, for pages without scripts. */

/**
 * A point in time, such as "Dec 3, 2026, 2:00 PM".
 * @param {number} ms since 1970
 */
export function momentText(ms) {
  const form = new Intl.DateTimeFormat(document.documentElement.lang || "en", { dateStyle: "medium", timeStyle: "short" });
  return form.format(ms);
}

for (const time of document.querySelectorAll("time.moment")) {
  time.textContent = momentText(Date.parse(/** @type {HTMLTimeElement} */ (time).dateTime));
}
