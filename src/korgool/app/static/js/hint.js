/** A good move of a position: from the engine on the device, or from the server's where that cannot think. */

import { openEngine } from "./analysis/engine.js";
import { openRules } from "./analysis/rules.js";
import { grow } from "./analysis/tree.js";

/** Positions looked at for a hint: strong play within a second, also on a phone. */
const NODES = 100_000;

/** @type {ReturnType<typeof openEngine>|null} */
let opening = null;

/**
 * The hole that the engine would sow.
 * @param {string} game
 * @param {number[]} moves the holes sown so far
 * @returns {Promise<number>} rejects where nobody answers
 */
export async function ask(game, moves) {
  opening ??= openEngine(game, { tableMiB: 8, threads: 1 });
  const tree = await grow(await openRules(game), null, [{ before: [], moves }]);
  const node = tree.line[tree.line.length - 1];
  const { lines } = await (await opening).analyse(node, { nodes: NODES, lines: 1 });
  if (!lines.length) throw new RangeError("the engine has found no move");
  return lines[0].move;
}
