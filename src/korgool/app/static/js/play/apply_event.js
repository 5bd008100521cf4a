/**
 * Applies events to the state of a game. It knows no rules: stones go where the trace says, and everything else that a
 * rule decides comes with the event. If state and event do not fit together the result is null, and the page asks the
 * server for the state.
 */

import { applyVacation } from "./vacations.js";
import { isOver } from "../game/state_selectors.js";
import { capturesOf, dropsOf, otherSide, tuzOf } from "../game/move_trace.js";

/** @typedef {import("../game/message_types.js").GameEvent} GameEvent */
/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Presence} Presence */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("../game/message_types.js").Trace} Trace */
/** @typedef {Partial<GameState>} Change */

/** The changes by each kind of event; null if the event does not fit. @type {Record<string, (state: GameState, event: GameEvent) => Change|null>} */
const CHANGES = {
  join: () => ({}),
  begin: (state, event) => ({ ...turn(state, event), begun: true }),
  move: applyMove,
  // Offers, claims, the clock and the deadline come with every kind.
  "offer-draw": () => ({}),
  "decline-draw": () => ({}),
  "ask-takeback": () => ({}),
  "decline-takeback": () => ({}),
  "ask-rematch": () => ({}),
  "add-time": () => ({}),
  outage: () => ({}),
  vacation: ({ away }, event) => ({ away: applyVacation(away, event) }),
  takeback: applyTakeback,
  "accept-draw": applyEnding,
  resign: applyEnding,
  time: applyEnding,
  claim: applyEnding,
  abort: (state, event) => ({ ...applyEnding(state, event), aborted: true }),
  rematch: (_, { game }) => ({ rematch: game ?? null }),
};

/**
 * Return the state after an event, or null if the event does not fit the state.
 * @param {GameState} state
 * @param {GameEvent} event the one that follows the state's version
 * @returns {GameState|null}
 */
export function applyEvent(state, event) {
  const change = CHANGES[event.kind]?.(state, event);
  if (!change) return null;
  const next = { ...state, ...change, version: event.version, now: event.at, offers: event.offers ?? {} };
  if (!isOver(state)) {
    next.clock = event.clock ?? state.clock;
    next.due = event.due ?? null;
  }
  next.claims = (next.you && event.claims) || [];
  next.can_undo = mayTakeBack(next);
  return next;
}

/** Return the state with a new presence. @param {GameState} state @param {Presence} presence @returns {GameState} */
export function applyPresence(state, { white, black, viewers, white_gone, black_gone }) {
  const seats = {
    white: { ...state.seats.white, present: white, gone: white_gone },
    black: { ...state.seats.black, present: black, gone: black_gone },
  };
  return { ...state, seats, viewers };
}

/** The turn and what depends on it. @param {GameState} state @param {GameEvent} event @returns {Change} */
function turn(state, { turn: side = state.turn, legal = [], position = state.position }) {
  const you = state.shared ? side : state.you;
  return { turn: side, you, legal: side === you ? legal : [], previews: {}, position };
}

/** @param {GameState} state @param {GameEvent} event @returns {Change|null} */
function applyMove(state, event) {
  const { trace, ply, text, stores, outcome } = event;
  if (!trace || ply !== state.moves.length + 1) return null;
  const board = applyTrace(state, trace);
  if (board.stores.some((stones, side) => stones !== stores?.[side])) return null;
  return {
    ...board,
    ...turn(state, event),
    moves: [...state.moves, { ply, side: trace.side, hole: trace.hole, text: text ?? "" }],
    last: trace, begun: true, outcome: outcome ?? null,
  };
}

/**
 * Return the board after the stones of a trace have moved.
 * @param {GameState} state
 * @param {Trace} trace
 * @returns {Pick<GameState, "white"|"black"|"stores"|"tuz">}
 */
export function applyTrace(state, trace) {
  const rows = { white: [...state.white], black: [...state.black] };
  const stores = { white: state.stores[0], black: state.stores[1] };
  const tuz = { white: state.tuz[0], black: state.tuz[1] };
  /** @param {import("../game/move_trace.js").Spot} spot @param {number} by */
  const add = ({ side, hole }, by) => {
    if (hole) rows[side][hole - 1] += by;
    else stores[side] += by;
  };
  add({ side: trace.side, hole: trace.hole }, -trace.lifted);
  for (const { lies } of dropsOf(trace)) add(lies, 1);
  for (const { spot, stones } of capturesOf(trace)) {
    add(spot, -stones);
    stores[trace.side] += stones;
  }
  const won = tuzOf(trace);
  if (won) tuz[otherSide(won.side)] = won.hole;
  if (trace.sweep) {
    rows.white.fill(0);
    rows.black.fill(0);
    stores.white += trace.sweep[0];
    stores.black += trace.sweep[1];
  }
  return { ...rows, stores: [stores.white, stores.black], tuz: [tuz.white, tuz.black] };
}

/** @param {GameState} state @param {GameEvent} event @returns {Change|null} */
function applyTakeback(state, event) {
  const { plies, white, black, stores, tuz } = event;
  if (!plies || !white || !black || !stores || !tuz || plies > state.moves.length) return null;
  return { ...turn(state, event), white, black, stores, tuz, moves: state.moves.slice(0, -plies), last: null };
}

/** @param {GameState} state @param {GameEvent} event @returns {Change} */
function applyEnding(state, { outcome }) {
  const stores = outcome?.stores ?? state.stores;
  return { outcome: outcome ?? null, stores, legal: [], previews: {} };
}

/** Return whether the viewer may take back or ask for it. @param {GameState} state */
function mayTakeBack(state) {
  const { you, shared, conduct, rated, moves } = state;
  if (!you || conduct !== "friendly" || rated || isOver(state)) return false;
  return moves.some(({ side }) => shared || side === you);
}
