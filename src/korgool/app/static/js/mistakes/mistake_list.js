/** The list of all cards: the game, the loss, when each comes back, and a switch to keep it or to drop it. */

import { byId } from "../site/dom.js";
import { momentText } from "../site/local_times.js";
import { gettext, speakOf, words } from "../site/translations.js";
import { lossText } from "../analysis/review_words.js";

/** @typedef {import("./mistake_store.js").Stored} Stored */

/** Cards that are listed at first. */
const FIRST = 20;
let all = false;

/** @param {string} text @param {string} [name] */
function span(text, name = "") {
  const part = document.createElement("span");
  part.textContent = text;
  part.className = name;
  return part;
}

/** @param {Stored} one @param {(id: string, dropped: boolean) => void} turned */
function line({ card, memory, dropped }, turned) {
  speakOf(card.game);
  const item = document.createElement("li");
  const number = card.position.trim().split(/\s+/)[4];
  const move = gettext("move %(n)s", { n: number });
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = !dropped;
  box.addEventListener("change", () => turned(card.id, !box.checked));
  const due = !memory || memory.due <= Date.now() ? gettext("due now") : momentText(memory.due);
  label.append(
    box, span(`${words.games[card.game]}, ${move}`, "which"), span(lossText(card)),
    span(dropped ? gettext("dropped") : due, "when"),
  );
  item.append(label);
  return item;
}

/**
 * @param {Stored[]} cards the worst first
 * @param {(id: string, dropped: boolean) => void} turned
 */
export function showCards(cards, turned) {
  byId("all-cards").hidden = !cards.length;
  byId("card-count").textContent = String(cards.length);
  const listed = all ? cards : cards.slice(0, FIRST);
  const host = byId("card-list");
  const at = [...host.children].findIndex((item) => item.contains(document.activeElement));
  host.replaceChildren(...listed.map((one) => line(one, turned)));
  if (at >= 0) /** @type {HTMLElement|null} */ (host.children[at]?.querySelector("input"))?.focus({ preventScroll: true });
  const more = byId("more-cards");
  more.hidden = listed.length === cards.length;
  more.onclick = () => {
    all = true;
    showCards(cards, turned);
  };
}
