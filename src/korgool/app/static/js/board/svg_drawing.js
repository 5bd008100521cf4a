/**
 * The drawing of the board: holes, stores, stones, marks and the hand. The server has drawn it
 * (`templates/board.html`); this module continues with that drawing, reads the positions from it, and draws each
 * state that it is given.
 */

import { packHole, packStore } from "./stone_layout.js";

/** @typedef {import("../game/message_types.js").Box} Box */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("./stone_layout.js").Heap} Heap */
/**
 * @typedef {{white: number[], black: number[], stores: {white: number, black: number}, tuz: {white: number|null, black:
 *   number|null}}} View stones by place; tuz by owner
 */
/** @typedef {{side: Side, hole: number}} Spot hole 0 is the store */

/** @param {Pick<import("../game/message_types.js").GameState, "white"|"black"|"stores"|"tuz">} state @returns {View} */
export const viewOf = (state) => ({
  white: [...state.white],
  black: [...state.black],
  stores: { white: state.stores[0], black: state.stores[1] },
  tuz: { white: state.tuz[0], black: state.tuz[1] },
});

const NS = "http://www.w3.org/2000/svg";

/**
 * @param {string} name
 * @param {Record<string, string|number>} [attributes]
 * @param {Element} [parent]
 */
export function svgElement(name, attributes = {}, parent) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  parent?.append(made);
  return made;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** @param {Element} target @param {Box} box @param {number} radius */
function fit(target, box, radius) {
  for (const [key, value] of [["x", box.x], ["y", box.y], ["width", box.w], ["height", box.h]]) {
    target.setAttribute(String(key), String(round(Number(value))));
  }
  target.setAttribute("rx", String(round(radius)));
}

/** @param {Element} target @param {string} name @returns {Box} */
function field(target, name) {
  const [x, y, w, h] = (target.getAttribute(name) ?? "0 0 0 0").split(" ").map(Number);
  return { x, y, w, h };
}

/** A hole or a store with its stones. */
class Place {
  /** @param {Element} group */
  constructor(group) {
    this.group = group;
    this.slot = /** @type {Element} */ (group.querySelector(".slot"));
    this.heap = /** @type {Element} */ (group.querySelector(".stones"));
    this.count = /** @type {Element} */ (group.querySelector(".count"));
    const value = (/** @type {string} */ name) => Number(this.slot.getAttribute(name));
    /** The hollow. @type {Box} */
    this.box = { x: value("x"), y: value("y"), w: value("width"), h: value("height") };
    this.radius = value("rx");
    /** The field of the stones. */
    this.stones = field(this.heap, "data-field");
    /** The area of a hole to press. */
    this.button = field(group, "data-button");
    this.most = Number(group.getAttribute("data-most"));
    this.backwards = group.hasAttribute("data-backwards");
    this.shown = NaN;
    this.r = 0;
  }

  /** @param {number} count @returns {Heap} */
  pack(count) {
    return this.most ? packStore(this.stones, count, this.most, this.backwards) : packHole(this.stones, count);
  }

  /** @param {Heap} packed */
  draw(packed) {
    const have = this.heap.children;
    while (have.length > packed.at.length) have[have.length - 1].remove();
    packed.at.forEach(({ x, y }, index) => {
      const stone = have[index] ?? svgElement("circle", {}, this.heap);
      // A little disorder, always the same, so that the stones look natural.
      const wobble = packed.r * 0.14;
      stone.setAttribute("cx", String(round(x + Math.sin(index * 12.9) * wobble)));
      stone.setAttribute("cy", String(round(y + Math.cos(index * 7.3) * wobble)));
      stone.setAttribute("r", String(round(packed.r)));
    });
    this.r = packed.r;
  }
}

