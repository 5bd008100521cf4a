/** The review beside the board: accuracy and marks of both players, the graph, and the turning points as buttons. */

import { nodeName } from "../game/move_steps.js";
import { byId, say, whenReleased } from "../site/dom.js";
import { gettext, words } from "../site/translations.js";
import { ReviewGraph } from "./review_graph.js";
import { summarise } from "./review_values.js";
import { accuracyText, lossText } from "./review_words.js";

/** @typedef {import("./game_review.js").GameReview} GameReview */
/** @typedef {import("./game_review.js").ReviewedMove} ReviewedMove */
/** @typedef {import("./game_tree.js").Node} Node */

/** Turning points that are named. */
const MOST = 6;
/** Milliseconds between updates, so that they can be read and tapped. */
const PAUSE = 250;

export class ReviewPanel {
  /** @type {number|undefined} */ #drawing;
  #turning = "";
  /** @type {Node|null} */ #current = null;
  /** The start of the game whose figures were announced. @type {Node|null} */ #announced = null;

  /** @param {{review: () => GameReview, game: () => string, pick: (node: Node) => void}} page */
  constructor(page) {
    this.page = page;
    this.graph = new ReviewGraph(byId("graph"), (ply) => {
      const { line } = page.review();
      page.pick(line[Math.min(ply, line.length - 1)]);
    });
    byId("turning").addEventListener("click", ({ target }) => {
      const button = /** @type {HTMLElement} */ (target).closest("button");
      const node = button && page.review().line[Number(button.dataset.ply)];
      if (node) page.pick(node);
    });
  }

  /** The names of the players; who won, and the result. @param {(string|null)[]} players @param {string[]} result */
  name(players, result) {
    for (const [at, side] of ["white", "black"].entries()) {
      const name = byId("figures").querySelector(`tr[data-side="${side}"] .name`);
      const usual = side === "white" ? gettext("White") : gettext("Black");
      if (name) name.textContent = players[at] ?? usual;
    }
    const [winner, text] = result;
    const place = byId("review-result");
    place.hidden = !winner;
    const strong = document.createElement("b");
    strong.textContent = winner ?? "";
    place.replaceChildren(strong, text ?? "");
  }

  /** Mark the position on the board. @param {Node} node */
  mark(node) {
    this.#current = node;
    this.graph.mark(node.main ? node.ply : null);
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (byId("turning").querySelectorAll("button"))) {
      const shown = node.main && button.dataset.ply === String(node.ply);
      if (shown) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
  }

  /** Draw what is known, soon. */
  drawSoon() {
    this.#drawing ??= setTimeout(async () => {
      await whenReleased();
      this.#drawing = undefined;
      this.draw();
    }, PAUSE);
  }

  /** Draw what is known. */
  draw() {
    const review = this.page.review();
    const { hidden, wanted, line, moves } = review;
    this.graph.draw(review, this.page.game());
    const { done, all } = review.progress;
    byId("figures").hidden = hidden || line.length < 2 || (!wanted && !done);
    if (byId("figures").hidden) return;
    const known = moves.every(({ judgement }) => judgement);
    for (const side of /** @type {const} */ (["white", "black"])) {
      const summary = summarise(moves, side);
      const put = (/** @type {string} */ name, /** @type {string} */ text) => {
        const cell = byId("figures").querySelector(`tr[data-side="${side}"] td.${name}`);
        if (cell && cell.textContent !== text) cell.textContent = text;
      };
      put("accuracy", known ? accuracyText(summary) : "…");
      for (const [name, count] of Object.entries(summary.counts)) put(name, known ? String(count) : "…");
    }
    const working = byId("working");
    working.hidden = done === all;
    const progress = /** @type {HTMLProgressElement} */ (working.querySelector("progress"));
    progress.max = all;
    progress.value = done;
    byId("working-text").textContent = gettext("%(n)s of %(all)s positions analysed", { n: done, all });
    this.#drawTurning(moves);
    if (done === all && this.#announced !== line[0]) this.#announce(line[0]);
  }

  /** Tell a screen reader the accuracy of both players, once a game, where the review is shown. @param {Node} start */
  #announce(start) {
    if (byId("pane-review").hidden) return;
    this.#announced = start;
    const rows = [...byId("figures").querySelectorAll("tbody tr")];
    const figures = rows.map((row) => `${row.querySelector(".name")?.textContent} ${row.querySelector(".accuracy")?.textContent}`);
    say(`${gettext("Accuracy")}: ${figures.join(", ")}.`);
  }

  /** The worst mistakes, in the order of the game. @param {ReviewedMove[]} moves */
  #drawTurning(moves) {
    const worst = moves.filter(({ final, judgement }) => final && (judgement?.mark === "blunder" || judgement?.mark === "mistake"))
      .sort((one, other) => (other.judgement?.lost ?? 0) - (one.judgement?.lost ?? 0)).slice(0, MOST)
      .sort((one, other) => one.node.ply - other.node.ply);
    const key = worst.map(({ node, judgement }) => `${node.id} ${judgement?.sign} ${Math.round(judgement?.stones ?? 0)}`).join();
    if (key === this.#turning) return;
    this.#turning = key;
    const host = byId("turning");
    const focused = host.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.ply : undefined;
    host.hidden = !worst.length;
    host.replaceChildren(...worst.map((move) => turningPoint(move)));
    if (this.#current) this.mark(this.#current);
    if (focused) /** @type {HTMLElement|null} */ (host.querySelector(`[data-ply="${focused}"]`))?.focus({ preventScroll: true });
  }
}

/** @param {ReviewedMove} move */
function turningPoint({ node, judgement }) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.ply = String(node.ply);
  const name = nodeName(node);
  /** @type {[string, string][]} */
  const parts = [
    ["step", name.charAt(0).toLocaleUpperCase(words.language) + name.slice(1)],
    [`mark ${judgement?.mark}`, judgement?.sign ?? ""],
    ["move", node.snapshot.text ?? ""],
    ["loss", judgement ? lossText(judgement) : ""],
  ];
  for (const [kind, text] of parts) {
    const part = document.createElement("span");
    part.className = kind;
    part.textContent = text;
    button.append(part, " ");
  }
  item.append(button);
  return item;
}
