/** The SVG of the board: panel, holes, stores, stones, marks and the hand. It draws what it is told, no more. */

import { packHole, packStore } from "./layout.js";

/** @typedef {import("./types.js").Box} Box */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {{white: number[], black: number[], stores: {white: number, black: number},
 *   tuz: {white: number|null, black: number|null}}} View what lies where; tuz by owner */
/** @typedef {{side: Side, hole: number}} Spot hole 0 is the store */

const NS = "http://www.w3.org/2000/svg";

/**
 * @param {string} name
 * @param {Record<string, string|number>} [attributes]
 * @param {Element} [parent]
 */
export function element(name, attributes = {}, parent) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  parent?.append(made);
  return made;
}

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** @param {Element} target @param {Box} box @param {number} [radius] */
function fit(target, box, radius) {
  for (const [key, value] of [["x", box.x], ["y", box.y], ["width", box.w], ["height", box.h]]) {
    target.setAttribute(String(key), String(round(Number(value))));
  }
  if (radius !== undefined) target.setAttribute("rx", String(round(radius)));
}

/** A hole or a store with its stones. */
class Place {
  /** @param {Element} parent @param {string} kind @param {string} label */
  constructor(parent, kind, label) {
    this.group = element("g", { class: kind }, parent);
    this.slot = element("rect", { class: "slot" }, this.group);
    this.stones = element("g", { class: "stones" }, this.group);
    this.mark = element("g", { class: "tuz-mark" }, this.group);
    this.count = element("text", { class: "count" }, this.group);
    this.owner = label ? null : element("circle", { class: "owner", r: 0 }, this.group);
    this.label = label ? element("text", { class: "label" }, this.group) : null;
    if (this.label) this.label.textContent = label;
    this.shown = -1;
    this.r = 0;
  }

