/**
 * The coach of a game against the engine: when all stones rest and it is the player's turn, it says one sentence about what
 * has just happened. It is loaded once it is wanted.
 */

import { isPlaying } from "../game/state_selectors.js";
import { ReadingAloud } from "../learn/reading_aloud.js";
import { coachFacts } from "./coach_facts.js";
import { coachText } from "./coach_words.js";
import { factsOf, turnsOf } from "./turn_facts.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */

export class Coach {
  /** Plies that were already spoken of. */ #ply;
  /** The last sentence, which is not said twice. */ #said = "";
  #reading = new ReadingAloud(null);

  /**
   * @param {GameState} state on the board when it begins
   * @param {() => import("../device/kernel_rules.js").KernelRules|null} rules
   * @param {(text: string) => void} tell shows a sentence and reads it to screen readers; an empty one ends that
   */
  constructor(state, rules, tell) {
    this.rules = rules;
    this.tell = tell;
    this.#ply = state.moves.length;
  }

  /** All stones rest. @param {GameState} state that is on the board */
  shown(state) {
    const { moves, you, turn, start, game } = state;
    if (moves.length === this.#ply) return;
    this.tell("");
    if (moves.length < this.#ply) this.#ply = moves.length; // taken back
    const rules = this.rules();
    if (!you || turn !== you || !isPlaying(state) || !rules) return;
    const turns = turnsOf(factsOf(rules, start, moves.map(({ hole }) => hole), this.#ply));
    this.#ply = moves.length;
    const text = coachFacts(turns.slice(-2), you).map((fact) => coachText(fact, game)).find((one) => one !== this.#said);
    if (!text) return;
    this.#said = text;
    this.tell(text);
    this.#reading.say(text);
  }
}
