/** The panel of a finished game: who won and why, and the graph. */

import { drawGraph, graphSummary } from "../analysis/evaluation_graph.js";
import { clauseText, outcomeHeadline, terminationText, resultText } from "../game/sentences.js";
import { positionNames } from "../game/move_steps.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */

/** @param {HTMLElement} host @param {GameState} state of a game that is over */
export function showOutcome(host, state) {
  const title = document.createElement("h2");
  title.textContent = outcomeHeadline(state);
  const result = document.createElement("p");
  result.className = "result";
  result.textContent = resultText(state);
  const why = document.createElement("p");
  why.className = "reason";
  why.textContent = terminationText(state);
  const clause = document.createElement("p");
  clause.className = "clause";
  clause.textContent = clauseText(state);
  host.replaceChildren(title, ...[result, why, clause].filter(({ textContent }) => textContent));
}

/** A new rating with its change. @param {import("../game/message_types.js").Seat} seat */
function ratingChangeText({ rating, provisional, change }) {
  const sign = !change ? "±" : change > 0 ? "+" : "−";
  return `${rating}${provisional ? "?" : ""} (${sign}${Math.abs(change ?? 0)})`;
}

/** Show the new ratings of a rated game, once they are known. @param {HTMLElement} place @param {GameState} state */
export function showRatings(place, { seats: { white, black } }) {
  place.hidden = white.change === undefined || black.change === undefined;
  const text = gettext("New ratings: White %(white)s, Black %(black)s", { white: ratingChangeText(white), black: ratingChangeText(black) });
  if (!place.hidden && place.textContent !== text) place.textContent = text;
}

/**
 * Fetch the evaluations and draw them; the rest of the page does not need them.
 * @param {HTMLElement} host
 * @param {GameState} state
 * @param {(ply: number) => void} onPick
 * @returns {Promise<ReturnType<typeof drawGraph>|null>}
 */
export async function showGraph(host, state, onPick) {
  if (!state.moves.length) return null; // a game that was aborted before the first move
  try {
    const answer = await fetch(`/api/games/${state.id}/evaluations`);
    const points = answer.ok ? await answer.json() : [];
    if (points.length < 2) return null;
    const drawing = /** @type {HTMLElement} */ (host.querySelector(".drawing"));
    const name = positionNames(state.moves);
    const graph = drawGraph(drawing, points, onPick, name);
    const text = /** @type {HTMLElement} */ (host.querySelector(".summary"));
    text.textContent = graphSummary(points, name);
    host.hidden = false;
    return graph;
  } catch {
    return null;
  }
}
