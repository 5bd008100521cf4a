/** A level of the engine that plays one side against the visitor, from any position. */

import { byId } from "../site/dom.js";
import { opponentTitle } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("./game_tree.js").Node} Node */

/** The step between the ratings offered; a link may ask for any rating. */
const STEP = 200;

/** @param {number} rating */
const ratingOption = (rating) => new Option(opponentTitle(rating), String(rating));

export class EngineOpponent {
  /** The level or the rating, 0 for none. */ level = 0;
  /** @type {Side} */ side = "black";
  /** True while the page waits for its move. */ waiting = false;
  #request = 0;

  /**
   * @param {{current: () => Node, choose: (node: Node, level: number) => Promise<number|null>, stop: () => void,
   *   play: (hole: number, wanted: () => boolean) => Promise<void>, changed: () => void,
   *   chosen: () => void}} page
   * @param {import("./url_fragment.js").Perfect} perfect
   * @param {import("./url_fragment.js").Ratings} ratings
   */
  constructor(page, perfect, ratings) {
    this.page = page;
    this.perfect = perfect;
    this.ratings = ratings;
    const level = /** @type {HTMLSelectElement} */ (byId("opponent"));
    const side = /** @type {HTMLSelectElement} */ (byId("opponent-side"));
    for (const field of [level, side]) {
      field.addEventListener("change", () => {
        this.cancel();
        this.level = Number(level.value);
        this.side = /** @type {Side} */ (side.value);
        this.page.chosen();
        this.answer();
      });
    }
    byId("let-move").addEventListener("click", () => this.answer());
  }

  /**
   * Offer the ratings of a game, and perfect play if it has that; if the chosen one does not exist, the nearest is
   * used.
   * @param {string} game
   */
  allow(game) {
    const solved = this.perfect.games.includes(game);
    const option = /** @type {HTMLOptionElement} */ (byId("opponent-perfect"));
    option.value = String(this.perfect.level);
    option.hidden = option.disabled = !solved;
    const [lowest, highest] = this.ratings[game] ?? [0, 0];
    const ratings = Array.from({ length: Math.floor((highest - lowest) / STEP) + 1 }, (_, at) => lowest + at * STEP);
    byId("opponent-ratings").replaceChildren(...[...new Set([...ratings, highest])].map(ratingOption));
    if (!solved && this.level === this.perfect.level) this.set({ level: this.level - 1, side: this.side });
    else if (this.level > this.perfect.level) this.set({ level: Math.max(lowest, Math.min(highest, this.level)), side: this.side });
  }

  /** Choose the opponent named in a link. @param {import("./url_fragment.js").Player} player */
  set({ level, side }) {
    this.cancel();
    [this.level, this.side] = [level, side];
    const field = /** @type {HTMLSelectElement} */ (byId("opponent"));
    field.value = String(level);
    if (field.selectedIndex < 0) {
      byId("opponent-ratings").append(ratingOption(level)); // a rating between those offered
      field.value = String(level);
    }
    /** @type {HTMLSelectElement} */ (byId("opponent-side")).value = side;
  }

  /** Return whether it is to move in a position. @param {Node} node */
  toMove(node) {
    return this.level > 0 && !node.snapshot.outcome && node.snapshot.board.turn === this.side;
  }

  /** Play as long as it is to move. */
  answer() {
    if (!this.waiting) void this.#answer();
  }

  async #answer() {
    this.#request += 1;
    const request = this.#request;
    for (let node = this.page.current(); this.toMove(node); node = this.page.current()) {
      this.waiting = true;
      this.changed();
      const hole = await this.page.choose(node, this.level);
      if (request !== this.#request) return;
      if (hole === null) break;
      // Let the stones of the previous move come to rest first.
      this.waiting = false;
      await this.page.play(hole, () => request === this.#request);
      if (request !== this.#request || this.page.current() === node) break;
    }
    if (request !== this.#request) return;
    this.waiting = false;
    this.changed();
  }

  /** The position has changed; its move is no longer wanted. */
  cancel() {
    this.#request += 1;
    if (!this.waiting) return;
    this.waiting = false;
    this.page.stop();
  }

  /** Show whose move it is. */
  changed() {
    byId("opponent-side-row").hidden = !this.level;
    byId("let-move").hidden = this.waiting || !this.toMove(this.page.current());
    this.page.changed();
  }
}
