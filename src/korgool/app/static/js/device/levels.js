// @ts-check
/** How a level of play picks its move, as korgool.engine.levels does; the numbers come from the server. */

/** @typedef {import("./engine.js").Limits} Limits */

/**
 * @typedef {object} Level
 * @property {number} number
 * @property {number | null} depth plies it looks ahead
 * @property {number | null} nodes positions it looks at
 * @property {number} spread how freely it picks among near-equal moves, as a share of all stones
 * @property {number} loss the most, as a share of all stones, by which a picked move may look worse
 */
/** @typedef {{usual_seconds: number, levels: Record<string, Level[]>, networks: string[]}} Numbers */

/**
 * What the server says of the engine.
 * @param {string | URL} url of levels.json
 * @returns {Promise<Numbers>}
 */
export async function fetchNumbers(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the levels of the engine cannot be read: ${answer.status}`);
  return answer.json();
}

/**
 * @param {Numbers} numbers
 * @param {string} game
 * @param {number} number
 * @returns {Level}
 * @throws {RangeError} there is no such level
 */
export function levelOf(numbers, game, number) {
  const levels = numbers.levels[game] ?? [];
  const found = levels.find((level) => level.number === number);
  if (!found) throw new RangeError(`there is no level ${number}; levels are 1 to ${levels.length}`);
  return found;
}

/**
 * How far a level searches.
 * @param {Numbers} numbers
 * @param {Level} level
 * @param {number} moves legal ones
 * @param {number} [seconds] the most time, where there is such
 * @returns {{limits: Limits, alone: boolean}} alone: other threads, and what earlier searches left in the table, would
 *   make it see farther than its level
 */
export function plan(numbers, level, moves, seconds) {
  const limited = level.depth !== null || level.nodes !== null;
  /** @type {Limits} */
  const limits = { lines: level.spread ? moves : 1 };
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
 * One of the lines: the best, or by chance one that looks nearly as good.
 * @template {{evaluation: number}} T
 * @param {T[]} lines the best first
 * @param {Level} level
 * @param {number} stones of the whole game
 * @param {number} chance from 0 to before 1
 * @returns {T}
 */
export function pick(lines, level, stones, chance) {
  const [best] = /** @type {[T]} */ (lines);
  if (!level.spread) return best;
  const near = lines.filter((line) => best.evaluation - line.evaluation <= level.loss * stones);
  const weights = near.map((line) => Math.exp((line.evaluation - best.evaluation) / (level.spread * stones)));
  let left = chance * weights.reduce((sum, weight) => sum + weight, 0);
  const at = weights.findIndex((weight) => (left -= weight) < 0);
  return near[at < 0 ? near.length - 1 : at] ?? best;
}
