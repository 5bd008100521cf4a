/** The opening book of a game, if the server has one. */

import { byId, whenReleased } from "../site/dom.js";
import { signedText } from "./engine_lines.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./game_tree.js").Snapshot} Snapshot */
/** @typedef {{move: number, evaluation: number, exact: boolean}} BookMove in stones for the side to move */

/** @typedef {Record<string, [number, number, number, number][]>} Book moves by position text without its number */

/** @type {Map<string, Promise<Book>>} */
const books = new Map();

/** @param {string} address @returns {Promise<Book>} */
async function load(address) {
  const answer = await fetch(address);
  return (answer.ok && (await answer.json()).positions) || {};
}

/**
 * The book's moves in a position.
 * @param {string|undefined} address of the book, if there is one
 * @param {Snapshot} snapshot
 * @returns {Promise<BookMove[]>} the best first
 */
export async function bookMoves(address, snapshot) {
  if (!address) return [];
  if (!books.has(address)) books.set(address, load(address).catch(() => ({})));
  const book = (await books.get(address)) ?? {};
  const position = snapshot.position.split(" ").slice(0, 4).join(" ");
  const moves = Object.hasOwn(book, position) ? book[position] : [];
  return moves.map(([move, evaluation, , exact]) => ({ move, evaluation, exact: Boolean(exact) }));
}

/**
 * Show the book's moves; like those of the lines, their values are from White's view.
 * @param {string|undefined} address of the book, if there is one
 * @param {Node} node
 * @param {(node: Node, moves: number[]) => string[]} texts moves in field notation
 * @param {(hole: number) => void} onPick
 * @param {() => Node} current the node that is shown when the book has come
 */
export async function showBook(address, node, texts, onPick, current) {
  const { board, previews } = node.snapshot;
  const moves = (await bookMoves(address, node.snapshot)).filter(({ move }) => previews[move]);
  await whenReleased();
  if (node !== current()) return;
  byId("book").hidden = !moves.length;
  byId("book-exact").hidden = !moves.every(({ exact }) => exact);
  const sign = board.turn === "white" ? 1 : -1;
  byId("book-moves").replaceChildren(...moves.map(({ move, evaluation, exact }) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    const text = document.createElement("b");
    [text.textContent] = texts(node, [move]);
    const value = document.createElement("span");
    value.textContent = signedText(sign * evaluation, exact);
    button.append(text, " ", value);
    button.addEventListener("click", () => onPick(move));
    return button;
  }));
}
