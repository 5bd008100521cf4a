/** Texts beside the board: the players, the result of the game, and the fault of a move. */

import { showOutcome } from "../play/result_panel.js";
import { byId, say } from "../site/dom.js";
import { outcomeHeadline, moveText, terminationText, resultText } from "../game/sentences.js";
import { gettext, opponentTitle } from "../site/translations.js";
import { markName } from "./game_tree_view.js";
import { lossText } from "./review_words.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("./game_tree.js").Node} Node */

/**
 * @param {Side} below the side at the lower edge
 * @param {GameState} state
 * @param {(string|null)[]} players
 * @param {import("./engine_opponent.js").EngineOpponent} opponent
 */
export function showSeats(below, state, players, opponent) {
  const above = below === "white" ? "black" : "white";
  for (const [place, side] of /** @type {[string, Side][]} */ ([["far", above], ["near", below]])) {
    const strip = /** @type {HTMLElement} */ (document.querySelector(`.strip.${place}`));
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (strip.querySelector(name));
    const engine = opponent.level > 0 && opponent.side === side;
    const turn = !state.outcome && state.turn === side;
    strip.dataset.side = side;
    strip.toggleAttribute("data-turn", turn);
    part(".disc").className = `disc ${side}`;
    const name = side === "white" ? gettext("White") : gettext("Black");
    part(".name").textContent = name;
    const who = engine ? opponentTitle(opponent.level) : players[side === "white" ? 0 : 1];
    part(".side").textContent = who ?? "";
    part(".thinking").hidden = !(engine && turn && opponent.waiting);
    part(".turn").hidden = !turn || (engine && opponent.waiting);
  }
}

/** @param {HTMLElement} host @param {GameState} state */
export function showResult(host, state) {
  host.hidden = !state.outcome;
  if (state.outcome && host.dataset.shown !== String(state.version)) showOutcome(host, state);
}

/**
 * Show the mark of the move that led here, by the search whose lines the page shows in the position before it.
 * @param {Node} node
 * @param {boolean} mayJudge whether the game may be judged
 * @param {() => void} onBetter
 * @param {string|null} book what the opening book plays there, where that is another move
 * @param {{against: string, instead: string}} why sentences against the move and for the best one
 */
export function showMoveVerdict(node, mayJudge, onBetter, book, why) {
  const host = byId("verdict");
  const { judged, parent } = node;
  host.hidden = !judged?.mark || !mayJudge;
  if (!judged?.mark || !parent?.seen) return;
  const good = judged.mark === "good";
  const sign = document.createElement("b");
  sign.className = `mark ${judged.mark}`;
  sign.textContent = judged.sign;
  const text = document.createElement("p");
  const values = { move: node.snapshot.text ?? "", mark: markName(judged.mark), loss: lossText(judged) };
  const sentence = good ? gettext("%(move)s: the only good move.", values) : gettext("%(move)s: %(mark)s, %(loss)s.", values);
  text.append(sign, ` ${[sentence, good ? why.instead : why.against].filter(Boolean).join(" ")}`);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button small";
  const line = parent.seen.texts.slice(0, 5).join(" ");
  button.textContent = gettext("Better: %(line)s", { line });
  button.onclick = onBetter;
  const source = document.createElement("p");
  source.className = "quiet";
  const sources = [gettext("By the engine, depth %(depth)s.", { depth: parent.seen.depth })];
  if (book) sources.push(gettext("The opening book plays %(move)s.", { move: book }));
  source.textContent = sources.join(" ");
  const instead = document.createElement("p");
  instead.className = "why";
  instead.textContent = why.instead;
  instead.hidden = !why.instead;
  // The search may go on during a press of the button: unchanged texts stay in place.
  const fresh = good ? [text, source] : [text, button, instead, source];
  const oldButton = host.querySelector("button");
  const same = fresh.length === host.childElementCount && fresh.every((one, at) => one.isEqualNode(host.children[at]));
  if (same && oldButton) oldButton.onclick = onBetter;
  else if (!same) host.replaceChildren(...fresh);
}

/**
 * Announce the shown position.
 * @param {Node} node
 * @param {GameState} state of it
 * @param {boolean} sown whether just sown
 */
export function announcePosition(node, state, sown) {
  const parts = [state.last ? moveText(state.last, state) : gettext("Start")];
  if (!sown && node.parent) parts.unshift(gettext("Move %(n)s", { n: node.parent.snapshot.number }));
  if (state.outcome) parts.push(`${outcomeHeadline(state)}: ${resultText(state)}, ${terminationText(state)}`);
  say(parts.join(". "));
}
