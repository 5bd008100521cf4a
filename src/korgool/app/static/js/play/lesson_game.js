/** The game with which a path of lessons ends: the lesson is done once that game is finished. */

import { readSetting, storeSetting } from "../site/stored_settings.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */

/** The name of the setting: the game that was begun last as a lesson. */
const NAME = "lesson-game";
/** The part of an address with which such a game begins; the form of the lesson brings it. */
const BEGUN = "#coach";
/** The name of the last stop of each path, as `korgool.training.lessons` has it, and its stars. */
const STOP = "game";
const STARS = 3;

/** Return whether a game is a lesson, and remember it where its address says so. @param {string} id */
export function isLessonGame(id) {
  if (location.hash === BEGUN) {
    storeSetting(NAME, id);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  return readSetting(NAME, "") === id;
}

/** Return whether a game that is over was played to an end, and not called off or given up by the player. @param {GameState} state */
const isFinished = ({ outcome, you }) => Boolean(outcome) && !(outcome?.termination === "resignation" && outcome.winner !== you);

/** Keep the stars of the lesson once its game is finished, and say so on the sheet. @param {GameState} state of a game that is over */
export async function finishLesson(state) {
  if (!isLessonGame(state.id) || !isFinished(state)) return;
  const { storeStars } = await import("../learn/progress.js");
  storeStars(state.game, STOP, STARS);
  const line = document.getElementById("lesson-done");
  if (line) line.hidden = false;
}
