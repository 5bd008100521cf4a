/** What follows from the state of a game for the viewer's page: who plays whom, and whether it goes on. */

import { otherSide } from "./move_trace.js";

/** @typedef {import("./message_types.js").GameState} GameState */
/** @typedef {import("./message_types.js").Side} Side */

/** Whether nothing can be played any more. @param {GameState} state */
export const isOver = ({ outcome, aborted }) => Boolean(outcome || aborted);

/** Whether the viewer has a seat in a game that goes on. @param {GameState} state */
export const plays = (state) => Boolean(state.you) && !isOver(state);

/** Whether no engine sits at the board. @param {GameState} state */
export const betweenPeople = ({ level }) => level === null;

/**
 * The side that texts call the viewer's own; null for those who watch, and at a device that two people share.
 * @param {{you: Side|null, shared?: boolean}} state
 */
export const ownSide = ({ you, shared }) => (shared ? null : you);

/** The side of a player's opponent; null where there is nobody else. @param {GameState} state */
export const opponentOf = ({ you, shared }) => (you && !shared ? otherSide(you) : null);

/** Whether every turn has days of its own. @param {GameState} state */
export const isSlow = ({ control }) => /^\d+d$/.test(control);

/** Whether people play a friendly game against the clock. @param {GameState} state */
export const isLiveAndFriendly = (state) =>
  betweenPeople(state) && state.conduct === "friendly" && state.clock !== null && !isSlow(state);
