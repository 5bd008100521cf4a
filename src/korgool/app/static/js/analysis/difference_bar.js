/** The bar beside the board: the expected difference of the kazans from White's view, as a length and in words. */

import { byId } from "../site/dom.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("./game_tree.js").Snapshot} Snapshot */
/** @typedef {{evaluation: number, certain: number}} Value in stones, from White's view; certain: of a proven winner */

/** All stones of a game. @param {Snapshot} snapshot */
const allStones = ({ board: { white, black, stores } }) => [...white, ...black, ...stores].reduce((sum, stones) => sum + stones, 0);

/**
 * White's share of the bar, 0 to 1: half of it for an even position, all of it for a sure win. A stone moves it most
 * where the game is even, because there it matters most.
 * @param {Value} value
 * @param {number} total stones of the game
 */
export function barShare({ evaluation, certain }, total) {
  if (certain) return certain > 0 ? 1 : 0;
  return 0.5 + 0.5 * Math.tanh((6 * evaluation) / total);
}

/** The value in words. @param {Value} value */
export function differenceText({ evaluation, certain }) {
  if (certain) return certain > 0 ? gettext("White surely wins") : gettext("Black surely wins");
  const n = Math.round(Math.abs(evaluation));
  if (!n) return gettext("about even");
  return evaluation > 0 ? gettext("White ahead by about %(n)s", { n }) : gettext("Black ahead by about %(n)s", { n });
}

/**
 * Show a value, or an empty bar.
 * @param {Value|null} value null where nothing is known or shown
 * @param {Snapshot} snapshot the position; the value of a finished game is its result
 */
export function showDifference(value, snapshot) {
  const bar = byId("balance");
  const { outcome } = snapshot;
  if (outcome) {
    const certain = outcome.winner === null ? 0 : outcome.winner === "white" ? 1 : -1;
    value = { evaluation: outcome.stores[0] - outcome.stores[1], certain };
  }
  const total = allStones(snapshot);
  bar.toggleAttribute("data-empty", !value);
  bar.style.setProperty("--white", String(value ? barShare(value, total) : 0.5));
  const stones = value ? Math.round(value.evaluation) : 0;
  byId("value").textContent = value ? `${stones > 0 ? "+" : stones < 0 ? "−" : ""}${Math.abs(stones)}` : "";
  bar.toggleAttribute("data-black", stones < 0);
  bar.setAttribute("aria-valuemin", String(-total));
  bar.setAttribute("aria-valuemax", String(total));
  bar.setAttribute("aria-valuenow", String(stones));
  bar.setAttribute("aria-valuetext", value ? differenceText(value) : gettext("not known"));
}
