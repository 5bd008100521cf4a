/**
 * What is not needed at every move, as a sheet on phones: other actions, the rules, settings, the record. While it is
 * open the sheet has those parts of the panel; they are in their usual places again when it closes.
 */

import { bindSheet } from "../site/sheets.js";
import { byId } from "../site/dom.js";
import { shareAddress } from "../site/web_share.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */

/** The parts of the panel that the sheet borrows. */
const BORROWED = "#actions, #offering, #coach-row, #settings, .downloads";

/** @param {GameState} state @param {(text: string) => void} notice */
export function bindMenu(state, notice) {
  const sheet = /** @type {HTMLDialogElement} */ (byId("game-menu"));
  const place = /** @type {HTMLElement} */ (sheet.querySelector(".borrowed"));
  bindSheet(sheet);
  /** @type {[Comment, Element][]} */
  let lent = [];
  const close = () => sheet.open && sheet.close();
  for (const id of ["more", "rest"]) {
    byId(id).addEventListener("click", () => {
      lent = [...document.querySelectorAll(BORROWED)].map((part) => {
        const mark = document.createComment("");
        part.replaceWith(mark);
        place.append(part);
        return [mark, part];
      });
      sheet.showModal();
    });
  }
  sheet.addEventListener("close", () => {
    for (const [mark, part] of lent.splice(0)) mark.replaceWith(part);
  });
  // What is chosen here happens at the board.
  byId("actions").addEventListener("click", ({ target }) => /** @type {Element} */ (target).closest(".button") && close());
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (sheet.querySelectorAll("[data-presses]"))) {
    button.addEventListener("click", () => {
      close();
      byId(button.dataset.presses ?? "").click();
    });
  }
  byId("share-game").addEventListener("click", () => {
    close();
    void shareAddress(`${location.origin}/games/${state.id}`, notice);
  });
}
