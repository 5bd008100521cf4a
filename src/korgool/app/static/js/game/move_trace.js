/**
 * Reads the trace of a ply as the server and the kernel write it. A number stands for a place: White's hole k is k,
 * Black's is -k, and 0 is the mover's own store. It knows no rules.
 */

/** @typedef {import("./message_types.js").Side} Side */
/** @typedef {import("./message_types.js").Trace} Trace */
/** @typedef {{side: Side, hole: number}} Spot hole 0 is the store of that side */

/** @param {Side} side @returns {Side} */
export const otherSide = (side) => (side === "white" ? "black" : "white");

/** The place that a number in a trace stands for. @param {number} number @param {Side} mover @returns {Spot} */
export function spotOf(number, mover) {
  return number ? { side: number > 0 ? "white" : "black", hole: Math.abs(number) } : { side: mover, hole: 0 };
}

/** The number that stands for a place in a trace. @param {Spot} spot */
export const numberOf = ({ side, hole }) => (side === "white" || !hole ? hole : -hole);

/** The stones that were put down, in order: where each falls, and where it then lies. @param {Trace} trace */
export function dropsOf({ side, drops, kept = [] }) {
  return drops.map((number, index) => {
    const falls = spotOf(number, side);
    // A stone that falls into a tuz is its owner's, who sits on the other side.
    return { falls, lies: kept.includes(index) ? { side: otherSide(falls.side), hole: 0 } : falls };
  });
}

/** The place where the last stone fell. @param {Trace} trace */
export const landingOf = ({ side, drops }) => spotOf(drops[drops.length - 1], side);

/** The holes that were emptied into the mover's store. @param {Trace} trace */
export const capturesOf = ({ side, captured = [] }) =>
  captured.map(([number, stones]) => ({ spot: spotOf(number, side), stones }));

/** The number of captured stones. @param {Trace} trace */
export const capturedStones = ({ captured = [] }) => captured.reduce((sum, [, stones]) => sum + stones, 0);

/** The hole that became the mover's tuz, if one did. @param {Trace} trace @returns {Spot|null} */
export const tuzOf = ({ side, tuz }) => (tuz ? { side: otherSide(side), hole: tuz } : null);