  /** @param {{r: number, at: {x: number, y: number}[]}} packed */
  draw(packed) {
    const have = this.stones.children;
    while (have.length > packed.at.length) have[have.length - 1].remove();
    packed.at.forEach(({ x, y }, index) => {
      const stone = have[index] ?? element("circle", { fill: "url(#stone)" }, this.stones);
      // A little disorder, the same each time: stones are not soldiers.
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
   * @param {number} holes
   * @param {boolean} ends
   * @param {Side} near
   * @param {number} total stones in the game
   * @param {string} tuzWord
   */
  constructor(holes, ends, near, total, tuzWord) {
    this.holes = holes;
    this.ends = ends;
    this.near = near;
    this.total = total;
    this.tuzWord = tuzWord;
    /** @type {Layout|null} */
    this.layout = null;
    /** @type {View|null} */
    this.view = null;
    this.svg = element("svg", { class: "board", "aria-hidden": "true", focusable: "false" });
    this.#defs();
    this.panel = element("g", { class: "panel" }, this.svg);
    this.shade = element("rect", { class: "shade" }, this.panel);
    this.wood = element("rect", { class: "wood" }, this.panel);
    this.inlay = element("rect", { class: "inlay" }, this.panel);
    this.band = element("rect", { class: "band", fill: "url(#horns)" }, this.panel);
    this.places = element("g", { class: "places" }, this.svg);
    this.marks = element("g", { class: "marks" }, this.svg);
    this.origin = element("rect", { class: "origin" }, this.marks);
    this.landing = element("rect", { class: "landed", pathLength: 100 }, this.marks);
    this.preview = element("rect", { class: "preview" }, this.marks);
    this.arrows = element("g", { class: "arrows" }, this.svg);
    this.flying = element("g", { class: "flying" }, this.svg);
    this.hand = element("g", { class: "hand" }, this.svg);
    /** @type {Record<Side, {holes: Place[], store: Place}>} */
    this.sides = { white: this.#side("white"), black: this.#side("black") };
  }

  #defs() {
    const defs = element("defs", {}, this.svg);
    const stone = element("radialGradient", { id: "stone", cx: "36%", cy: "30%", r: "75%" }, defs);
    for (const [offset, name] of [["0", "shine"], ["0.45", "body"], ["1", "edge"]]) {
      element("stop", { offset, class: `stone-${name}` }, stone);
    }
    const wood = element("linearGradient", { id: "wood", x1: "0", y1: "0", x2: "0.25", y2: "1" }, defs);
    for (const [offset, name] of [["0", "a"], ["0.5", "b"], ["1", "c"]]) {
      element("stop", { offset, class: `wood-${name}` }, wood);
    }
    const slot = element("linearGradient", { id: "slot", x1: "0", y1: "0", x2: "0", y2: "1" }, defs);
    for (const [offset, name] of [["0", "a"], ["1", "b"]]) element("stop", { offset, class: `slot-${name}` }, slot);
    // A ram's horn, as on felt carpets, walking along the rim.
    const horns = element("pattern", { id: "horns", width: 28, height: 14, patternUnits: "userSpaceOnUse" }, defs);
    const horn = "M14 13V6C14 2 8 1 7 5c-.6 2.6 3 3.4 3 1M14 6c0-4 6-5 7-1 .6 2.6-3 3.4-3 1";
    element("path", { class: "horn", d: horn }, horns);
  }

  /** @param {Side} side */
  #side(side) {
    const where = side === this.near ? "near" : "far";
    const numbers = Array.from({ length: this.holes }, (_, index) => String(index + 1));
    return {
      holes: numbers.map((number) => new Place(this.places, `hole ${where}`, number)),
      store: new Place(this.places, `store ${where} ${side}`, ""),
    };
  }

  /** @param {Spot} spot */
  place(spot) {
    const { holes, store } = this.sides[spot.side];
    return spot.hole ? holes[spot.hole - 1] : store;
  }

  /** @param {Spot} spot @returns {import("./layout.js").HolePlace|import("./layout.js").StorePlace} */
  where(spot) {
    const layout = /** @type {Layout} */ (this.layout);
    const row = spot.side === this.near ? "near" : "far";
    return spot.hole ? layout[row][spot.hole - 1] : layout.stores[row];
  }

  /** @param {Spot} spot the middle of its stones */
  middle(spot) {
    const { stones } = this.where(spot);
    return { x: stones.x + stones.w / 2, y: stones.y + stones.h / 2 };
  }

  /** Lay everything out anew. @param {Layout} layout @param {number} width @param {number} height */
  resize(layout, width, height) {
    this.layout = layout;
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const { panel, text } = layout;
    fit(this.shade, { ...panel, y: panel.y + 4 }, 20);
    fit(this.wood, panel, 18);
    fit(this.inlay, { x: panel.x + 3, y: panel.y + 3, w: panel.w - 6, h: panel.h - 6 }, 15);
    // The ornament runs in whole horns from the middle, and a narrow board has no room for it.
    const { band } = layout;
    const whole = Math.floor(band.w / 28) * 28;
    fit(this.band, { x: 0, y: 0, w: band.h < 12 || layout.vertical ? 0 : whole, h: 14 });
    this.move(this.band, { x: band.x + (band.w - whole) / 2, y: band.y + (band.h - 14) / 2 });
    for (const side of /** @type {Side[]} */ (["white", "black"])) {
      const { holes, store } = this.sides[side];
      [store, ...holes].forEach((place, hole) => {
        const where = this.where({ side, hole });
        fit(place.slot, where.box, Math.min(where.box.w, where.box.h) * (hole || this.ends ? 0.42 : 0.5));
        place.count.setAttribute("x", String(where.count.x));
        place.count.setAttribute("y", String(where.count.y));
        place.count.setAttribute("font-size", String(hole ? text : text * 1.25));
        if (place.owner && "owner" in where && where.owner) {
          place.owner.setAttribute("cx", String(round(where.owner.x)));
          place.owner.setAttribute("cy", String(round(where.owner.y)));
          place.owner.setAttribute("r", String(round(text * 0.34)));
        }
        if (place.label && "label" in where) {
          place.label.setAttribute("x", String(where.label.x));
          place.label.setAttribute("y", String(where.label.y));
          place.label.setAttribute("font-size", String(Math.max(11, text * 0.6)));
        }
        place.shown = -1;
      });
    }
    if (this.view) this.show(this.view);
  }

  /** @param {View} view */
  show(view) {
    this.view = view;
    for (const side of /** @type {Side[]} */ (["white", "black"])) {
      for (let hole = 0; hole <= this.holes; hole += 1) this.update({ side, hole });
    }
  }

  /** Draw one place as the view has it. @param {Spot} spot */
  update(spot) {
    if (!this.view || !this.layout) return;
    const place = this.place(spot);
    const { stones } = this.where(spot);
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
    this.#tuzMark(place, spot, tuz);
    const backwards = spot.side === this.near ? this.#nearFillsBackwards() : !this.#nearFillsBackwards();
    place.draw(spot.hole ? packHole(stones, count) : packStore(stones, count, this.total, backwards));
  }

  #nearFillsBackwards() {
    // Stores fill from the end at which their total stands: see layout.
    return true;
  }

  /** @param {Place} place @param {Spot} spot @param {boolean} tuz */
  #tuzMark(place, spot, tuz) {
    place.mark.replaceChildren();
    if (!tuz) return;
    const { box, stones } = this.where(spot);
    const { x, y } = { x: box.x + box.w / 2, y: box.y + box.h / 2 };
    const upright = box.h >= box.w;
    const size = Math.min(stones.w * 0.34, stones.h * 0.34, box.w * (upright ? 0.28 : 0.2));
    const at = upright ? { x, y: y - size * 0.5 } : { x: x - box.w * 0.29, y };
    const [cx, cy, r] = [round(at.x), round(at.y), round(size)];
    const diamond = `M${cx} ${round(at.y - size)}l${r} ${r}l${-r} ${r}l${-r} ${-r}z`;
    element("path", { class: "diamond", d: diamond }, place.mark);
    element("circle", { class: "eye", cx, cy, r: round(size * 0.34) }, place.mark);
    const text = { x: round(upright ? x : x + box.w * 0.17), y: round(upright ? at.y + size * 1.75 : y) };
    const word = element("text", { class: "tuz-word", ...text }, place.mark);
    word.textContent = this.tuzWord;
    const room = (upright ? box.w * 0.86 : box.w * 0.54) / Math.max(3, this.tuzWord.length);
    word.setAttribute("font-size", String(round(Math.min(17, room * 1.5))));
  }

