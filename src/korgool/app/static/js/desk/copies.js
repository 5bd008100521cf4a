/**
 * Copies of the event at the desk. While a page of the desk is open, this browser saves the whole event after each round
 * into a folder that the official has chosen once, where browsers can do that. And what is wrong with the stick of the
 * server's machine is said on every page.
 */

import { byId } from "../site/dom.js";
import { momentText } from "../site/local_times.js";
import { fetchWhole } from "../site/connection_watchdog.js";

/** Milliseconds between two looks, and within which a whole event comes. */
const OFTEN = 10_000;
const SELDOM = 60_000;
const WITHIN = 120_000;

const root = byId("console");
const event = (root.dataset.event ?? "").split("~")[0];
const note = document.getElementById("copy-trouble");

/** @typedef {FileSystemDirectoryHandle & {queryPermission(how: object): Promise<string>, requestPermission(how: object): Promise<string>}} Folder */
/** @typedef {{folder: Folder, closed: number, line: number, at: number, wrong: string}} Kept what this browser saves of an event */

/** @returns {Promise<IDBDatabase>} */
function store() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("korgool-copies", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("folders");
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/** @template T @param {IDBTransactionMode} mode @param {(held: IDBObjectStore) => IDBRequest<T>} work @returns {Promise<T>} */
async function inStore(mode, work) {
  const held = await store();
  try {
    return await new Promise((resolve, reject) => {
      const asked = work(held.transaction("folders", mode).objectStore("folders"));
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
  } finally {
    held.close();
  }
}

/** @returns {Promise<Kept|undefined>} */
const read = () => inStore("readonly", (held) => held.get(event));
/** @param {Kept} kept */
const keep = (kept) => inStore("readwrite", (held) => held.put(kept, event));

/** @param {string|undefined} text @param {Record<string, unknown>} values */
const fill = (text, values) => (text ?? "").replace(/%\((\w+)\)s/g, (whole, name) => String(values[name] ?? whole));

/** Save the event into the folder; the old file stays until the new one is complete. @param {Kept} kept @param {number} closed @param {number} line */
async function save(kept, closed, line) {
  let data;
  try {
    const answer = await fetch(`/api/events/${event}/file`, { signal: AbortSignal.timeout(WITHIN) });
    if (!answer.ok) throw new Error(`${answer.status}`);
    data = await answer.blob();
  } catch {
    return { ...kept, wrong: "lost" };
  }
  try {
    const file = await kept.folder.getFileHandle(`${event}.korgool`, { create: true });
    const writing = await file.createWritable();
    await writing.write(data);
    await writing.close();
    const written = await (await kept.folder.getFileHandle(`${event}.korgool`)).getFile();
    if (written.size !== data.size) throw new Error("not all of it is there");
  } catch {
    return { ...kept, wrong: "failed" };
  }
  return { ...kept, closed, line, at: Date.now(), wrong: "" };
}

/** Show on the screen of copies how this browser saves. @param {Kept|undefined} kept @param {boolean} allowed */
function show(kept, allowed) {
  const told = document.getElementById("saved");
  const choose = document.getElementById("choose-folder");
  const leave = document.getElementById("leave-folder");
  if (!told || !choose || !leave) return;
  choose.hidden = !("showDirectoryPicker" in window) || Boolean(kept && allowed);
  leave.hidden = !kept;
  if (!kept) return void (told.textContent = "");
  const name = kept.folder.name;
  const last = kept.at ? fill(told.dataset.last, { line: kept.line, time: momentText(kept.at) }) : "";
  const now = !allowed ? told.dataset.allow : kept.wrong ? told.dataset[kept.wrong] : told.dataset.into;
  told.className = allowed && !kept.wrong ? "" : "refused";
  told.textContent = `${fill(now, { name })} ${last}`;
  if (!allowed) choose.lastChild?.replaceWith(told.dataset.again ?? "");
}

/** Look how the event and its copies stand, and save where a round has closed. @param {boolean} [now] save at once */
async function look(now = false) {
  const { answer, text } = await fetchWhole(`/events/${event}/desk/copies`, { headers: { accept: "text/html" } });
  if (!answer.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(text, "text/html");
  const stick = page.querySelector('[data-live="copies"]');
  const wrong = stick?.querySelector(".why");
  if (note) {
    note.hidden = !wrong || Boolean(document.getElementById("saving")); // where it is said anyway
    const link = note.querySelector("a");
    if (wrong && link) link.textContent = wrong.textContent;
  }
  const here = document.querySelector('[data-live="copies"]');
  if (stick && here && !here.contains(document.activeElement)) here.replaceWith(document.importNode(stick, true));
  document.querySelector('[data-live="copies"]')?.dispatchEvent(new CustomEvent("placed", { bubbles: true }));
  const saving = page.getElementById("saving");
  let kept = await read();
  if (!kept || !saving) return show(kept, true);
  const allowed = (await kept.folder.queryPermission({ mode: "readwrite" })) === "granted";
  const closed = Number(saving.dataset.closed);
  if (allowed && (now || kept.wrong || closed > kept.closed)) {
    kept = await save(kept, closed, Number(saving.dataset.seq));
    await keep(kept);
  }
  show(kept, allowed);
}

document.getElementById("choose-folder")?.addEventListener("click", async () => {
  const kept = await read();
  try {
    if (kept) await kept.folder.requestPermission({ mode: "readwrite" });
    else {
      const folder = await /** @type {any} */ (window).showDirectoryPicker({ mode: "readwrite", id: "korgool-copies" });
      await keep({ folder, closed: 0, line: 0, at: 0, wrong: "" });
    }
    await look(true);
  } catch (error) {
    if (/** @type {Error} */ (error).name !== "AbortError") show(await read(), true);
  }
});
document.getElementById("leave-folder")?.addEventListener("click", async () => {
  await inStore("readwrite", (held) => held.delete(event));
  show(undefined, true);
});

async function turn() {
  try {
    await look();
  } catch {
    // the line about the lost connection is said by log_updates.js
  }
  setTimeout(turn, document.hidden ? SELDOM : OFTEN);
}

void turn();
