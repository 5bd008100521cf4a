/** Stones are dragged from one hole or kazan to another, in the board editor and in lessons: by mouse, pen or finger. */

/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {{side: Side, hole: number}} Spot hole 0 is the kazan of that side */

/** Pixels from which a press becomes a drag: a finger that taps moves a little. */
const SLOP = 8;

/** The hole or kazan of an element of the board. @param {Element|null} element @returns {{spot: Spot, place: Element}|null} */
export function spotOf(element) {
  const button = /** @type {HTMLElement|null} */ (element?.closest(".hole-button"));
  if (button) return { spot: { side: /** @type {Side} */ (button.dataset.side), hole: Number(button.dataset.hole) }, place: button };
  const store = element?.closest(".store");
  return store ? { spot: { side: store.classList.contains("white") ? "white" : "black", hole: 0 }, place: store } : null;
}

/** @param {Spot} one @param {Spot} other */
const isSame = (one, other) => one.side === other.side && one.hole === other.hole;

export class StoneDragging {
  /** The press under way. @type {{id: number, from: Spot, count: number, x: number, y: number}|null} */ #press = null;
  /** The stones at the pointer. @type {HTMLElement|null} */ #carried = null;
  /** Where they would be dropped. @type {Element|null} */ #aim = null;

  /**
   * @param {HTMLElement} board
   * @param {{count: (spot: Spot, all: boolean) => number, move: (from: Spot, to: Spot, count: number) => void}} page
   *   count: how many stones a drag takes from there, 0 while nothing can be dragged; all: whether the Shift key is down
   */
  constructor(board, page) {
    this.board = board;
    this.page = page;
    board.addEventListener("pointerdown", (event) => this.#begin(event), true);
    addEventListener("pointermove", (event) => this.#move(event));
    addEventListener("pointerup", (event) => this.#end(event));
    addEventListener("pointercancel", () => this.stop());
  }

  /** Let go of what is carried; it stays where it was. */
  stop() {
    this.#press = null;
    this.#carried?.remove();
    this.#carried = null;
    this.#mark(null);
  }

  /** @param {PointerEvent} event */
  #begin({ target, pointerId, button, isPrimary, shiftKey, clientX, clientY }) {
    const found = target instanceof Element ? spotOf(target) : null;
    const count = found && !button && isPrimary ? this.page.count(found.spot, shiftKey) : 0;
    if (!found || !count) return;
    this.#press = { id: pointerId, from: found.spot, count, x: clientX, y: clientY };
    // A finger otherwise keeps the hole on which it began, whatever it moves over.
    if (target instanceof Element && target.hasPointerCapture(pointerId)) target.releasePointerCapture(pointerId);
  }

  /** @param {PointerEvent} event */
  #move({ pointerId, clientX, clientY }) {
    const press = this.#press;
    if (press?.id !== pointerId) return;
    if (!this.#carried) {
      if (Math.hypot(clientX - press.x, clientY - press.y) < SLOP) return;
      this.#carried = document.createElement("div");
      this.#carried.className = "carried";
      this.#carried.setAttribute("aria-hidden", "true");
      this.#carried.textContent = String(press.count);
      document.body.append(this.#carried);
    }
    Object.assign(this.#carried.style, { left: `${clientX}px`, top: `${clientY}px` });
    this.#mark(this.#target(clientX, clientY)?.place ?? null);
  }

  /** @param {PointerEvent} event */
  #end({ pointerId, clientX, clientY }) {
    const press = this.#press;
    if (press?.id !== pointerId) return;
    const to = this.#carried && this.#target(clientX, clientY);
    this.stop();
    if (to) this.page.move(press.from, to.spot, press.count);
  }

  /** Where the stones would be dropped. @param {number} x @param {number} y */
  #target(x, y) {
    const found = spotOf(document.elementFromPoint(x, y));
    return found && this.#press && this.board.contains(found.place) && !isSame(found.spot, this.#press.from) ? found : null;
  }

  /** @param {Element|null} place */
  #mark(place) {
    if (place === this.#aim) return;
    this.#aim?.removeAttribute("data-aim");
    place?.setAttribute("data-aim", "");
    this.#aim = place;
  }
}
