/** Selectors over the state of a game: who plays whom, and whether the game goes on. */

import { otherSide } from "./move_trace.js";

/** @typedef {import("./message_types.js").GameState} GameState */
/** @typedef {import("./message_types.js").Side} Side */

/** Return whether the game is over or aborted. @param {GameState} state */
export const isOver = ({ outcome, aborted }) => Boolean(outcome || aborted);

/** Return whether the viewer has a seat in a game that goes on. @param {GameState} state */
export const isPlaying = (state) => Boolean(state.you) && !isOver(state);

/** Return whether both players are people. @param {GameState} state */
export const isBetweenPeople = ({ level }) => level === null;

/**
 * The side that texts call the viewer's own; null for spectators, and at a device that two people share.
 * @param {{you: Side|null, shared?: boolean}} state
 */
export const ownSide = ({ you, shared }) => (shared ? null : you);

/** The side of a player's opponent; null for spectators and shared devices. @param {GameState} state */
export const opponentOf = ({ you, shared }) => (you && !shared ? otherSide(you) : null);

/** Return whether the game is slow: days for each turn. @param {GameState} state */
export const isSlow = ({ control }) => /^\d+d$/.test(control);

/** Return whether people play a friendly game against the clock. @param {GameState} state */
export const isLiveAndFriendly = (state) =>
  isBetweenPeople(state) && state.conduct === "friendly" && state.clock !== null && !isSlow(state);
