/** Computes the timeline of one sowing: the server's trace, spread over time. It knows no rules. */

import { capturesOf, dropsOf, tuzOf } from "../game/move_trace.js";

/** @typedef {import("../game/message_types.js").Trace} Trace */
/** @typedef {import("../game/move_trace.js").Spot} Spot */
/**
 * @typedef {{at: number, kind: "lift", spot: Spot, stones: number}
 *   | {at: number, kind: "drop", spot: Spot, to: Spot, left: number}
 *   | {at: number, kind: "capture", spot: Spot, to: Spot, stones: number, end: number}
 *   | {at: number, kind: "tuz", spot: Spot}
 *   | {at: number, kind: "sweep", end: number}} Step
 */
/** @typedef {"single"|"slow"|"normal"|"fast"|"off"} Speed `single`: stone by stone, however long it takes */

/** Milliseconds for each stone, the most for a whole move, and how long its result is shown before the next move. */
const SPEEDS = {
  single: { stone: 550, most: Infinity, beat: 1500 },
  slow: { stone: 240, most: 3600, beat: 1000 },
  normal: { stone: 80, most: 900, beat: 700 },
  fast: { stone: 35, most: 330, beat: 400 },
  off: { stone: 0, most: 0, beat: 300 },
};

/** Milliseconds for which the result of a sowing is shown before another one begins. @param {Speed} speed */
export const pauseAfterSowing = (speed) => (SPEEDS[speed] ?? SPEEDS.normal).beat;

/**
 * @param {Trace} trace
 * @param {Speed} speed
 * @returns {{steps: Step[], total: number}} times in milliseconds
 */
export function sowingTimeline(trace, speed) {
  const { stone, most } = SPEEDS[speed] ?? SPEEDS.normal;
  const flight = stone * 4;
  const parts = trace.drops.length + 1 + (trace.captured ? 4 : 0) + (trace.sweep ? 4 : 0);
  const scale = Math.min(1, most / Math.max(1, parts * stone));
  const beat = stone * scale;

  /** @type {Step[]} */
  const steps = [{ at: 0, kind: "lift", spot: { side: trace.side, hole: trace.hole }, stones: trace.lifted }];
  let at = 0;
  dropsOf(trace).forEach(({ falls, lies }, index) => {
    at += beat;
    steps.push({ at, kind: "drop", spot: falls, to: lies, left: trace.drops.length - index - 1 });
  });
  const store = { side: trace.side, hole: 0 };
  if (trace.captured) {
    const end = at + flight * scale;
    for (const { spot, stones } of capturesOf(trace)) steps.push({ at, kind: "capture", spot, to: store, stones, end });
    at = end;
  }
  const won = tuzOf(trace);
  if (won) steps.push({ at, kind: "tuz", spot: won });
  if (trace.sweep) {
    steps.push({ at, kind: "sweep", end: at + flight * scale });
    at += flight * scale;
  }
  return { steps, total: Math.min(at, most) };
}
