/** The labels of the holes on the board: their numbers, with their traditional names where the reader wants them. */

import { traditionalName } from "../game/hole_names.js";

/** @typedef {import("./svg_drawing.js").Drawing} Drawing */

/** The smallest size of a label, in units of the drawing. */
const LEAST = 9;
/** The space between two labels, in the same units: the tall picture of nine holes has room for the longest name, and no more. */
const APART = 5;
/** The usual width of a letter, in parts of its height, and the narrowest that is still read with ease. */
const [WIDTH, NARROWEST] = [0.68, 0.57];

/**
 * Write numbers and names beside the holes; a picture that is too small for one of the names has the numbers alone.
 * @param {Drawing} drawing
 * @param {string} game
 */
export function labelHoles(drawing, game) {
  const rows = Object.values(drawing.sides).map(({ holes }) => holes);
  const names = rows[0].map((_, index) => traditionalName(game, index + 1));
  const texts = names.map((name, index) => [index + 1, name].filter(Boolean).join(" "));
  const { button } = rows[0][0];
  const room = (drawing.tall ? button.h : button.w) - APART;
  const longest = Math.max(...texts.map((text) => text.length));
  const fits = names.some(Boolean) && room >= longest * LEAST * WIDTH * NARROWEST;
  for (const holes of rows) {
    holes.forEach(({ group }, index) => {
      const label = /** @type {SVGTextElement} */ (group.querySelector(".label"));
      if (fits) write(label, texts[index], room, longest, drawing.tall);
      else if (USUAL.has(label)) restore(label, index + 1);
    });
  }
}

/** The size of each label that has a name, as the server wrote it. @type {WeakMap<Element, string>} */
const USUAL = new WeakMap();

/** @param {SVGTextElement} label @param {string} text @param {number} room @param {number} longest @param {boolean} tall */
function write(label, text, room, longest, tall) {
  const usual = USUAL.get(label) ?? label.getAttribute("font-size") ?? String(LEAST);
  USUAL.set(label, usual);
  const size = Math.max(LEAST, Math.min(Number(usual), room / (longest * WIDTH)));
  restore(label, text);
  label.setAttribute("font-size", String(Math.round(size * 10) / 10));
  if (text.length * size * WIDTH > room) {
    label.setAttribute("textLength", String(Math.round(room)));
    label.setAttribute("lengthAdjust", "spacingAndGlyphs");
  }
  // In the tall picture a row is a column, and the strip beside it is as narrow as a number.
  if (tall) label.setAttribute("transform", `rotate(-90 ${label.getAttribute("x")} ${label.getAttribute("y")})`);
}

/** @param {SVGTextElement} label @param {string|number} text */
function restore(label, text) {
  label.textContent = String(text);
  label.setAttribute("font-size", USUAL.get(label) ?? "");
  for (const name of ["textLength", "lengthAdjust", "transform"]) label.removeAttribute(name);
}
