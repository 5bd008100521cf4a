/** The screen of a class: its part renews itself, and the board shows the question and then the sowing. */

import "../board/board_element.js";
import { lessonState, markOf } from "../learn/lesson_states.js";
import { byId } from "../site/dom.js";
import { keepFresh } from "../site/renewed_part.js";

/**
 * @typedef {{key: string, game: string, before: import("../board/moving_board.js").Shown, mark: number,
 *   trace: import("../game/message_types.js").Trace|null, after: import("../board/moving_board.js").Shown, shown: boolean}} Asked
 */

/** Milliseconds between two looks at the class. */
const EVERY = 1500;
const part = byId("screen-part");
const place = byId("screen-board");
const board = /** @type {import("../board/board_element.js").KorgoolBoard} */ (byId("class-board"));
board.speed = "slow";
/** The question that is on the board, and whether its answer has been sown. */
let key = "", sown = false;

/** Show the question that the part has, if there is one. @param {boolean} first whether the page has just been opened */
async function showBoard(first) {
  const text = part.querySelector("#question-board")?.textContent;
  byId("screen").classList.toggle("asking", Boolean(text));
  place.hidden = !text;
  if (!text) {
    key = "";
    return;
  }
  const asked = /** @type {Asked} */ (JSON.parse(text));
  const { game, before, mark, trace, after } = asked;
  const fresh = asked.key !== key;
  if (fresh) {
    key = asked.key;
    sown = false;
    place.toggleAttribute("data-asking", mark > 0);
    board.show(lessonState(game, before, { turn: "white", last: mark ? markOf("white", mark) : null }));
  }
  if (!asked.shown || sown) return;
  sown = true;
  if (!trace) return;
  place.removeAttribute("data-asking");
  const state = lessonState(game, after, { turn: "white", last: trace });
  if (first && !fromButton()) {
    board.show(state);
    return;
  }
  board.expect(state);
  await board.sow(trace, state);
}

/** Whether the page was opened by its own button a moment ago: then the stones are seen to move. */
const fromButton = () => document.referrer === location.href;

const tag = () => part.querySelector("[data-tag]")?.getAttribute("data-tag") ?? "";
await customElements.whenDefined("korgool-board");
void showBoard(true);
new MutationObserver(() => void showBoard(false)).observe(part, { childList: true, subtree: true, characterData: true, attributes: true });
keepFresh(part, () => `${part.dataset.address}?known=${tag()}`, EVERY);
