/** Both clocks, ticking from the times last sent by the server. Only the server decides when a flag falls. */

import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").ClockState} ClockState */
/** @typedef {import("../game/message_types.js").Side} Side */

/** `9:05`, or `0:09.3` in the last twenty seconds. @param {number} ms */
export function clockText(ms) {
  const left = Math.max(0, ms);
  const seconds = left < 20_000 ? left / 1000 : Math.ceil(left / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = seconds - 60 * minutes;
  if (left < 20_000) return `0:${(Math.floor(rest * 10) / 10).toFixed(1).padStart(4, "0")}`;
  return `${minutes}:${String(rest).padStart(2, "0")}`;
}

export class Clocks {
  /** @type {ClockState|null} */ #state = null;
  #since = 0;
  #timer = 0;
  #zeroReported = false;

  /**
   * @param {Record<Side, HTMLElement>} faces
   * @param {() => void} onZero called once when the running time seems to be used up
   */
  constructor(faces, onZero) {
    this.faces = faces;
    this.onZero = onZero;
  }

  /** @param {ClockState|null} state @param {number} [age] milliseconds since it was so */
  set(state, age = 0) {
    this.#state = state;
    this.#since = performance.now() - Math.max(0, age);
    this.#zeroReported = false;
    clearTimeout(this.#timer);
    this.#tick();
  }

  /** Milliseconds that a side has left, or null without a clock. @param {Side} side */
  left(side) {
    const state = this.#state;
    return state && Math.max(0, state[`${side}_ms`] - (state.running === side ? performance.now() - this.#since : 0));
  }

  #tick() {
    const state = this.#state;
    for (const side of /** @type {Side[]} */ (["white", "black"])) {
      const face = this.faces[side];
      face.hidden = !state;
      if (!state) continue;
      const running = state.running === side;
      const left = this.left(side) ?? 0;
      const text = clockText(left);
      if (face.textContent !== text) face.textContent = text;
      face.toggleAttribute("data-running", running);
      face.toggleAttribute("data-low", left < 20_000);
      if (!face.title) face.title = side === "white" ? gettext("White's time") : gettext("Black's time");
      if (running && left <= 0 && !this.#zeroReported) {
        this.#zeroReported = true;
        this.onZero();
      }
    }
    if (state?.running) this.#timer = setTimeout(() => this.#tick(), 100);
  }
}
