/** Converts a node of the tree to the state that the board component shows. */

import { byId } from "../site/dom.js";
import { gettext } from "../site/translations.js";
import { AwayError } from "./server_requests.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("./game_tree.js").Node} Node */

/** @param {string} game @param {Node} node @returns {GameState} as much of it as the board needs */
export function stateOf(game, node) {
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

/** How often the position occurred on the path to a node, including the node. @param {Node} node */
export function occurrences(node) {
  const key = (/** @type {Node} */ { snapshot }) => snapshot.position.split(" ").slice(0, 4).join(" ");
  const own = key(node);
  return node.path.filter((one) => key(one) === own).length;
}

/**
 * Lines as arrows from the sown hole to where its last stone falls, by the previews of the position.
 * @param {import("./game_tree.js").Snapshot} snapshot
 * @param {import("./engine_provider.js").Line[]} lines the best first
 * @returns {import("../board/move_arrows.js").Arrow[]}
 */
export function arrowsOf({ previews, board: { turn } }, lines) {
  return lines.flatMap(({ move }, index) => {
    const landing = previews[move];
    const to = landing && { side: landing.side, hole: landing.hole };
    return to ? [{ from: { side: turn, hole: move }, to, rank: index + 1 }] : [];
  });
}

let told = 0;
/** Show a message for a while, or a problem until the next message. @param {string} text @param {boolean} [problem] */
export function notice(text, problem = false) {
  const line = byId("notice");
  line.textContent = text;
  line.hidden = !text;
  line.toggleAttribute("data-problem", problem);
  clearTimeout(told);
  if (text && !problem) told = setTimeout(() => { line.hidden = true; }, 7000);
}

/** What went wrong, in words. @param {unknown} error */
export function problem(error) {
  const told = error instanceof Error && !(error instanceof AwayError) && !(error instanceof TypeError);
  return told ? error.message : gettext("The server does not answer. Try again.");
}
