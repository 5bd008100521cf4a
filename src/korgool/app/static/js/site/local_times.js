/** Shows times in the reader's time zone; the server writes them in UTC, for pages without scripts. */

/**
 * A point in time, such as "Dec 3, 2026, 2:00 PM". Where a browser does not know the months of the page's language (it
 * then says "M12"), the point is written in digits, in the order that Russian and the languages beside it use.
 * @param {number} ms since 1970
 */
export function momentText(ms) {
  const language = document.documentElement.lang || "en";
  const text = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(ms);
  if (!/\bM\d\d\b/.test(text)) return text;
  return new Intl.DateTimeFormat("ru", { dateStyle: "short", timeStyle: "short" }).format(ms);
}

/** Write all points in time below a node. @param {ParentNode} node */
function writeMoments(node) {
  for (const time of node.querySelectorAll("time.moment")) {
    time.textContent = momentText(Date.parse(/** @type {HTMLTimeElement} */ (time).dateTime));
  }
}

writeMoments(document);
// Forms whose texts contain times that are shown later send the time zone.
for (const field of document.querySelectorAll('input[name="zone"]')) {
  /** @type {HTMLInputElement} */ (field).value = new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
document.addEventListener("placed", (event) => writeMoments(/** @type {HTMLElement} */ (event.target)));
