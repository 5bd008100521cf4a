/**
 * The log of an event as this browser keeps it: in IndexedDB, line by line, with what stands beside it. Whatever is written
 * is written whole, so that a reload or an empty battery loses nothing that was acknowledged.
 */

import { sha256 } from "./sha256.js";

/** @typedef {{at: number, time: string, by: string, reason: string, action: string, chain: string, details: string}} Line */
/**
 * @typedef {{event: string, token: string, name: string, line: number, chain: string, snapshot: object|null, version: string,
 *   title: string, whole: number, heard: number, release: string}} Kept
 */

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("korgool-kept", 1);
    asked.onupgradeneeded = () => {
      asked.result.createObjectStore("events", { keyPath: "event" });
      asked.result.createObjectStore("lines", { keyPath: ["event", "at"] });
      asked.result.createObjectStore("personal", { keyPath: ["event", "player"] });
    };
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

/**
 * Do something in one transaction; it is on the disk when this returns.
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: (name: string) => IDBObjectStore) => IDBRequest<T>|void} work
 * @returns {Promise<T>}
 */
async function within(mode, work) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const going = database.transaction(["events", "lines", "personal"], mode, { durability: "strict" });
      const asked = work((name) => going.objectStore(name));
      going.oncomplete = () => resolve(/** @type {T} */ (asked?.result));
      going.onerror = going.onabort = () => reject(going.error);
    });
  } finally {
    database.close();
  }
}

/** All that belongs to an event. @param {string} event */
const range = (event) => IDBKeyRange.bound([event], [event, []]);

/** @param {string} event @returns {Promise<Kept|undefined>} */
export const read = (event) => within("readonly", (store) => store("events").get(event));

/** @param {Kept} kept */
export const saveLog = (kept) => within("readwrite", (store) => void store("events").put(kept));

/** @param {string} event @returns {Promise<Line[]>} */
export const linesOf = (event) => within("readonly", (store) => store("lines").getAll(range(event)));

/** @param {string} event @returns {Promise<{player: number, digest: string, data: object}[]>} */
export const personalOf = (event) => within("readonly", (store) => store("personal").getAll(range(event)));

/** Keep no more of an event. @param {string} event */
export function forget(event) {
  return within("readwrite", (store) => {
    store("events").delete(event);
    for (const name of ["lines", "personal"]) store(name).delete(range(event));
  });
}

/** Keep lines that follow, and what is known after them. @param {Kept} kept @param {Line[]} lines @param {boolean} [anew] in place of all that is there */
export function add(kept, lines, anew = false) {
  return within("readwrite", (store) => {
    if (anew) store("lines").delete(range(kept.event));
    for (const line of lines) store("lines").put({ event: kept.event, ...line });
    store("events").put(kept);
  });
}

/** Keep what stands beside the log; personal data that is not in it any more goes. @param {Kept} kept @param {{player: number, digest: string, data: object}[]} fresh @param {number[]} gone */
export function addBeside(kept, fresh, gone) {
  return within("readwrite", (store) => {
    for (const one of fresh) store("personal").put({ event: kept.event, ...one });
    for (const player of gone) store("personal").delete([kept.event, player]);
    store("events").put(kept);
  });
}

/** Whether a line follows after the one with this number and hash. @param {Line} line @param {number} at @param {string} chain */
export function follows(line, at, chain) {
  const texts = [chain, line.time, line.by, line.reason, line.action];
  return line.at === at + 1 && sha256(texts.join("\x1f")) === line.chain && fits(line);
}

/** Whether the private parts of a line are those that its public text has the digests of. @param {Line} line */
function fits(line) {
  if (!line.details) return true;
  try {
    const sealed = JSON.parse(line.action).sealed ?? {};
    return Object.entries(JSON.parse(line.details)).every(([name, part]) => sha256(JSON.stringify(part)) === sealed[name]);
  } catch {
    return false;
  }
}

/** The kept log as a file of lines, each of them JSON: what a server takes in at `/events/upload`. @param {string} event */
export async function asFile(event) {
  const kept = await read(event);
  if (!kept) return null;
  const rows = [{ kind: "head", format: 1, event, release: kept.release, seq: kept.line, chain: kept.chain }];
  const parts = [JSON.stringify(rows[0])];
  for (const { at, time, by, reason, action, chain, details } of await linesOf(event)) {
    parts.push(JSON.stringify({ kind: "line", at, time, by, reason, action, chain, details }));
  }
  for (const { player, data } of await personalOf(event)) parts.push(JSON.stringify({ kind: "personal", player, data }));
  if (kept.snapshot) parts.push(JSON.stringify({ kind: "snapshot", ...kept.snapshot }));
  parts.push(JSON.stringify({ kind: "end", lines: kept.line }));
  return new Blob(parts.map((part) => `${part}\n`), { type: "application/x-ndjson" });
}
