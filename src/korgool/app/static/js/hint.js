/** A good move of a position: from the engine on the device, or from the server's where that cannot think. */

import { openEngine } from "./analysis/engine.js";
import { openRules } from "./analysis/rules.js";
import { grow } from "./analysis/tree.js";
import { whyText } from "./reasons.js";

/** Positions looked at for a hint, by the best move and the next: strong play within a second, also on a phone. */
const NODES = 200_000;

/** @type {ReturnType<typeof openEngine>|null} */
let opening = null;

/**
 * The hole that the engine would sow, and what speaks for it.
 * @param {string} game
 * @param {string|null} start position text, null for the usual start
 * @param {number[]} moves the holes sown so far
 * @returns {Promise<{hole: number, why: string}>} rejects where nobody answers
 */
export async function ask(game, start, moves) {
  opening ??= openEngine(game, { tableMiB: 8, threads: 1 });
  const rules = await openRules(game);
  const tree = await grow(rules, start, [{ before: [], moves }]);
  const node = tree.line[tree.line.length - 1];
  const { lines } = await (await opening).analyse(node, { nodes: NODES, lines: 2 });
  if (!lines.length) throw new RangeError("the engine has found no move");
  return { hole: lines[0].move, why: whyText(rules.explain(node.snapshot, lines, 0), game) };
}
