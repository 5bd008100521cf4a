/** Opens records and positions that are pasted or come from a file: read on the device, or by the server if need be. */

import { requestAnalysis, ServerUnreachableError } from "./server_requests.js";
import { MovetextError, ServerOnlyError } from "./movetext_parser.js";
import { listGames, parseRecord } from "./record_parser.js";
import { byId, say } from "../site/dom.js";
import { showNotice, problemText } from "./board_state.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("./record_parser.js").Pasted} Pasted */
/** @typedef {import("./record_parser.js").RecordFacts} RecordFacts */

const LARGEST_FILE = 8_000_000;
/** Longer texts are not shown in the field. */
const SHOWN = 200_000;

/**
 * @param {string} text
 * @param {string} game the game, if the text does not name its own
 * @param {RecordFacts} facts
 * @returns {Promise<Pasted>}
 * @throws {MovetextError} it cannot be read; the message says where and why
 */
async function readText(text, game, facts) {
  let beyond = false;
  try {
    return await parseRecord(text, game, facts);
  } catch (error) {
    beyond = error instanceof ServerOnlyError;
    if (!beyond && !(error instanceof ServerUnreachableError)) throw error;
  }
  try {
    const record = await requestAnalysis("record", { text, game });
    if (record.detail) throw new MovetextError(record.detail);
    return record;
  } catch (error) {
    if (!beyond || !(error instanceof ServerUnreachableError)) throw error;
    throw new MovetextError(gettext("Without the network, this text cannot be read: it is longer than any game, or of other rules."));
  }
}

export class PasteImport {
  /** @type {string[]} */ #games = [];
  #field = /** @type {HTMLTextAreaElement} */ (byId("pasted"));
  #list = /** @type {HTMLSelectElement} */ (byId("games"));
  #file = /** @type {HTMLInputElement} */ (byId("file"));

  /** @param {{game: () => string, facts: RecordFacts, open: (found: Pasted) => Promise<void>}} page */
  constructor(page) {
    this.page = page;
    byId("read").addEventListener("click", () => void this.#read(this.#field.value));
    byId("open-file").addEventListener("click", () => this.#file.click());
    this.#file.addEventListener("change", () => void this.#openFile());
    this.#list.addEventListener("change", () => void this.#open(this.#games[this.#list.selectedIndex], true));
  }

  async #openFile() {
    const file = this.#file.files?.[0];
    if (!file) return;
    try {
      if (file.size > LARGEST_FILE) throw new MovetextError(gettext("The file is too large; at most 8 MB are read."));
      const text = decode(await file.arrayBuffer());
      this.#field.value = text.length > SHOWN ? "" : text;
      await this.#read(text);
    } catch (error) {
      this.#refuse(error);
    }
    this.#file.value = ""; // the same file may be opened again
  }

  /** Read a text, and offer its games if it has several. @param {string} text */
  async #read(text) {
    const games = listGames(text, this.page.facts);
    this.#games = games.map((one) => one.text);
    byId("games-row").hidden = games.length < 2;
    const several = games.length > 1;
    if (several) this.#list.replaceChildren(...games.map(({ title }, index) => new Option(`${index + 1}. ${title}`)));
    await this.#open(several ? this.#games[0] : text, several);
  }

  /** Errors are shown beside the field, and then the board stays as it is. @param {string} text @param {boolean} one whether it is one of several */
  async #open(text, one) {
    const button = /** @type {HTMLButtonElement} */ (byId("read"));
    byId("paste-problem").hidden = true;
    showNotice("");
    button.disabled = true;
    try {
      const record = await readText(text, this.page.game(), this.page.facts);
      await this.page.open(record);
      const values = { n: record.moves.length, result: record.result };
      const words = [record.moves.length
        ? gettext("Moves of both sides read: %(n)s, result %(result)s.", values) : gettext("The position is on the board.")];
      if (record.more) words.push(gettext("Only the first game of the text is shown."));
      else if (one) words.push(gettext("The other games of the text are in the list."));
      showNotice(words.join(" "));
      say(words.join(" "));
    } catch (error) {
      this.#refuse(error);
    } finally {
      button.disabled = false;
    }
  }

  /** @param {unknown} error */
  #refuse(error) {
    const line = byId("paste-problem");
    line.textContent = problemText(error);
    line.hidden = false;
  }
}

/** @param {ArrayBuffer} bytes @throws {MovetextError} they are no text in UTF-8 */
function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new MovetextError(gettext("The file is no text in UTF-8; save it as UTF-8."));
  }
}