  /** Show or hide a frame around a place. @param {Element} frame @param {Spot|null} spot @param {number} [grow] */
  frame(frame, spot, grow = 1.5) {
    frame.toggleAttribute("data-on", Boolean(spot));
    if (!spot || !this.layout) return;
    const { box } = this.where(spot);
    const inner = { x: box.x - grow, y: box.y - grow, w: box.w + 2 * grow, h: box.h + 2 * grow };
    fit(frame, inner, Math.min(inner.w, inner.h) * (spot.hole || this.ends ? 0.42 : 0.5));
  }

  /** Put `count` stones into the hand; none hides it. @param {number} count @param {number} r */
  holdStones(count, r) {
    this.hand.replaceChildren();
    if (!count) return;
    const shown = Math.min(count, 19);
    for (let stone = 0; stone < shown; stone += 1) {
      // A sunflower heap: compact for any number.
      const far = r * 1.25 * Math.sqrt(stone);
      const turn = stone * 2.4;
      const [cx, cy] = [round(far * Math.cos(turn)), round(far * Math.sin(turn))];
      element("circle", { fill: "url(#stone)", cx, cy, r: round(r) }, this.hand);
    }
    const text = element("text", { class: "hand-count", "font-size": round(Math.max(17, r * 1.8)) }, this.hand);
    text.textContent = String(count);
  }

  /** @param {Element} group @param {{x: number, y: number}} point */
  move(group, point) {
    group.setAttribute("transform", `translate(${round(point.x)} ${round(point.y)})`);
  }

  /** Take the stones of a hole into the air as one group. @param {Spot} spot @param {number} count */
  lift(spot, count) {
    const group = element("g", {}, this.flying);
    const packed = packHole(this.where(spot).stones, count);
    const r = round(packed.r);
    for (const { x, y } of packed.at) element("circle", { fill: "url(#stone)", cx: round(x), cy: round(y), r }, group);
    return group;
  }

  /** No hand, nothing in the air. */
  clearAir() {
    this.hand.replaceChildren();
    this.flying.replaceChildren();
  }
}
