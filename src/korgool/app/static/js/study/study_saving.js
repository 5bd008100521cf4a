/**
 * Saves what is changed in a chapter: a moment after the last change, at the version that was read. What cannot be saved stays
 * on this device until it can, and what was changed elsewhere meanwhile is not overwritten.
 */

import { gettext } from "../site/translations.js";
import { ConflictError, StoreUnreachableError } from "./study_store.js";

/** @typedef {import("./study_store.js").Chapter} Chapter */
/** @typedef {import("./study_store.js").ServerStore|import("./study_store.js").DeviceStore} Store */
/** @typedef {"saved"|"waiting"|"away"|"conflict"|"refused"} State */

const PAUSE_MS = 800;
const AGAIN_MS = 5000;

/** Where a chapter waits on this device until it is saved. @param {Store} store @param {number} number */
const draftKey = (store, number) => `korgool.study-draft.${store.name}.${number}`;

/** @param {Store} store @param {number} number @returns {Pick<Chapter, "version"|"title"|"concealed"|"record">|null} what was not saved */
export function readDraft(store, number) {
  try {
    const found = JSON.parse(localStorage.getItem(draftKey(store, number)) ?? "null");
    return found && typeof found.record === "string" ? found : null;
  } catch {
    return null;
  }
}

/** @param {Store} store @param {number} number */
export function dropDraft(store, number) {
  try {
    localStorage.removeItem(draftKey(store, number));
  } catch {
    // Without a store there is nothing to drop.
  }
}

export class ChapterSaving {
  /** @type {Chapter|null} */ #chapter = null;
  #stored = "";
  #timer = 0;
  /** @type {Promise<void>|null} */ #running = null;
  /** @type {State} */ state = "saved";

  /**
   * @param {Store} store
   * @param {() => string} text the record of the chapter as it stands on the board
   * @param {(state: State, reason: string) => void} tell shows the state
   * @param {number} longest bytes of a record
   */
  constructor(store, text, tell, longest) {
    this.store = store;
    this.text = text;
    this.tell = tell;
    this.longest = longest;
  }

  /** A chapter has been opened, and is on the board as it is stored, or as a draft has it. @param {Chapter} chapter @param {string} stored */
  watch(chapter, stored) {
    clearTimeout(this.#timer);
    [this.#chapter, this.#stored] = [chapter, stored];
    this.#set("saved");
    if (chapter.record !== stored) this.changed();
  }

  /** Forget the chapter: it is no longer there. */
  leave() {
    clearTimeout(this.#timer);
    this.#chapter = null;
  }

  /** Something on the board may have changed. @param {boolean} [head] whether title or mode have */
  changed(head = false) {
    const chapter = this.#chapter;
    if (!chapter || this.state === "conflict") return;
    const record = this.text();
    if (!head && record === this.#stored && this.state === "saved") return;
    chapter.record = record;
    this.#keep(chapter);
    if (this.state !== "refused") this.#set("waiting");
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), PAUSE_MS);
  }

  /** Save now what has not been saved. */
  async flush() {
    clearTimeout(this.#timer);
    while (this.#running) await this.#running;
    if (!this.#chapter || this.state === "saved" || this.state === "conflict") return;
    this.#running = this.#save(this.#chapter);
    await this.#running;
  }

  /** @param {Chapter} chapter */
  async #save(chapter) {
    const sent = { ...chapter };
    try {
      chapter.version = await this.store.save(sent);
      if (chapter === this.#chapter) this.#stored = sent.record;
      const same = chapter.record === sent.record && chapter.title === sent.title && chapter.concealed === sent.concealed;
      if (same) dropDraft(this.store, chapter.number);
      else this.#keep(chapter);
      this.#set(same ? "saved" : "waiting");
      if (!same) this.#timer = setTimeout(() => void this.flush(), PAUSE_MS);
    } catch (error) {
      const reason = error instanceof Error ? error.message : "";
      if (error instanceof ConflictError) this.#set("conflict", reason);
      else if (error instanceof StoreUnreachableError) {
        this.#set("away", reason);
        this.#timer = setTimeout(() => void this.flush(), AGAIN_MS);
      } else this.#set("refused", reason);
    } finally {
      this.#running = null;
    }
  }

  /** @param {Chapter} chapter */
  #keep({ number, version, title, concealed, record }) {
    try {
      localStorage.setItem(draftKey(this.store, number), JSON.stringify({ version, title, concealed, record }));
    } catch {
      // A browser without room: what is on the board is still saved from there.
    }
  }

  /** @param {State} state @param {string} [reason] */
  #set(state, reason = "") {
    this.state = state;
    this.tell(state, reason);
  }
}

/** The words for a state. @param {State} state @param {string} reason */
export function stateText(state, reason) {
  if (state === "saved") return gettext("Saved");
  if (state === "waiting") return gettext("Saving…");
  if (state === "away") return gettext("Not saved yet: the server does not answer. It is kept on this device and sent again.");
  return reason;
}
