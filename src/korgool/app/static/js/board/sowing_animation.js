/** Animates one sowing: plays its timeline on the drawing, frame by frame, and can be ended at any moment. */

import { sowingTimeline } from "./sowing_timeline.js";

/** @typedef {import("./svg_drawing.js").Drawing} Drawing */
/** @typedef {import("./svg_drawing.js").View} View */
/** @typedef {import("./sowing_timeline.js").Step} Step */
/** @typedef {import("./sowing_timeline.js").Spot} Spot */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{group: Element, way: Point, at: number, end: number, landed: () => void}} Flight */

/** @param {number} t */
const ease = (t) => (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t));

/** The part of a flight to the store in which captured stones are lifted, and how high, in units of the drawing. */
const LIFTED = 0.35;
const LIFT = 14;

export class SowingAnimation {
  #next = 0;
  #over = false;
  #taken = false;
  /** @type {Flight[]} */ #flights = [];

  /**
   * @param {Drawing} drawing showing the position before the sowing
   * @param {import("../game/message_types.js").Trace} trace
   * @param {import("./sowing_timeline.js").Speed} speed
   * @param {{stone: () => void, step: (what: "lift"|"capture"|"tuz") => void, taken: () => void, end: () => void}} callbacks
   *   `stone` for each that falls, `step` when others are taken or a tuz is won; `taken` when captured stones have
   *   reached the store; `end` once, unless it is dropped
   */
  constructor(drawing, trace, speed, callbacks) {
    this.drawing = drawing;
    this.callbacks = callbacks;
    const { steps, total } = sowingTimeline(trace, speed);
    this.steps = steps;
    this.total = total;
    this.begun = performance.now();
    requestAnimationFrame(this.#frame);
    // Animation frames stop in a covered window, but the game must go on.
    this.timer = setTimeout(() => this.finish(), total + 250);
  }

  /** End it now and call `end`. */
  finish() {
    if (this.#over) return;
    this.drop();
    this.callbacks.end();
    this.#take();
  }

  /** Report once that the captured stones are in the store. */
  #take() {
    if (this.#taken) return;
    this.#taken = true;
    this.callbacks.taken();
  }

  /** End it now without calling `end`. */
  drop() {
    this.#over = true;
    clearTimeout(this.timer);
  }

  /** @param {number} now */
  #frame = (now) => {
    if (this.#over) return;
    const t = now - this.begun;
    while (this.#next < this.steps.length && this.steps[this.#next].at <= t) this.#step(this.steps[this.#next++]);
    const before = this.#flights.length;
    this.#flights = this.#flights.filter((flight) => {
      const part = Math.min(1, (t - flight.at) / Math.max(1, flight.end - flight.at));
      // All of them are lifted together, then they go.
      const done = ease(Math.max(0, (part - LIFTED) / (1 - LIFTED)));
      const height = LIFT * (1 - done) * Math.min(1, part / LIFTED);
      this.drawing.move(flight.group, { x: flight.way.x * done, y: flight.way.y * done - height });
      if (part < 1) return true;
      flight.group.remove();
      flight.landed();
      return false;
    });
    if (before && !this.#flights.length) this.#take();
    this.#moveHand(t);
    if (t >= this.total && !this.#flights.length) this.finish();
    else requestAnimationFrame(this.#frame);
  };

  /** @param {Spot} spot @param {number} by */
  #add(spot, by) {
    const view = /** @type {View} */ (this.drawing.view);
    if (spot.hole) view[spot.side][spot.hole - 1] += by;
    else view.stores[spot.side] += by;
    this.drawing.update(spot);
  }

  /** @param {Step} step */
  #step(step) {
    const { drawing } = this;
    if (step.kind === "lift") {
      const { r } = drawing.place(step.spot);
      this.#add(step.spot, -step.stones);
      drawing.holdStones(step.stones, r);
      this.callbacks.step("lift");
      drawing.move(drawing.hand, drawing.middle(step.spot));
    } else if (step.kind === "drop") {
      this.#add(step.to, 1);
      drawing.holdStones(step.left, drawing.place(step.spot).r || 6);
      if (!step.left) drawing.frame(drawing.landing, step.spot);
      this.callbacks.stone();
    } else if (step.kind === "capture") {
      const group = drawing.lift(step.spot, step.stones);
      this.#add(step.spot, -step.stones);
      const from = drawing.middle(step.spot);
      const to = drawing.middle(step.to);
      this.#flights.push({
        group, way: { x: to.x - from.x, y: to.y - from.y }, at: step.at, end: step.end,
        landed: () => this.#add(step.to, step.stones),
      });
      this.callbacks.step("capture");
    } else if (step.kind === "tuz") {
      const view = /** @type {View} */ (drawing.view);
      view.tuz[step.spot.side === "white" ? "black" : "white"] = step.spot.hole;
      this.callbacks.step("tuz");
      drawing.update(step.spot);
    } else {
      drawing.svg.classList.add("sweeping");
    }
  }

  /** @param {number} t */
  #moveHand(t) {
    const before = this.steps[this.#next - 1];
    const after = this.steps[this.#next];
    if (!before || !after || after.kind !== "drop" || (before.kind !== "lift" && before.kind !== "drop")) return;
    const from = this.drawing.middle(before.spot);
    const to = this.drawing.middle(after.spot);
    const done = ease((t - before.at) / Math.max(1, after.at - before.at));
    this.drawing.move(this.drawing.hand, { x: from.x + (to.x - from.x) * done, y: from.y + (to.y - from.y) * done });
  }
}
