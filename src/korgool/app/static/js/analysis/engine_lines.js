/** Shows what the engine found: the best lines with evaluation and chances, always from White's view. */

import { gettext, ngettext } from "../site/translations.js";

/** @typedef {import("./engine_provider.js").Line} Line */
/** @typedef {import("./engine_provider.js").Report} Report */
/** @typedef {import("./game_tree.js").Snapshot} Snapshot */

/** Stones with their sign: +3.2, −0.4, 0. @param {number} stones @param {boolean} exact */
export function signedText(stones, exact = false) {
  const size = Math.abs(stones).toFixed(exact ? 0 : 1);
  return Number(size) === 0 ? size : `${stones > 0 ? "+" : "−"}${size}`;
}

/** @param {number} part 0 to 1, not certain where it is not 0 or 1 itself */
export function percentText(part) {
  const rounded = Math.round(part * 100);
  if (rounded === 100 && part < 1) return "99";
  return rounded === 0 && part > 0 ? "<1" : String(rounded);
}

/**
 * A large number in three digits: 1 230 000. The browser's own formats take a cheap phone a tenth of a second to make.
 * @param {number} n
 */
function short(n) {
  const unit = 10 ** Math.max(0, String(Math.floor(n)).length - 3);
  return String(Math.floor(n / unit) * unit).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** The line for White. @param {Line} line @param {import("../game/message_types.js").Side} turn */
export function forWhite(line, turn) {
  const sign = turn === "white" ? 1 : -1;
  const [white, black] = turn === "white" ? [line.win, line.loss] : [line.loss, line.win];
  return { evaluation: sign * line.evaluation, certain: sign * line.certain, white, draw: line.draw, black };
}

/** The proven result of a line, if there is one. @param {Line} line @param {number} certain from White's view */
function proof(line, certain) {
  if (line.exact) return gettext("exact");
  if (!certain) return "";
  return certain > 0 ? gettext("White surely wins") : gettext("Black surely wins");
}

/** @param {Report} report @param {{threads: number, local: boolean}} engine */
export function statusText(report, engine) {
  const depth = Math.max(0, ...report.lines.map((line) => line.depth));
  return [
    gettext("depth %(depth)s", { depth }),
    gettext("%(nodes)s nodes", { nodes: short(report.nodes) }),
    ngettext("%(n)s thread", "%(n)s threads", engine.threads),
    engine.local ? gettext("on this device") : gettext("on the server"),
  ].join(" · ");
}

/**
 * @param {HTMLElement} host an ordered list
 * @param {Line[]} lines
 * @param {Snapshot} snapshot where they begin
 * @param {(moves: number[]) => string[]} texts moves in field notation
 * @param {(moves: number[]) => void} onPick called with the moves up to the one that was chosen
 * @param {(at: number) => string} why what speaks for the move of a line
 */
export function showLines(host, lines, snapshot, texts, onPick, why) {
  const focus = host.contains(document.activeElement)
    ? /** @type {HTMLElement} */ (document.activeElement).dataset.key : undefined;
  const { turn } = snapshot.board;
  host.replaceChildren(...lines.map((line, index) => {
    const item = document.createElement("li");
    item.className = `rank-${index + 1}`;
    const { evaluation, certain, white, draw, black } = forWhite(line, turn);
    const moves = line.texts ?? texts(line.pv);
    const values = { white: percentText(white), draw: percentText(draw), black: percentText(black) };
    const chances = gettext("White wins %(white)s %%, draw %(draw)s %%, Black wins %(black)s %%", values).replaceAll("%%", "%");
    const first = document.createElement("button");
    first.type = "button";
    first.className = "first";
    first.dataset.key = `${index}`;
    first.innerHTML = `<span class="rank" aria-hidden="true"></span><b class="move"></b><span class="value"></span><span class="proof"></span>`;
    const [rank, move, value, proven] = /** @type {HTMLElement[]} */ ([...first.children]);
    rank.textContent = String(index + 1);
    move.textContent = moves[0] ?? String(line.move);
    value.textContent = signedText(evaluation, line.exact);
    proven.textContent = proof(line, certain);
    proven.hidden = !proven.textContent;
    const reasons = document.createElement("p");
    reasons.className = "why";
    reasons.textContent = why(index);
    const sentences = [gettext("Play %(move)s", { move: move.textContent }), value.textContent, proven.textContent, chances];
    first.setAttribute("aria-label", sentences.filter(Boolean).join(", "));
    first.addEventListener("click", () => onPick([line.move]));
    const bar = document.createElement("span");
    bar.className = "chances";
    bar.title = chances;
    bar.setAttribute("aria-hidden", "true");
    for (const [kind, part] of /** @type {[string, number][]} */ ([["white", white], ["draw", draw], ["black", black]])) {
      const piece = document.createElement("span");
      piece.className = kind;
      piece.style.flexGrow = String(part);
      if (part >= 0.14) piece.textContent = `${percentText(part)}%`;
      bar.append(piece);
    }
    const rest = document.createElement("p");
    rest.className = "pv";
    moves.slice(1).forEach((text, at) => {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.key = `${index}-${at}`;
      button.textContent = text;
      button.tabIndex = -1;
      button.addEventListener("click", () => onPick(line.pv.slice(0, at + 2)));
      rest.append(button, " ");
    });
    item.append(first, bar, reasons, rest);
    return item;
  }));
  if (focus !== undefined) {
    /** @type {HTMLElement|null} */ (host.querySelector(`[data-key="${focus}"]`))?.focus({ preventScroll: true });
  }
}
