/** Texts that a game's page announces on request: the board, the stores, the clocks, the last moves. */

import { ownSide } from "../game/state_selectors.js";
import { moveText, storesText, tuzWord } from "../game/sentences.js";
import { gettext, words } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */

/** The holes of a side from 1 on. @param {GameState} state @param {Side} side */
function row(state, side) {
  const tuz = state.tuz[side === "white" ? 1 : 0];
  const list = state[side].map((stones, index) => (tuz === index + 1 ? tuzWord(state.game) : stones)).join(", ");
  const mine = ownSide(state);
  if (mine) {
    return side === mine ? gettext("Your holes: %(list)s.", { list }) : gettext("Opponent's holes: %(list)s.", { list });
  }
  return side === "white" ? gettext("White's holes: %(list)s.", { list }) : gettext("Black's holes: %(list)s.", { list });
}

/** Both rows, the reader's own first, and the stores. @param {GameState} state */
export function boardText(state) {
  const own = state.you ?? "white";
  return [row(state, own), row(state, own === "white" ? "black" : "white"), storesText(state)].join(" ");
}

/** @param {number} amount @param {"minute"|"second"} unit */
const amount = (amount, unit) =>
  new Intl.NumberFormat(words.language, { style: "unit", unit, unitDisplay: "long" }).format(amount);

/** Minutes and seconds in words. @param {number} ms */
function time(ms) {
  const seconds = Math.floor(ms / 1000);
  const parts = seconds < 60 ? [] : [amount(Math.floor(seconds / 60), "minute")];
  return [...parts, amount(seconds % 60, "second")].join(" ");
}

/** @param {{left: (side: Side) => number|null}} clocks */
export function clocksText(clocks) {
  const [white, black] = [clocks.left("white"), clocks.left("black")];
  if (white === null || black === null) return gettext("This game has no clock.");
  return gettext("White's clock: %(white)s. Black's clock: %(black)s.", { white: time(white), black: time(black) });
}

/** The plies that led to some states, one after the other. @param {GameState[]} states */
export function movesText(states) {
  const sentences = states.flatMap((state) => (state.last ? [`${moveText(state.last, state)}.`] : []));
  return sentences.join(" ") || gettext("No move yet.");
}
