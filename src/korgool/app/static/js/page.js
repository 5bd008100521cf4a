/** What the scripts of all pages do with their page. */

/** The element of a name; the page has it. @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
export const byId = (id) => /** @type {T} */ (document.getElementById(id));

/**
 * A button that does nothing now; it keeps the focus of one who steps by keyboard.
 * @param {string} id
 * @param {boolean} no
 */
export function disable(id, no) {
  byId(id).setAttribute("aria-disabled", String(no));
}

/** Say something after what is being said; nothing is overtaken. @param {string} text */
export function say(text) {
  const spoken = byId("spoken");
  const line = document.createElement("p");
  line.textContent = text;
  spoken.append(line);
  while (spoken.childElementCount > 5) spoken.firstElementChild?.remove();
}
