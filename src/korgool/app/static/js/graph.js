/** The evaluation over the moves of a game: White's side up, Black's down. `summary` says it to those who listen. */

import { element } from "./drawing.js";
import { gettext } from "./words.js";

/** @typedef {{ply: number, evaluation: number}} Point stones, from White's view */

const WIDTH = 320;
const HEIGHT = 130;
const LEFT = 34;

/** @param {number} stones */
const signed = (stones) => {
  const size = Math.round(Math.abs(stones));
  return `${!size ? "" : stones > 0 ? "+" : "−"}${size}`;
};

/** What the graph says, in a sentence. @param {Point[]} points */
export function summary(points) {
  if (points.length < 2) return "";
  let worst = 1;
  for (let index = 1; index < points.length; index += 1) {
    const change = Math.abs(points[index].evaluation - points[index - 1].evaluation);
    if (change > Math.abs(points[worst].evaluation - points[worst - 1].evaluation)) worst = index;
  }
  const best = points.reduce((most, point) => (point.evaluation > most.evaluation ? point : most));
  const least = points.reduce((most, point) => (point.evaluation < most.evaluation ? point : most));
  return gettext(
    "Expected difference of the kazans from White's view, in stones: at most %(best)s after ply %(bestply)s, at least %(least)s after ply %(leastply)s; the largest change came with ply %(turn)s.",
    { best: signed(best.evaluation), bestply: best.ply, least: signed(least.evaluation), leastply: least.ply,
      turn: points[worst].ply },
  );
}

/**
 * @param {Element} host
 * @param {Point[]} points
 * @param {(ply: number) => void} onPick
 */
export function drawGraph(host, points, onPick) {
  const most = Math.max(10, ...points.map(({ evaluation }) => Math.abs(evaluation)));
  const last = Math.max(1, points.at(-1)?.ply ?? 1);
  /** @param {Point} point */
  const at = ({ ply, evaluation }) => [
    LEFT + ((WIDTH - LEFT - 4) * ply) / last,
    HEIGHT / 2 - ((HEIGHT / 2 - 8) * evaluation) / most,
  ];
  const svg = element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", class: "evaluations" });
  const middle = HEIGHT / 2;
  element("rect", { class: "white-half", x: LEFT, y: 0, width: WIDTH - LEFT - 4, height: middle }, svg);
  element("rect", { class: "black-half", x: LEFT, y: middle, width: WIDTH - LEFT - 4, height: middle }, svg);
  const line = points.map((point) => at(point).map((value) => value.toFixed(1)).join(" "));
  const end = at(points.at(-1) ?? { ply: 0, evaluation: 0 })[0].toFixed(1);
  element("path", { class: "area", d: `M${LEFT} ${middle}L${line.join("L")}L${end} ${middle}Z` }, svg);
  element("path", { class: "zero", d: `M${LEFT} ${middle}H${WIDTH - 4}` }, svg);
  element("path", { class: "line", d: `M${line.join("L")}` }, svg);
  for (const [value, y] of [[most, 14], [0, middle + 4], [-most, HEIGHT - 6]]) {
    element("text", { class: "scale", x: LEFT - 4, y }, svg).textContent = signed(value);
  }
  const cursor = element("path", { class: "cursor" }, svg);
  host.replaceChildren(svg);

  svg.addEventListener("click", (event) => {
    const { left, width } = svg.getBoundingClientRect();
    const x = ((/** @type {MouseEvent} */ (event).clientX - left) / width) * WIDTH;
    onPick(Math.max(0, Math.min(last, Math.round(((x - LEFT) / (WIDTH - LEFT - 4)) * last))));
  });
  return {
    /** @param {number|null} ply */
    mark(ply) {
      const point = points.find((candidate) => candidate.ply === ply);
      cursor.setAttribute("d", point ? `M${at(point)[0].toFixed(1)} 0V${HEIGHT}` : "");
    },
  };
}
