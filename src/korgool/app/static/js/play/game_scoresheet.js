/** The scoresheet of the page of a game, filled from its state when it is printed. */

import { bindScoresheet, fillField, fillTurns } from "../game/scoresheet.js";
import { outcomeHeadline, resultText, terminationText } from "../game/sentences.js";
import { groupByTurn } from "./move_list.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */

/** @param {() => GameState} current the newest state */
export function bindGameScoresheet(current) {
  bindScoresheet(() => {
    const state = current();
    for (const side of /** @type {const} */ (["white", "black"])) {
      const { kind, name, rating } = state.seats[side];
      if (kind === "person" && name) fillField(side, `${name}${rating ? ` (${rating})` : ""}`);
    }
    const first = state.start ? Number(state.start.split(" ")[4]) : 1;
    const text = (/** @type {import("../game/message_types.js").Move[]} */ moves) => moves.map((move) => move.text).join(",");
    fillTurns(groupByTurn(state.moves).map(({ white, black }, index) => ({ number: first + index, white: text(white), black: text(black) })));
    const said = { ...state, you: null };
    fillField("result", state.outcome ? [resultText(state), outcomeHeadline(said), terminationText(state)].filter(Boolean).join(" · ") : "");
  });
}
