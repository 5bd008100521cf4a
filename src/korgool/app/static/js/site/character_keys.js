/**
 * Commands by a single character, which people who speak to their computer, or tremble, may switch off (WCAG 2.1.4): one
 * setting for all pages.
 */

import { readSetting } from "./stored_settings.js";

/** The name of the setting. */
export const CHARACTERS = "characters";

/** Return whether letters, digits, signs and the space bar are commands. */
export const areCharactersCommands = () => readSetting(CHARACTERS, "on") === "on";

/** Return whether a key is a character. @param {KeyboardEvent} event */
export const isCharacter = ({ key }) => [...key].length === 1;

/** A key by its name: letters in lower case, by their place on the Latin layout, whatever alphabet is active. @param {KeyboardEvent} event */
export function keyName({ key, code }) {
  if (/^[\x20-\x7e]$/.test(key)) return key.toLowerCase();
  return code.match(/^Key([A-Z])$/)?.[1].toLowerCase() ?? key;
}
