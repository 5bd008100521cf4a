/** Shows the moves with their branches, each as a button for the position after it. */

import { saidOf } from "./shape_commands.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./game_tree.js").Tree} Tree */

/** The text of a mark. @param {string} mark */
export function markName(mark) {
  if (mark === "good") return gettext("good move");
  if (mark === "blunder") return gettext("blunder");
  return mark === "mistake" ? gettext("mistake") : gettext("inaccuracy");
}

/** Signs for marks `$n` of PGN that stand for a judgement of the move or of the position. @type {Record<number, string>} */
const GLYPHS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 10: "=", 13: "∞", 14: "+=", 15: "=+", 16: "±", 17: "∓", 18: "+−", 19: "−+", 146: "N" };

/** A mark `$n` as people write it. @param {number} glyph */
export const glyphText = (glyph) => GLYPHS[glyph] ?? `$${glyph}`;

/** The words for the marks `!` to `?!`. @type {Record<number, () => string>} */
const NAMED = {
  1: () => gettext("good move"), 2: () => gettext("weak move"), 3: () => gettext("brilliant move"),
  4: () => gettext("grave mistake"), 5: () => gettext("interesting move"), 6: () => gettext("doubtful move"),
};

export class TreeView {
  /** @type {Map<HTMLElement, Node>} */ #nodes = new Map();

  /** @param {HTMLElement} host @param {(node: Node) => void} onPick @param {(node: Node) => boolean} [conceals] moves not to show */
  constructor(host, onPick, conceals = () => false) {
    this.host = host;
    this.conceals = conceals;
    host.addEventListener("click", (event) => {
      const button = /** @type {HTMLElement} */ (event.target).closest("button");
      const node = button && this.#nodes.get(button);
      if (node) onPick(node);
    });
  }

  /** True if marks of bad moves are shown. */ #marks = true;

  /** @param {Tree} tree @param {Node} current @param {boolean} marks whether marks of bad moves are shown */
  show(tree, current, marks) {
    this.#marks = marks;
    const focused = this.host.contains(document.activeElement);
    this.#nodes.clear();
    const line = document.createElement("div");
    line.className = "line";
    const start = this.#button(tree.root, gettext("Start"), current);
    start.classList.add("start");
    line.append(start, " ");
    this.#comments(line, saidOf(tree.root));
    this.#moves(line, tree.root, current);
    this.host.replaceChildren(line);
    const button = /** @type {HTMLElement|null} */ (this.host.querySelector("[aria-current]"));
    if (!button) return;
    if (focused) button.focus({ preventScroll: true });
    const frame = this.host.getBoundingClientRect();
    const place = button.getBoundingClientRect();
    // Scroll only the list, never the page under the player's finger.
    if (place.top < frame.top || place.bottom > frame.bottom) {
      this.host.scrollTop += place.top - frame.top - frame.height / 2;
    }
  }

  /**
   * The main continuation of a node in a row; after a move come the branches in its place, indented.
   * @param {HTMLElement} row
   * @param {Node} node
   * @param {Node} current
   */
  #moves(row, node, current) {
    let moveBefore = false;
    const seen = (/** @type {Node} */ one) => !this.conceals(one);
    for (let first = node.children.find(seen); first; first = first.children.find(seen)) {
      this.#move(row, first, moveBefore, current);
      this.#branches(row, first, current);
      moveBefore = !saidOf(first).length && !first.branches.length;
    }
  }

  /** The branches in the place of a move, with what stands before and after them. @param {HTMLElement} row @param {Node} node @param {Node} current */
  #branches(row, node, current) {
    for (const other of node.branches) {
      if (this.conceals(other)) continue;
      const branch = document.createElement("div");
      branch.className = "branch";
      branch.setAttribute("role", "group");
      branch.setAttribute("aria-label", gettext("Branch in place of %(move)s", { move: node.snapshot.text ?? "" }));
      this.#comments(branch, other.lead.comments);
      this.#move(branch, other, false, current);
      this.#branches(branch, other, current);
      this.#moves(branch, other, current);
      row.append(branch);
      this.#comments(row, other.after);
    }
  }

  /** @param {HTMLElement} row @param {Node} node @param {boolean} moveBefore whether a move stands right before it @param {Node} current */
  #move(row, node, moveBefore, current) {
    const before = /** @type {Node} */ (node.parent).snapshot;
    const again = before.trace?.extra_turn && moveBefore;
    const white = before.board.turn === "white";
    const ply = document.createElement("span");
    ply.className = "ply";
    if (!again && (white || !moveBefore)) {
      const number = document.createElement("span");
      number.className = "number";
      number.textContent = `${before.number}${white ? "." : "…"}`;
      ply.append(number);
    }
    ply.append(this.#button(node, node.snapshot.text ?? "", current));
    row.append(ply, " ");
    this.#comments(row, saidOf(node));
  }

  /** @param {HTMLElement} row @param {string[]} said */
  #comments(row, said) {
    for (const text of said) {
      const comment = document.createElement("span");
      comment.className = "comment";
      comment.textContent = text;
      row.append(comment, " ");
    }
  }

  /** @param {Node} node @param {string} text @param {Node} current */
  #button(node, text, current) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.dataset.ply = String(node.ply);
    for (const glyph of node.glyphs) {
      const sign = document.createElement("span");
      sign.className = "glyph";
      sign.textContent = glyphText(glyph);
      button.append(sign);
      if (!(glyph in NAMED)) continue;
      sign.setAttribute("aria-hidden", "true");
      const label = document.createElement("span");
      label.className = "hidden";
      label.textContent = `, ${NAMED[glyph]()}`;
      button.append(label);
    }
    if (node.offer) button.append("=");
    // The engine's mark says nothing beside that of the annotator.
    if (node.judged && this.#marks && !node.glyphs.some((glyph) => glyph < 7)) {
      const { sign, mark } = node.judged;
      const tag = document.createElement("span");
      tag.className = `mark ${mark}`;
      tag.textContent = sign;
      tag.setAttribute("aria-hidden", "true");
      const label = document.createElement("span");
      label.className = "hidden";
      label.textContent = `, ${markName(/** @type {string} */ (mark))}`;
      button.append(tag, label);
    }
    // A single stop for the Tab key; the arrow keys move from there.
    button.tabIndex = node === current ? 0 : -1;
    if (node === current) button.setAttribute("aria-current", "true");
    this.#nodes.set(button, node);
    return button;
  }
}
