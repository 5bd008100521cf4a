/** The keyboard commands of a game's page. Letters are those of the Latin layout, whatever alphabet is active. */

/** @typedef {Record<string, () => void>} Keys by the key's name, letters in lower case */

/** Elements in which keys keep their usual meaning. */
const FIELDS = "input:not([type=checkbox]), select, textarea, dialog";
/** Keys that are not characters: they work even if single-character commands are switched off (WCAG 2.1.4). */
const NAMED = /^(Arrow\w+|Home|End|Escape)$/;

/** @param {KeyboardEvent} event */
function nameOf({ key, code }) {
  if (/^[\x20-\x7e]$/.test(key)) return key.toLowerCase();
  return code.match(/^Key([A-Z])$/)?.[1].toLowerCase() ?? key;
}

/**
 * @param {Keys} keys the action of each key
 * @param {{digit: (event: KeyboardEvent) => boolean, characters: () => boolean}} more `digit` plays a hole and returns
 *   whether it did; `characters` returns whether single characters are commands
 */
export function bindShortcuts(keys, { digit, characters }) {
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (!(event.target instanceof Element) || event.target.closest(FIELDS)) return;
    if (!NAMED.test(event.key) && !characters()) return;
    const act = keys[nameOf(event)];
    // A held arrow key repeats; other keys do not.
    if (act && (!event.repeat || NAMED.test(event.key))) act();
    else if (!digit(event)) return;
    event.preventDefault();
  });
}
