// @ts-check
/** Picks the move of a level or a rating, as korgool.engine.levels does; the settings come from the server. */

/** @typedef {import("./kernel_search.js").Limits} Limits */
/** @typedef {import("./kernel_search.js").Line} Line */

/**
 * @typedef {object} Level
 * @property {number} number
 * @property {number | null} depth plies it looks ahead
 * @property {number | null} nodes positions it looks at
 * @property {number} spread how freely it picks among near-equal moves, as a share of all stones
 * @property {number} loss the most by which a picked move may look worse, as a share of all stones
 * @property {number} sight chance to follow a move one ply farther; 1 where all are followed as far as the search goes
 */
/** @typedef {[rating: number, sight: number, nodes: number]} Knot of the settings by rating */
/** @typedef {{usual_seconds: number, levels: Record<string, Level[]>, strengths: Record<string, Knot[]>, networks: string[]}} LevelSettings */

/**
 * Fetch the levels and ratings of the engine from the server.
 * @param {string | URL} url of levels.json
 * @returns {Promise<LevelSettings>}
 */
export async function fetchLevels(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the levels of the engine cannot be read: ${answer.status}`);
  return answer.json();
}

/**
 * Return the level or the rating of a number.
 * @param {LevelSettings} numbers
 * @param {string} game
 * @param {number} number
 * @returns {Level}
 * @throws {RangeError} there is neither
 */
export function levelOf(numbers, game, number) {
  const levels = numbers.levels[game] ?? [];
  const found = levels.find((level) => level.number === number);
  if (found) return found;
  const knots = numbers.strengths[game] ?? [];
  const lowest = knots[0]?.[0] ?? 0;
  for (const [at, [high, keen, many]] of knots.entries()) {
    if (number < lowest || number > high || !Number.isInteger(number)) continue;
    const [low, blind, few] = /** @type {Knot} */ (knots[Math.max(0, at - 1)]);
    const share = high === low ? 0 : (number - low) / (high - low);
    const nodes = Math.round(few * (many / few) ** share);
    return { number, depth: null, nodes, spread: 0, loss: 0, sight: blind + (keen - blind) * share };
  }
  throw new RangeError(`there is no strength ${number}; levels are 1 to ${levels.length}, ratings ${lowest} to ${knots.at(-1)?.[0]}`);
}

/**
 * Return how far a level searches.
 * @param {LevelSettings} numbers
 * @param {Level} level
 * @param {number} moves legal ones
 * @param {number} [seconds] the most time, if there is a limit
 * @returns {{limits: Limits, alone: boolean}} alone: other threads, and what earlier searches left in the table, would
 *   make it see farther than its level
 */
export function searchLimits(numbers, level, moves, seconds) {
  const limited = level.depth !== null || level.nodes !== null;
  /** @type {Limits} */
  const limits = { lines: level.spread || level.sight < 1 ? moves : 1 };
  if (moves === 1) limits.depth = 1;
  else {
    const most = seconds ?? (limited ? undefined : numbers.usual_seconds);
    if (most !== undefined) limits.seconds = most;
    if (level.depth !== null) limits.depth = level.depth;
    if (level.nodes !== null) limits.nodes = level.nodes;
  }
  return { limits, alone: limited };
}

/**
 * Pick a line: the best, or a random one that looks nearly as good.
 * @template {{evaluation: number}} T
 * @param {T[]} lines the best first
 * @param {Level} level
 * @param {number} stones of the whole game
 * @param {number} chance from 0 to before 1
 * @returns {T}
 */
export function pickLine(lines, level, stones, chance) {
  const [best] = /** @type {[T]} */ (lines);
  if (!level.spread) return best;
  const near = lines.filter((line) => best.evaluation - line.evaluation <= level.loss * stones);
  const weights = near.map((line) => Math.exp((line.evaluation - best.evaluation) / (level.spread * stones)));
  let left = chance * weights.reduce((sum, weight) => sum + weight, 0);
  const at = weights.findIndex((weight) => (left -= weight) < 0);
  return near[at < 0 ? near.length - 1 : at] ?? best;
}

/**
 * Return how far a player who overlooks moves follows a move, as in korgool.engine.sight.
 * @param {number} chance from 0 to before 1
 * @param {number} stones of the hole that is sown
 * @param {number} usual stones of a hole at the start of the game
 * @param {number} sight above 0 and below 1
 * @returns {number} plies, 0 for a move that is not seen
 */
export function sightPlies(chance, stones, usual, sight) {
  const beyond = Math.log(1 - chance) / Math.log(sight) - stones / usual;
  return beyond < 0 ? 0 : 1 + Math.floor(beyond);
}

/**
 * Return the moves that a player sees, each valued at the depth to which it is followed.
 * @template {{move: number, depth: number}} T
 * @param {T[][]} depths all first moves, after each depth of the search
 * @param {Map<number, number>} plies by hole number, how far each is followed
 * @returns {T[]}
 */
export function visibleLines(depths, plies) {
  /** @type {Map<number, T>} */
  const seen = new Map();
  for (const line of depths.flat()) {
    const far = plies.get(line.move) ?? 0;
    if (far && (!seen.has(line.move) || line.depth <= far)) seen.set(line.move, line);
  }
  return [...seen.values()];
}

/**
 * Pick the best of the moves seen, a random one among equals; if none is seen, a random one of all.
 * @template {{move: number, evaluation: number, win: number, loss: number}} T
 * @param {T[]} seen
 * @param {T[]} all
 * @param {number} chance from 0 to before 1
 * @returns {T}
 */
export function bestVisible(seen, all, chance) {
  const certain = (/** @type {T} */ { win, loss }) => Number(win === 1) - Number(loss === 1);
  const above = (/** @type {T} */ one, /** @type {T} */ other) => certain(one) - certain(other) || one.evaluation - other.evaluation;
  const best = seen.filter((one) => seen.every((other) => above(other, one) <= 0));
  const among = (best.length ? best : [...all]).sort((one, other) => one.move - other.move);
  return /** @type {T} */ (among[Math.floor(chance * among.length)]);
}
