/** The sheet of the worst moves: the server makes a PDF of the cards that it is sent, and keeps nothing of them. */

import { byId } from "../site/dom.js";

/** @typedef {import("./mistake_store.js").Stored} Stored */

/** Diagrams of a sheet. */
const MOST = 20;

/** @param {() => Stored[]} cards the worst first */
export function bindPaper(cards) {
  byId("paper").addEventListener("submit", () => {
    const chosen = cards().filter(({ dropped }) => !dropped).slice(0, MOST).map(({ card }) => card);
    /** @type {HTMLInputElement} */ (byId("paper-cards")).value = JSON.stringify(chosen);
  });
}