export class Drawing {
  /**
   * @param {SVGSVGElement} svg a picture of a board
   * @param {Side} near the side at the lower edge
   */
  constructor(svg, near) {
    this.svg = svg;
    this.near = near;
    const part = (/** @type {string} */ name) => /** @type {Element} */ (svg.querySelector(`.${name}`));
    /** True if the near row is a column, hole 1 on top. */
    this.tall = svg.classList.contains("tall");
    /** Width and height in units of the drawing. */
    this.width = svg.viewBox.baseVal.width;
    this.height = svg.viewBox.baseVal.height;
    this.origin = part("origin");
    this.landing = part("landed");
    this.preview = part("preview");
    this.arrows = part("arrows");
    this.flying = part("flying");
    this.hand = part("hand");
    /** @type {View|null} */
    this.view = null;
    const far = near === "white" ? "black" : "white";
    /** @type {Record<Side, {holes: Place[], store: Place}>} */
    const sides = { white: this.#row(near === "white" ? "near" : "far"), black: this.#row(near === "black" ? "near" : "far") };
    this.sides = sides;
    for (const [side, other] of /** @type {[Side, Side][]} */ ([[near, far], [far, near]])) {
      sides[side].store.group.classList.add(side);
      sides[side].store.group.classList.remove(other);
    }
    this.holes = sides.white.holes.length;
  }

  /** @param {"near"|"far"} row */
  #row(row) {
    const [store, ...holes] = [...this.svg.querySelectorAll(`.places > .${row}`)].map((group) => new Place(group));
    return { holes, store };
  }

  /** @param {Spot} spot */
  place(spot) {
    const { holes, store } = this.sides[spot.side];
    return spot.hole ? holes[spot.hole - 1] : store;
  }

  /** @param {Spot} spot the middle of its stones */
  middle(spot) {
    const { stones } = this.place(spot);
    return { x: stones.x + stones.w / 2, y: stones.y + stones.h / 2 };
  }

  /** @param {View} view */
  show(view) {
    this.view = view;
    for (const side of /** @type {Side[]} */ (["white", "black"])) {
      for (let hole = 0; hole <= this.holes; hole += 1) this.update({ side, hole });
    }
  }

  /** Draw one place as in the view. @param {Spot} spot */
  update(spot) {
    if (!this.view) return;
    const place = this.place(spot);
    const count = spot.hole ? this.view[spot.side][spot.hole - 1] : this.view.stores[spot.side];
    const other = spot.side === "white" ? "black" : "white";
    const tuz = spot.hole > 0 && this.view.tuz[other] === spot.hole;
    const key = tuz ? -2 - count : count;
    if (place.shown === key) return;
    place.shown = key;
    place.count.textContent = tuz && !count ? "" : String(count);
    place.group.classList.toggle("empty", !count);
    place.group.classList.toggle("tuz", tuz);
    if (tuz) place.group.setAttribute("data-owner", other);
    else place.group.removeAttribute("data-owner");
    place.draw(place.pack(count));
  }

  /** Show or hide a frame around a place. @param {Element} frame @param {Spot|null} spot @param {number} [grow] */
  frame(frame, spot, grow = 1.5) {
    frame.toggleAttribute("data-on", Boolean(spot));
    if (!spot) return;
    const { box, radius } = this.place(spot);
    fit(frame, { x: box.x - grow, y: box.y - grow, w: box.w + 2 * grow, h: box.h + 2 * grow }, radius + grow);
  }

  /** Put `count` stones into the hand; 0 hides it. @param {number} count @param {number} r */
  holdStones(count, r) {
    this.hand.replaceChildren();
    if (!count) return;
    const shown = Math.min(count, 19);
    for (let stone = 0; stone < shown; stone += 1) {
      // A sunflower pattern: compact for any number.
      const far = r * 1.25 * Math.sqrt(stone);
      const turn = stone * 2.4;
      const [cx, cy] = [round(far * Math.cos(turn)), round(far * Math.sin(turn))];
      svgElement("circle", { cx, cy, r: round(r) }, this.hand);
    }
    const text = svgElement("text", { class: "hand-count", "font-size": round(Math.max(17, r * 1.8)) }, this.hand);
    text.textContent = String(count);
  }

  /** @param {Element} group @param {{x: number, y: number}} point */
  move(group, point) {
    group.setAttribute("transform", `translate(${round(point.x)} ${round(point.y)})`);
  }

  /** Lift the stones of a hole as one group. @param {Spot} spot @param {number} count */
  lift(spot, count) {
    const group = svgElement("g", {}, this.flying);
    const packed = packHole(this.place(spot).stones, count);
    const r = round(packed.r);
    for (const { x, y } of packed.at) svgElement("circle", { cx: round(x), cy: round(y), r }, group);
    return group;
  }

  /** Hide the hand, and remove moving stones. */
  clearAir() {
    this.hand.replaceChildren();
    this.flying.replaceChildren();
  }
}
