/**
 * When a choice counts: only for a position that lies at rest and has lain long enough to be seen. The second half of
 * a double tap never counts, whatever the first one brought about.
 */

/** Milliseconds that a position lies before a choice for it counts. */
const SEEN = 200;
/** Milliseconds after a tap in which another one belongs to it; what desktops take for a double click. */
const DOUBLE = 500;

export class Rest {
  /** @type {string|null} */ #position = null;
  #from = 0;
  /** @type {number|undefined} */ #timer;

  /** @param {() => void} opened called when choices count again */
  constructor(opened) {
    this.opened = opened;
  }

  /** A position lies there now, all stones at rest. @param {string} position what tells it from others */
  lies(position) {
    if (position === this.#position) return;
    // Who opens a page has nothing to see that he did not expect.
    if (this.#position !== null) this.#wait(performance.now() + SEEN);
    this.#position = position;
  }

  /** The player tapped or pressed a key, and it had its effect. */
  used() {
    this.#wait(performance.now() + DOUBLE);
  }

  /** Whether a choice that began at a moment counts. @param {number} moment as of `performance.now()` */
  open(moment = performance.now()) {
    return moment >= this.#from;
  }

  /** @param {number} until */
  #wait(until) {
    if (until <= this.#from) return;
    this.#from = until;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.opened(), until - performance.now() + 1);
  }
}
