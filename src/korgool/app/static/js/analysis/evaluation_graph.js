/**
 * The graph of the evaluation over the moves of a game: White's advantage up, Black's down. For the keyboard it is a
 * slider, which announces the value after each step to screen readers; `graphSummary` describes the whole graph.
 */

import { svgElement } from "../board/svg_drawing.js";
import { gettext } from "../site/translations.js";

/** @typedef {{ply: number, evaluation: number}} Point stones, from White's view */
/** @typedef {{ply: number, sign: string, mark: string}} Mark of a bad move */

const WIDTH = 320;
const HEIGHT = 130;
const LEFT = 34;
/** The room of a sign beside its dot. */
const SIGN = 16;

/** @param {number} stones */
const signed = (stones) => {
  const size = Math.round(Math.abs(stones));
  return `${!size ? "" : stones > 0 ? "+" : "−"}${size}`;
};

/** The graph in a sentence. @param {Point[]} points @param {(ply: number) => string} name of the position after a ply */
export function graphSummary(points, name) {
  if (points.length < 2) return "";
  let worst = 1;
  for (let index = 1; index < points.length; index += 1) {
    const change = Math.abs(points[index].evaluation - points[index - 1].evaluation);
    if (change > Math.abs(points[worst].evaluation - points[worst - 1].evaluation)) worst = index;
  }
  const best = points.reduce((most, point) => (point.evaluation > most.evaluation ? point : most));
  const least = points.reduce((most, point) => (point.evaluation < most.evaluation ? point : most));
  return gettext(
    "Expected difference of the kazans from White's view, in stones: at most %(best)s (%(beststep)s), at least %(least)s (%(leaststep)s); the largest change: %(turn)s.",
    { best: signed(best.evaluation), beststep: name(best.ply), least: signed(least.evaluation), leaststep: name(least.ply),
      turn: name(points[worst].ply) },
  );
}

/**
 * The ply to which a key moves on the graph.
 * @param {string} key
 * @param {number} ply
 * @param {number} last
 * @returns {number|null}
 */
function slide(key, ply, last) {
  /** @type {Record<string, number>} */
  const keys = {
    ArrowLeft: ply - 1, ArrowDown: ply - 1, ArrowRight: ply + 1, ArrowUp: ply + 1, PageDown: ply - 10, PageUp: ply + 10,
    Home: 0, End: last,
  };
  return key in keys ? Math.max(0, Math.min(last, keys[key])) : null;
}

/**
 * @param {HTMLElement} host kept from one drawing to the next, and with it the focus
 * @param {Point[]} points
 * @param {(ply: number) => void} onPick
 * @param {(ply: number) => string} name of the position after a ply
 * @param {{plies?: number, marks?: Mark[]}} [more] plies of the game where not all have a point yet; moves to mark
 */
export function drawGraph(host, points, onPick, name, more = {}) {
  const most = Math.max(10, ...points.map(({ evaluation }) => Math.abs(evaluation)));
  const last = Math.max(1, more.plies ?? points.at(-1)?.ply ?? 1);
  /** @param {Point} point */
  const at = ({ ply, evaluation }) => [
    LEFT + ((WIDTH - LEFT - 4) * ply) / last,
    HEIGHT / 2 - ((HEIGHT / 2 - 8) * evaluation) / most,
  ];
  const svg = svgElement("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true", class: "evaluations" });
  const middle = HEIGHT / 2;
  svgElement("rect", { class: "white-half", x: LEFT, y: 0, width: WIDTH - LEFT - 4, height: middle }, svg);
  svgElement("rect", { class: "black-half", x: LEFT, y: middle, width: WIDTH - LEFT - 4, height: middle }, svg);
  const line = points.map((point) => at(point).map((value) => value.toFixed(1)).join(" "));
  const end = at(points.at(-1) ?? { ply: 0, evaluation: 0 })[0].toFixed(1);
  if (line.length) svgElement("path", { class: "area", d: `M${LEFT} ${middle}L${line.join("L")}L${end} ${middle}Z` }, svg);
  svgElement("path", { class: "zero", d: `M${LEFT} ${middle}H${WIDTH - 4}` }, svg);
  if (line.length) svgElement("path", { class: "line", d: `M${line.join("L")}` }, svg);
  let free = 0;
  for (const { ply, sign, mark } of more.marks ?? []) {
    const point = points.find((candidate) => candidate.ply === ply);
    if (!point) continue;
    const [x, y] = at(point);
    svgElement("circle", { class: `dot ${mark}`, cx: x.toFixed(1), cy: y.toFixed(1), r: 3.5, "data-ply": ply }, svg);
    if (x < free) continue; // the sign would lie on the one before it
    free = x + SIGN;
    const place = { x: Math.max(LEFT + 8, Math.min(WIDTH - 14, x)).toFixed(1), y: (y < middle ? y + 15 : y - 7).toFixed(1) };
    svgElement("text", { class: `sign ${mark}`, ...place }, svg).textContent = sign;
  }
  for (const [value, y] of [[most, 14], [0, middle + 4], [-most, HEIGHT - 6]]) {
    svgElement("text", { class: "scale", x: LEFT - 4, y }, svg).textContent = signed(value);
  }
  const cursor = svgElement("path", { class: "cursor" }, svg);
  host.replaceChildren(svg);

  host.tabIndex = 0;
  const role = { role: "slider", "aria-label": gettext("Move shown"), "aria-valuemin": 0, "aria-valuemax": last };
  for (const [name, value] of Object.entries(role)) host.setAttribute(name, String(value));
  host.onclick = ({ clientX }) => {
    const { left, width } = svg.getBoundingClientRect();
    const x = ((clientX - left) / width) * WIDTH;
    onPick(Math.max(0, Math.min(last, Math.round(((x - LEFT) / (WIDTH - LEFT - 4)) * last))));
  };
  host.onkeydown = (event) => {
    const ply = event.altKey || event.ctrlKey || event.metaKey ? null : slide(event.key, Number(host.getAttribute("aria-valuenow")), last);
    if (ply === null) return;
    event.preventDefault();
    onPick(ply);
  };
  const graph = {
    /** @param {number|null} ply null for the last one, without a line through it */
    mark(ply) {
      const point = points.find((candidate) => candidate.ply === (ply ?? last));
      cursor.setAttribute("d", point && ply !== null ? `M${at(point)[0].toFixed(1)} 0V${HEIGHT}` : "");
      host.setAttribute("aria-valuenow", String(ply ?? last));
      const step = name(ply ?? last);
      host.setAttribute("aria-valuetext", point
        ? gettext("%(step)s: %(value)s stones for White", { step, value: signed(point.evaluation) }) : step);
    },
  };
  graph.mark(null);
  return graph;
}
