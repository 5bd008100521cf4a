/**
 * Arrows and rings of the visitor: drawn with the right mouse button, or with any finger while drawing is switched on.
 * They belong to the position on which they were drawn, and to its record.
 */

import { svgElement } from "../board/svg_drawing.js";
import { byId } from "../site/dom.js";
import { gettext } from "../site/translations.js";
import { draw, samePlace, shapesOf } from "./shape_commands.js";

/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {{side: Side, hole: number}} Spot */
/** @typedef {"green"|"red"|"blue"|"yellow"} Colour */
/** @typedef {{from: Spot, to: Spot|null, colour: Colour}} Shape an arrow, or a ring where `to` is null */

/** As on other boards: modifier keys choose the colour. @param {PointerEvent} event @returns {Colour} */
const colourOf = ({ altKey, shiftKey, ctrlKey, metaKey }) => {
  const red = shiftKey || ctrlKey;
  if (altKey || metaKey) return red ? "yellow" : "blue";
  return red ? "red" : "green";
};

/** @param {Spot} spot */
const spotText = ({ side, hole }) => (side === "white" ? gettext("White's hole %(hole)s", { hole }) : gettext("Black's hole %(hole)s", { hole }));

export class BoardShapes {
  /** @type {Node|null} */ #node = null;
  /** @type {{from: Spot, colour: Colour}|null} */ #begun = null;
  /** True while a finger draws and does not sow. */ #drawing = false;

  /**
   * @param {import("../board/board_element.js").KorgoolBoard} board
   * @param {() => Side} below the side at the lower edge
   * @param {() => void} changed called after somebody has drawn
   */
  constructor(board, below, changed) {
    this.board = board;
    this.below = below;
    this.changed = changed;
    board.addEventListener("contextmenu", (event) => event.preventDefault());
    // Drawing moves no focus: the arrow keys go on to step through the moves.
    board.addEventListener("mousedown", (event) => event.button === 2 && event.preventDefault());
    board.addEventListener("pointerdown", (event) => this.#begin(event), true);
    addEventListener("pointerup", (event) => this.#end(event));
    addEventListener("pointercancel", () => { this.#begun = null; });
    board.addEventListener("click", (event) => this.#clicked(event), true);
    byId("undraw").addEventListener("click", () => this.#put([]));
    byId("draw").addEventListener("click", () => {
      this.#drawing = !this.#drawing;
      byId("draw").setAttribute("aria-pressed", String(this.#drawing));
      board.toggleAttribute("data-drawing", this.#drawing);
    });
    // Another size of the screen may show another picture of the board.
    new ResizeObserver(() => requestAnimationFrame(() => this.#draw())).observe(board);
  }

  /** Show what was drawn on a position. @param {Node} node */
  show(node) {
    this.#node = node;
    this.#draw();
    const shapes = shapesOf(node);
    byId("drawn").hidden = !shapes.length;
    byId("drawn-words").textContent = shapes.map(({ from, to }) => [from, to].flatMap((spot) => (spot ? [spotText(spot)] : [])).join(" → ")).join(", ");
  }

  /** Draw on the position that is shown. @param {Shape[]} shapes in place of those there */
  #put(shapes) {
    if (!this.#node) return;
    draw(this.#node, shapes);
    this.show(this.#node);
    this.changed();
  }

  /** The hole at a point of the screen. @param {number} x @param {number} y @returns {Spot|null} */
  #spot(x, y) {
    const { side, hole } = /** @type {HTMLElement|null} */ (document.elementFromPoint(x, y)?.closest(".hole-button"))?.dataset ?? {};
    return hole ? { side: /** @type {Side} */ (side), hole: Number(hole) } : null;
  }

  /** @param {PointerEvent} event */
  #begin(event) {
    if (this.board.editing || (event.button !== 2 && !(this.#drawing && event.button === 0))) return;
    const from = this.#spot(event.clientX, event.clientY);
    this.#begun = from && { from, colour: colourOf(event) };
    // A finger otherwise keeps the hole on which it began, whatever it moves over.
    if (event.target instanceof Element && event.target.hasPointerCapture(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  #end({ clientX, clientY }) {
    const begun = this.#begun;
    this.#begun = null;
    const to = begun && this.#spot(clientX, clientY);
    if (!begun || !to || !this.#node) return;
    const ring = to.side === begun.from.side && to.hole === begun.from.hole;
    /** @type {Shape} */
    const shape = { ...begun, to: ring ? null : to };
    const drawn = shapesOf(this.#node);
    const known = drawn.find((one) => samePlace(one, shape));
    const others = drawn.filter((one) => one !== known);
    // The same once more takes it away; in another colour it changes.
    this.#put(known?.colour === shape.colour ? others : [...others, shape]);
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    if (this.#drawing && !this.board.editing) event.stopPropagation();
  }

  #draw() {
    for (const old of this.board.querySelectorAll("g.shapes")) old.remove();
    const svg = this.board.querySelector("svg.board");
    const shapes = this.#node ? shapesOf(this.#node) : [];
    if (!svg || !shapes.length) return;
    const layer = svgElement("g", { class: "shapes" }, svg);
    for (const { from, to, colour } of shapes) this.#drawShape(layer, this.#box(svg, from), to && this.#box(svg, to), colour);
  }

  /** @param {Element} svg @param {Spot} spot */
  #box(svg, { side, hole }) {
    const slot = svg.querySelector(`.hole.${side === this.below() ? "near" : "far"}[data-hole="${hole}"] .slot`);
    const [x, y, w, h] = ["x", "y", "width", "height"].map((name) => Number(slot?.getAttribute(name)));
    return { x, y, w, h, middle: { x: x + w / 2, y: y + h / 2 } };
  }

  /**
   * @param {Element} layer
   * @param {{x: number, y: number, w: number, h: number, middle: {x: number, y: number}}} from
   * @param {{w: number, h: number, middle: {x: number, y: number}}|null} to
   * @param {Colour} colour
   */
  #drawShape(layer, from, to, colour) {
    const unit = Math.min(from.w, from.h);
    const group = svgElement("g", { class: `shape ${colour}` }, layer);
    if (!to) {
      svgElement("rect", { x: from.x - 3, y: from.y - 3, width: from.w + 6, height: from.h + 6, rx: unit * 0.48, "stroke-width": unit * 0.1 }, group);
      return;
    }
    const angle = Math.atan2(to.middle.y - from.middle.y, to.middle.x - from.middle.x);
    const point = (/** @type {number} */ back, /** @type {number} */ aside) => [
      to.middle.x - back * Math.cos(angle) - aside * Math.sin(angle), to.middle.y - back * Math.sin(angle) + aside * Math.cos(angle),
    ].map((value) => value.toFixed(1)).join(" ");
    svgElement("path", { d: `M${from.middle.x} ${from.middle.y}L${point(unit * 0.4, 0)}`, "stroke-width": unit * 0.16 }, group);
    svgElement("path", { class: "point", d: `M${point(0, 0)}L${point(unit * 0.5, unit * 0.28)}L${point(unit * 0.5, -unit * 0.28)}Z` }, group);
  }
}
