/** The board editor: holes are chosen on the board, their stones typed or dragged; what the rules do not allow is said at once. */

import { positionText } from "../device/position_conversion.js";
import { wonHole } from "../game/rules_records.js";
import { areCharactersCommands, isCharacter } from "../site/character_keys.js";
import { byId, disable } from "../site/dom.js";
import { gettext } from "../site/translations.js";
import { boardState, problemText, showNotice } from "./board_state.js";
import { Node } from "./game_tree.js";
import { StoneDragging, spotOf } from "../board/stone_dragging.js";

/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("./game_tree.js").Board} Board */
/** @typedef {import("./game_tree.js").Snapshot} Snapshot */
/** @typedef {import("../board/board_element.js").KorgoolBoard} KorgoolBoard */
/** @typedef {{side: Side, hole: number}} Spot hole 0 is the kazan */

const SIDES = /** @type {Side[]} */ (["white", "black"]);
/** The most stones of one place that a position can say. */
const MOST = 255;

/** @param {Board} board */
const stonesOf = ({ white, black, stores }) => [...white, ...black, ...stores].reduce((sum, stones) => sum + stones, 0);
/** @param {string} id */
const field = (id) => /** @type {HTMLInputElement|HTMLSelectElement} */ (byId(id));

/** @param {Board} board @param {Spot} spot @param {number} stones */
function put(board, { side, hole }, stones) {
  if (hole) board[side][hole - 1] = stones;
  else board.stores[SIDES.indexOf(side)] = stones;
}

export class PositionEditor {
  /** @type {Board|null} */ #edited = null;
  #number = 1;
  #game = "";
  #total = 0;
  /** @type {Spot|null} */ #spot = null;
  /** True if the next digit begins a new number. */ #fresh = true;
  /** The position as text, if the rules allow it. @type {string|null} */ #allowed = null;
  #checks = 0;

