/** Pasted records and positions: read by the server, or here where it cannot be reached. */

import { ask, AwayError } from "./ask.js";
import { readPlain, TextError } from "./notation.js";
import { LocalRules, openRules } from "./rules.js";
import { byId, say } from "../page.js";
import { notice, problem } from "./state.js";
import { gettext } from "../words.js";

/**
 * @typedef {{game: string, position: string|null, moves: number[], result: string, players: (string|null)[],
 *   more: boolean}} Pasted
 */

const POSITION = /^\s*[0-9A-Za-z,]+\/[0-9A-Za-z,]*(\s|$)/;

/**
 * @param {string} text
 * @param {string} game counts where the text does not name its own
 * @param {string[]} games
 * @returns {Promise<Pasted>}
 * @throws {TextError} it cannot be read; the message says where and why
 */
export async function readText(text, game, games) {
  try {
    const found = await ask("record", { text, game });
    if (found.detail) throw new TextError(found.detail);
    return found;
  } catch (error) {
    if (!(error instanceof AwayError)) throw error;
  }
  return readHere(text, game, games);
}

/**
 * Without the server: position texts, and plain lists of moves of the game that is open.
 * @param {string} text
 * @param {string} game
 * @param {string[]} games
 * @returns {Promise<Pasted>}
 */
export async function readHere(text, game, games) {
  const rules = await openRules(game);
  if (!(rules instanceof LocalRules)) throw new AwayError(game);
  const plain = { result: "*", players: [null, null], more: false };
  if (!POSITION.test(text)) {
    let board = rules.rules.start();
    const moves = readPlain(text, (_, hole) => {
      const sown = rules.rules.sow(board, hole);
      board = sown.board;
      return sown.trace;
    });
    return { ...plain, game, position: null, moves };
  }
  let first = "";
  for (const name of [game, ...games.filter((other) => other !== game)]) {
    try {
      const other = await openRules(name);
      const [start] = await other.line(text.trim(), []);
      return { ...plain, game: name, position: start.position, moves: [] };
    } catch (error) {
      first ||= error instanceof Error ? error.message : "";
    }
  }
  throw new TextError(first);
}

/**
 * Read what the visitor pasted and open it; what is wrong with it is told beside it, and the board stays as it is.
 * @param {string} game
 * @param {string[]} games
 * @param {(found: Pasted) => Promise<void>} open
 */
export async function paste(game, games, open) {
  const told = byId("paste-problem");
  const button = /** @type {HTMLButtonElement} */ (byId("read"));
  told.hidden = true;
  notice("");
  button.disabled = true;
  try {
    const found = await readText(/** @type {HTMLTextAreaElement} */ (byId("pasted")).value, game, games);
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
