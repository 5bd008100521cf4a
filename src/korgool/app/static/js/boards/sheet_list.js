// @ts-check
/** The scoresheet as a list of turns, as it is written on paper, with what was corrected. */

import { fieldText } from "../analysis/move_notation.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("./kept_sheet.js").Told} Told */
/** @typedef {{trace: import("../game/message_types.js").Trace, stores: number[]}} Sown */

/**
 * The plies of the set grouped into turns, each with the number of its move and its side.
 * @param {Sown[]} plies
 * @returns {{number: number, side: "white"|"black", text: string, last: number}[]} last: number of its last ply, from 1
 */
export function turnsOf(plies) {
  /** @type {{number: number, side: "white"|"black", text: string, last: number}[]} */
  const found = [];
  let joined = false, number = 1;
  plies.forEach(({ trace, stores }, at) => {
    const text = fieldText(trace, stores);
    const before = found[found.length - 1];
    if (joined && before) {
      before.text += `,${text}`;
      before.last = at + 1;
    } else {
      if (before?.side === "black") number += 1;
      found.push({ number, side: trace.side, text, last: at + 1 });
    }
    joined = Boolean(trace.extra_turn);
  });
  return found;
}

/**
 * Show the turns in a table; with `choose`, a turn can be chosen, for an objection.
 * @param {HTMLElement} table its body
 * @param {Told} sheet
 * @param {Sown[]} plies
 * @param {((ply: number, name: string) => void)|null} choose
 */
export function showTurns(table, sheet, plies, choose) {
  const corrected = new Map();
  for (const { set, ply, was } of sheet.corrections) if (set === sheet.set) corrected.set(ply, [...(corrected.get(ply) ?? []), was]);
  const rows = [];
  /** @type {HTMLTableRowElement|null} */
  let row = null;
  let begin = 1;
  for (const turn of turnsOf(plies)) {
    if (!row || turn.side === "white") {
      row = document.createElement("tr");
      row.insertCell().textContent = String(turn.number);
      row.insertCell();
      row.insertCell();
      rows.push(row);
    }
    const cell = row.cells[turn.side === "white" ? 1 : 2];
    const name = gettext("move %(number)s, %(side)s", { number: turn.number, side: turn.side === "white" ? gettext("White") : gettext("Black") });
    const shown = choose ? document.createElement("button") : document.createElement("span");
    if (shown instanceof HTMLButtonElement) {
      shown.type = "button";
      shown.setAttribute("aria-label", `${name}: ${turn.text}`);
      shown.addEventListener("click", () => choose?.(turn.last, name));
    }
    shown.textContent = turn.text;
    for (let ply = begin; ply <= turn.last; ply += 1) {
      for (const was of corrected.get(ply) ?? []) {
        const old = document.createElement("del");
        old.textContent = String(was);
        cell.append(old, " ");
      }
    }
    cell.append(shown);
    cell.toggleAttribute("data-doubted", sheet.objections.some((ply) => ply >= begin && ply <= turn.last));
    begin = turn.last + 1;
  }
  table.replaceChildren(...rows);
}
