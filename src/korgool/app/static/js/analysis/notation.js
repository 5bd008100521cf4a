/** Moves as text: field notation written, and plain lists of moves read where no server can be asked. */

import { gettext } from "../words.js";

/** @typedef {import("../types.js").Trace} Trace */
/** @typedef {import("./tree.js").Node} Node */

/** A move such as `76(10)`. @param {Trace} trace @param {[number, number]} stores after it */
export function fieldText(trace, stores) {
  const last = trace.drops[trace.drops.length - 1];
  const text = `${trace.hole}${last.hole}`;
  if (trace.tuz !== null) return `${text}X`;
  return trace.captured.length ? `${text}(${stores[trace.side === "white" ? 0 : 1]})` : text;
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

/** The text cannot be read; the message says why. */
export class TextError extends Error {}

const MOVE = /^(\d)(\d)?((?:[XxХх]|\(\d{1,4}\)|=)*)[!?]{0,2}$/;
const NUMBER = /^\d{1,4}(?:\.{1,3}|…)/;
const RESULT = /^(?:1-0|0-1|1\/2-1\/2|\*)$/;

/**
 * The moves of a plain list: digits, holes with commas, or moves in field notation with or without numbers, tags and
 * comments. A move that carries its landing hole is checked.
 * @param {string} text
 * @param {(moves: number[], hole: number) => Trace} play the trace of the next hole; throws if it cannot be sown
 * @returns {number[]}
 */
export function readPlain(text, play) {
  const bare = /^\s*(\d+)(?:\s+(?:1-0|0-1|1\/2-1\/2|\*))?\s*$/.exec(text);
  const words = bare && bare[1].length > 2
    ? [...bare[1]]
    : text.replace(/^\s*\[.*\]\s*$/gm, " ").replace(/\{[^}]*\}/g, " ").split(/[\s,;]+/).filter(Boolean);
  /** @type {number[]} */
  const moves = [];
  for (const word of words) {
    const rest = word.replace(NUMBER, "");
    if (!rest || RESULT.test(rest)) continue;
    const found = MOVE.exec(rest);
    const ply = moves.length + 1;
    if (!found) throw new TextError(gettext("Ply %(ply)s: “%(text)s” is not a move.", { ply, text: rest.slice(0, 24) }));
    const hole = Number(found[1]);
    let trace;
    try {
      trace = play(moves, hole);
    } catch {
      throw new TextError(gettext("Ply %(ply)s: “%(text)s” cannot be played.", { ply, text: rest }));
    }
    const landing = trace.drops[trace.drops.length - 1].hole;
    const wrong = (found[2] !== undefined && Number(found[2]) !== landing) || (/[XxХх]/.test(found[3]) && trace.tuz === null);
    if (wrong) {
      const values = { ply, text: rest, move: `${hole}${landing}${trace.tuz === null ? "" : "X"}` };
      throw new TextError(gettext("Ply %(ply)s: “%(text)s” does not fit; the move is %(move)s.", values));
    }
    moves.push(hole);
  }
  if (!moves.length) throw new TextError(gettext("There is no record and no position in this text."));
  return moves;
}
