/** Moves written as text, in field notation. */

import { landingOf } from "../game/move_trace.js";

/** @typedef {import("../game/message_types.js").Trace} Trace */
/** @typedef {import("./game_tree.js").Node} Node */

/** A move such as `76(10)`. @param {Trace} trace @param {[number, number]} stores after it */
export function fieldText(trace, stores) {
  const last = landingOf(trace);
  const text = `${trace.hole}${last.hole}`;
  if (trace.tuz) return `${text}X`;
  return trace.captured ? `${text}(${stores[trace.side === "white" ? 0 : 1]})` : text;
}

/**
 * The moves that lead to a node, numbered: `1. 76(10) 55(10)`; plies of one turn are joined by commas.
 * @param {Node[]} path from the start
 */
export function moveText(path) {
  /** @type {string[]} */
  const words = [];
  path.slice(1).forEach(({ snapshot: { text, trace } }, index) => {
    const before = path[index].snapshot;
    if (before.trace?.extra_turn && index) words[words.length - 1] += `,${text}`;
    else if (trace?.side === "white") words.push(`${before.number}.`, String(text));
    else words.push(...(index ? [] : [`${before.number}...`]), String(text));
  });
  return words.join(" ");
}

/** A move such as `f1e2`. @param {Trace} trace @param {number} holes of each side */
export function coordinateText(trace, holes) {
  /** @param {import("../game/move_trace.js").Spot} spot */
  const place = ({ side, hole }) => (side === "white" ? `${"abcdefghi"[hole - 1]}1` : `${"abcdefghi"[holes - hole]}2`);
  const last = landingOf(trace);
  return place({ side: trace.side, hole: trace.hole }) + (last.hole ? place(last) : "0");
}
