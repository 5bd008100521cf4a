/** Chooses what the coach says of the last turns: the weightiest of the facts. "My" is the opponent's, who speaks. */

import { largestOf } from "./turn_facts.js";

/** @typedef {import("./turn_facts.js").PlyFacts} PlyFacts */
/** @typedef {import("../game/message_types.js").Side} Side */
/**
 * @typedef {"my-tuz"|"your-tuz"|"my-missed-tuz"|"your-missed-tuz"|"offered-tuz"|"my-capture"|"your-capture"|"overlooked"|"offered"} CoachKind
 *   offered: what the reader can win now; overlooked: what the speaker could have taken, and did not
 * @typedef {{kind: CoachKind, hole: number, from: number, stones: number, even: boolean, weight: number}} CoachFact hole: of the
 *   side that loses it; from: what is sown for it, 0 where that is not said
 */

/** Stones from which something that was not taken is worth a sentence. */
const LEAST_OVERLOOKED = 4;
const LEAST_OFFERED = 6;
/** Weights in stones. */
const WEIGHTS = Object.freeze({ tuz: 60, missed: 50, offered: 40, "my-missed": 30 });

/** @param {CoachKind} kind @param {number} weight @param {Partial<CoachFact>} values @returns {CoachFact} */
const fact = (kind, weight, values) => ({ kind, hole: 0, from: 0, stones: 0, even: false, weight, ...values });

/**
 * The facts of the last turns, the weightiest first.
 * @param {PlyFacts[][]} turns the reader's and the opponent's, or one of them
 * @param {Side} you the reader's side, who is to move
 * @returns {CoachFact[]}
 */
export function coachFacts(turns, you) {
  /** @type {CoachFact[]} */
  const found = [];
  turns.forEach((turn, index) => {
    const yours = turn[0].side === you;
    const made = turn.find(({ tuz }) => tuz);
    const missed = made ? undefined : turn.find(({ could }) => could.tuz);
    if (made) found.push(fact(yours ? "your-tuz" : "my-tuz", WEIGHTS.tuz, { hole: made.tuz }));
    if (missed) found.push(fact(yours ? "your-missed-tuz" : "my-missed-tuz", WEIGHTS[yours ? "missed" : "my-missed"], { ...missed.could.tuz }));
    const took = largestOf(turn);
    if (took && !made) found.push(fact(yours ? "your-capture" : "my-capture", took.stones, took));
    const { left } = turn[turn.length - 1];
    const reply = turns[index + 1];
    if (!reply && !yours) {
      if (left.tuz) found.push(fact("offered-tuz", WEIGHTS.offered, { hole: left.tuz.hole }));
      else if (left.capture && left.capture.stones >= LEAST_OFFERED) {
        const { hole, stones } = left.capture;
        found.push(fact("offered", stones / 2 - 1, { hole, stones }));
      }
    }
    if (yours && reply && left.capture && left.capture.stones >= LEAST_OVERLOOKED) {
      const got = largestOf(reply)?.stones ?? 0;
      if (got < left.capture.stones && !reply.some(({ tuz }) => tuz)) found.push(fact("overlooked", (left.capture.stones - got) / 2, left.capture));
    }
  });
  return found.sort((one, other) => other.weight - one.weight);
}
