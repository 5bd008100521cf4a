/**
 * The values of all moves of a position: certain ones by the tables and the solver of the server, those of the engine for
 * the other moves, exact where it has followed them to the end of the game.
 */

import { byId, whenReleased } from "../site/dom.js";
import { forWhite, signedText } from "./engine_lines.js";
import { positionRequest } from "./engine_provider.js";
import { isShown } from "./page_layout.js";
import { requestAnalysis } from "./server_requests.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./engine_provider.js").Line} Line */
/** @typedef {import("./engine_provider.js").Report} Report */
/**
 * @typedef {{move: number, text: string, result: "win"|"draw"|"loss", difference: number|null, plies: number|null,
 *   source: "rules"|"table"|"solver"}} ExactMove for the side that moves; difference and plies null where there is no such number
 */
/** @typedef {{move: number, text: string, value: string, known: string, exact: boolean, order: number}} Row order: the best first */

/** The server is asked once somebody stops stepping through the moves. */
const PAUSE_MS = 150;
/** Stones that a proven win outweighs in the order of the rows. */
const CERTAIN = 1000;

/** @param {number} winner 1 White, -1 Black, 0 nobody */
function resultText(winner) {
  if (!winner) return gettext("a draw");
  return winner > 0 ? gettext("a win for White") : gettext("a win for Black");
}

/** @param {number|null} n plies */
const distance = (n) => (n === null ? [] : [gettext("moves to the end: %(n)s", { n })]);

/** @param {ExactMove} one @param {number} sign 1 where White moves, -1 where Black does @returns {Row} */
function exactRow({ move, text, result, difference, plies, source }, sign) {
  const outcome = result === "win" ? 1 : result === "loss" ? -1 : 0;
  const names = { rules: () => gettext("ends the game"), table: () => gettext("table"), solver: () => gettext("solved") };
  const known = [resultText(sign * outcome), names[source](), ...(source === "rules" ? [] : distance(plies))].join(" · ");
  return {
    move, text, known, exact: true, value: difference === null ? "" : signedText(sign * difference, true),
    order: CERTAIN * outcome + (difference ?? 0),
  };
}

/** @param {Line} line @param {string} text @param {import("../game/message_types.js").Side} turn @returns {Row} */
function engineRow(line, text, turn) {
  const { evaluation, certain } = forWhite(line, turn);
  const engine = gettext("engine");
  let known = [gettext("depth %(depth)s", { depth: line.depth }), engine];
  if (line.exact) known = [resultText(Math.sign(evaluation)), engine, ...distance(line.pv.length)];
  else if (certain) known = [certain > 0 ? gettext("White surely wins") : gettext("Black surely wins"), engine];
  const proven = line.exact ? Math.sign(line.evaluation) : line.certain;
  return {
    move: line.move, text, known: known.join(" · "), exact: line.exact, value: signedText(evaluation, line.exact),
    order: CERTAIN * proven + line.evaluation,
  };
}

export class MoveValues {
  /** What the server knows of a position; null where it could not be asked. @type {WeakMap<Node, ExactMove[]|null>} */ #exact = new WeakMap();
  #timer = 0;
  #abort = new AbortController();
  /** The position that the server is asked about. @type {Node|null} */ #asked = null;

  /**
   * @param {{game: () => string, current: () => Node, on: () => boolean, report: (node: Node) => Report|null,
   *   texts: (node: Node, moves: number[]) => string[], pick: (hole: number) => void}} page on: whether values are wanted;
   *   texts: moves in field notation
   */
  constructor(page) {
    this.page = page;
  }

  /** Show what is known of the moves of the position on the board, while somebody looks. */
  show() {
    if (!isShown("book")) return;
    const node = this.page.current();
    if (this.page.on() && !node.snapshot.outcome && node !== this.#asked) this.#ask(node);
    void this.#draw(node);
  }

  /** @param {Node} node */
  #ask(node) {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#asked = node;
    if (this.#exact.get(node)) return;
    const { signal } = (this.#abort = new AbortController());
    this.#timer = setTimeout(async () => {
      try {
        const { moves } = await requestAnalysis("values", positionRequest(this.page.game(), node), signal);
        this.#exact.set(node, moves ?? null);
      } catch {
        if (signal.aborted) return;
        this.#exact.set(node, null);
      }
      if (node === this.page.current()) void this.#draw(node);
    }, PAUSE_MS);
  }

  /** @param {Node} node @returns {Row[]} the best first */
  #rows(node) {
    const { turn } = node.snapshot.board;
    const exact = this.#exact.get(node) ?? [];
    const certain = new Set(exact.map(({ move }) => move));
    const lines = (this.page.report(node)?.lines ?? []).filter(({ move }) => !certain.has(move));
    const rows = [
      ...exact.map((one) => exactRow(one, turn === "white" ? 1 : -1)),
      ...lines.map((line) => engineRow(line, (line.texts ?? this.page.texts(node, [line.move]))[0], turn)),
    ];
    return rows.sort((one, other) => other.order - one.order);
  }

  /** @param {Node} node */
  async #draw(node) {
    await whenReleased();
    if (node !== this.page.current()) return;
    const host = byId("move-values");
    const rows = this.page.on() ? this.#rows(node) : [];
    byId("move-values-empty").hidden = rows.length > 0;
    byId("values").hidden = !rows.length;
    byId("values-alone").hidden = this.#exact.get(node) !== null;
    const focused = host.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.move : undefined;
    host.replaceChildren(...rows.map((row) => this.#row(row)));
    if (focused) /** @type {HTMLElement|null} */ (host.querySelector(`[data-move="${focused}"]`))?.focus({ preventScroll: true });
  }

  /** @param {Row} row */
  #row({ move, text, value, known, exact }) {
    const line = document.createElement("tr");
    line.toggleAttribute("data-exact", exact);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "move";
    button.dataset.move = String(move);
    button.textContent = text;
    button.addEventListener("click", () => this.page.pick(move));
    const name = document.createElement("th");
    name.scope = "row";
    name.append(button);
    const [cell, said] = [document.createElement("td"), document.createElement("td")];
    cell.className = "value";
    cell.textContent = value;
    said.textContent = known;
    line.append(name, cell, said);
    return line;
  }
}