  /**
   * @param {KorgoolBoard} board
   * @param {{rules: () => import("./threat.js").Rules, done: (position: string|null) => void}} page done: with the new
   *   position, or null to go back to what was shown
   */
  constructor(board, page) {
    this.board = board;
    this.page = page;
    // In the capture phase: while a position is edited, holes are chosen and not sown.
    board.addEventListener("click", (event) => this.#clicked(event), true);
    this.dragging = new StoneDragging(board, {
      count: (spot, all) => {
        const stones = this.#stones(spot);
        return /** @type {HTMLInputElement} */ (byId("edit-all")).checked || all ? stones : Math.min(1, stones);
      },
      move: (from, to, count) => this.#move(from, to, count),
    });
    addEventListener("keydown", (event) => this.#key(event));
    byId("editor").addEventListener("click", ({ target }) => {
      const { digit, step } = /** @type {HTMLElement} */ (target).dataset;
      if (digit) this.#type(digit);
      if (step) this.#set(this.#stones() + Number(step));
    });
    for (const [index, side] of SIDES.entries()) {
      const store = field(`edit-${side}`);
      store.addEventListener("input", () => this.#change((board) => { board.stores[index] = Math.max(0, Math.min(MOST, Math.floor(Number(store.value)) || 0)); }, store));
      field(`edit-tuz-${side}`).addEventListener("change", () => this.#own(index));
    }
    field("edit-turn").addEventListener("change", () => this.#change((board) => { board.turn = /** @type {Side} */ (field("edit-turn").value); }));
    byId("edit-start").addEventListener("click", () => void this.#reset());
    byId("edit-empty").addEventListener("click", () => this.#change((board) => {
      for (const side of SIDES) board[side].fill(0);
      [board.stores, board.tuz] = [[0, 0], [null, null]];
    }));
    byId("edit-rest").addEventListener("click", () => this.#change((board) => {
      const index = this.#spot?.side === "black" ? 1 : 0;
      board.stores[index] = Math.max(0, board.stores[index] + this.#total - stonesOf(board));
    }));
    byId("edit-done").addEventListener("click", () => this.#allowed && this.#close(this.#allowed));
    byId("edit-cancel").addEventListener("click", () => this.#close(null));
  }

  get active() {
    return this.#edited !== null;
  }

  /** Edit a position. @param {string} game @param {Snapshot} snapshot */
  open(game, { board, number }) {
    this.#game = game;
    this.#number = number;
    this.#total = stonesOf(board);
    this.#spot = null;
    const options = () => [new Option(gettext("none"), ""), ...board.white.map((_, index) => new Option(String(index + 1)))];
    for (const side of SIDES) byId(`edit-tuz-${side}`).replaceChildren(...options());
    for (const label of /** @type {NodeListOf<HTMLElement>} */ (byId("editor").querySelectorAll("[data-tuz]"))) label.hidden = !wonHole(game);
    this.#frame(true);
    this.#edited = structuredClone(board);
    this.#change(() => {});
    byId("editor-place").textContent = gettext("Tap a hole or a kazan and type its stones, or drag stones from one to another.");
  }

  /** Go back to what was shown before. */
  cancel() {
    if (this.active) this.#close(null);
  }

  /** Close the editor because something else comes onto the board: nothing is drawn, and the focus stays where it is. */
  leave() {
    if (!this.active) return;
    this.#edited = null;
    this.dragging.stop();
    this.board.chosen = null;
    this.#frame(false);
  }

  /** The person is done, or does not want to edit any more. @param {string|null} position */
  #close(position) {
    this.leave();
    this.page.done(position);
    byId("edit").focus({ preventScroll: true });
  }

  /** @param {boolean} on */
  #frame(on) {
    byId("editor").hidden = !on;
    this.board.editing = on;
    document.body.toggleAttribute("data-editing", on);
    byId("edit").setAttribute("aria-pressed", String(on));
    this.#allowed = null;
  }

  async #reset() {
    try {
      const [{ board }] = await this.page.rules().line(null, []);
      if (this.active) this.#change((edited) => Object.assign(edited, structuredClone(board)));
    } catch (error) {
      showNotice(problemText(error), true);
    }
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    if (!this.active) return;
    event.stopPropagation();
    const found = spotOf(/** @type {Element} */ (event.target));
    if (found) this.#choose(found.spot);
  }

  /** @param {Spot} spot */
  #choose(spot) {
    this.#spot = spot;
    this.#fresh = true;
    this.#show();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (!this.active || event.altKey || event.ctrlKey || event.metaKey) return;
    if (!(event.target instanceof Element) || event.target.closest("input, select, textarea, dialog")) return;
    // Where the focus is on what the digits are for, they are no commands of the page.
    if (isCharacter(event) && !areCharactersCommands() && !event.target.closest(".hole-button, .editor")) return;
    if (/^\d$/.test(event.key)) this.#type(event.key);
    else if (event.key === "Backspace" || event.key === "Delete") this.#set(0);
    else if (event.key === "+" || event.key === "-") this.#set(this.#stones() + (event.key === "+" ? 1 : -1));
    else if (event.key === "Escape") this.#close(null);
    else return;
    event.preventDefault();
  }

  /** Stones of a place, of the chosen one without it; 0 while nothing is edited. @param {Spot|null} [spot] */
  #stones(spot = this.#spot) {
    const board = this.#edited;
    if (!board || !spot) return 0;
    return spot.hole ? board[spot.side][spot.hole - 1] : board.stores[SIDES.indexOf(spot.side)];
  }

