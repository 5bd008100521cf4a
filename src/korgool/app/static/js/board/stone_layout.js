/**
 * Places the stones in the holes and stores of the board, in the units of its drawing. Pure arithmetic.
 *
 * `server/web/stones.py` packs the same way for the first picture; a test compares the two for every number of stones.
 */

/** @typedef {import("../game/message_types.js").Box} Box */
/** @typedef {{r: number, at: {x: number, y: number}[]}} Heap radius and middles */

/** The gap between tens, and between the fives of a row of ten, as a fraction of the distance of neighbours. */
const TEN = 0.45;

/**
 * Stones in a hole: ranks of three while they fit, then of four and more, so that they are easy to count and every
 * stone lies inside.
 * @param {Box} box
 * @param {number} count
 * @returns {Heap}
 */
export function packHole(box, count) {
  const long = Math.max(box.w, box.h);
  const short = Math.min(box.w, box.h);
  let lanes = 3;
  while (lanes < 40 && lanes * Math.floor((long / short) * lanes) < count) lanes += 1;
  const pitch = Math.min(short / lanes, 30);
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
