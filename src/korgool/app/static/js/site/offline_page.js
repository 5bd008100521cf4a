/**
 * The page shown when the server cannot be reached: it offers what this device can do alone, and in place of a page of an
 * event it tells about unsent results.
 */

import { findRecentGame } from "../play/recent_games.js";
import { byId } from "./dom.js";

const id = /^\/games\/(\w+)$/.exec(location.pathname)?.[1];
const game = id === undefined ? null : findRecentGame(id);
if (game) {
  const look = /** @type {HTMLAnchorElement} */ (byId("look"));
  const { names, you, ...link } = game;
  look.href = names ? `/games/${id}/review` : `/analysis#${new URLSearchParams(link)}`;
  look.hidden = false;
  byId("board").classList.remove("primary");
}
const told = document.querySelector(`[data-at="${CSS.escape(location.pathname)}"]`);
if (told instanceof HTMLElement) {
  told.hidden = false;
  byId("of-any").hidden = true;
}
const again = byId("again");
again.hidden = false;
if (/^\/events\/./.test(location.pathname)) {
  byId("of-games").hidden = true;
  byId("of-event").hidden = false;
  again.classList.add("primary");
}
again.addEventListener("click", () => location.reload());
addEventListener("online", () => location.reload());
