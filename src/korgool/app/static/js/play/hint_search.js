/** Finds a good move for a hint: with the engine on the device, or on the server if the device cannot run it. */

import { openEngine } from "../analysis/engine_provider.js";
import { openRules } from "../analysis/rules_provider.js";
import { buildTree } from "../analysis/game_tree.js";
import { reasonsText } from "../analysis/move_reasons.js";

/** Positions searched for a hint, for the best move and the next one: strong play within a second, even on a phone. */
const NODES = 200_000;

/** @type {ReturnType<typeof openEngine>|null} */
let opening = null;

/**
 * Find the hole that the engine would sow, and the reasons for it.
 * @param {string} game
 * @param {string|null} start position text, null for the usual start
 * @param {number[]} moves the holes sown so far
 * @returns {Promise<{hole: number, why: string}>} rejects if neither answers
 */
export async function findHint(game, start, moves) {
  opening ??= openEngine(game, { tableMiB: 8, threads: 1 });
  const rules = await openRules(game);
  const tree = await buildTree(rules, start, [{ before: [], moves }]);
  const node = tree.line[tree.line.length - 1];
  const { lines } = await (await opening).analyse(node, { nodes: NODES, lines: 2 });
  if (!lines.length) throw new RangeError("the engine has found no move");
  return { hole: lines[0].move, why: reasonsText(rules.explain(node.snapshot, lines, 0), game) };
}
