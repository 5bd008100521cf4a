/** Sentences about holes and moves, for names of buttons, previews and the live region. */

import { named, traditionalName } from "./hole_names.js";
import { isBetweenPeople, ownSide } from "./state_selectors.js";
import { wonHole } from "./rules_records.js";
import { capturedStones } from "./move_trace.js";
import { gettext, ngettext, ofGame, opponentName, words } from "../site/translations.js";

/** @typedef {import("./message_types.js").GameState} GameState */
/** @typedef {import("./message_types.js").Preview} Preview */
/** @typedef {import("./message_types.js").Side} Side */
/** @typedef {import("./message_types.js").Trace} Trace */

/** The clause of endings that no rule text knows, as korgool.live.journal names it. */
const FRIENDLY = "friendly play";

/** @param {number} n */
export const stonesText = (n) => ngettext("%(n)s stone", "%(n)s stones", n);

/** The word for a won hole in a game. @param {string} game */
export const tuzWord = (game) => (isCastle(game) ? gettext("castle") : gettext("tuz"));

/** Return whether a won hole is a castle in a game. @param {string} game */
export const isCastle = (game) => wonHole(game) === "castle";

/**
 * The name of a hole's button, such as "hole 7, 12 stones".
 * @param {GameState} state
 * @param {Side} side
 * @param {number} hole
 */
export function holeName(state, side, hole) {
  const count = state[side][hole - 1];
  const owner = side === "white" ? 1 : 0;
  let content = stonesText(count);
  if (state.tuz[owner] === hole) {
    if (isCastle(state.game)) content = owner ? gettext("castle of Black") : gettext("castle of White");
    else content = owner ? gettext("tuz of Black") : gettext("tuz of White");
  }
  const values = { hole, stones: named(state.game, hole, content) };
  const own = ownSide(state);
  if (side === own) return gettext("hole %(hole)s, %(stones)s", values);
  if (own) return gettext("opponent's hole %(hole)s, %(stones)s", values);
  return side === "white"
    ? gettext("White's hole %(hole)s, %(stones)s", values)
    : gettext("Black's hole %(hole)s, %(stones)s", values);
}

/** @param {GameState} state */
export function storesText(state) {
  return gettext("White's kazan: %(white)s. Black's kazan: %(black)s.", {
    white: state.stores[0], black: state.stores[1],
  });
}

/** @param {Preview} preview @param {GameState} state @returns {string[]} */
function effects(preview, state) {
  const parts = [];
  if (preview.tuz) parts.push(tuzWord(state.game));
  if (preview.captures) parts.push(gettext("captures %(n)s", { n: preview.captures }));
  if (preview.extra_turn) parts.push(gettext("another turn"));
  if (preview.ends) parts.push(gettext("ends the game"));
  return parts;
}

/**
 * The short text at the landing hole: "captures 10", "tuz", or nothing.
 * @param {Preview} preview
 * @param {GameState} state
 */
export function previewText(preview, state) {
  return effects(preview.tuz ? { ...preview, captures: 0 } : preview, state).join(", ");
}

/** The whole sentence for a screen reader. @param {Preview} preview @param {GameState} state */
export function previewSentence(preview, state) {
  const own = ownSide(state);
  let lands = own ? gettext("lands in your kazan") : gettext("lands in the mover's kazan");
  if (preview.hole && !own) {
    lands = preview.side === "white"
      ? gettext("lands in White's hole %(hole)s", { hole: preview.hole })
      : gettext("lands in Black's hole %(hole)s", { hole: preview.hole });
  } else if (preview.hole) {
    lands = preview.side === own
      ? gettext("lands in your hole %(hole)s", { hole: preview.hole })
      : gettext("lands in the opponent's hole %(hole)s", { hole: preview.hole });
  }
  const name = preview.hole ? traditionalName(state.game, preview.hole) : "";
  if (name) lands += ` (${name})`;
  const [white, black] = preview.stores;
  const then = gettext("White's kazan then holds %(white)s, Black's %(black)s.", { white, black });
  return `${[lands, ...effects(preview, state)].join(", ")}. ${then}`;
}

/**
 * A move as it is spoken: "White: hole 7, 9 stones, captures 10".
 * @param {Trace} trace
 * @param {GameState} state after it
 */
export function moveText(trace, state) {
  const values = { hole: trace.hole, stones: named(state.game, trace.hole, stonesText(trace.lifted)) };
  const parts = [
    trace.side === "white"
      ? gettext("White: hole %(hole)s, %(stones)s", values)
      : gettext("Black: hole %(hole)s, %(stones)s", values),
  ];
  const captured = capturedStones(trace);
  if (trace.tuz) {
    parts.push(isCastle(state.game)
      ? gettext("castle in hole %(hole)s", { hole: trace.tuz })
      : gettext("tuz in hole %(hole)s", { hole: trace.tuz }));
  }
  if (captured) parts.push(gettext("captures %(n)s", { n: captured }));
  if (trace.extra_turn) parts.push(gettext("another turn"));
  return parts.join(", ");
}

/** The result of a game with half points as people read them: `½ (81) - ½ (81)`. @param {GameState} state */
export const resultText = ({ outcome }) => (outcome?.result_text ?? "").replaceAll(/\b0\.5(?!\d)/g, "½");

/** The name shown for a seat. @param {GameState} state @param {Side} side */
export function seatName(state, side) {
  const { kind, name, level, rating } = state.seats[side];
  if (kind === "engine") return opponentName(level ?? rating ?? 0);
  if (state.shared) return side === "white" ? gettext("White") : gettext("Black");
  if (state.you === side) return gettext("You");
  if (kind === "open") return gettext("open seat");
  if (name === "A player") return gettext("A player"); // a stranger, before a child
  if (name === "Deleted player") return gettext("Deleted player");
  const number = /^Guest ([0-9]{4})$/.exec(name)?.[1];
  return number ? gettext("Guest %(number)s", { number }) : name || gettext("visitor");
}

/** The winner as a headline. @param {GameState} state */
export function outcomeHeadline(state) {
  if (state.aborted) return gettext("The game was called off");
  const winner = state.outcome?.winner ?? null;
  if (!winner) return state.outcome?.result === "0-0" ? gettext("Both players lose") : gettext("Draw");
  const own = ownSide(state);
  if (own && winner === own) return gettext("You win");
  const name = own && seatName(state, winner);
  if (name) return gettext("%(name)s wins", { name });
  return winner === "white" ? gettext("White wins") : gettext("Black wins");
}

/** The termination in words. @param {GameState} state */
export function terminationText(state) {
  if (!state.outcome) return "";
  const { termination, winner, clause } = state.outcome;
  const ended = `${termination} ${winner ?? "draw"}`;
  return ofGame(words.reasons[`${ended}, ${clause}`] ?? words.reasons[ended] ?? "");
}

/** The clause that the referee went by, in a game between people. @param {GameState} state */
export function clauseText(state) {
  const clause = isBetweenPeople(state) ? state.outcome?.clause : "";
  return clause === FRIENDLY ? gettext("By the rules of friendly play") : clause ?? "";
}
