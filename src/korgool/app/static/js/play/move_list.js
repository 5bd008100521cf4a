/**
 * The move list: numbered turns of both sides, each ply a button that shows the position after it. It is one stop of the
 * Tab key; up and down lead from turn to turn, and the page's own keys from ply to ply.
 */

import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").Move} Move */
/** @typedef {import("../game/message_types.js").Side} Side */

/**
 * Plies by turns: a row holds White's plies and Black's plies, several where a side moves again.
 * @param {Move[]} moves
 * @returns {{white: Move[], black: Move[]}[]}
 */
export function groupByTurn(moves) {
  /** @type {{white: Move[], black: Move[]}[]} */
  const rows = [];
  /** @type {Side|null} */
  let before = null;
  for (const move of moves) {
    if (!rows.length || (move.side === "white" && before === "black")) rows.push({ white: [], black: [] });
    rows[rows.length - 1][move.side].push(move);
    before = move.side;
  }
  return rows;
}

/**
 * Pick the ply of a button that is pressed.
 * @param {HTMLElement} host of the buttons @param {(ply: number) => void} onPick
 */
function bindPicks(host, onPick) {
  host.addEventListener("click", (event) => {
    const button = /** @type {HTMLElement} */ (event.target).closest("button");
    if (button) onPick(Number(button.dataset.ply));
  });
}

/** The moves in one line that scrolls sideways, each a button; the newest, or the one looked at, is in view. */
export class MoveLine {
  #shown = "";
  /** @type {number|null} */ #picked = null;

  /** @param {HTMLElement} host @param {(ply: number) => void} onPick */
  constructor(host, onPick) {
    this.host = host;
    bindPicks(host, onPick);
  }

  /** @param {Move[]} moves @param {number|null} picked the ply that is being looked at */
  show(moves, picked) {
    const { host } = this;
    const key = moves.map(({ text }) => text).join(" ");
    const fresh = key !== this.#shown || !host.childElementCount;
    // Whoever has scrolled the line keeps their place until there is another move to be seen.
    if (!fresh && picked === this.#picked) return;
    this.#picked = picked;
    if (fresh) {
      this.#shown = key;
      host.replaceChildren(...(moves.length ? lineOf(moves) : [noMove()]));
    }
    const current = picked ?? moves.length;
    for (const button of host.querySelectorAll("button")) {
      const here = Number(button.dataset.ply) === current;
      button.tabIndex = Number(button.dataset.ply) === Math.max(1, current) ? 0 : -1;
      if (here) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
      // The line alone is scrolled, never the page.
      if (here) host.scrollLeft = button.offsetLeft - host.offsetLeft - (host.clientWidth - button.offsetWidth) / (picked === null ? 1 : 2);
    }
    if (!current) host.scrollLeft = 0;
  }
}

/** @param {Move[]} moves */
function lineOf(moves) {
  return groupByTurn(moves).flatMap(({ white, black }, index) => {
    const number = document.createElement("span");
    number.className = "number";
    number.textContent = `${index + 1}.`;
    const buttons = [...white, ...black].map((move) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.ply = String(move.ply);
      const text = document.createElement("span");
      text.textContent = move.text;
      button.append(text);
      return button;
    });
    return [number, ...buttons];
  });
}

function noMove() {
  const empty = document.createElement("p");
  empty.className = "none";
  empty.textContent = gettext("No move yet.");
  return empty;
}

export class MoveList {
  #shown = "";

  /** @param {HTMLElement} host @param {(ply: number) => void} onPick */
  constructor(host, onPick) {
    this.host = host;
    bindPicks(host, onPick);
    host.addEventListener("keydown", (event) => {
      const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      const cell = /** @type {HTMLElement} */ (event.target).closest("td");
      if (!by || !cell) return;
      event.preventDefault();
      for (let next = /** @type {HTMLTableRowElement|null} */ (cell.parentElement); next; ) {
        next = /** @type {HTMLTableRowElement|null} */ (by > 0 ? next.nextElementSibling : next.previousElementSibling);
        const button = /** @type {HTMLElement|null} */ (next?.cells[cell.cellIndex].firstElementChild);
        if (!button) continue;
        button.focus();
        onPick(Number(button.dataset.ply));
        return;
      }
    });
  }

  /** @param {Move[]} moves @param {number|null} picked the ply that is being looked at */
  show(moves, picked) {
    const key = moves.map(({ text }) => text).join(" ");
    if (key !== this.#shown || !this.host.querySelector("table")) {
      this.#shown = key;
      this.#fill(moves);
    }
    const current = picked ?? moves.length;
    const inside = this.host.contains(document.activeElement) && document.activeElement !== this.host;
    for (const button of this.host.querySelectorAll("button")) {
      button.toggleAttribute("aria-current", Number(button.dataset.ply) === current);
      button.tabIndex = Number(button.dataset.ply) === Math.max(1, current) ? 0 : -1;
      if (button.hasAttribute("aria-current")) {
        button.setAttribute("aria-current", "true");
        if (inside) button.focus({ preventScroll: true });
        const frame = this.host.getBoundingClientRect();
        const place = button.getBoundingClientRect();
        // Scroll only the list, never the page under the player's finger.
        if (place.top < frame.top || place.bottom > frame.bottom) {
          this.host.scrollTop += place.top - frame.top - frame.height / 2;
        }
      }
    }
  }

  /** @param {Move[]} moves */
  #fill(moves) {
    if (!moves.length) {
      const empty = document.createElement("p");
      empty.className = "quiet";
      empty.textContent = gettext("No move yet.");
      this.host.replaceChildren(empty);
      return;
    }
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    for (const text of ["", gettext("White"), gettext("Black")]) {
      const cell = document.createElement(text ? "th" : "td");
      if (text) /** @type {HTMLTableCellElement} */ (cell).scope = "col";
      cell.textContent = text;
      head.append(cell);
    }
    const body = table.createTBody();
    groupByTurn(moves).forEach((turn, index) => {
      const row = body.insertRow();
      const number = document.createElement("th");
      number.scope = "row";
      number.textContent = `${index + 1}.`;
      row.append(number);
      for (const side of /** @type {Side[]} */ (["white", "black"])) {
        const cell = row.insertCell();
        for (const move of turn[side]) {
          cell.lastElementChild?.classList.add("more");
          const button = document.createElement("button");
          button.type = "button";
          button.dataset.ply = String(move.ply);
          button.textContent = move.text;
          cell.append(button);
        }
      }
    });
    this.host.replaceChildren(table);
  }
}
