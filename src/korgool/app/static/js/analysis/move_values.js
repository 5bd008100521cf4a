/** The values of all moves of a position, exact where the engine has followed them to the end of the game. */

import { byId, whenReleased } from "../site/dom.js";
import { forWhite, signedText } from "./engine_lines.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./engine_provider.js").Line} Line */

/** What is known of a move: how certain its value is, and how far away the end of the game is. @param {Line} line @param {number} certain from White's view */
function knowledge(line, certain) {
  if (line.exact) return gettext("exact · moves to the end: %(n)s", { n: line.pv.length });
  if (certain) return certain > 0 ? gettext("White surely wins") : gettext("Black surely wins");
  return gettext("depth %(depth)s", { depth: line.depth });
}

/**
 * Show the values of all moves that a report has, the best first.
 * @param {Node} node
 * @param {import("./engine_provider.js").Report|null} report
 * @param {(node: Node, moves: number[]) => string[]} texts moves in field notation
 * @param {(hole: number) => void} onPick
 */
export async function showMoveValues(node, report, texts, onPick) {
  await whenReleased();
  const host = byId("move-values");
  const { turn } = node.snapshot.board;
  const lines = report?.lines ?? [];
  byId("move-values-empty").hidden = lines.length > 0;
  byId("values").hidden = !lines.length;
  const focused = host.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.move : undefined;
  host.replaceChildren(...lines.map((line) => {
    const { evaluation, certain } = forWhite(line, turn);
    const row = document.createElement("tr");
    row.toggleAttribute("data-exact", line.exact);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "move";
    button.dataset.move = String(line.move);
    [button.textContent] = line.texts ?? texts(node, [line.move]);
    button.addEventListener("click", () => onPick(line.move));
    const name = document.createElement("th");
    name.scope = "row";
    name.append(button);
    const value = document.createElement("td");
    value.className = "value";
    value.textContent = signedText(evaluation, line.exact);
    const known = document.createElement("td");
    known.textContent = knowledge(line, certain);
    row.append(name, value, known);
    return row;
  }));
  if (focused) /** @type {HTMLElement|null} */ (host.querySelector(`[data-move="${focused}"]`))?.focus({ preventScroll: true });
}
