/** The boards of other games than the one with which the page begins: the server draws them when one is asked for. */

import { fetchWhole } from "../site/connection_watchdog.js";
import { ServerUnreachableError } from "./server_requests.js";

/** @type {Promise<void>|null} */
let coming = null;

/**
 * Have the pictures of a game's board in the page.
 * @param {string} game
 * @throws {ServerUnreachableError}
 */
export async function fetchBoard(game) {
  const here = () => document.querySelector(`korgool-board[data-game="${game}"], template[data-game="${game}"]`);
  if (here()) return;
  coming ??= fetchAll();
  try {
    await coming;
  } catch {
    // A second attempt may succeed.
  }
  if (here()) return;
  coming = null;
  throw new ServerUnreachableError(game);
}

async function fetchAll() {
  const { answer, text } = await fetchWhole("/analysis/boards", { headers: { accept: "text/html" } });
  if (!answer.ok) throw new ServerUnreachableError("boards");
  const page = new DOMParser().parseFromString(text, "text/html");
  document.body.append(...page.querySelectorAll("template[data-game]"));
}
