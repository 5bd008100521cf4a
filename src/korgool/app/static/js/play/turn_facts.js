/**
 * What each ply of a game did, what it could have done instead, and what it left to the other side. All of it is found by
 * sowing every legal move; nothing of it is an opinion.
 */

import { capturesOf, landingOf, otherSide } from "../game/move_trace.js";

/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("../game/message_types.js").Trace} Trace */
/** @typedef {import("../device/position_conversion.js").Board} Board */
/** @typedef {import("../device/kernel_rules.js").KernelRules} KernelRules */
/** @typedef {{hole: number, stones: number, even: boolean}} Taken from which hole of the other side, and whether the last stone made it even */
/** @typedef {{hole: number, stones: number, from: number}} Prize what can be taken from a hole of the other side by sowing `from` */
/** @typedef {{capture: Prize|null, tuz: {hole: number, from: number}|null}} Prizes the largest capture, and the first tuz */
/**
 * @typedef {{ply: number, side: Side, hole: number, took: Taken|null, tuz: number, could: Prizes, left: Prizes}} PlyFacts
 *   could: before it, for its side; left: after it, for the other side; nothing where the same side goes on, or the game is over
 */

/** @type {Prizes} */
const NOTHING = Object.freeze({ capture: null, tuz: null });

/** What a sowing took from the other side. @param {Trace} trace @returns {Taken|null} */
function takenBy(trace) {
  const land = landingOf(trace), other = otherSide(trace.side);
  const [most] = capturesOf(trace).filter(({ spot }) => spot.side === other).sort((one, next) => next.stones - one.stones);
  if (!most) return null;
  const { spot: { hole }, stones } = most;
  return { hole, stones, even: land.side === other && land.hole === hole && stones % 2 === 0 };
}

/** What the side to move could win at once. @param {KernelRules} rules @param {Board} board @returns {Prizes} */
function prizesOf(rules, board) {
  /** @type {Prizes} */
  const found = { capture: null, tuz: null };
  for (const from of rules.legal(board)) {
    const { trace } = rules.sow(board, from);
    const taken = takenBy(trace);
    if (taken && taken.stones > (found.capture?.stones ?? 0)) found.capture = { hole: taken.hole, stones: taken.stones, from };
    if (trace.tuz) found.tuz ??= { hole: trace.tuz, from };
  }
  return found;
}

/**
 * The facts of the plies of a game from one of them on.
 * @param {KernelRules} rules
 * @param {string|null} start position text, null for the usual start
 * @param {number[]} holes all that were sown
 * @param {number} [first] plies that are only played
 * @returns {PlyFacts[]}
 */
export function factsOf(rules, start, holes, first = 0) {
  let board = start === null ? rules.start() : rules.parse(start);
  for (const hole of holes.slice(0, first)) board = rules.sow(board, hole).board;
  let could = first < holes.length ? prizesOf(rules, board) : NOTHING;
  return holes.slice(first).map((hole, index) => {
    const { turn: side } = board;
    const { board: after, trace } = rules.sow(board, hole);
    const then = prizesOf(rules, after);
    const facts = {
      ply: first + index + 1, side, hole, took: takenBy(trace), tuz: trace.tuz ?? 0, could, left: after.turn === side ? NOTHING : then,
    };
    [board, could] = [after, then];
    return facts;
  });
}

/** The plies of each turn together. @param {PlyFacts[]} plies @returns {PlyFacts[][]} */
export function turnsOf(plies) {
  /** @type {PlyFacts[][]} */
  const turns = [];
  for (const ply of plies) {
    const last = turns.at(-1);
    if (last?.[0].side === ply.side) last.push(ply);
    else turns.push([ply]);
  }
  return turns;
}

/** The largest capture of a turn. @param {PlyFacts[]} turn @returns {Taken|null} */
export const largestOf = (turn) =>
  turn.reduce((/** @type {Taken|null} */ most, { took }) => (took && took.stones > (most?.stones ?? 0) ? took : most), null);
