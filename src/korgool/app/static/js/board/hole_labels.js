/** The labels of the holes on the board: their numbers, with their traditional names where the reader wants them. */

import { traditionalName } from "../game/hole_names.js";

/** @typedef {import("./svg_drawing.js").Drawing} Drawing */

/** The smallest size of a label, in units of the drawing. */
const LEAST = 9;
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
  const room = (drawing.tall ? button.h : button.w) - 6;
  const longest = Math.max(...texts.map((text) => text.length));
  const fits = names.some(Boolean) && room >= longest * LEAST * WIDTH * NARROWEST;
  for (const holes of rows) {
    holes.forEach(({ group }, index) => {
      const label = /** @type {SVGTextElement} */ (group.querySelector(".label"));
      label.dataset.size ??= label.getAttribute("font-size") ?? "";
      const usual = Number(label.dataset.size);
      const size = fits ? Math.max(LEAST, Math.min(usual, room / (longest * WIDTH))) : usual;
      label.textContent = fits ? texts[index] : String(index + 1);
      label.setAttribute("font-size", String(Math.round(size * 10) / 10));
      const wide = fits && texts[index].length * size * WIDTH > room;
      if (wide) label.setAttribute("textLength", String(Math.round(room)));
      else label.removeAttribute("textLength");
      label.setAttribute("lengthAdjust", "spacingAndGlyphs");
      // In the tall picture a row is a column, and the strip beside it is as narrow as a number.
      const turned = fits && drawing.tall ? `rotate(-90 ${label.getAttribute("x")} ${label.getAttribute("y")})` : "";
      if (turned) label.setAttribute("transform", turned);
      else label.removeAttribute("transform");
    });
  }
}
