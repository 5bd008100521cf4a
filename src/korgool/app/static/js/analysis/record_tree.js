/** A record as a tree with everything that stands in it. */

import { Tree } from "./game_tree.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./game_tree.js").Snapshot} Snapshot */
/** @typedef {import("./record_parser.js").ParsedGame} ParsedGame */
/** @typedef {import("./movetext_parser.js").Notes} Notes */
/** @typedef {{line: (position: string|null, moves: number[]) => Promise<Snapshot[]>}} Rules */

/**
 * @param {Rules} rules
 * @param {ParsedGame} record
 * @returns {Promise<Tree>} rejects if something of it cannot be played
 */
export async function treeOfRecord(rules, record) {
  const [start, ...plies] = await rules.line(record.position, record.moves);
  const tree = new Tree(start);
  tree.tags = { ...record.tags };
  tree.result = record.result;
  const line = [tree.root];
  for (const snapshot of plies) line.push(tree.append(line[line.length - 1], snapshot));
  annotate(record, (ply) => line[ply]);
  await addVariations(rules, tree, record, line);
  return tree;
}

/**
 * @param {Rules} rules
 * @param {Tree} tree
 * @param {Pick<Notes, "variations">} record the line with its variations
 * @param {Node[]} line its nodes by their plies
 */
async function addVariations(rules, tree, { variations }, line) {
  for (const one of variations) {
    const [from, replaced] = [line[one.ply - 1], line[one.ply]];
    const plies = (await rules.line(from.snapshot.position, one.moves)).slice(1);
    const first = tree.append(from, plies[0], from.children[0] === replaced ? null : replaced);
    first.after = [...one.after];
    const nodes = line.slice(0, one.ply);
    nodes.push(first);
    for (const snapshot of plies.slice(1)) nodes.push(tree.append(nodes[nodes.length - 1], snapshot));
    annotate(one, (ply) => (ply < one.ply ? first.lead : nodes[ply]));
    await addVariations(rules, tree, one, nodes);
  }
}

/** @param {Notes} notes @param {(ply: number) => {comments: string[], glyphs: number[], offer?: boolean}} at */
function annotate({ comments, glyphs, offers }, at) {
  for (const [ply, text] of comments) at(ply).comments.push(text);
  for (const [ply, glyph] of glyphs) at(ply).glyphs.push(glyph);
  for (const ply of offers) at(ply).offer = true;
}

/** True if the moves and branches are all there is: no comments, marks, offers, tags or result, no line twice. @param {Tree} tree */
export function isPlain(tree) {
  if (tree.result !== "*" || Object.keys(tree.tags).length) return false;
  const open = [tree.root];
  for (let node = open.pop(); node; node = open.pop()) {
    const { comments, glyphs, offer, lead, after, beside, children } = node;
    if (comments.length || glyphs.length || offer || lead.comments.length || lead.glyphs.length || after.length || beside) return false;
    if (new Set(children.map(({ hole }) => hole)).size < children.length) return false;
    open.push(...children);
  }
  return true;
}
