/** Vacations in a slow game: until when somebody is away, in the reader's own time. */

import { momentText } from "../site/local_times.js";
import { byId, say } from "../site/dom.js";
import { gettext } from "../site/translations.js";

/** @typedef {"white"|"black"} Side */
/** @typedef {Record<Side, number|null>} AwayState until when, milliseconds since 1970; null for not away */
/** @typedef {{you: Side|null, away: AwayState}} Seen what is needed of the state of a game */

/** @type {readonly Side[]} */
const SIDES = ["white", "black"];
/** The longest that a timer can wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * Who is away after an event of the kind `vacation`; one that is over when it happens is the end of a vacation.
 * @param {AwayState} away before it
 * @param {{side?: Side, until?: number, at: number}} event
 * @returns {AwayState}
 */
export function awayAfter(away, { side, until = 0, at }) {
  return side ? { ...away, [side]: until > at ? until : null } : away;
}

/** The sentence for one side. @param {Seen} state @param {Side} side @param {number} until */
function awayText({ you }, side, until) {
  const values = { time: momentText(until) };
  if (you) return you === side ? gettext("You are away until %(time)s.", values) : gettext("The opponent is away until %(time)s.", values);
  return side === "white" ? gettext("White is away until %(time)s.", values) : gettext("Black is away until %(time)s.", values);
}

/** The lines of `game_away.html`. */
export class Away {
  #timer = 0;

  /** @param {() => number} now the server's time, in milliseconds since 1970 */
  constructor(now) {
    this.now = now;
  }

  /** Show who is away, until it is over. @param {Seen} state */
  show(state) {
    clearTimeout(this.#timer);
    const now = this.now();
    for (const side of SIDES) {
      const until = state.away[side];
      const line = byId(`away-${side}`);
      line.hidden = until === null || until <= now;
      if (!line.hidden && until !== null) line.textContent = awayText(state, side, until);
    }
    const next = Math.min(...SIDES.map((side) => state.away[side] ?? 0).filter((until) => until > now));
    if (Number.isFinite(next)) this.#timer = setTimeout(() => this.show(state), Math.min(LONGEST, next - now));
  }

  /**
   * Announce that the opponent, or a player whom one watches, goes away or comes back.
   * @param {Seen} state after the event
   * @param {{side?: Side}} event of the kind `vacation`
   */
  tell(state, { side }) {
    if (!side || side === state.you) return;
    const until = state.away[side];
    if (until !== null) say(awayText(state, side, until));
    else if (state.you) say(gettext("The opponent is back."));
    else say(side === "white" ? gettext("White is back.") : gettext("Black is back."));
  }
}
