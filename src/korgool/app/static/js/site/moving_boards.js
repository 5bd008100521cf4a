/**
 * Boards that show moves on pages to read: the rules in one minute, and the worked examples of the rules.
 *
 * The film begins when it comes into view and can be stopped, stepped through and read. Where motion is reduced nothing
 * moves by itself: each step shows the position before the move, then the one after it.
 */

import { MovingBoard } from "../board/moving_board.js";

/** @typedef {import("../board/moving_board.js").Motion} Motion */

const still = matchMedia("(prefers-reduced-motion: reduce)");
/** Milliseconds to read a sentence before the stones move, and after them. */
const READ = 1500, REST = 2200;

/** The rules in one minute. */
class Film {
  #index = 0;
  #playing = false;
  /** Where motion is reduced: whether the position after the move is shown. */ #after = false;
  /** Whether the reader has stopped it, or stepped: then it does not begin by itself. */ #taken = false;

  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.items = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-motion]")]);
    this.scenes = this.items.map((item) => /** @type {Motion} */ (JSON.parse(item.dataset.motion ?? "")));
    this.picture = /** @type {HTMLElement} */ (root.querySelector(".shown-board"));
    this.board = new MovingBoard(/** @type {SVGSVGElement} */ (this.picture.querySelector("svg.board")));
    this.count = /** @type {HTMLElement} */ (root.querySelector(".film-count"));
    const button = (/** @type {string} */ name) => /** @type {HTMLButtonElement} */ (root.querySelector(`[data-do="${name}"]`));
    this.toggle = button("play");
    this.toggle.addEventListener("click", () => (this.#playing ? this.#pause() : this.#start()));
    button("back").addEventListener("click", () => this.#step(-1));
    button("forward").addEventListener("click", () => this.#step(1));
    this.items.forEach((item, index) => item.querySelector("button")?.addEventListener("click", () => {
      this.#taken = true;
      this.#index = index;
      if (still.matches) this.#showStill(false);
      else void this.#run();
    }));
    still.addEventListener("change", () => this.#still());
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.#pause(false); });
    new IntersectionObserver((entries) => {
      // Several may have gathered; the last one holds.
      if (!entries[entries.length - 1].isIntersecting) this.#pause(false);
      else if (!this.#taken && !still.matches) this.#start(false);
    }, { threshold: 0.5 }).observe(this.picture);
    root.querySelector(".film-controls")?.removeAttribute("hidden");
    this.#mark();
    this.#still();
  }

  #still() {
    this.toggle.hidden = still.matches;
    if (still.matches) {
      this.#pause(false);
      this.#showStill(false);
    }
  }

  /** @param {boolean} after */
  #showStill(after) {
    this.#after = after;
    this.#mark();
    const scene = this.scenes[this.#index];
    if (after) this.board.showEnd(scene);
    else this.board.show(scene.before, undefined);
  }

  /** @param {number} by */
  #step(by) {
    this.#taken = true;
    this.#pause();
    if (still.matches && by > 0 && !this.#after) {
      this.#showStill(true);
      return;
    }
    this.#index = (this.#index + by + this.scenes.length) % this.scenes.length;
    if (still.matches) this.#showStill(false);
    else void this.#run();
  }

  /** Play the scene that is chosen. */
  async #run() {
    this.#mark();
    const scene = this.scenes[this.#index];
    this.board.show(scene.before);
    return (await this.board.pause(READ)) && (await this.board.play(scene)) && this.board.pause(REST);
  }

  #start(taken = true) {
    if (this.#playing) return;
    if (taken) this.#taken = true;
    this.#playing = true;
    this.#mark();
    void this.#loop();
  }

  async #loop() {
    while (await this.#run()) {
      if (!this.#playing) return;
      if (this.#index + 1 === this.scenes.length) {
        this.#index = 0;
        this.#taken = true; // once is enough, unless it is asked for
        break;
      }
      this.#index += 1;
    }
    this.#playing = false;
    this.#mark();
  }

  #pause(taken = true) {
    if (taken) this.#taken = true;
    if (!this.#playing) return;
    this.#playing = false;
    this.board.stop();
    this.board.show(this.scenes[this.#index].before);
    this.#mark();
  }

  #mark() {
    this.items.forEach((item, index) => {
      if (index === this.#index) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    this.picture.setAttribute("aria-labelledby", this.items[this.#index].id);
    this.count.textContent = `${this.#index + 1} / ${this.scenes.length}`;
    this.root.toggleAttribute("data-playing", this.#playing);
    this.toggle.setAttribute("aria-label", (this.#playing ? this.toggle.dataset.pause : this.toggle.dataset.play) ?? "");
  }
}

/** Put a board over the tables of a worked example, which stay for screen readers. @param {HTMLElement} figure @param {SVGSVGElement} picture */
function playable(figure, picture) {
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("example-board"));
  const made = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
  const button = /** @type {HTMLButtonElement} */ (made.querySelector("button"));
  const place = /** @type {HTMLElement} */ (made.querySelector(".shown-board"));
  const motion = /** @type {Motion} */ (JSON.parse(figure.dataset.motion ?? ""));
  const { width, height } = picture.viewBox.baseVal;
  place.style.aspectRatio = `${width} / ${height}`;
  figure.querySelector(".tables")?.classList.add("hidden");
  figure.prepend(made);
  /** @type {MovingBoard|null} */ let board = null;
  let after = false;
  // Many boards stand on a page: each is drawn when it comes near.
  new IntersectionObserver((entries, observer) => {
    if (!entries[entries.length - 1].isIntersecting) return;
    observer.disconnect();
    const svg = /** @type {SVGSVGElement} */ (picture.cloneNode(true));
    place.append(svg);
    board = new MovingBoard(svg);
    board.show(motion.before);
  }, { rootMargin: "600px" }).observe(figure);
  button.addEventListener("click", () => {
    if (!board) return;
    after = still.matches && !after;
    if (!still.matches) void board.play(motion);
    else if (after) board.showEnd(motion);
    else board.show(motion.before);
  });
}

const film = document.querySelector(".film");
if (film instanceof HTMLElement) {
  // The copy has to be taken before the film changes the picture.
  const picture = /** @type {SVGSVGElement} */ (film.querySelector("svg.board")?.cloneNode(true));
  for (const figure of document.querySelectorAll(".example[data-motion]")) playable(/** @type {HTMLElement} */ (figure), picture);
  new Film(film);
}
