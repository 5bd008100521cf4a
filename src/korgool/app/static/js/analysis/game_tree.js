/** A game with its branches: nodes are positions, the first child of each is the main continuation. */

/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("../game/message_types.js").Trace} Trace */
/** @typedef {import("../game/message_types.js").Preview} Preview */
/** @typedef {import("../game/message_types.js").Outcome} Outcome */
/**
 * @typedef {{white: number[], black: number[], stores: [number, number], tuz: [number|null, number|null], turn: Side}} Board
 */
/**
 * @typedef {{board: Board, number: number, position: string, text: string|null, trace: Trace|null, legal: number[],
 *   previews: Record<string, Preview>, outcome: Outcome|null}} Snapshot a position and the ply that led there
 */
/**
 * @typedef {{evaluation: number, expectation: number, best: number, pv: number[], texts: string[], depth: number,
 *   certain: number, moves?: Record<number, {points: number, stones: number}>}} SearchResult the value of a position by a
 *   search: the one whose lines the page shows there, or that of the review; stones and points, 0 to 1, of White; certain
 *   is 1 where White surely wins, -1 where Black does. `moves` has the values of every move that it looked at
 */
/** @typedef {import("./review_values.js").Judgement} Judgement */

let counted = 0;

export class Node {
  /** @type {Node[]} */ children = [];
  /** @type {SearchResult|null} */ seen = null;
  /** Plies from the start. @type {number} */ ply;
  /** The judgement of the ply that led here. @type {Judgement|null} */ judged = null;
  /** Comments on the ply that led here, or at the start of the game, with the commands that draw. @type {string[]} */ comments = [];
  /** Its annotation marks, `$n` of PGN. @type {number[]} */ glyphs = [];
  /** True if a draw was offered with it. */ offer = false;
  /** What is said before the first ply of a branch. @type {{comments: string[], glyphs: number[]}} */ lead = { comments: [], glyphs: [] };
  /** Comments after a branch. @type {string[]} */ after = [];
  /** The sibling in whose place a branch is written, null for the main continuation. @type {Node|null} */ beside = null;
  /** The branches in the place of each child, until the children change. @type {Map<Node, Node[]>|null} */ grouped = null;

  /** @param {Snapshot} snapshot @param {Node|null} parent */
  constructor(snapshot, parent) {
    counted += 1;
    this.id = counted;
    this.snapshot = snapshot;
    this.parent = parent;
    this.ply = parent ? parent.ply + 1 : 0;
  }

  /** The hole that was sown to get here; 0 at the start. */
  get hole() {
    return this.snapshot.trace?.hole ?? 0;
  }

  /** The nodes from the start to this one. @returns {Node[]} */
  get path() {
    const path = [];
    for (let node = /** @type {Node|null} */ (this); node; node = node.parent) path.unshift(node);
    return path;
  }

  /** The plies from the start. */
  get holes() {
    return this.path.slice(1).map(({ hole }) => hole);
  }

  /** @param {number} hole */
  child(hole) {
    return this.children.find((child) => child.hole === hole);
  }

  /** Take in a continuation. @param {Node} child */
  append(child) {
    this.children.push(child);
    this.grouped = null;
  }

  /** The branches that are written in the place of this one. @returns {Node[]} */
  get branches() {
    if (!this.parent) return [];
    // Once for all siblings: a position may have thousands of them.
    this.parent.grouped ??= groupBranches(this.parent.children);
    return this.parent.grouped.get(this) ?? [];
  }

  /** False for a move that is only tried on the board, and for what follows it: it is no part of the game. */
  get attached() {
    return this.path.every((node) => !node.parent || node.parent.children.includes(node));
  }

  /** True for a node on the main line. */
  get main() {
    return this.path.every((node) => !node.parent || node.parent.children[0] === node);
  }
}

/** The branches among siblings by those in whose place they are written. @param {Node[]} siblings */
function groupBranches([first, ...others]) {
  /** @type {Map<Node, Node[]>} */
  const grouped = new Map();
  for (const one of others) {
    const place = one.beside ?? first;
    const group = grouped.get(place);
    if (group) group.push(one);
    else grouped.set(place, [one]);
  }
  return grouped;
}

export class Tree {
  /** The tags of the record; not those that follow from the rest. @type {Record<string, string>} */ tags = {};
  /** The result of the record, which holds unless the board ends the game otherwise. */ result = "*";
  /** @param {Snapshot} start */
  constructor(start) {
    this.root = new Node(start, null);
  }

