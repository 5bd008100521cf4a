/** Whether a game has a coach: in the first games against the engine, and where the player has switched it on. */

import { isBetweenPeople } from "../game/state_selectors.js";
import { bindCheckbox } from "../site/settings_fields.js";
import { opponentName, gettext } from "../site/translations.js";
import { isEarlyGame } from "./first_games.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */

/** The name of the setting, and of its field. */
const COACH = "coach";
/** Return whether a game may have a coach; never one that is rated, of a competition, or between people. @param {GameState} state */
export const mayCoach = (state) =>
  Boolean(state.you) && !state.shared && !isBetweenPeople(state) && !state.rated && state.conduct === "friendly" && !Object.keys(state.rules).length;

export class CoachSwitch {
  /** @type {import("./coach.js").Coach|null} */ #coach = null;
  #on = false;

  /**
   * @param {{currentState: () => GameState, settled: () => GameState, rules: () => import("../device/kernel_rules.js").KernelRules|null,
   *   tell: (text: string) => void}} page tell: shows a sentence; an empty one ends that
   */
  constructor(page) {
    this.page = page;
  }

  /** Show the switch where this game may have a coach, and load the coach where it is on. @param {boolean} lesson whether this game is a lesson */
  bind(lesson) {
    const state = this.page.currentState();
    const row = document.getElementById("coach-row");
    if (!row || !mayCoach(state)) {
      row?.remove();
      return;
    }
    row.hidden = false;
    const early = isEarlyGame(state.id, "coached-games");
    const box = bindCheckbox(COACH, early || lesson, (on) => void this.#turn(on));
    // A lesson has its coach, whatever was chosen for other games; it can be switched off here.
    if (lesson && !box.checked) {
      box.checked = true;
      void this.#turn(true);
    }
  }

  /** @param {boolean} on */
  async #turn(on) {
    this.#on = on;
    if (!on) this.page.tell("");
    this.#coach = null;
    if (!on) return;
    try {
      const { Coach } = await import("./coach.js");
      if (!this.#on || this.#coach) return;
      const name = opponentName(this.page.currentState().level ?? 0);
      const tell = (/** @type {string} */ text) => this.page.tell(text && gettext("%(name)s: %(phrase)s", { name, phrase: text }));
      this.#coach = new Coach(this.page.settled(), this.page.rules, tell);
    } catch {
      // No network, and not kept on this device: the game goes on without a coach.
    }
  }

  /** All stones rest. @param {GameState} state */
  shown(state) {
    this.#coach?.shown(state);
  }
}
