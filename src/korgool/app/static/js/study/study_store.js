/** Where studies are kept: on the server in an account, or in this browser. Both refuse what was changed elsewhere meanwhile. */

import { gettext } from "../site/translations.js";

/** @typedef {import("./study_files.js").ChapterText} ChapterText */
/** @typedef {ChapterText & {number: number, version: number}} Chapter number: names it, wherever it stands */
/** @typedef {{id: string, title: string, author: string, language: string, version: number, own: boolean, chapters: Chapter[], last?: number}} Study last: the greatest number of a chapter so far, on the device */

/** Somebody has changed it in another tab or on another device. */
export class ConflictError extends Error {}
/** It cannot be kept; the message says why. */
export class StudyRefusedError extends Error {}
/** The server does not answer. */
export class StoreUnreachableError extends Error {}

const PATIENCE_MS = 15_000;
const KEY = "korgool.study.";
const token = () => document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";

/**
 * @param {string} method
 * @param {string} path below `/api/studies`
 * @param {unknown} [body]
 * @returns {Promise<any>}
 */
export async function requestStudies(method, path, body) {
  let answer, told;
  try {
    answer = await fetch(`/api/studies${path}`, {
      method, signal: AbortSignal.timeout?.(PATIENCE_MS),
      headers: { accept: "application/json", "content-type": "application/json", "x-csrftoken": token() },
      body: method === "GET" ? undefined : JSON.stringify(body ?? {}),
    });
    told = await answer.json();
  } catch {
    throw new StoreUnreachableError(gettext("The server does not answer. Try again."));
  }
  if (answer.ok) return told;
  if (answer.status === 409) throw new ConflictError(told.detail);
  if (answer.status >= 500 || answer.status === 429) throw new StoreUnreachableError(told.detail);
  throw new StudyRefusedError(told.detail);
}

/** A study of an account. */
export class ServerStore {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
  }

  /** Names what this device keeps of it. */
  get name() {
    return this.id;
  }

  /** @returns {Promise<Study>} */
  load() {
    return requestStudies("GET", `/${this.id}`);
  }

  /** @param {Chapter} chapter @returns {Promise<number>} its version now */
  async save({ number, version, title, concealed, record }) {
    return (await requestStudies("PUT", `/${this.id}/chapters/${number}`, { version, title, concealed, record })).version;
  }

  /** @param {Study} study with its chapters in their new order @returns {Promise<number>} its version now */
  async describe({ version, title, author, language, chapters }) {
    return (await requestStudies("PUT", `/${this.id}`, { version, title, author, language, chapters: chapters.map(({ number }) => number) })).version;
  }

  /** @param {ChapterText[]} chapters @returns {Promise<number[]>} their numbers */
  async append(chapters) {
    const { studyFile } = await import("./study_files.js");
    return (await requestStudies("POST", `/${this.id}/chapters`, { text: studyFile({ title: "", author: "", language: "", chapters }) })).chapters;
  }

  /** @param {Chapter} chapter */
  async removeChapter({ number, version }) {
    await requestStudies("DELETE", `/${this.id}/chapters/${number}?version=${version}`);
  }

  async remove() {
    await requestStudies("DELETE", `/${this.id}`);
  }
}

/** A study of this browser. */
export class DeviceStore {
  /** @param {string} id */
  constructor(id) {
    this.id = id;
  }

  get name() {
    return `device-${this.id}`;
  }

  /** @returns {Promise<Study>} */
  async load() {
    return this.#read();
  }

  /** @returns {Study} */
  #read() {
    const found = readDevice(this.id);
    if (!found) throw new StudyRefusedError(gettext("This device does not have the study."));
    return found;
  }

  /** @param {Chapter} chapter @returns {Promise<number>} */
  async save(chapter) {
    const study = this.#read();
    const held = study.chapters.find(({ number }) => number === chapter.number);
    if (!held || held.version !== chapter.version) throw new ConflictError(gettext("This chapter was changed in another tab."));
    const { title, concealed, record } = chapter;
    Object.assign(held, { title, concealed, record, version: held.version + 1 });
    writeDevice(study);
    return held.version;
  }

  /** @param {Study} study @returns {Promise<number>} */
  async describe({ version, title, author, language, chapters }) {
    const held = this.#read();
    if (held.version !== version) throw new ConflictError(gettext("The study was changed in another tab."));
    const order = chapters.flatMap(({ number }) => held.chapters.filter((one) => one.number === number));
    writeDevice({ ...held, title, author, language, chapters: order, version: version + 1 });
    return version + 1;
  }

  /** @param {ChapterText[]} chapters @returns {Promise<number[]>} */
  async append(chapters) {
    const study = this.#read();
    const last = Math.max(0, study.last ?? 0, ...study.chapters.map(({ number }) => number));
    const added = chapters.map((one, at) => ({ ...one, number: last + at + 1, version: 1 }));
    writeDevice({ ...study, chapters: [...study.chapters, ...added], version: study.version + 1, last: last + added.length });
    return added.map(({ number }) => number);
  }

  /** @param {Chapter} chapter */
  async removeChapter({ number, version }) {
    const study = this.#read();
    const held = study.chapters.find((one) => one.number === number);
    if (held && held.version !== version) throw new ConflictError(gettext("This chapter was changed in another tab."));
    writeDevice({ ...study, chapters: study.chapters.filter((one) => one !== held), version: study.version + 1 });
  }

  async remove() {
    localStorage.removeItem(KEY + this.id);
  }
}

/** @param {string} id @returns {(Study & {last?: number})|null} */
function readDevice(id) {
  try {
    const found = JSON.parse(localStorage.getItem(KEY + id) ?? "null");
    return found && Array.isArray(found.chapters) ? { ...found, id, own: true } : null;
  } catch {
    return null;
  }
}

/** @param {Study & {last?: number}} study @throws {StudyRefusedError} the browser has no room */
function writeDevice(study) {
  try {
    localStorage.setItem(KEY + study.id, JSON.stringify({ ...study, changed: Date.now() }));
  } catch {
    throw new StudyRefusedError(gettext("This browser has no room left for it. Save the study as a file."));
  }
}

/** Make a study on this device. @param {import("./study_files.js").StudyText} study @returns {string} its id */
export function makeOnDevice({ title, author, language, chapters }) {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(6)), (byte) => byte.toString(16).padStart(2, "0")).join("");
  writeDevice({ id, title, author, language, version: 1, own: true, last: chapters.length, chapters: chapters.map((one, at) => ({ ...one, number: at + 1, version: 1 })) });
  return id;
}

/** The studies of this device, the one changed last first. @returns {{id: string, title: string, chapters: number, changed: number}[]} */
export function listDevice() {
  try {
    const ids = Object.keys(localStorage).filter((key) => key.startsWith(KEY)).map((key) => key.slice(KEY.length));
    const found = ids.flatMap((id) => {
      const study = /** @type {(Study & {changed?: number})|null} */ (readDevice(id));
      return study ? [{ id, title: study.title, chapters: study.chapters.length, changed: study.changed ?? 0 }] : [];
    });
    return found.sort((one, other) => other.changed - one.changed);
  } catch {
    return [];
  }
}
