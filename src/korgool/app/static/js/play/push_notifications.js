// @ts-check
/** On the page of a slow game: the button "Tell me when it is my turn", web push to this browser, and the end of its notices. */

import { gettext } from "../site/translations.js";

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

/** What this browser shows of the game has served its purpose once its page is seen; the service worker ends it when the page is opened. */
async function close() {
  if (document.hidden || !("serviceWorker" in navigator)) return;
  const { getNotifications } = ServiceWorkerRegistration.prototype;
  const here = await navigator.serviceWorker.ready;
  for (const notice of (await getNotifications?.call(here, { tag: location.pathname })) ?? []) notice.close();
}

async function main() {
  document.addEventListener("visibilitychange", () => void close());
  void close();
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
