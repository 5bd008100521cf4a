/** Vacations in a slow game: until when a player is away, in the reader's time zone. */

import { momentText } from "../site/local_times.js";
import { byId, say } from "../site/dom.js";
import { gettext } from "../site/translations.js";

/** @typedef {"white"|"black"} Side */
/** @typedef {Record<Side, number|null>} VacationState until when, milliseconds since 1970; null for not away */
/** @typedef {{you: Side|null, away: VacationState}} VacationView the part of a game's state that is used */

/** @type {readonly Side[]} */
const SIDES = ["white", "black"];
/** The longest that a timer can wait, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Return the vacations after an event of the kind `vacation`; one in the past ends a vacation.
 * @param {VacationState} away before it
 * @param {{side?: Side, until?: number, at: number}} event
 * @returns {VacationState}
 */
export function applyVacation(away, { side, until = 0, at }) {
  return side ? { ...away, [side]: until > at ? until : null } : away;
}

/** The sentence for one side. @param {VacationView} state @param {Side} side @param {number} until */
function vacationText({ you }, side, until) {
  const values = { time: momentText(until) };
  if (you) return you === side ? gettext("You are away until %(time)s.", values) : gettext("The opponent is away until %(time)s.", values);
  return side === "white" ? gettext("White is away until %(time)s.", values) : gettext("Black is away until %(time)s.", values);
}

/** The lines of `game_away.html`. */
export class VacationLines {
  #timer = 0;

  /** @param {() => number} now the server's time, in milliseconds since 1970 */
  constructor(now) {
    this.now = now;
  }

  /** Show who is away, until it is over. @param {VacationView} state */
  show(state) {
    clearTimeout(this.#timer);
    const now = this.now();
    for (const side of SIDES) {
      const until = state.away[side];
      const line = byId(`away-${side}`);
      line.hidden = until === null || until <= now;
      if (!line.hidden && until !== null) line.textContent = vacationText(state, side, until);
    }
    const next = Math.min(...SIDES.map((side) => state.away[side] ?? 0).filter((until) => until > now));
    if (Number.isFinite(next)) this.#timer = setTimeout(() => this.show(state), Math.min(LONGEST_TIMER, next - now));
  }

  /**
   * Announce that the opponent, or a watched player, goes away or comes back.
   * @param {VacationView} state after the event
   * @param {{side?: Side}} event of the kind `vacation`
   */
  announce(state, { side }) {
    if (!side || side === state.you) return;
    const until = state.away[side];
    if (until !== null) say(vacationText(state, side, until));
    else if (state.you) say(gettext("The opponent is back."));
    else say(side === "white" ? gettext("White is back.") : gettext("Black is back."));
  }
}
