/** Reads and writes the address of what the board shows, all in the fragment, which is not sent to the server. */

import { movesText, readMoves } from "./game_tree.js";

/** @typedef {import("../game/message_types.js").Side} Side */
/**
 * @typedef {{game: string, position: string|null, lines: {before: number[], moves: number[]}[], at: number[]|null,
 *   ply: number|null, below: Side, opponent: Player, quiet: boolean}} Link quiet: the engine is off at first
 */
/** @typedef {{level: number, side: Side}} Player a level of the engine or a rating, 0 for none, and the side it plays */
/** @typedef {Record<string, [number, number]>} Ratings the lowest and the highest of each game */
/** @typedef {{level: number, games: string[]}} Perfect the level of perfect play, and the games that have it */
/**
 * @typedef {{levels: number[], perfect: Perfect, ratings: Ratings, least: number}} Strengths least: numbers from there on
 *   are ratings and no levels
 */

const LONGEST = 60_000;

/**
 * @param {string} fragment with or without its #
 * @param {string[]} games
 * @param {Strengths} strengths
 * @returns {Link|null} null where there is nothing to show
 * @throws {RangeError} it cannot be read
 */
export function readLink(fragment, games, { levels, perfect, ratings, least }) {
  if (fragment.length > LONGEST) throw new RangeError("…");
  const values = new URLSearchParams(fragment.replace(/^#/, ""));
  const game = values.get("game");
  if (game === null) return null;
  if (!games.includes(game)) throw new RangeError(game);
  const ply = values.get("ply");
  const at = values.get("at");
  if (ply !== null && !/^\d{1,5}$/.test(ply)) throw new RangeError(ply);
  if (at !== null && !/^(\d{1,2}(,\d{1,2})*)?$/.test(at)) throw new RangeError(at);
  const level = Number(values.get("opponent") ?? 0);
  const [lowest, highest] = ratings[game] ?? [0, 0];
  const rated = Number.isInteger(level) && level >= least;
  const offered = levels.includes(level) || (level === perfect.level && perfect.games.includes(game));
  if (level !== 0 && !offered && !rated) throw new RangeError(String(values.get("opponent")));
  const below = values.get("side") === "black" ? "black" : "white";
  const plays = values.get("plays") ?? (below === "white" ? "black" : "white");
  return {
    game,
    position: values.get("start"),
    lines: readMoves(values.get("moves") ?? ""),
    at: at === null ? null : at.split(",").filter(Boolean).map(Number),
    ply: ply === null ? null : Number(ply),
    below,
    // A link may be older than the scale of ratings.
    opponent: { level: rated ? Math.max(lowest, Math.min(highest, level)) : level, side: plays === "white" ? "white" : "black" },
    quiet: level > 0 || values.get("engine") === "off",
  };
}

/**
 * @param {string} game
 * @param {import("./game_tree.js").Tree} tree
 * @param {import("./game_tree.js").Node} node the one that is shown
 * @param {string|null} start position text, null for the usual start
 * @param {Side} below
 * @param {Player} opponent
 * @param {boolean} quiet whether the engine is to be off at first
 */
export function writeLink(game, tree, node, start, below, { level, side }, quiet) {
  const parts = [`game=${game}`];
  if (level) parts.push(`opponent=${level}`);
  if (level || below === "black") parts.push(`side=${below}`);
  if (level && side === below) parts.push(`plays=${side}`);
  if (quiet && !level) parts.push("engine=off");
  // Spaces become +; commas and slashes stay, because people read and shorten such links.
  if (start) parts.push(`start=${start.replaceAll(" ", "+")}`);
  const moves = movesText(tree);
  if (moves) parts.push(`moves=${moves}`);
  if (node.main) parts.push(`ply=${node.ply}`);
  else parts.push(`at=${node.holes.join(",")}`);
  return `#${parts.join("&")}`;
}
