/** The scoresheet of the analysis board: the line shown in columns, or the whole tree as text where more stands in it. */

import { bindScoresheet, fillField, fillMoves, fillTurns } from "../game/scoresheet.js";
import { glyphText } from "./game_tree_view.js";
import { saidOf } from "./shape_commands.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./copy_and_download.js").Shown} Shown */

/** @param {() => Shown|null} current what the board shows */
export function bindRecordSheet(current) {
  bindScoresheet(() => {
    const shown = current();
    if (!shown) return;
    const { tree, facts, game } = shown;
    const { White = "", Black = "", Event = "", Site = "", Date = "", Round = "" } = tree.tags;
    const values = { white: White, black: Black, event: Event, place: Site, date: Date, round: Round };
    for (const [name, text] of Object.entries(values)) fillField(name, text);
    fillField("title", document.querySelector(`#game option[value="${game}"]`)?.textContent ?? facts.titles[game]);
    const line = tree.line;
    const { outcome } = line[line.length - 1].snapshot;
    fillField("result", (outcome?.result_text ?? (tree.result === "*" ? "" : tree.result)).replaceAll(/\b0\.5(?!\d)/g, "½").replace("1/2-1/2", "½-½"));
    fillField("address", location.href.length > 160 ? "" : location.href);
    if (isBare(line)) fillTurns(turnsOf(line));
    else fillMoves(textOf(tree.root));
  });
}

/** True if a line has neither branches nor comments nor marks. @param {Node[]} line */
const isBare = (line) => line.every((node) => node.children.length < 2 && !saidOf(node).length && !node.glyphs.length && !node.offer);

/** @param {Node[]} line from the start */
function turnsOf(line) {
  /** @type {import("../game/scoresheet.js").Turn[]} */
  const turns = [];
  for (const { parent, snapshot } of line.slice(1)) {
    const { number, board } = /** @type {Node} */ (parent).snapshot;
    let last = turns[turns.length - 1];
    if (last?.number !== number) turns.push(last = { number, white: "", black: "" });
    last[board.turn] += `${last[board.turn] && ","}${snapshot.text}`;
  }
  return turns;
}

/** A line and all beside it as running text. @param {Node} before the position before it */
function textOf(before) {
  const text = document.createElement("div");
  text.className = "text";
  let part = paragraph(text);
  part.append(said(saidOf(before)));
  let numbered = false;
  for (let node = before.children[0]; node; node = node.children[0]) {
    write(part, node, numbered, "main");
    numbered = !saidOf(node).length && !node.branches.length;
    if (!node.branches.length) continue;
    for (const branch of node.branches) writeBranch(text, branch);
    part = paragraph(text);
  }
  return text;
}

/** @param {HTMLElement} text @param {Node} branch its first move */
function writeBranch(text, branch) {
  const place = document.createElement("div");
  place.className = "branch";
  text.append(place);
  let part = paragraph(place);
  part.append(said(branch.lead.comments));
  let numbered = false;
  for (let node = branch; node; node = node.children[0]) {
    write(part, node, numbered, "");
    numbered = !saidOf(node).length && !node.branches.length;
    if (!node.branches.length) continue;
    for (const other of node.branches) writeBranch(place, other);
    part = paragraph(place);
  }
  if (branch.after.length) paragraph(text).append(said(branch.after));
}

/** @param {HTMLElement} host */
function paragraph(host) {
  const made = document.createElement("p");
  host.append(made);
  return made;
}

/** @param {string[]} comments */
const said = (comments) => (comments.length ? `${comments.join(" ")} ` : "");

/** @param {HTMLElement} part @param {Node} node @param {boolean} numbered whether its number is clear @param {string} kind class of the move */
function write(part, node, numbered, kind) {
  const before = /** @type {Node} */ (node.parent).snapshot;
  const white = before.board.turn === "white";
  const again = before.trace?.extra_turn && numbered;
  const move = document.createElement("span");
  move.className = kind;
  const number = !again && (white || !numbered) ? `${before.number}${white ? "." : "…"} ` : "";
  move.textContent = `${number}${node.snapshot.text}${node.glyphs.map((glyph) => glyphText(glyph)).join("")}${node.offer ? "=" : ""} `;
  part.append(move, said(saidOf(node)));
}
