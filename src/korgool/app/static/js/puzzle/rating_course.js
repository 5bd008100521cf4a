/** The course of a rating as a small drawing, with a sentence for whoever does not see it. */

import { gettext } from "../site/translations.js";

const WIDTH = 160, HEIGHT = 40, EDGE = 4;
const SVG = "http://www.w3.org/2000/svg";

/** @param {string} name @param {Record<string, string|number>} attributes */
function part(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}

/**
 * Draw a course; null where there is nothing to see in it.
 * @param {number[]} course ratings, oldest first
 */
export function drawCourse(course) {
  if (course.length < 2) return null;
  const least = Math.min(...course), most = Math.max(...course);
  const across = (WIDTH - 2 * EDGE) / (course.length - 1), up = (HEIGHT - 2 * EDGE) / Math.max(most - least, 1);
  const points = course.map((one, at) => [EDGE + at * across, HEIGHT - EDGE - (one - least) * up]);
  const label = gettext("Rating over the last %(n)s puzzles: from %(first)s to %(last)s, lowest %(least)s, highest %(most)s.", {
    n: course.length, first: course[0], last: course[course.length - 1], least, most,
  });
  const svg = part("svg", { class: "course", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
  svg.append(part("polyline", { points: points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ") }));
  const [x, y] = points[points.length - 1];
  svg.append(part("circle", { cx: x.toFixed(1), cy: y.toFixed(1), r: 3 }));
  return svg;
}
