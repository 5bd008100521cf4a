// @ts-check
/** Converts positions between the form of the pages, the form of the kernel, and text. It knows no rules. */

/** @typedef {import("../../kernel.js").Place} Place */
/** @typedef {import("../game/message_types.js").Side} Side */

/**
 * @typedef {object} Board A position, independent of the viewer.
 * @property {number[]} white stones in White's holes, from White's left
 * @property {number[]} black stones in Black's holes, from Black's left
 * @property {[number, number]} stores
 * @property {[number | null, number | null]} tuz number of the hole of Black that White owns, and of White's that Black owns
 * @property {Side} turn
 */

export const SIDES = /** @type {const} */ (["white", "black"]);

/** @param {Board} board @returns {Place} as its side to move sees it */
export function placeOf({ white, black, stores, tuz, turn }) {
  return turn === "white"
    ? { own: white, other: black, stores, tuz: [tuz[0] ?? 0, tuz[1] ?? 0] }
    : { own: black, other: white, stores: [stores[1], stores[0]], tuz: [tuz[1] ?? 0, tuz[0] ?? 0] };
}

/** @param {Place} place @param {Side} turn who sees it @returns {Board} */
export function boardOf({ own, other, stores, tuz }, turn) {
  const [first, second] = [tuz[0] || null, tuz[1] || null];
  return turn === "white"
    ? { white: own, black: other, stores: [stores[0], stores[1]], tuz: [first, second], turn }
    : { white: other, black: own, stores: [stores[1], stores[0]], tuz: [second, first], turn };
}

/** @param {Side} side @returns {Side} */
export function opponentSide(side) {
  return side === "white" ? "black" : "white";
}

/**
 * Position text: `NORTH/SOUTH whiteStore blackStore S|N number`, as korgool.rules.text writes it.
 * @param {Board} board
 * @param {number} number of the move, from 1
 */
export function positionText({ white, black, stores, tuz, turn }, number) {
  const north = rowText([...black].reverse(), tuz[0] === null ? -1 : black.length - tuz[0]);
  const south = rowText(white, (tuz[1] ?? 0) - 1);
  return `${north}/${south} ${stores[0]} ${stores[1]} ${turn === "white" ? "S" : "N"} ${number}`;
}

/** @param {number[]} row @param {number} tuz */
function rowText(row, tuz) {
  /** @type {string[]} */
  const cells = [];
  row.forEach((stones, hole) => {
    const last = cells.at(-1) ?? "";
    if (hole === tuz) cells.push(stones ? `${stones}t` : "t");
    else if (stones) cells.push(`${stones}S`);
    else if (/^\d+$/.test(last)) cells[cells.length - 1] = String(Number(last) + 1);
    else cells.push("1");
  });
  return cells.join(",");
}

/**
 * Reads position text without checking whether it is a position of any game.
 * @param {string} text
 * @returns {{board: Board, number: number}}
 * @throws {RangeError} with every place that does not have the form of position text
 */
export function parsePosition(text) {
  if (text.length > 400) throw new RangeError(`position text of ${text.length} characters is too long, 400 are enough`);
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length !== 5) throw new RangeError(`position text has five parts, NORTH/SOUTH store store S|N move; here are ${words.length}`);
  const [rows = "", first = "", second = "", mover = "", move = ""] = words;
  const [northText = "", southText = "", ...more] = rows.split("/");
  if (!rows.includes("/") || more.length) throw new RangeError(`the board '${rows}' needs two rows with one / between them`);
  /** @type {string[]} */
  const problems = [];
  const north = rowIn(northText, "north", problems);
  const south = rowIn(southText, "south", problems);
  /** @type {[string, string][]} */
  const numbers = [["White's store", first], ["Black's store", second], ["the move number", move]];
  for (const [name, word] of numbers) if (!/^\d{1,6}$/.test(word)) problems.push(`${name} is '${word}', not a whole number`);
  if (mover !== "S" && mover !== "N") problems.push(`the side to move is S or N, not '${mover}'`);
  if (problems.length) throw new RangeError(problems.join("; "));
  const won = north.tuz === null ? null : north.row.length - north.tuz;
  const lost = south.tuz === null ? null : south.tuz + 1;
  const turn = SIDES[mover === "S" ? 0 : 1];
  const board = { white: south.row, black: north.row.reverse(), stores: /** @type {[number, number]} */ ([Number(first), Number(second)]) };
  return { board: { ...board, tuz: [won, lost], turn }, number: Number(move) };
}

/** @param {string} text @param {string} name @param {string[]} problems */
function rowIn(text, name, problems) {
  /** @type {{row: number[], tuz: number | null}} */
  const found = { row: [], tuz: null };
  text.replace(/,$/, "").split(",").forEach((cell, index) => {
    const match = /^(?:(?<stones>\d{1,3})S|(?<tuz>\d{0,3})[tT]|(?<empty>\d{1,2}))$/.exec(cell)?.groups;
    if (!match) problems.push(`part ${index + 1} of the ${name} row is '${cell}'; a part is 12S, 3 (empty holes) or t`);
    else if (match.empty !== undefined) {
      const empty = Number(match.empty);
      if (empty < 1 || empty > 9) problems.push(`part ${index + 1} of the ${name} row stands for ${match.empty} empty holes`);
      found.row.push(.../** @type {number[]} */ (Array(Math.min(empty, 9)).fill(0)));
    } else if (match.stones !== undefined) found.row.push(Number(match.stones));
    else {
      if (found.tuz !== null) problems.push(`the ${name} row has two tuz, one side can own but one`);
      found.tuz = found.row.length;
      found.row.push(Number(match.tuz || 0));
    }
  });
  return found;
}
