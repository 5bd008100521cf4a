/**
 * Guards buttons that end a game against misclicks. Offers keep their places, the newest last; a press on a button that
 * has just moved, or whose place was another button's a moment ago, asks for confirmation first.
 */

import { byId } from "../site/dom.js";
import { gettext } from "../site/translations.js";

/** Milliseconds for which a place counts as changed: longer than anybody needs to aim and press. */
const CHANGED = 3000;
/** Milliseconds in which the answer that ends the game takes no press, against the second half of a double tap. */
const DOUBLE = 500;
/** CSS pixels by which a place may differ. */
const NEAR = 4;
/** Everything that can be pressed beside the board and on it. */
const PRESSED = ".asked .button, .actions .button, .steps .button, .hole-button";

/**
 * Show a group in `.asked`, below all that are there already, or hide it: those below it stay where they are.
 * @param {HTMLElement} group
 * @param {boolean} shown
 */
export function showInPlace(group, shown) {
  if (group.hidden === !shown) return;
  const host = /** @type {HTMLElement} */ (group.parentElement);
  if (shown) host.insertBefore(group, host.querySelector(":scope > #connection"));
  const below = shown ? null : nextShown(group);
  const before = below?.getBoundingClientRect().top ?? 0;
  group.hidden = !shown;
  if (below) {
    const space = document.createElement("div");
    space.className = "space";
    group.before(space);
    space.style.height = `${before - below.getBoundingClientRect().top}px`;
  }
  for (const space of host.querySelectorAll(".space")) if (!nextShown(space)) space.remove();
}

/** The next offer below that is shown. @param {Element} from @returns {Element|null} */
function nextShown(from) {
  let next = from.nextElementSibling;
  while (next && (!next.matches(".offer") || /** @type {HTMLElement} */ (next).hidden)) next = next.nextElementSibling;
  return next;
}

/** @typedef {{x: number, y: number, w: number, h: number, fixed: boolean}} Place in CSS pixels of the page, or of the screen */

/** @param {Element} button @returns {Place} */
function placeOf(button) {
  const { x, y, width: w, height: h } = button.getBoundingClientRect();
  const panel = button.closest(".asked");
  const fixed = Boolean(panel) && getComputedStyle(/** @type {Element} */ (panel)).position === "fixed";
  return fixed ? { x, y, w, h, fixed } : { x: x + scrollX, y: y + scrollY, w, h, fixed };
}

/** A place as it is on the screen. @param {Place} place */
const onScreen = ({ x, y, w, h, fixed }) => (fixed ? { x, y, w, h } : { x: x - scrollX, y: y - scrollY, w, h });

/** @param {Place} one @param {Place} other */
function overlap(one, other) {
  const [a, b] = [onScreen(one), onScreen(other)];
  const wide = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return wide > NEAR && high > NEAR;
}

/** Return whether a button has moved. @param {Place} before @param {Place} now */
const isElsewhere = (before, now) => Math.abs(before.x - now.x) > NEAR || Math.abs(before.y - now.y) > NEAR;

export class MisclickGuard {
  /** The places at the last change. @type {Map<Element, Place>} */ #places = new Map();
  /** Places that a button has left recently, and when. @type {{button: Element, place: Place, at: number}[]} */ #vacated = [];
  /** Timers after which changed places no longer count. @type {Map<HTMLElement, number>} */ #timers = new Map();
  #shown = "";

  /** @param {HTMLElement[]} ending the buttons that end a game */
  constructor(ending) {
    this.ending = ending;
  }

  /** Note which places have changed, after an update of the page. Measures only if a button has come or gone. */
  update() {
    const pressed = [...document.querySelectorAll(PRESSED)].filter((one) => !one.closest("[hidden]"));
    const shown = pressed.map(({ id }) => id).join(" ");
    if (shown === this.#shown) return;
    const first = !this.#shown;
    this.#shown = shown;
    const before = this.#places;
    this.#places = new Map(pressed.map((one) => [one, placeOf(one)]));
    if (first) return;
    const at = performance.now();
    this.#vacated = this.#vacated.filter((one) => at - one.at < CHANGED);
    for (const [button, place] of before) {
      const now = this.#places.get(button);
      if (!now || isElsewhere(place, now)) this.#vacated.push({ button, place, at });
    }
    const stood = [...this.#vacated, ...[...before].map(([button, place]) => ({ button, place }))];
    for (const button of this.ending) {
      const now = this.#places.get(button);
      const own = before.get(button);
      const anothers = () => stood.some((one) => one.button !== button && now && overlap(one.place, now));
      if (now && (own ? isElsewhere(own, now) : anothers())) this.#change(button);
    }
  }

  /** @param {HTMLElement} button */
  #change(button) {
    clearTimeout(this.#timers.get(button));
    button.setAttribute("data-moved", "");
    this.#timers.set(button, setTimeout(() => button.removeAttribute("data-moved"), CHANGED));
  }

  /**
   * Act on a press of such a button, or ask first. Keys and assistive technologies go by names, not by places.
   * @param {MouseEvent} event
   * @param {HTMLElement} button
   * @param {() => void} act
   */
  press({ detail }, button, act) {
    this.update();
    if (!detail || !button.hasAttribute("data-moved")) {
      act();
      return;
    }
    askToConfirm(gettext("The buttons have just moved, and this one ends the game. Do you mean it?"), button.textContent ?? "", () => {
      if (!button.closest("[hidden]")) act();
    });
  }
}

/** Ask before something is done that ends the game. @param {string} question @param {string} yes @param {() => void} act */
export function askToConfirm(question, yes, act) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("confirm"));
  byId("confirm-question").textContent = question;
  const button = byId("confirm-yes");
  button.textContent = yes;
  button.inert = true;
  setTimeout(() => (button.inert = false), DOUBLE);
  dialog.returnValue = "";
  dialog.addEventListener("close", () => {
    if (dialog.returnValue === "yes") act();
  }, { once: true });
  dialog.showModal();
}
