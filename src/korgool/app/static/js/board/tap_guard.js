/**
 * Guards the board against taps that were meant for an earlier position: a choice counts only once a position has been
 * at rest long enough to be seen. The second half of a double tap never counts.
 */

/** Milliseconds for which a position must be at rest before a choice counts. */
const SEEN = 200;
/** Milliseconds after a tap in which another one is part of a double tap; as for double clicks on desktops. */
const DOUBLE = 500;

export class TapGuard {
  /** @type {string|null} */ #position = null;
  #from = 0;
  /** @type {number|undefined} */ #timer;

  /** @param {() => void} opened called when choices count again */
  constructor(opened) {
    this.opened = opened;
  }

  /** Note the position that is now at rest. @param {string} position a text that differs from those of other positions */
  showPosition(position) {
    if (position === this.#position) return;
    // A page that was just opened shows no move that the visitor must see first.
    if (this.#position !== null) this.#wait(performance.now() + SEEN);
    this.#position = position;
  }

  /** Note a tap or key that had an effect. */
  registerTap() {
    this.#wait(performance.now() + DOUBLE);
  }

  /** Return whether a choice that began at a moment counts. @param {number} moment as of `performance.now()` */
  accepts(moment = performance.now()) {
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