  /** Add the continuation by a snapshot, unless it is already there. @param {Node} node @param {Snapshot} snapshot */
  add(node, snapshot) {
    return node.child(snapshot.trace?.hole ?? 0) ?? this.append(node, snapshot);
  }

  /** Add a continuation, also one that is already there. @param {Node} node @param {Snapshot} snapshot @param {Node|null} [beside] */
  append(node, snapshot, beside = null) {
    const made = new Node(snapshot, node);
    made.beside = beside;
    node.append(made);
    return made;
  }

  /** The main line, the start included. */
  get line() {
    const line = [this.root];
    for (let node = this.root.children[0]; node; node = node.children[0]) line.push(node);
    return line;
  }

  /** Make the branch of a node the main line; does nothing for a node that is no part of the game. @param {Node} node */
  promote(node) {
    if (!node.attached) return;
    for (const one of node.path) {
      const { parent } = one;
      if (!parent || parent.children[0] === one) continue;
      parent.children.unshift(...parent.children.splice(parent.children.indexOf(one), 1));
      parent.grouped = null;
      // What stood around the branch now stands on the plies of the main line.
      parent.comments.push(...one.lead.comments);
      parent.glyphs.push(...one.lead.glyphs);
      one.comments.push(...one.after);
      Object.assign(one, { lead: { comments: [], glyphs: [] }, after: [], beside: null });
    }
  }

  /** Remove a node with everything after it; returns its parent, or a node that is no part of the game. @param {Node} node */
  remove(node) {
    const before = node.parent;
    if (!before || !node.attached) return node;
    before.grouped = null;
    before.children.splice(before.children.indexOf(node), 1);
    for (const one of before.children) if (one.beside === node) one.beside = node.beside;
    const [first] = before.children;
    if (first) first.beside = null;
    return before;
  }

  /** The node after these holes, or the last one that exists. @param {number[]} holes */
  find(holes) {
    let node = this.root;
    for (const hole of holes) {
      const next = node.child(hole);
      if (!next) break;
      node = next;
    }
    return node;
  }
}

/**
 * All moves as a text: `7,6(5,4),3` has 5 in place of 6, and 4 after that, as a branch.
 * @param {Tree} tree
 */
export function movesText(tree) {
  /** @param {Node} node the position before the moves @returns {string} */
  const after = (node) => {
    const words = [];
    for (let at = node; at.children.length; at = at.children[0]) {
      const [first, ...others] = at.children;
      words.push(first.hole + others.map((other) => `(${[other.hole, after(other)].filter(Boolean).join(",")})`).join(""));
    }
    return words.join(",");
  };
  return after(tree.root);
}

/**
 * Read what `movesText` wrote: lines of holes, each with the holes before it.
 * @param {string} text
 * @returns {{before: number[], moves: number[]}[]} the main line first
 */
export function readMoves(text) {
  /** @type {{before: number[], moves: number[]}[]} */
  const lines = [{ before: [], moves: [] }];
  const open = [lines[0]];
  for (const [word] of text.matchAll(/\d+|[^\s\d]/g)) {
    const line = open[open.length - 1];
    if (word === "(") {
      if (!line.moves.length) throw new RangeError(word);
      const branch = { before: [...line.before, ...line.moves.slice(0, -1)], moves: [] };
      lines.push(branch);
      open.push(branch);
    } else if (word === ")") {
      open.pop();
      if (!open.length) throw new RangeError(word);
    } else if (/^\d{1,2}$/.test(word)) line.moves.push(Number(word));
    else if (word !== ",") throw new RangeError(word);
  }
  if (open.length !== 1) throw new RangeError("(");
  return lines;
}

/**
 * A tree of lines from a position.
 * @param {{line: (position: string|null, moves: number[]) => Promise<Snapshot[]>}} rules
 * @param {string|null} position position text, null for the usual start
 * @param {{before: number[], moves: number[]}[]} lines as `readMoves` gives them
 * @returns {Promise<Tree>} rejects if something of it cannot be played
 */
export async function buildTree(rules, position, lines) {
  const [main, ...branches] = lines;
  const [first, ...plies] = await rules.line(position, main.moves);
  const tree = new Tree(first);
  let node = tree.root;
  for (const snapshot of plies) node = tree.add(node, snapshot);
  for (const { before, moves } of branches) {
    let from = tree.find(before);
    for (const snapshot of (await rules.line(from.snapshot.position, moves)).slice(1)) from = tree.add(from, snapshot);
  }
  return tree;
}
