/** Converts a node of the tree to the state that the board component shows. */

import { byId } from "../site/dom.js";
import { gettext } from "../site/translations.js";
import { ServerUnreachableError } from "./server_requests.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("./game_tree.js").Node} Node */

/** @param {string} game @param {Node} node @returns {GameState} as much of it as the board needs */
export function boardState(game, node) {
  const { board, outcome, trace, legal, previews, position } = node.snapshot;
  const swept = outcome && outcome.stores.some((stones, side) => stones !== board.stores[side]);
  const none = board.white.map(() => 0);
  return /** @type {GameState} */ (/** @type {unknown} */ ({
    id: "", version: node.id, game, holes: board.white.length,
    white: swept ? none : board.white, black: swept ? none : board.black,
    stores: outcome ? outcome.stores : board.stores,
    tuz: board.tuz, turn: board.turn, you: null, level: 0, moves: [], legal, previews, last: trace, clock: null,
    outcome, claims: [], can_undo: false, position, movetext: "", rematch: null,
  }));
}

/** Count how often the position of a node occurs on the path to it, the node included. @param {Node} node */
export function countOccurrences(node) {
  const key = (/** @type {Node} */ { snapshot }) => snapshot.position.split(" ").slice(0, 4).join(" ");
  const own = key(node);
  return node.path.filter((earlier) => key(earlier) === own).length;
}

/**
 * Convert lines to arrows from the sown hole to where its last stone falls, by the previews of the position.
 * @param {import("./game_tree.js").Snapshot} snapshot
 * @param {import("./engine_provider.js").Line[]} lines the best first
 * @param {"line"|"threat"} [kind] threat: what the side that is not to move would do
 * @returns {import("../board/move_arrows.js").Arrow[]}
 */
export function lineArrows({ previews, board: { turn } }, lines, kind = "line") {
  return lines.flatMap(({ move }, index) => {
    const landing = previews[move];
    const to = landing && { side: landing.side, hole: landing.hole };
    return to ? [{ from: { side: turn, hole: move }, to, rank: index + 1, kind }] : [];
  });
}

let noticeTimer = 0;
/** Show a message for a while, or a problem until the next message. @param {string} text @param {boolean} [problem] */
export function showNotice(text, problem = false) {
  const line = byId("notice");
  line.textContent = text;
  line.hidden = !text;
  line.toggleAttribute("data-problem", problem);
  clearTimeout(noticeTimer);
  if (text && !problem) noticeTimer = setTimeout(() => { line.hidden = true; }, 7000);
}

/** Put an error into words. @param {unknown} error */
export function problemText(error) {
  const isReadable = error instanceof Error && !(error instanceof ServerUnreachableError) && !(error instanceof TypeError);
  return isReadable ? error.message : gettext("The server does not answer. Try again.");
}
