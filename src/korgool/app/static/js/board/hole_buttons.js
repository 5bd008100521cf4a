/** The buttons over the holes of a board: real ones, with names and descriptions for assistive technology. */

import { ownSide } from "../game/state_selectors.js";
import { holeName } from "../game/sentences.js";
import { nextFocus } from "./hole_focus.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("./svg_drawing.js").Drawing} Drawing */

const SIDES = /** @type {Side[]} */ (["white", "black"]);

export class HoleButtons {
  /** @type {Record<Side, HTMLButtonElement[]>} */ #buttons = { white: [], black: [] };
  /** The effect of each hole, for descriptions by assistive technology. */ #descriptions = document.createElement("div");
  /** The hole under the mouse. @type {HTMLButtonElement|null} */ #hovered = null;

  /**
   * @param {{chosen: (event: MouseEvent, side: Side, hole: number) => void, looked: () => void,
   *   touched: (side: Side, hole: number) => void}} callbacks `looked` when mouse or focus move; `touched` by a finger
   */
  constructor(callbacks) {
    this.callbacks = callbacks;
    this.#descriptions.hidden = true;
  }

  /** Make new buttons. @param {HTMLElement} board @param {GameState} state @param {Side} near the side at the lower edge */
  build(board, state, near) {
    this.#descriptions.replaceChildren();
    board.append(this.#descriptions);
    const far = near === "white" ? "black" : "white";
    for (const side of /** @type {Side[]} */ ([far, near])) board.append(this.#group(side, state));
  }

  /** @param {Side} side @param {GameState} state */
  #group(side, state) {
    const group = document.createElement("div");
    group.className = "buttons";
    // A toolbar: one stop of the Tab key, arrows within, and screen readers pass the keys on.
    group.setAttribute("role", "toolbar");
    group.setAttribute("aria-label", rowName(state, side));
    this.#buttons[side] = Array.from({ length: state.holes }, (_, index) => this.#button(side, index + 1));
    group.append(...this.#buttons[side]);
    return group;
  }

  /** @param {Side} side @param {number} hole */
  #button(side, hole) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "hole-button";
    button.dataset.side = side;
    button.dataset.hole = String(hole);
    button.tabIndex = hole > 1 ? -1 : 0;
    const description = document.createElement("p");
    description.id = `${side}-${hole}-would`;
    this.#descriptions.append(description);
    button.addEventListener("click", (event) => this.callbacks.chosen(event, side, hole));
    button.addEventListener("pointerenter", ({ pointerType }) => {
      this.#hovered = pointerType === "mouse" ? button : null;
      this.callbacks.touched(side, hole);
    });
    // While a finger is down, the preview is shown.
    button.addEventListener("pointerdown", () => this.callbacks.touched(side, hole));
    for (const name of ["pointerleave", "pointercancel"]) {
      button.addEventListener(name, () => {
        this.#hovered = null;
        this.callbacks.looked();
      });
    }
    for (const name of ["focus", "blur"]) button.addEventListener(name, () => this.callbacks.looked());
    return button;
  }

  /** Put the buttons over the holes. @param {Drawing} drawing @param {{by: number, x: number, y: number}} scale */
  place(drawing, scale) {
    for (const side of SIDES) {
      drawing.sides[side].holes.forEach(({ button }, index) => {
        const { style } = this.#buttons[side][index];
        style.left = `${scale.x + button.x * scale.by}px`;
        style.top = `${scale.y + button.y * scale.by}px`;
        style.width = `${button.w * scale.by}px`;
        style.height = `${button.h * scale.by}px`;
      });
    }
  }

  /**
   * Name the holes, and tell which may be sown and what they would do.
   * @param {GameState} state
   * @param {Drawing} drawing
   * @param {{playable: (side: Side) => number[], plannable: (side: Side) => number[],
   *   foretold: (side: Side, hole: number) => string, planned: (side: Side) => number|null,
   *   chosen: (side: Side) => number|null}} now holes that may be sown, that may be chosen ahead, the one that is, and
   *   the one whose sowing is under way
   */
  update(state, drawing, { playable, plannable, foretold, planned, chosen }) {
    for (const side of SIDES) {
      const open = playable(side);
      const pressed = [...open, ...plannable(side)];
      this.#buttons[side].forEach((button, index) => {
        const hole = index + 1;
        const ahead = planned(side) === hole;
        const sent = chosen(side) === hole;
        let name = holeName(state, side, hole);
        if (sent) name = gettext("%(hole)s, chosen", { hole: name });
        else if (ahead) name = gettext("%(hole)s, chosen ahead", { hole: name });
        if (button.getAttribute("aria-label") !== name) button.setAttribute("aria-label", name);
        button.setAttribute("aria-disabled", String(!pressed.includes(hole)));
        const { classList } = drawing.place({ side, hole }).group;
        classList.toggle("legal", open.includes(hole));
        classList.toggle("planned", ahead);
        classList.toggle("chosen", sent);
        const text = foretold(side, hole);
        if (text) button.setAttribute("aria-describedby", `${side}-${hole}-would`);
        else button.removeAttribute("aria-describedby");
        const description = /** @type {HTMLElement} */ (this.#descriptions.children.namedItem(`${side}-${hole}-would`));
        if (description.textContent !== text) description.textContent = text;
      });
    }
  }

  /** The hole of a side under the mouse or with the keyboard focus, or 0; after a tap there is neither. @param {Side} side */
  lookedAt(side) {
    const own = this.#buttons[side];
    const button = own.find((one) => one === this.#hovered) ?? own.find((one) => one.matches(":focus-visible"));
    return button ? Number(button.dataset.hole) : 0;
  }

  /** The hole to which a key leads from a button. @param {KeyboardEvent} event @param {Side} near @param {boolean} tall */
  towards({ key, target }, near, tall) {
    const { side, hole } = /** @type {HTMLElement} */ (target).dataset ?? {};
    if (!side) return null;
    return nextFocus(key, { side: /** @type {Side} */ (side), hole: Number(hole) }, near, this.#buttons.white.length, tall);
  }

  /** @param {Side} side @param {number} hole */
  focus(side, hole) {
    this.#buttons[side].forEach((button, index) => {
      button.tabIndex = index + 1 === hole ? 0 : -1;
    });
    this.#buttons[side][hole - 1]?.focus();
  }
}

/** @param {GameState} state @param {Side} side */
function rowName(state, side) {
  const own = ownSide(state);
  if (own) return side === own ? gettext("Your holes") : gettext("Opponent's holes");
  return side === "white" ? gettext("White's holes") : gettext("Black's holes");
}
