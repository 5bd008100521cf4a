// @ts-check
/** The button "Tell me when it is my turn" on the page of a slow game: web push to this browser. */

import { gettext } from "./words.js";

const button = /** @type {HTMLButtonElement|null} */ (document.getElementById("notices"));
const token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";

/**
 * @param {string} method
 * @param {object} [body]
 */
const ask = (method, body) =>
  fetch("/api/push", {
    method,
    headers: { accept: "application/json", "content-type": "application/json", "x-csrftoken": token },
    body: body && JSON.stringify(body),
  });

/** Show whether this browser is told. @param {boolean} told */
function show(told) {
  if (!button) return;
  button.textContent = told ? gettext("Do not tell me when it is my turn") : gettext("Tell me when it is my turn");
  button.setAttribute("aria-pressed", String(told));
  button.hidden = false;
  button.disabled = false;
}

/** Show what came of a tap, and that it was in vain. @param {boolean} told @param {boolean} wanted */
function tell(told, wanted) {
  show(told);
  const failed = document.getElementById("notices-told");
  if (failed) failed.hidden = told === wanted;
}

/** Be told from now on; whether that is so. @param {PushManager} push */
async function begin(push) {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const { key } = await (await ask("GET")).json();
  const subscription = await push.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  if ((await ask("POST", subscription.toJSON())).ok) return true;
  await subscription.unsubscribe();
  return false;
}

/** Be told no more. @param {PushSubscription} subscription */
async function end(subscription) {
  await ask("DELETE", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

async function main() {
  if (!button || !("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return;
  if (Notification.permission === "denied") return;
  const { pushManager } = await navigator.serviceWorker.ready;
  show(Boolean(await pushManager.getSubscription()));
  button.addEventListener("click", async () => {
    button.disabled = true;
    const known = await pushManager.getSubscription();
    try {
      if (known) await end(known);
      tell(known ? false : await begin(pushManager), !known);
    } catch {
      tell(Boolean(await pushManager.getSubscription()), !known);
    }
  });
}

void main();
