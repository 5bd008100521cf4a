/**
 * What was done for a class and has not reached the server yet. It waits on this device, each report under an id of its own, so
 * that it counts once however often it is sent; every page of a class and of what it gives as tasks sends it.
 */

import { newId, sendCommand } from "../site/send_command.js";
import { readSetting, storeSetting } from "../site/stored_settings.js";
import { gettext } from "../site/translations.js";

/** @typedef {{class: string, member: number, task: number, part?: number, value?: number, tries?: number[][]}} Done */
/** @typedef {Done & {id: string}} Report */

const NAME = "class-reports";
/** Reports that a device keeps, and that go in one request. */
const MOST = 500, AT_ONCE = 50;
/** Milliseconds until the next attempt, the more often there was no answer. */
const PAUSES = [2000, 5000, 15000, 60000];
/** What the server will never take: it is dropped. */
const NEVER = new Set([400, 404, 409, 413, 422]);

let sending = false;
let failures = 0;
let timer = 0;

/** @returns {Report[]} */
function waiting() {
  try {
    const found = JSON.parse(readSetting(NAME, "[]"));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** @param {Report[]} reports */
const store = (reports) => storeSetting(NAME, JSON.stringify(reports.slice(-MOST)));

/** Report something; it is sent at once, or as soon as the server answers. @param {Done} done */
export function report(done) {
  store([...waiting(), { ...done, id: newId() }]);
  void sendReports();
}

/** How many reports have not reached the server. */
export const countWaiting = () => waiting().length;

/** Send what waits. */
async function sendReports() {
  if (sending) return;
  sending = true;
  clearTimeout(timer);
  try {
    for (let batch = nextBatch(); batch.length; batch = nextBatch()) if (!(await send(batch))) break;
  } finally {
    sending = false;
  }
  if (waiting().length) timer = window.setTimeout(() => void sendReports(), PAUSES[Math.min(failures, PAUSES.length) - 1] ?? PAUSES[0]);
}

/** Reports of one child of one class. @returns {Report[]} */
function nextBatch() {
  const all = waiting();
  return all.filter((one) => one.class === all[0].class && one.member === all[0].member).slice(0, AT_ONCE);
}

/** @param {Report[]} batch @returns {Promise<boolean>} whether the next ones may be sent */
async function send(batch) {
  const reports = batch.map(({ id, task, part = 0, value = 0, tries = [] }) => ({ id, task, part, value, tries }));
  const { status } = await sendCommand(`/api/class/${batch[0].class}/results`, { member: batch[0].member, reports });
  if ((status < 200 || status >= 300) && !NEVER.has(status)) {
    failures += 1;
    return false;
  }
  failures = 0;
  const sent = new Set(batch.map(({ id }) => id));
  store(waiting().filter(({ id }) => !sent.has(id)));
  document.dispatchEvent(new Event("classreported"));
  return true;
}

/** Show the way back to a class where a lesson or a drill has ended. @param {string} id */
export function showWayBack(id) {
  for (const ways of document.querySelectorAll(".lesson-end .end-ways")) {
    if (ways.querySelector(".to-class")) continue;
    const link = document.createElement("a");
    link.className = "button to-class";
    link.href = `/class/${id}`;
    link.textContent = gettext("Back to the class");
    ways.prepend(link);
  }
}

void sendReports();
addEventListener("online", () => void sendReports());
document.addEventListener("visibilitychange", () => void (document.hidden || sendReports()));
