/** The keyboard commands of a game's page. */

import { areCharactersCommands, isCharacter, keyName } from "../site/character_keys.js";

/** @typedef {Record<string, () => void>} Keys by the key's name, letters in lower case */

/** Elements in which keys keep their usual meaning. */
const FIELDS = "input:not([type=checkbox]), select, textarea, dialog";
/** Keys that may be held down. */
const NAMED = /^(Arrow\w+|Home|End|Escape)$/;

/**
 * @param {Keys} keys the action of each key
 * @param {(event: KeyboardEvent) => boolean} digit plays a hole, and returns whether it did
 */
export function bindShortcuts(keys, digit) {
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (!(event.target instanceof Element) || event.target.closest(FIELDS)) return;
    if (isCharacter(event) && !areCharactersCommands()) return;
    const act = keys[keyName(event)];
    // A held arrow key repeats; other keys do not.
    if (act && (!event.repeat || NAMED.test(event.key))) act();
    else if (!digit(event)) return;
    event.preventDefault();
  });
}
