/**
 * An event from a file: as soon as a file is chosen or dropped, the server says what it holds. The file stays in the form,
 * so that the button which takes it sends the same one again.
 */

import { byId } from "./site/dom.js";
import { fetchWhole } from "./site/connection_watchdog.js";

/** Milliseconds in which a large file goes over a slow network and is read. */
const WITHIN = 240_000;

const form = /** @type {HTMLFormElement} */ (byId("upload"));
const field = /** @type {HTMLInputElement} */ (byId("file"));
const zone = byId("drop");
const found = byId("found");
let asked = 0;

/** Say something in place of what a file holds. @param {string} text @param {boolean} wrong */
function say(text, wrong) {
  const line = document.createElement("p");
  line.textContent = text;
  line.className = wrong ? "refused" : "quiet";
  line.setAttribute("role", wrong ? "alert" : "status");
  found.replaceChildren(line);
}

/** Ask the server what the chosen file holds. */
async function look() {
  const turn = ++asked;
  const file = field.files?.[0];
  if (!file) return found.replaceChildren();
  if (file.size > Number(form.dataset.most)) return say(form.dataset.large ?? "", true);
  const sent = new FormData(form);
  for (const name of ["digest", "saving"]) sent.delete(name);
  say(form.dataset.reading ?? "", false);
  try {
    const { answer, text } = await fetchWhole(form.action, { method: "POST", body: sent, headers: { accept: "text/html" } }, WITHIN);
    if (turn !== asked) return; // another file was chosen meanwhile
    const page = new DOMParser().parseFromString(text, "text/html");
    const part = page.getElementById("found");
    if (!part) return say(page.querySelector("main h1, h1")?.textContent || `${answer.status}`, true);
    found.replaceChildren(...[...part.childNodes].map((one) => document.importNode(one, true)));
    found.dispatchEvent(new CustomEvent("placed", { bubbles: true }));
    document.getElementById("found-name")?.focus();
  } catch {
    if (turn === asked) say(form.dataset.lost ?? "", true);
  }
}

form.classList.add("scripted");
document.documentElement.classList.add("scripted");
field.addEventListener("change", () => void look());
form.addEventListener("submit", () => {
  const button = document.querySelector("button[name=take]");
  // After the form has been read: a disabled button would not be sent.
  setTimeout(() => button?.setAttribute("disabled", ""));
});
window.addEventListener("pageshow", () => document.querySelector("button[name=take]")?.removeAttribute("disabled"));

for (const kind of ["dragover", "drop", "dragleave"]) {
  window.addEventListener(kind, (event) => {
    const files = /** @type {DragEvent} */ (event).dataTransfer?.files;
    if (kind !== "dragleave") event.preventDefault(); // beside the place too: the browser would open the file
    zone.classList.toggle("over", kind === "dragover");
    if (kind !== "drop" || !files?.length) return;
    field.files = files;
    void look();
  });
}
if (field.files?.length && !document.getElementById("found-name")) void look(); // a browser that has kept it
