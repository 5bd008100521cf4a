/** Stores recently viewed games up to their last known move, for use without the server. */

import { seatName } from "../game/sentences.js";
import { isOver, ownSide } from "../game/state_selectors.js";
import { readSetting, storeSetting } from "../site/stored_settings.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */
/**
 * @typedef {{game: string, moves: string, ply: string, side: string, engine?: "off", start?: string, names?: string[],
 *   you?: Side|null}} RecentGame as the analysis board takes it; names: of White and Black, and you: the reader's own side,
 *   once the game is over
 */

const NAME = "lately";
const MOST = 20;

/** @returns {[string, RecentGame][]} the newest last */
function readRecentGames() {
  try {
    const games = JSON.parse(readSetting(NAME, "[]"));
    return Array.isArray(games) ? games : [];
  } catch {
    return [];
  }
}

/** Store the moves of a game so far. @param {GameState} state */
export function storeRecentGame(state) {
  const moves = state.moves.map(({ hole }) => hole).join(",");
  /** @type {RecentGame} */
  const entry = { game: state.game, moves, ply: String(state.moves.length), side: state.you ?? "white" };
  // The engine does not help in a game that goes on, unless the visitor asks.
  if (isOver(state)) Object.assign(entry, { names: [seatName(state, "white"), seatName(state, "black")], you: ownSide(state) });
  else entry.engine = "off";
  if (state.start) entry.start = state.start;
  const others = readRecentGames().filter(([id]) => id !== state.id);
  storeSetting(NAME, JSON.stringify([...others, [state.id, entry]].slice(-MOST)));
}

/** @param {string} id @returns {RecentGame|null} */
export function findRecentGame(id) {
  const entry = readRecentGames().find(([other]) => other === id)?.[1] ?? null;
  if (!entry?.names) return entry;
  const word = gettext("You");
  // Entries of older versions tell the own side by this word alone.
  entry.you ??= entry.names.includes(word) ? /** @type {Side} */ (entry.side) : null;
  // The language may be another one by now.
  if (entry.you) entry.names[entry.you === "white" ? 0 : 1] = word;
  return entry;
}
