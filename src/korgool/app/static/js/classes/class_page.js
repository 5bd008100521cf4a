/** The page of a class for a child: it remembers the tasks for the pages on which they are done, sends what waits, and renews itself. */

import { fetchWhole } from "../site/connection_watchdog.js";
import { byId } from "../site/dom.js";
import { keepFresh } from "../site/renewed_part.js";
import { storeSetting } from "../site/stored_settings.js";
import { ownClasses } from "../learn/own_classes.js";
import { countWaiting } from "./class_reports.js";
import { gettext } from "../site/translations.js";

/** Seconds that the server may wait before it answers, and milliseconds between two requests. */
const WAIT = 15, PAUSE = 500;
/** Classes that a device remembers. */
const MOST = 5;
const part = byId("class-part");

/** Remember the tasks. */
function storeTasks() {
  const data = part.querySelector("#class-tasks");
  if (!data?.textContent) return;
  const { id, ...rest } = JSON.parse(data.textContent);
  storeSetting("classes", JSON.stringify([{ id, ...rest }, ...ownClasses().filter((one) => one.id !== id)].slice(0, MOST)));
}

/** Say what has not reached the server. */
function showWaiting() {
  const count = countWaiting();
  const line = byId("class-waiting");
  line.hidden = !count;
  line.textContent = count ? gettext("Not sent yet: %(n)s. It is sent as soon as there is a network.", { n: count }) : "";
}

storeTasks();
showWaiting();
document.addEventListener("classreported", showWaiting);
new MutationObserver(storeTasks).observe(part, { childList: true, subtree: true, characterData: true });
const tag = () => part.querySelector("[data-tag]")?.getAttribute("data-tag") ?? "";
keepFresh(part, () => `${part.dataset.address}?known=${tag()}&wait=${WAIT}`, PAUSE, () => {}, 1000 * (WAIT + 5));

// An answer goes without another page, so that the phone is ready for the next question.
part.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const { submitter } = /** @type {SubmitEvent} */ (event);
  if (!form.matches(".phone-answers") || !(submitter instanceof HTMLButtonElement)) return;
  event.preventDefault();
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  body.set("answer", submitter.value);
  const buttons = [...form.querySelectorAll("button")];
  for (const button of buttons) button.disabled = true;
  fetchWhole(form.action, { method: "POST", body, headers: { accept: "text/html" } }).then(({ answer }) => {
    if (!answer.ok) throw new Error(String(answer.status));
    document.dispatchEvent(new Event("visibilitychange")); // the part is looked at again at once
  }).catch(() => {
    for (const button of buttons) button.disabled = false;
  });
});
