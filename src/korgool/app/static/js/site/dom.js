/** Helpers for the scripts of all pages: elements, buttons, announcements. */

/** The element with an id, which must exist. @template {HTMLElement} [T=HTMLElement] @param {string} id @returns {T} */
export const byId = (id) => /** @type {T} */ (document.getElementById(id));

/**
 * Disable a button without taking away its keyboard focus.
 * @param {string} id
 * @param {boolean} no
 */
export function disable(id, no) {
  byId(id).setAttribute("aria-disabled", String(no));
}

/** Announce a text after the ones before it, without interrupting them. @param {string} text */
export function say(text) {
  const spoken = byId("spoken");
  const line = document.createElement("p");
  line.textContent = text;
  spoken.append(line);
  while (spoken.childElementCount > 5) spoken.firstElementChild?.remove();
}

/** Copy a field; pages without TLS have only the older command. @param {HTMLInputElement} field */
export async function copied(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand("copy");
  }
}

/** Let the browser do what waits for it, input and pictures first, before more work is done. */
export const breath = () => new Promise((done) => setTimeout(done));

/** Wait until nothing else is to be done, or for a second: for what nobody waits for. */
export const idle = () => new Promise((done) => {
  if ("requestIdleCallback" in window) requestIdleCallback(done, { timeout: 1000 });
  else setTimeout(done, 200); // Safari
});

/**
 * Wait until nothing beside the board is pressed: if it moves away from under the finger, the press is lost. No longer
 * than a second, in case the browser still takes something for pressed whose release it has not told the page.
 */
export async function released() {
  const until = performance.now() + 1000;
  while (document.querySelector(".panel:active") && performance.now() < until) await new Promise((done) => setTimeout(done, 50));
}

/** Let everything be pressed: only now does a press do anything; before, it would be lost without a word. */
export function wake() {
  for (const part of document.querySelectorAll(".table [inert]")) part.removeAttribute("inert");
}
