/** The graph of the reviewed game, with the marks of its moves. */

import { nodeName } from "../game/move_steps.js";
import { drawGraph, graphSummary } from "./evaluation_graph.js";
import { graphPoints } from "./graph_values.js";

/** @typedef {import("./game_review.js").GameReview} GameReview */

export class ReviewGraph {
  /** @type {ReturnType<typeof drawGraph>|null} */ #graph = null;
  #drawn = "";
  /** @type {number|null} */ #marked = null;

  /** @param {HTMLElement} host the section with the graph @param {(ply: number) => void} pick */
  constructor(host, pick) {
    this.host = host;
    this.pick = pick;
  }

  /** Draw what is known. @param {GameReview} review @param {string} game */
  draw(review, game) {
    const { line, hidden, wanted } = review;
    const points = graphPoints(line, game, (node) => review.found(node)?.evaluation);
    // Its room is kept from the start, so that nothing below it moves when it comes.
    this.host.hidden = hidden || line.length < 2 || (!wanted && points.length < 2);
    const marks = line.flatMap(({ ply, judged }) => (judged?.mark ? [{ ply, sign: judged.sign, mark: judged.mark }] : []));
    const { done, all } = review.progress;
    const key = JSON.stringify([points, marks, all]);
    this.host.toggleAttribute("data-complete", done === all);
    if (this.host.hidden || key === this.#drawn) return;
    this.#drawn = key;
    const drawing = /** @type {HTMLElement} */ (this.host.querySelector(".drawing"));
    const name = (/** @type {number} */ ply) => (line[ply] ? nodeName(line[ply]) : "");
    this.#graph = drawGraph(drawing, points, this.pick, name, { plies: line.length - 1, marks });
    const text = /** @type {HTMLElement} */ (this.host.querySelector(".summary"));
    // The room of the sentence is kept, too.
    text.textContent = points.length === line.length ? graphSummary(points, name) : "";
    this.#graph.mark(this.#marked);
  }

  /** Mark the ply on the board. @param {number|null} ply null beside the main line */
  mark(ply) {
    this.#marked = ply;
    this.#graph?.mark(ply);
  }
}
