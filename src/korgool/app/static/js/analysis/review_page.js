/** The tab of the review: its figures, its graph, and the search for better moves, wired to the board. */

import { byId } from "../site/dom.js";
import { ngettext } from "../site/translations.js";
import { BetterMoves } from "./better_moves.js";
import { GameReview } from "./game_review.js";
import { bringIntoView } from "./page_layout.js";
import { ReviewPanel } from "./review_panel.js";
import { reviewedAddress } from "./reviewed_game.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./game_tree.js").Tree} Tree */
/** @typedef {import("../game/message_types.js").Side} Side */
/**
 * @typedef {{game: () => string, rules: () => import("./better_moves.js").Rules, current: () => Node,
 *   texts: (node: Node, moves: number[]) => string[], open: () => ReturnType<typeof import("./engine_provider.js").openEngine>,
 *   judged: () => void, show: (node: Node, how?: {sown?: boolean, quiet?: boolean}) => void, sown: () => Promise<void>,
 *   arrows: (arrows: import("../board/move_arrows.js").Arrow[]) => void, hide: (hidden: boolean) => void,
 *   branched: () => void}} Page judged: where marks have changed; hide: whether what the engine would play is hidden;
 *   branched: where the tree has another branch
 */

/** @param {Page} page */
export function openReview(page) {
  /** The ply that an address asks about, until the game is there. @type {number|null} */
  let wanted = null;
  let hidden = false;
  const hide = () => {
    if (hidden === better.hiding) return;
    hidden = better.hiding;
    page.hide(hidden);
  };
  const review = new GameReview({
    game: page.game, texts: page.texts, open: page.open, judged: page.judged,
    changed: () => {
      panel.drawSoon();
      better.update();
      const { length } = better.mistakes(sides());
      byId("better-left").textContent = length ? `(${length})` : "";
      void keep();
    },
  });
  const panel = new ReviewPanel({ review: () => review, game: page.game, pick: (node) => page.show(node) });
  const better = new BetterMoves({
    review, rules: page.rules, current: page.current, sown: page.sown, show: page.show, arrows: page.arrows, changed: hide,
    branched: page.branched,
  });
  const side = /** @type {HTMLSelectElement} */ (byId("better-side"));
  const sides = () => /** @type {import("./better_moves.js").Sides} */ (side.value);
  side.addEventListener("change", () => review.page.changed());
  byId("better-start").addEventListener("click", () => better.start(sides()));

  /** Whose moves become cards, and in which game; null where it is nobody's here. @type {{own: Side, source: string}|null} */
  let mine = null;
  /** Keep the mistakes of one's own game as cards, once its review is complete. */
  const keep = async () => {
    const { done, all } = review.progress;
    if (!mine || done < all || all < 2) return;
    const { own, source } = mine;
    mine = null;
    const { keepMistakes } = await import("../mistakes/mistake_finder.js");
    const { length } = await keepMistakes(review, { game: page.game(), rules: page.rules(), own, source });
    const link = /** @type {HTMLAnchorElement} */ (byId("mistakes-kept").firstElementChild);
    link.textContent = ngettext("%(n)s mistake of yours comes back to be solved.", "%(n)s mistakes of yours come back to be solved.", length, { n: length });
    byId("mistakes-kept").hidden = !length;
  };

  return {
    /** @param {Node} node @param {import("./engine_provider.js").Report} report see `GameReview.see` */
    see: (node, report) => review.see(node, report),
    reset: () => review.reset(),
    /** Whether the review says how the game ended. */ tellsResult: false,
    /** Show the figures of a tree's main line; see `GameReview.follow`. @param {Tree} tree @param {boolean} on @param {boolean} running */
    follow(tree, on, running) {
      review.follow(tree, on, running);
      byId("review-empty").hidden = !byId("figures").hidden;
      if (wanted === null) return;
      const node = tree.line[wanted];
      wanted = null;
      if (node?.parent) better.start(sides(), node);
    },
    /** Another position is on the board. @param {Node} node */
    shown(node) {
      hide();
      panel.mark(node);
      better.draw();
    },
    /** Take a move as an answer, where one is asked for. @param {number} hole @returns {boolean} whether it was one */
    answer(hole) {
      if (!better.waiting) return false;
      void better.answer(hole);
      return true;
    },
    /**
     * Another game is open.
     * @param {(string|null)[]} names of White and Black
     * @param {string[]} result who won, and how; empty where nobody has said so
     * @param {Side|null} own the reader's side
     */
    opened(names, result, own) {
      if (result.length) bringIntoView(/** @type {HTMLElement} */ (document.querySelector(".tabs")));
      better.reset();
      hide();
      panel.name(names, result);
      this.tellsResult = result.length > 0;
      side.value = own ?? "both";
      const source = reviewedAddress();
      mine = own && source ? { own, source } : null;
      byId("mistakes-kept").hidden = true;
    },
    /**
     * Look for a better move, as soon as the game is on the board, where an address asks for it by `#better=12`, the ply.
     * @param {string} fragment
     */
    seek(fragment) {
      const ply = /^#better=(\d{1,4})$/.exec(fragment)?.[1];
      wanted = ply === undefined ? null : Number(ply);
    },
  };
}
