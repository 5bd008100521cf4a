// @ts-check
/** Push notifications: the button "Tell me when it is my turn", the subscription of this browser, and closing what it shows. */

const button = /** @type {HTMLButtonElement|null} */ (document.getElementById("notices"));
const token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";

/**
 * @param {string} method
 * @param {object} [body]
 */
const requestPush = (method, body) =>
  fetch("/api/push", {
    method,
    headers: { accept: "application/json", "content-type": "application/json", "x-csrftoken": token },
    body: body && JSON.stringify(body),
  });

/** Show whether this browser is subscribed. @param {boolean} subscribed */
function showState(subscribed) {
  if (!button) return;
  button.textContent = (subscribed ? button.dataset.tellNot : button.dataset.tell) ?? "";
  button.setAttribute("aria-pressed", String(subscribed));
  button.hidden = false;
  button.disabled = false;
}

/** Show the result of a tap, and whether it has failed. @param {boolean} subscribed @param {boolean} wanted */
function showResult(subscribed, wanted) {
  showState(subscribed);
  const failed = document.getElementById("notices-told");
  if (failed) failed.hidden = subscribed === wanted;
}

/** Subscribe this browser; returns whether that succeeded. @param {PushManager} push */
async function subscribe(push) {
  if ((await Notification.requestPermission()) !== "granted") return false;
  const { key } = await (await requestPush("GET")).json();
  const subscription = await push.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  if ((await requestPush("POST", subscription.toJSON())).ok) return true;
  await subscription.unsubscribe();
  return false;
}

/** Unsubscribe this browser. @param {PushSubscription} subscription */
async function unsubscribe(subscription) {
  await requestPush("DELETE", { endpoint: subscription.endpoint });
  await subscription.unsubscribe();
}

/** Close the notifications of this game once its page is visible; the service worker does so when the page is opened. */
async function closeNotifications() {
  if (document.hidden || !("serviceWorker" in navigator)) return;
  const { getNotifications } = ServiceWorkerRegistration.prototype;
  const here = await navigator.serviceWorker.ready;
  for (const notice of (await getNotifications?.call(here, { tag: location.pathname })) ?? []) notice.close();
}

async function main() {
  document.addEventListener("visibilitychange", () => void closeNotifications());
  void closeNotifications();
  if (!button || !("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return;
  if (Notification.permission === "denied") return;
  const { pushManager } = await navigator.serviceWorker.ready;
  showState(Boolean(await pushManager.getSubscription()));
  button.addEventListener("click", async () => {
    button.disabled = true;
    const existing = await pushManager.getSubscription();
    try {
      if (existing) await unsubscribe(existing);
      showResult(existing ? false : await subscribe(pushManager), !existing);
    } catch {
      showResult(Boolean(await pushManager.getSubscription()), !existing);
    }
  });
}

void main();
