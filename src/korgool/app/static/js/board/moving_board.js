/** A picture of a board, drawn by the server, that shows positions and moves and takes none. */

import { landingOf } from "../game/move_trace.js";
import { SowingAnimation } from "./sowing_animation.js";
import { Drawing, viewOf } from "./svg_drawing.js";

/** @typedef {import("../game/message_types.js").Trace} Trace */
/**
 * @typedef {{white: number[], black: number[], stores: [number, number], tuz: [number|null, number|null]}} Shown
 * @typedef {{before: Shown, plies: {trace: Trace, after: Shown}[]}} Motion
 */

/** Milliseconds between two moves. */
const BETWEEN = 700;

/** A drawing that shows positions and moves. */
export class MovingBoard {
  /** @type {SowingAnimation|null} */ #animation = null;
  /** Ends the pause or the move in progress. @type {((done: boolean) => void)|null} */ #end = null;

  /** @param {SVGSVGElement} svg */
  constructor(svg) {
    this.drawing = new Drawing(svg, "white");
  }

  /** Show a position, with the marks of the move that led to it. @param {Shown} shown @param {Trace} [trace] */
  show(shown, trace) {
    const { drawing } = this;
    this.stop();
    drawing.clearAir();
    drawing.svg.classList.remove("sweeping");
    drawing.show(viewOf(shown));
    drawing.frame(drawing.origin, trace ? { side: trace.side, hole: trace.hole } : null);
    drawing.frame(drawing.landing, trace ? landingOf(trace) : null);
  }

  /** Drop what is going on. */
  stop() {
    this.#animation?.drop();
    this.#animation = null;
    this.#end?.(false);
  }

  /** @param {(end: (done: boolean) => void) => void} begin @returns {Promise<boolean>} whether it came to its end */
  #until(begin) {
    return new Promise((resolve) => {
      this.#end = (done) => {
        this.#end = null;
        resolve(done);
      };
      begin(this.#end);
    });
  }

  /** @param {number} ms */
  pause(ms) {
    return this.#until((end) => { setTimeout(() => { if (this.#end === end) end(true); }, ms); });
  }

  /**
   * Play the moves from the position before them; false if something else was shown meanwhile.
   * @param {Motion} motion
   * @param {number} [between] milliseconds between two moves
   */
  async play({ before, plies }, between = BETWEEN) {
    this.show(before);
    for (const [index, { trace, after }] of plies.entries()) {
      if (index && !(await this.pause(between))) return false;
      this.drawing.frame(this.drawing.landing, null);
      this.drawing.frame(this.drawing.origin, { side: trace.side, hole: trace.hole });
      const done = await this.#until((end) => {
        this.#animation = new SowingAnimation(this.drawing, trace, "slow", {
          stone: () => {}, step: () => {}, taken: () => {}, end: () => end(true),
        });
      });
      if (!done) return false;
      this.show(after, trace);
    }
    return true;
  }

  /** Show the position after all moves. @param {Motion} motion */
  showEnd({ plies }) {
    const last = plies[plies.length - 1];
    this.show(last.after, last.trace);
  }
}
