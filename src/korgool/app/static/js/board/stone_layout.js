/**
 * Places the stones in the holes and stores of the board, in the units of its drawing. Pure arithmetic.
 *
 * `server/http/stone_layout.py` packs the same way for the first picture; a test compares the two for every number of stones.
 */

/** @typedef {import("../game/message_types.js").Box} Box */
/** @typedef {{r: number, at: {x: number, y: number}[]}} Heap radius and middles */

/** The gap between tens, and between the fives of a row of ten, as a fraction of the distance of neighbours. */
const TEN = 0.45;

/** The largest distance of stones in a hole, and the numbers beyond which they become smaller, at the earliest. */
const LARGEST = 30;
const STEPS = [12, 20, 30, 42, 56, 72, 90, 110, 132, 162, 200];
const ROUNDING = 1e-9;

/**
 * The largest distance at which so many stones have room, and how many lie beside and above each other then.
 * @param {number} long
 * @param {number} short
 * @param {number} stones
 */
function grid(long, short, stones) {
  let pitch = 0;
  for (let lanes = 1; lanes <= stones; lanes += 1) pitch = Math.max(pitch, Math.min(short / lanes, long / Math.ceil(stones / lanes)));
  pitch = Math.min(pitch, LARGEST);
  return { pitch, lanes: Math.floor(short / pitch + ROUNDING), most: Math.floor(long / pitch + ROUNDING) };
}

/** The grid for a number of stones in a field, computed once for each step. @type {Map<string, ReturnType<typeof grid>>} */
const grids = new Map();

/** @param {number} long @param {number} short @param {number} count */
function fittingGrid(long, short, count) {
  for (const step of STEPS) {
    const key = `${long} ${short} ${step}`;
    const made = grids.get(key) ?? grid(long, short, step);
    grids.set(key, made);
    if (made.lanes * made.most >= count) return made;
  }
  throw new RangeError(`${count} stones in a hole`);
}

/**
 * Stones in a hole: ranks of three while they fit, then of four and more, so that they are easy to count and every
 * stone lies inside. They keep their size from the first to the twelfth, and become smaller in few steps beyond.
 * @param {Box} box
 * @param {number} count
 * @returns {Heap}
 */
export function packHole(box, count) {
  const long = Math.max(box.w, box.h);
  const short = Math.min(box.w, box.h);
  const { pitch, lanes: fitting, most } = fittingGrid(long, short, count);
  let lanes = Math.min(3, fitting);
  while (Math.ceil(count / lanes) > most) lanes += 1;
  const ranks = Math.ceil(count / lanes);
  const upright = box.h >= box.w;
  const at = [];
  for (let stone = 0; stone < count; stone += 1) {
    const rank = Math.floor(stone / lanes);
    const inRank = rank < ranks - 1 ? lanes : count - lanes * rank;
    const u = ((stone % lanes) - (inRank - 1) / 2) * pitch;
    const v = (rank - (ranks - 1) / 2) * pitch;
    at.push({ x: box.x + box.w / 2 + (upright ? u : v), y: box.y + box.h / 2 + (upright ? v : u) });
  }
  return { r: pitch * 0.44, at };
}

/**
 * Stones in a store, so that tens can be counted: rows of five with a gap after every two, or rows of ten in two fives.
 * @param {Box} box
 * @param {number} count
 * @param {number} most the most stones that the store can hold, which determines their size
 * @param {boolean} backwards whether they fill from the right or lower end
 * @returns {Heap}
 */
export function packStore(box, count, most, backwards) {
  const along = box.w >= box.h;
  const long = along ? box.w : box.h;
  const short = along ? box.h : box.w;
  const fives = Math.min(short / 5, long / (Math.ceil(most / 5) * 1.25), 22);
  const tens = Math.min(short / (10 + TEN), long / Math.ceil(most / 10), 22);
  const [lanes, pitch] = tens > fives ? [10, tens] : [5, fives];
  const at = [];
  for (let stone = 0; stone < count; stone += 1) {
    const lane = stone % lanes;
    const rank = Math.floor(stone / lanes);
    let across = (lane - (lanes - 1) / 2) * pitch;
    let far = (rank + 0.5) * pitch;
    if (lanes === 10) across += ((lane < 5 ? -TEN : TEN) * pitch) / 2;
    else far += Math.floor(rank / 2) * pitch * TEN;
    const u = backwards ? long - far : far;
    at.push(along ? { x: box.x + u, y: box.y + short / 2 + across } : { x: box.x + short / 2 + across, y: box.y + u });
  }
  return { r: pitch * 0.44, at };
}
