/** Draws moves as arrows on the board: from the sown hole to where its last stone falls. */

import { svgElement } from "./svg_drawing.js";

/** @typedef {import("./svg_drawing.js").Drawing} Drawing */
/** @typedef {import("./svg_drawing.js").Spot} Spot */
/** @typedef {{from: Spot, to: Spot, rank: number, kind?: string}} Arrow rank 1 is the best move; kind: a class of its own */
/** @typedef {{x: number, y: number}} Point */
/** @typedef {{x: number, y: number, w: number, h: number}} Room by its middle and the half of its width and height */

/** The distance from the middle of a hole at which the arrow of each rank ends, as a fraction of the hole. */
const ASIDE = [0, -0.22, 0.22, -0.36, 0.36];

/** The place of the number along the arrow of each rank, so that the numbers of crossing arrows do not overlap. */
const BADGE = [0.45, 0.58, 0.33, 0.66, 0.25];

/** @param {number} value */
const round = (value) => Math.round(value * 10) / 10;

/** @param {Point} point */
const text = ({ x, y }) => `${round(x)} ${round(y)}`;

/** Return whether a circle and a rectangle do not touch. @param {Point} middle @param {number} r @param {Room} room */
const clear = ({ x, y }, r, room) => Math.hypot(Math.max(0, Math.abs(x - room.x) - room.w), Math.max(0, Math.abs(y - room.y) - room.h)) > r + 1;

/** @param {Spot} spot */
const name = ({ side, hole }) => `${side}-${hole}`;

/**
 * Replace the arrows; the best one is the thickest and lies above the others.
 * @param {Drawing} drawing
 * @param {Arrow[]} list
 */
export function drawArrows(drawing, list) {
  drawing.arrows.replaceChildren();
  if (!list.length) return;
  const sorted = [...list].sort((one, other) => other.rank - one.rank);
  const counts = places(drawing);
  const lines = svgElement("g", { mask: "url(#counts)" });
  /** @type {Room[]} */
  const taken = [...counts];
  const badges = sorted.map((arrow) => draw(drawing, arrow, lines, taken));
  drawing.arrows.append(mask(drawing, counts), lines, ...badges); // the numbers are above all lines
}

/** The rectangles of the counts of stones, which no arrow may hide. @param {Drawing} drawing @returns {Room[]} */
function places(drawing) {
  const found = [];
  for (const side of /** @type {const} */ (["white", "black"])) {
    for (let hole = 0; hole <= drawing.holes; hole += 1) {
      const { count } = drawing.place({ side, hole });
      const [x, y, size] = ["x", "y", "font-size"].map((name) => Number(count.getAttribute(name)));
      if (count.textContent) found.push({ x, y, w: size * (0.36 + 0.3 * count.textContent.length), h: size * 0.72 });
    }
  }
  return found;
}

/**
 * The mask that cuts the lines around the counts, as if they ran behind them.
 * @param {Drawing} drawing
 * @param {Room[]} counts
 */
function mask(drawing, counts) {
  const { width, height } = drawing;
  const made = svgElement("mask", { id: "counts", maskUnits: "userSpaceOnUse", x: 0, y: 0, width, height });
  svgElement("rect", { x: 0, y: 0, width, height, fill: "#fff" }, made);
  for (const { x, y, w, h } of counts) {
    svgElement("rect", { x: round(x - w), y: round(y - h), width: round(2 * w), height: round(2 * h), rx: round(h * 0.6) }, made);
  }
  return made;
}

/**
 * Draw an arrow; returns its number, to be placed on top.
 * @param {Drawing} drawing
 * @param {Arrow} arrow
 * @param {Element} lines where it is drawn
 * @param {Room[]} taken what the number must not overlap; its own rectangle is added
 */
