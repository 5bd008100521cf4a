/** The list of puzzles: each theme goes on where this device has left it, and the cards tell the streak and the rating. */

import { byId } from "../site/dom.js";
import { placeOf, ratingOf } from "./puzzle_store.js";

const list = byId("puzzle-list");
const game = list.dataset.game ?? "";
for (const link of /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll("a[data-theme]"))) {
  const begin = placeOf(game, link.dataset.theme ?? "");
  if (!begin) continue;
  const address = new URL(link.href);
  address.searchParams.set("begin", String(begin));
  link.href = address.href;
  const count = link.querySelector(".count");
  if (count) count.textContent = `${begin} / ${count.textContent}`;
}
const rating = ratingOf(game)?.rating;
if (rating) {
  /** @type {HTMLAnchorElement} */ (byId("rated")).href = `/puzzles/${game}?rating=${Math.round(rating)}`;
  byId("own-rating").textContent = String(Math.round(rating));
}
