/**
 * The living board of the first page: it follows a game that goes on, or plays a stored one again and again.
 *
 * It rests while nobody sees it and when the reader stops it. Where motion is reduced, a stored game stands still, and
 * one that goes on shows each new position without moving stones.
 */

import { MovingBoard } from "../board/moving_board.js";
import { fetchWhole } from "./connection_watchdog.js";

/** @typedef {import("../board/moving_board.js").Motion} Motion */
/** @typedef {{id: string, title: string, note: string, over: boolean, ply: number, motion: Motion}} Told */

const still = matchMedia("(prefers-reduced-motion: reduce)");
/** Milliseconds between two looks at a game that goes on, after its end until the next one, between two moves, and after the last. */
const LOOK = 4000, NEXT = 15_000, BETWEEN = 1200, REST = 6000;

/** @param {string} address */
async function fetchJson(address) {
  try {
    const { answer, text } = await fetchWhole(address, { headers: { accept: "application/json" } });
    return answer.ok ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

export class LivingBoard {
  #seen = false;
  #stopped = false;
  /** Counts the runs, so that an older one ends. */ #run = 0;
  #running = false;
  /** The moves of a stored game. @type {Motion|null} */ #stored = null;
  /** Moves of a game that goes on, while they are on their way. @type {Motion|null} */ #moving = null;

  /** @param {HTMLElement} root */
  constructor(root) {
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (root.querySelector(name));
    this.root = root;
    this.game = root.dataset.game ?? "";
    this.id = root.dataset.id ?? "";
    this.ply = Number(root.dataset.ply);
    this.board = new MovingBoard(/** @type {SVGSVGElement} */ (root.querySelector("svg.board")));
    this.link = /** @type {HTMLAnchorElement} */ (part("a"));
    this.title = part(".title");
    this.note = part(".note");
    this.toggle = /** @type {HTMLButtonElement} */ (part("button"));
    this.toggle.addEventListener("click", () => {
      this.#stopped = !this.#stopped;
      this.#arrange();
    });
    document.addEventListener("visibilitychange", () => this.#arrange());
    still.addEventListener("change", () => this.#arrange());
    new IntersectionObserver((entries) => {
      // Several may have gathered; the last one holds.
      this.#seen = entries[entries.length - 1].isIntersecting;
      this.#arrange();
    }).observe(this.link);
  }

  /** Begin or end a run, by what holds now. */
  #arrange() {
    const stands = still.matches && !this.id;
    const wanted = this.#seen && !this.#stopped && !document.hidden && !stands;
    this.toggle.hidden = stands;
    this.root.toggleAttribute("data-playing", !this.#stopped);
    this.toggle.setAttribute("aria-label", (this.#stopped ? this.toggle.dataset.play : this.toggle.dataset.pause) ?? "");
    if (wanted === this.#running) return;
    this.#running = wanted;
    this.#run += 1;
    if (wanted) void (this.id ? this.#follow(this.#run) : this.#replay(this.#run));
    else this.#rest();
  }

  /** Drop a move on its way: a stored game plays it again, and of one that goes on the board shows its end. */
  #rest() {
    this.board.stop();
    if (this.#stored) this.#showStored();
    else if (this.#moving) this.board.showEnd(this.#moving);
  }

  #showStored() {
    const { before, plies } = /** @type {Motion} */ (this.#stored);
    const last = plies[this.ply - 1];
    this.board.show(last?.after ?? before, last?.trace);
  }

  /** Play a stored game from where it stands. @param {number} run */
  async #replay(run) {
    this.#stored ??= /** @type {Motion|null} */ (await fetchJson(`/living-board/${this.game}`));
    const stored = this.#stored;
    if (!stored) {
      // The next time that the board is looked at or started tries again.
      if (run === this.#run) this.#running = false;
      return;
    }
    while (run === this.#run) {
      const over = this.ply >= stored.plies.length;
      if (!(await this.board.pause(over ? REST : BETWEEN)) || run !== this.#run) return;
      if (over) {
        this.ply = 0;
        this.#showStored();
      } else {
        const before = this.ply ? stored.plies[this.ply - 1].after : stored.before;
        if (!(await this.board.play({ before, plies: [stored.plies[this.ply]] })) || run !== this.#run) return;
        this.ply += 1;
      }
    }
  }

  /** Follow a game that goes on, and then the next one. @param {number} run */
  async #follow(run) {
    let over = false;
    while (await this.board.pause(over ? NEXT : LOOK)) {
      const which = over ? "" : `&id=${this.id}&ply=${this.ply}`;
      const told = /** @type {Told|null} */ (await fetchJson(`/living-board?game=${this.game}${which}`));
      if (run !== this.#run) return;
      if (!told?.id) {
        if (told) over = true;
        continue;
      }
      over = told.over;
      if (!(await this.#show(told)) || run !== this.#run) return;
    }
  }

  /** Show what the server told; false if something else was shown meanwhile. @param {Told} told */
  async #show({ id, title, note, ply, motion }) {
    // Without a move, another position is that of another game or the one after a take-back.
    const other = id !== this.id || ply !== this.ply;
    this.id = id;
    this.ply = ply;
    this.link.href = `/games/${id}`;
    this.title.textContent = title;
    this.note.textContent = note;
    if (!motion.plies.length) {
      if (other) this.board.show(motion.before);
      return true;
    }
    if (still.matches) {
      this.board.showEnd(motion);
      return true;
    }
    this.#moving = motion;
    const done = await this.board.play(motion, 300);
    this.#moving = null;
    return done;
  }
}