  /** @param {string} digit */
  #type(digit) {
    const before = this.#fresh ? "" : String(this.#stones());
    const typed = Number(before + digit);
    this.#set(typed > MOST ? Number(digit) : typed);
    this.#fresh = false;
  }

  /** @param {number} stones of the chosen place */
  #set(stones) {
    const spot = this.#spot;
    if (!spot) return;
    this.#change((board) => put(board, spot, Math.max(0, Math.min(MOST, stones))));
  }

  /** Move stones from one place to another, which is chosen then. @param {Spot} from @param {Spot} to @param {number} count */
  #move(from, to, count) {
    const moved = Math.min(count, this.#stones(from), MOST - this.#stones(to));
    [this.#spot, this.#fresh] = [to, true];
    this.#change((board) => {
      put(board, from, this.#stones(from) - moved);
      put(board, to, this.#stones(to) + moved);
    });
  }

  /** A side owns another hole of its opponent, or none: what lies there goes to its kazan. @param {number} index of the side */
  #own(index) {
    const hole = Number(field(`edit-tuz-${SIDES[index]}`).value) || null;
    this.#change((board) => {
      board.tuz[index] = hole;
      if (!hole) return;
      const row = index === 0 ? board.black : board.white;
      board.stores[index] = Math.min(MOST, board.stores[index] + row[hole - 1]);
      row[hole - 1] = 0;
    });
  }

  /** Change the position and say whether the rules allow it. @param {(board: Board) => void} change @param {Element} [typed] the field in which somebody types */
  #change(change, typed) {
    if (!this.#edited) return;
    change(this.#edited);
    const { stores, tuz, turn } = this.#edited;
    for (const [index, side] of SIDES.entries()) {
      if (typed !== field(`edit-${side}`)) field(`edit-${side}`).value = String(stores[index]);
      field(`edit-tuz-${side}`).value = String(tuz[index] ?? "");
    }
    field("edit-turn").value = turn;
    this.#show();
    void this.#check();
  }

  #show() {
    const board = this.#edited;
    if (!board) return;
    const snapshot = {
      board: structuredClone(board), number: this.#number, position: positionText(board, this.#number),
      text: null, trace: null, legal: [], previews: {}, outcome: null,
    };
    this.board.show(boardState(this.#game, new Node(snapshot, null)));
    const spot = this.#spot;
    this.board.chosen = spot?.hole ? { side: spot.side, hole: spot.hole, late: false } : null;
    if (!spot) return;
    const stones = this.#stones();
    const values = { hole: spot.hole, stones };
    let text = spot.side === "white" ? gettext("White's kazan: %(stones)s", values) : gettext("Black's kazan: %(stones)s", values);
    if (spot.hole) text = spot.side === "white" ? gettext("White's hole %(hole)s: %(stones)s", values) : gettext("Black's hole %(hole)s: %(stones)s", values);
    byId("editor-place").textContent = text;
  }

  async #check() {
    this.#checks += 1;
    const check = this.#checks;
    const board = /** @type {Board} */ (this.#edited);
    this.#allowed = null;
    disable("edit-done", true);
    const text = positionText(board, this.#number);
    const { problem, over } = await this.#verdict(board, text);
    if (check !== this.#checks || !this.active) return;
    this.#allowed = problem ? null : text;
    disable("edit-done", Boolean(problem));
    const line = byId("editor-problem");
    line.toggleAttribute("data-problem", Boolean(problem));
    line.textContent = problem || (over ? gettext("The game is over here.") : gettext("This position is legal."));
  }

  /**
   * Why the rules do not allow a position, or "".
   * @param {Board} board
   * @param {string} text of it
   * @returns {Promise<{problem: string, over: boolean}>}
   */
  async #verdict(board, text) {
    const stones = stonesOf(board);
    const values = { stones, total: this.#total, n: Math.abs(stones - this.#total) };
    if (stones > this.#total) return { problem: gettext("%(stones)s stones instead of %(total)s: %(n)s too many.", values), over: false };
    if (stones < this.#total) return { problem: gettext("%(stones)s stones instead of %(total)s: %(n)s are missing.", values), over: false };
    try {
      const [{ outcome }] = await this.page.rules().line(text, []);
      return { problem: "", over: Boolean(outcome) };
    } catch (error) {
      const [white, black] = board.tuz;
      let problem = problemText(error);
      if ((white && board.black[white - 1]) || (black && board.white[black - 1])) problem = gettext("No stones lie in a hole that is won.");
      else if (white && white === black) problem = gettext("Both sides cannot win holes of the same number.");
      else if ([white, black].includes(board.white.length)) problem = gettext("The last hole of a side cannot be won.");
      return { problem, over: false };
    }
  }
}