function draw(drawing, { from, to, rank, kind = "line" }, lines, taken) {
  const box = drawing.place(from).box;
  const unit = Math.min(box.w, box.h);
  const thick = Math.max(2.5, unit * (0.17 - 0.026 * Math.min(rank, 5)));
  const group = svgElement("g", {
    class: `arrow ${kind} rank-${Math.min(rank, 5)}`, "data-rank": rank, "data-from": name(from), "data-to": name(to),
  }, lines);
  const start = drawing.middle(from);
  const end = drawing.middle(to);
  const { path, tip, back, stops } = way(start, end, unit, rank);
  const direction = Math.atan2(tip.y - back.y, tip.x - back.x);
  const size = thick * 1.9 + 3;
  /** @param {number} along @param {number} across */
  const off = (along, across) => ({
    x: tip.x + along * Math.cos(direction) - across * Math.sin(direction),
    y: tip.y + along * Math.sin(direction) + across * Math.cos(direction),
  });
  const head = `M${text(tip)}L${text(off(-size * 1.25, size * 0.8))}L${text(off(-size * 0.85, 0))}L${text(off(-size * 1.25, -size * 0.8))}Z`;
  svgElement("path", { class: "edge", d: path, "stroke-width": round(thick + 4) }, group);
  svgElement("path", { class: "edge head", d: head, "stroke-width": 4 }, group);
  svgElement("path", { class: "shaft", d: path, "stroke-width": round(thick) }, group);
  svgElement("path", { class: "point", d: head }, group);
  const r = Math.max(8, Math.min(15, unit * 0.17));
  const badge = stops.find((stop) => taken.every((room) => clear(stop, r, room))) ?? stops[0];
  taken.push({ ...badge, w: r, h: r });
  const mark = svgElement("g", { class: `mark-of ${kind} rank-${Math.min(rank, 5)}` });
  svgElement("circle", { class: "badge", cx: round(badge.x), cy: round(badge.y), r: round(r) }, mark);
  const number = svgElement("text", {
    class: "rank", x: round(badge.x), y: round(badge.y), "font-size": round(r * 1.4),
  }, mark);
  number.textContent = String(rank);
  return mark;
}

/**
 * The line of an arrow: curved, so that arrows between the same holes do not cover each other; a loop if it ends in the
 * hole where it starts.
 * @param {Point} start
 * @param {Point} end
 * @param {number} unit the smaller side of a hole
 * @param {number} rank
 */
function way(start, end, unit, rank) {
  const far = Math.hypot(end.x - start.x, end.y - start.y);
  if (far < 1) {
    const r = unit * 0.36;
    const begin = { x: start.x - r, y: start.y };
    const back = { x: start.x - r * 0.2, y: start.y + r };
    const tip = { x: start.x - r * 0.75, y: start.y + r * 0.75 };
    return {
      path: `M${text(begin)}A${round(r)} ${round(r)} 0 1 1 ${text(back)}`, tip, back, stops: [{ x: start.x + r, y: start.y }, { x: start.x, y: start.y - r }, { x: start.x + r * 0.7, y: start.y + r * 0.7 }],
    };
  }
  const along = { x: (end.x - start.x) / far, y: (end.y - start.y) / far };
  // Short arrows rise from their row, and arrows to the same hole end side by side.
  const bend = Math.min(unit * 0.9, far * 0.4) * (1 + 0.2 * (rank - 1));
  const aside = ASIDE[Math.min(rank, ASIDE.length) - 1] * unit;
  end = { x: end.x + along.y * aside, y: end.y - along.x * aside };
  // Always to the left of its direction, so that the arrow back takes the other side.
  const control = {
    x: (start.x + end.x) / 2 + along.y * bend, y: (start.y + end.y) / 2 - along.x * bend,
  };
  /** @param {number} t @returns {Point} */
  const at = (t) => ({
    x: (1 - t) ** 2 * start.x + 2 * t * (1 - t) * control.x + t ** 2 * end.x,
    y: (1 - t) ** 2 * start.y + 2 * t * (1 - t) * control.y + t ** 2 * end.y,
  });
  const short = Math.min(0.3, (unit * 0.3) / far);
  const wanted = BADGE[Math.min(rank, BADGE.length) - 1];
  const stops = Array.from({ length: 31 }, (_, step) => 0.2 + step * 0.02).sort((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted));
  // The shaft ends where the head begins; otherwise its blunt end would stick out.
  const back = at(1 - Math.min(0.45, (unit * 0.25) / far + 0.02));
  return {
    path: `M${text(at(short))}Q${text(control)} ${text(back)}`, tip: end, back, stops: stops.map(at),
  };
}
