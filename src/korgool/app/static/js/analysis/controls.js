/** Keys and settings of the analysis board; settings are stored in the browser. */

import { CHARACTERS, areCharactersCommands, isCharacter, keyName } from "../site/character_keys.js";
import { bindCheckbox } from "../site/settings_fields.js";
import { readSetting, storeSetting } from "../site/stored_settings.js";

/**
 * @typedef {{first: () => void, previous: () => void, next: () => void, last: () => void, flip: () => void, branch:
 *   (by: number) => void, play: (event: KeyboardEvent) => boolean}} Steps
 */
/** @typedef {Record<string, () => void>} Acts by the key */

/** Where the board is as wide as the screen: three arrows would hide it. */
const NARROW = "(max-width: 899px) and (orientation: portrait), (max-width: 479px)";

/**
 * Keys that step through the moves, play holes and do more, wherever the focus is except in a field.
 * @param {Steps} steps
 * @param {Acts} [acts]
 */
export function bindKeys(steps, acts = {}) {
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: steps.previous, ArrowRight: steps.next, Home: steps.first, End: steps.last,
    ArrowUp: () => steps.branch(-1), ArrowDown: () => steps.branch(1),
    ",": steps.previous, ".": steps.next, f: steps.flip, ...acts,
  };
  bindCheckbox(CHARACTERS, true);
  // The space bar presses a button that was reached by keyboard; after a click or tap it is a key of the page.
  let pointed = true;
  addEventListener("pointerdown", () => { pointed = true; }, true);
  addEventListener("keydown", ({ key }) => { if (key === "Tab") pointed = false; }, true);
  /** @param {KeyboardEvent} event */
  const presses = ({ key, target }) => key === " " && !pointed && target instanceof Element && Boolean(target.closest("input, a, button"));
  let spaced = false;
  addEventListener("keyup", (event) => {
    // Firefox presses a button when the space bar is released.
    if (spaced && event.key === " ") event.preventDefault();
    spaced = false;
  }, true);
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented || document.querySelector("dialog[open], [data-editing]")) return;
    if (!(event.target instanceof Element) || event.target.closest("input:not([type=checkbox]), select, textarea, dialog, summary")) return;
    if (isCharacter(event) && !areCharactersCommands()) return;
    if (/^[1-9]$/.test(event.key)) {
      if (steps.play(event)) event.preventDefault();
      return;
    }
    const act = keys[keyName(event)];
    if (!act || presses(event)) return;
    event.preventDefault();
    spaced = event.key === " ";
    act();
  });
}

/** The default settings. @type {Record<string, string>} */
const USUAL = {
  "engine-on": "on", "line-count": "3", arrows: "on", "arrow-count": matchMedia(NARROW).matches ? "1" : "3", threads: "0",
  speed: "normal", sound: "on", "hole-names": "off",
};

/**
 * @param {Record<string, (value: string) => void>} uses by the id of the field; called at once and after each change
 * @param {() => void} changed called after a change
 */
export function bindSettings(uses, changed) {
  for (const [id, use] of Object.entries(uses)) {
    const field = /** @type {HTMLInputElement|HTMLSelectElement} */ (document.getElementById(id));
    const box = field instanceof HTMLInputElement;
    const value = () => (box ? (field.checked ? "on" : "off") : field.value);
    const stored = readSetting(id, USUAL[id]);
    if (box) field.checked = stored === "on";
    else field.value = [...field.options].some((option) => option.value === stored) ? stored : USUAL[id];
    use(value());
    field.addEventListener("change", () => {
      storeSetting(id, value());
      use(value());
      changed();
    });
  }
  const languages = /** @type {HTMLFormElement|null} */ (document.querySelector(".languages form"));
  // The answer leads back to this page; the fragment of the address preserves what is shown.
  languages?.addEventListener("submit", () => {
    languages.action = `${languages.getAttribute("action")?.split("#")[0]}${location.hash}`;
  });
}
