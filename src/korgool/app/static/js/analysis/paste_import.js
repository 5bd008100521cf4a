/** Opens pasted records and positions: read by the server, or here if it cannot be reached. */

import { ask, AwayError } from "./server_requests.js";
import { TextError } from "./movetext_parser.js";
import { readHere } from "./record_parser.js";
import { byId, say } from "../site/dom.js";
import { notice, problem } from "./board_state.js";
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
 * @throws {TextError} it cannot be read; the message says where and why
 */
async function readText(text, game, titles) {
  try {
    const found = await ask("record", { text, game });
    if (found.detail) throw new TextError(found.detail);
    return found;
  } catch (error) {
    if (!(error instanceof AwayError)) throw error;
  }
  return readHere(text, game, titles);
}

/**
 * Read and open the pasted text; errors are shown beside it, and then the board stays as it is.
 * @param {string} game
 * @param {Record<string, string>} titles of the games
 * @param {(found: Pasted) => Promise<void>} open
 */
export async function paste(game, titles, open) {
  const told = byId("paste-problem");
  const button = /** @type {HTMLButtonElement} */ (byId("read"));
  told.hidden = true;
  notice("");
  button.disabled = true;
  try {
    const found = await readText(/** @type {HTMLTextAreaElement} */ (byId("pasted")).value, game, titles);
    await open(found);
    const values = { plies: found.moves.length, result: found.result };
    const words = [found.moves.length
      ? gettext("%(plies)s plies read, result %(result)s.", values) : gettext("The position is on the board.")];
    if (found.more) words.push(gettext("Only the first game of the text is shown."));
    notice(words.join(" "));
    say(words.join(" "));
  } catch (error) {
    told.textContent = problem(error);
    told.hidden = false;
  } finally {
    button.disabled = false;
  }
}
