/** Keys and settings of the analysis board; settings are stored in the browser. */

import { readSetting, storeSetting } from "../site/stored_settings.js";

/**
 * @typedef {{first: () => void, previous: () => void, next: () => void, last: () => void, flip: () => void, branch:
 *   (by: number) => void, play: (event: KeyboardEvent) => boolean}} Steps
 */

/** Keys that step through the moves and play holes, wherever the focus is except in a field. @param {Steps} steps */
export function bindKeys(steps) {
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowLeft: steps.previous, ArrowRight: steps.next, Home: steps.first, End: steps.last,
    ArrowUp: () => steps.branch(-1), ArrowDown: () => steps.branch(1),
    ",": steps.previous, ".": steps.next, f: steps.flip,
  };
  addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if (!(event.target instanceof Element) || event.target.closest("input:not([type=checkbox]), select, textarea, dialog, summary")) return;
    if (/^[1-9]$/.test(event.key)) {
      if (steps.play(event)) event.preventDefault();
      return;
    }
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** The default settings. @type {Record<string, string>} */
const USUAL = { "engine-on": "on", "line-count": "3", arrows: "on", speed: "normal", sound: "on", "hole-names": "off" };

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
