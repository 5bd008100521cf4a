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

/** Copy a field; pages without TLS have only the older command. @param {HTMLInputElement|HTMLTextAreaElement} field */
export async function copyField(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand("copy");
  }
}

/** Copy a text that no field shows. @param {string} text */
export async function copyText(text) {
  const field = document.createElement("textarea");
  field.className = "hidden";
  field.value = text;
  document.body.append(field);
  try {
    return await copyField(field);
  } finally {
    field.remove();
  }
}

/** Yield to the browser: input and pictures come before more work. */
export const yieldToBrowser = () => new Promise((done) => setTimeout(done));

/** Wait until the browser is idle, at most a second: for work that is not urgent. */
export const whenIdle = () => new Promise((done) => {
  if ("requestIdleCallback" in window) requestIdleCallback(done, { timeout: 1000 });
  else setTimeout(done, 200); // Safari
});

/**
 * Wait until nothing beside the board is pressed: if it moves away from under the finger, the press is lost. At most
 * a second, in case the browser misses a release.
 */
export async function whenReleased() {
  const until = performance.now() + 1000;
  while (document.querySelector(".panel:active") && performance.now() < until) await new Promise((done) => setTimeout(done, 50));
}

/** Make everything pressable; before this, a press would be lost. */
export function enableControls() {
  for (const part of document.querySelectorAll(".table [inert]")) part.removeAttribute("inert");
}

/** An icon of `icons.svg`, as the pages have it (`templates/icons.html`). @param {string} name */
export function icon(name) {
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `${new URL("../../icons.svg", import.meta.url).pathname}#${name}`);
  for (const [key, value] of [["class", "icon"], ["viewBox", "0 0 24 24"], ["aria-hidden", "true"], ["focusable", "false"]]) picture.setAttribute(key, value);
  picture.append(use);
  return picture;
}
