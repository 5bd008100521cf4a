/** Opens pasted records and positions: read by the server, or here if it cannot be reached. */

import { requestAnalysis, ServerUnreachableError } from "./server_requests.js";
import { MovetextError } from "./movetext_parser.js";
import { parseRecord } from "./record_parser.js";
import { byId, say } from "../site/dom.js";
import { showNotice, problemText } from "./board_state.js";
import { gettext } from "../site/translations.js";

/**
 * @typedef {{game: string, position: string|null, moves: number[], result: string, players: (string|null)[],
 *   more: boolean}} Pasted
 */

/**
 * @param {string} text
 * @param {string} game the game, if the text does not name its own
 * @param {Record<string, string>} titles of the games
 * @returns {Promise<Pasted>}
 * @throws {MovetextError} it cannot be read; the message says where and why
 */
async function readText(text, game, titles) {
  try {
    const record = await requestAnalysis("record", { text, game });
    if (record.detail) throw new MovetextError(record.detail);
    return record;
  } catch (error) {
    if (!(error instanceof ServerUnreachableError)) throw error;
  }
  return parseRecord(text, game, titles);
}

/**
 * Read and open the pasted text; errors are shown beside it, and then the board stays as it is.
 * @param {string} game
 * @param {Record<string, string>} titles of the games
 * @param {(found: Pasted) => Promise<void>} open
 */
export async function importPasted(game, titles, open) {
  const problemLine = byId("paste-problem");
  const button = /** @type {HTMLButtonElement} */ (byId("read"));
  problemLine.hidden = true;
  showNotice("");
  button.disabled = true;
  try {
    const record = await readText(/** @type {HTMLTextAreaElement} */ (byId("pasted")).value, game, titles);
    await open(record);
    const values = { n: record.moves.length, result: record.result };
    const words = [record.moves.length
      ? gettext("Moves of both sides read: %(n)s, result %(result)s.", values) : gettext("The position is on the board.")];
    if (record.more) words.push(gettext("Only the first game of the text is shown."));
    showNotice(words.join(" "));
    say(words.join(" "));
  } catch (error) {
    problemLine.textContent = problemText(error);
    problemLine.hidden = false;
  } finally {
    button.disabled = false;
  }
}
