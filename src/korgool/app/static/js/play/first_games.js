/** The first games on this device, in which the board explains more. */

import { capturedStones } from "../game/move_trace.js";
import { moveNumber } from "../game/move_steps.js";
import { countCapture, countGame } from "../site/device_count.js";
import { readSetting, storeSetting } from "../site/stored_settings.js";

/** All games, and those against the engine, in which the coach speaks. @typedef {"first-games"|"coached-games"} Name */

const MOST = 3;

/** The games of a list, the first one first. @param {Name} name */
const listed = (name) => readSetting(name, "").split(" ").filter(Boolean);

/** Return whether a game is one of the first on this device, and remember it if it is. @param {string} id @param {Name} [name] */
export function isEarlyGame(id, name = "first-games") {
  const games = listed(name);
  if (games.includes(id)) return true;
  if (games.length >= MOST) return false;
  if (name === "first-games" && !games.length) countGame();
  storeSetting(name, [...games, id].join(" "));
  return true;
}

/**
 * Count the first capture that the player makes in the very first game on this device.
 * @param {import("../game/message_types.js").GameState} state after the move
 * @param {import("../game/message_types.js").Trace} trace of it
 */
export function countFirstCapture({ id, you, shared, moves }, trace) {
  const stones = capturedStones(trace);
  if (stones && trace.side === you && !shared && listed("first-games")[0] === id) countCapture(moveNumber(moves, moves.length), stones);
}
