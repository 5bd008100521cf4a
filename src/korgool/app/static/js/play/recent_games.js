/** Remembers recently viewed games up to their last known move, for use without the server. */

import { isOver } from "../game/state_selectors.js";
import { recall, remember } from "../site/stored_settings.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {{game: string, moves: string, ply: string, side: string, engine?: "off", start?: string}} Known as the analysis board takes it */

const NAME = "lately";
const MOST = 20;

/** @returns {[string, Known][]} the newest last */
function all() {
  try {
    const found = JSON.parse(recall(NAME, "[]"));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** Store the moves of a game so far. @param {GameState} state */
export function keep(state) {
  const moves = state.moves.map(({ hole }) => hole).join(",");
  /** @type {Known} */
  const now = { game: state.game, moves, ply: String(state.moves.length), side: state.you ?? "white" };
  // The engine does not help in a game that is still on, unless the visitor asks.
  if (!isOver(state)) now.engine = "off";
  if (state.start) now.start = state.start;
  const others = all().filter(([id]) => id !== state.id);
  remember(NAME, JSON.stringify([...others, [state.id, now]].slice(-MOST)));
}

/** @param {string} id @returns {Known|null} */
export function known(id) {
  return all().find(([other]) => other === id)?.[1] ?? null;
}
