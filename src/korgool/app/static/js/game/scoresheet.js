/** The record of a game as it is printed in place of the page. */

import { gettext } from "../site/translations.js";

/**
 * @typedef {{number: number, white: string, black: string}} Turn what each side played, empty where it did not
 */

/** Rows of a table: three tables beside each other fill a sheet of A4 under its head. */
const ROWS = 34;
/** Letters of a cell for which three tables beside each other are too narrow. */
const WIDE = 9;

/**
 * Put a text in its place on the sheet; fields without a text are left out.
 * @param {string} name
 * @param {string} text
 */
export function fillField(name, text) {
  const place = document.querySelector(`#scoresheet [data-sheet="${name}"]`);
  if (!place) return;
  if (place.textContent !== text) place.textContent = text;
  if (place.tagName === "DD") /** @type {HTMLElement} */ (place.parentElement).hidden = !text;
}

/** The moves as tables of numbered turns. @param {Turn[]} turns */
export function fillTurns(turns) {
  const longest = Math.max(0, ...turns.flatMap(({ white, black }) => [white.length, black.length]));
  const across = longest > WIDE ? 2 : 3;
  const grids = [];
  for (let from = 0; from < turns.length; from += across * ROWS) {
    const grid = document.createElement("div");
    grid.className = longest > WIDE ? "grid wide" : "grid";
    const sheet = turns.slice(from, from + across * ROWS);
    // A short game fills its tables evenly.
    const rows = Math.min(ROWS, Math.max(10, Math.ceil(sheet.length / across)));
    for (let at = 0; at < sheet.length; at += rows) grid.append(table(sheet.slice(at, at + rows)));
    grids.push(grid);
  }
  fillMoves(...grids);
}

/** Put something else in the place of the moves. @param {...Node} content */
export function fillMoves(...content) {
  document.querySelector('#scoresheet [data-sheet="turns"]')?.replaceChildren(...content);
}

/** @param {Turn[]} turns */
function table(turns) {
  const made = document.createElement("table");
  const head = made.createTHead().insertRow();
  for (const text of ["№", gettext("White"), gettext("Black")]) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = text;
    head.append(cell);
  }
  const body = made.createTBody();
  for (const { number, white, black } of turns) {
    const row = body.insertRow();
    for (const text of [String(number), white, black]) row.insertCell().textContent = text;
  }
  return made;
}

/** Fill the sheet whenever the page is printed. @param {() => void} fill */
export function bindScoresheet(fill) {
  addEventListener("beforeprint", fill);
  document.getElementById("print")?.addEventListener("click", () => print());
}
