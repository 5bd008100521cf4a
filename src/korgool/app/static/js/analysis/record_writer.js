/** Writes the tree as a record in every dialect, letter by letter as `korgool.notation.writing` does. */

import { coordinateText, fieldText } from "./move_notation.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./game_tree.js").Tree} Tree */
/** @typedef {import("./record_parser.js").RecordFacts} RecordFacts */
/** @typedef {import("../game/message_types.js").Trace} Trace */
/** @typedef {"pgn"|"tgk"|"coordinates"|"bare"} Dialect */

const SEVEN = ["Event", "Site", "Date", "Round", "White", "Black", "Result"];
const TGK_ORDER = ["White", "Black", "Result", "Date", "Event", "Round", "Site"];
/** The dialects, and how the name of a file with such a record ends. @type {Record<Dialect, string>} */
export const SUFFIXES = { pgn: ".pgn", tgk: ".tgk", coordinates: "-coordinates.txt", bare: "-bare.txt" };

/**
 * @param {Tree} tree
 * @param {Node[]} line what a dialect without branches writes: nodes from the start of the game to the end of a line
 * @param {{game: string, start: string|null, facts: RecordFacts}} about start: position text, null for the usual one
 * @param {Dialect} dialect
 * @returns {string|null} null where the dialect cannot hold the game: a set-up start, or no moves
 */
export function writeRecord(tree, line, about, dialect) {
  if (dialect === "pgn") return pgn(tree, about);
  if (about.start !== null) return null;
  if (dialect === "tgk") return tgk(tree, line);
  if (line.length < 2) return null;
  if (dialect === "bare") return `${line.slice(1).map(({ hole }) => hole).join("")}\n`;
  const holes = tree.root.snapshot.board.white.length;
  let text = "";
  for (const { parent, snapshot } of line.slice(1)) {
    const joint = text && (parent?.snapshot.trace?.extra_turn ? "," : " ");
    text += joint + coordinateText(/** @type {Trace} */ (snapshot.trace), holes);
  }
  return `${text}\n`;
}

/** The result that holds at the end of a line. @param {Tree} tree @param {Node[]} line */
function resultOf(tree, line) {
  const last = line[line.length - 1];
  // The result of the record is that of its own line, and of no branch that goes on from it.
  const own = tree.line[tree.line.length - 1];
  return last.snapshot.outcome?.result ?? (last === own ? tree.result : "*");
}

/** @param {string} name @param {string} text */
export const tagLine = (name, text) => `[${name} "${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"]`;

/** @param {Tree} tree @param {{game: string, start: string|null, facts: RecordFacts}} about */
function pgn(tree, { game, start, facts }) {
  /** @type {Record<string, string>} */
  const tags = { ...Object.fromEntries(SEVEN.map((name) => [name, "?"])), Date: "????.??.??", ...tree.tags };
  const line = tree.line;
  Object.assign(tags, { Result: resultOf(tree, line), Variant: facts.titles[game] }, start === null ? {} : { FEN: start });
  const { order } = facts.tags;
  const names = [...order.filter((name) => name in tags), ...Object.keys(tags).filter((name) => !order.includes(name))];
  const words = [...notes(tree.root), ...moveWords(tree.root.children[0], true), tags.Result];
  if (line[line.length - 1].snapshot.outcome?.termination === "no_move") words.push("{zero}");
  return `${names.map((name) => tagLine(name, tags[name])).join("\n")}\n\n${words.join(" ")}\n\n`;
}

/** What stands on a ply, or before a branch. @param {{comments: string[], glyphs: number[]}} place */
const notes = ({ comments, glyphs }) => [...glyphs.map((glyph) => `$${glyph}`), ...comments.map((text) => `{${text}}`)];

/** The line that begins with a node, with all that stands beside it. @param {Node|undefined} first @param {boolean} main */
function moveWords(first, main) {
  /** @type {string[]} */
  const words = main ? [] : notes(first?.lead ?? { comments: [], glyphs: [] });
  let joins = false;
  let due = true;
  for (let node = first; node; node = node.children[0]) {
    const before = /** @type {Node} */ (node.parent);
    const { trace, board } = node.snapshot;
    const move = fieldText(/** @type {Trace} */ (trace), board.stores) + (node.offer ? "=" : "");
    if (joins && words[words.length - 1].endsWith(",")) words[words.length - 1] += move;
    else {
      if (due && !joins) words.push(`${before.snapshot.number}${trace?.side === "white" ? "." : "..."}`);
      words.push(move);
    }
    joins = Boolean(trace?.extra_turn);
    if (joins && node.children.length) words[words.length - 1] += ",";
    const said = notes(node);
    words.push(...said);
    const { branches } = node;
    for (const branch of branches) {
      words.push(`(${moveWords(branch, false).join(" ")})`, ...branch.after.map((text) => `{${text}}`));
    }
    // After a comment or a branch Black's ply carries its number again.
    due = board.turn === "white" || said.length > 0 || branches.length > 0;
  }
  return words;
}

/** @param {Tree} tree @param {Node[]} line */
function tgk(tree, line) {
  /** @type {Record<string, string>} */
  const tags = { ...Object.fromEntries(TGK_ORDER.map((name) => [name, "?"])), ...tree.tags, Result: resultOf(tree, line) };
  const date = tags.Date.split(".").filter((part) => !part.includes("?"));
  tags.Date = (date.length === 3 ? date : date.slice(0, 1)).join(".") || "?";
  const names = [...["Count", "Comment"].filter((name) => name in tags), ...TGK_ORDER];
  return [...names.map((name) => tagLine(name, tags[name])), "", ...pairs(line), tags.Result, "", ""].join("\n");
}

/** The moves in lines of one numbered pair each, without stores, a tuz marked `x`. @param {Node[]} line */
function pairs(line) {
  /** @type {string[]} */
  const lines = [];
  for (const { parent, snapshot } of line.slice(1)) {
    const trace = /** @type {Trace} */ (snapshot.trace);
    const text = fieldText({ ...trace, captured: undefined, tuz: undefined }, snapshot.board.stores) + (trace.tuz ? "x" : "");
    const before = /** @type {Node} */ (parent).snapshot;
    if (before.trace?.extra_turn) lines[lines.length - 1] += `,${text}`;
    else if (trace.side === "white" || !lines.length) lines.push(`${before.number}. ${text}`);
    else lines[lines.length - 1] += ` ${text}`;
  }
  return lines;
}
