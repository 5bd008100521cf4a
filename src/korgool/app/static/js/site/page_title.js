/** The title of a page: how much waits for its reader, in front of what the page says. */

const WAITING = /^\(\d+\) /;
let waiting = WAITING.exec(document.title)?.[0] ?? "";

/** The title without what waits. */
export const ownTitle = () => document.title.replace(WAITING, "");

/** Write the title behind what waits. @param {string} text */
export function writeTitle(text) {
  const whole = waiting + text;
  if (document.title !== whole) document.title = whole;
}

/** Write how much waits in front of the title; nothing for none. @param {number} count */
export function writeWaiting(count) {
  const own = ownTitle();
  waiting = count ? `(${count}) ` : "";
  writeTitle(own);
}
