// @ts-check
/** The scoresheet of a board on a phone: holes are tapped as they are sown, and the rules write the rest. */

import { KernelRules } from "../device/kernel_rules.js";
import { byId } from "../site/dom.js";
import { gettext, speakOf } from "../site/translations.js";
import { deviceName, KeptSheet } from "./kept_sheet.js";
import { showTurns, turnsOf } from "./sheet_list.js";
import { SheetSending } from "./sheet_sending.js";
import "../board/board_element.js";

/** @typedef {import("./kept_sheet.js").Told} Told */

const section = byId("sheet");
const board = /** @type {import("../board/board_element.js").KorgoolBoard} */ (byId("sheet-board"));
const address = section.dataset.address ?? "";
const by = /** @type {"white"|"black"|"official"} */ (section.dataset.by);
const device = deviceName();
/** @type {Told} */
const first = JSON.parse(byId("told").textContent ?? "{}");
const kept = new KeptSheet(address, { ...first, mine: false });
const sending = new SheetSending(kept, address, device, { changed: show, refused, closed });
/** @type {KernelRules|null} */
let rules = null;
/** What is on the board: the moves of the set. */
let drawn = { set: 0, moves: /** @type {number[]} */ ([]) };
speakOf(first.game);

/** All positions of the set and what led to them. @param {number[]} moves */
function played(moves) {
  if (!rules) return [];
  const plies = [];
  let position = rules.start();
  for (const hole of moves) {
    if (!rules.legal(position).includes(hole)) break;
    const { board: next, trace } = rules.sow(position, hole);
    plies.push({ trace, board: next, stores: next.stores });
    position = next;
  }
  return plies;
}

/** @param {Told} sheet @param {ReturnType<typeof played>} plies */
function stateOf(sheet, plies) {
  const known = /** @type {KernelRules} */ (rules);
  const last = plies[plies.length - 1];
  const position = last?.board ?? known.start();
  const ended = known.outcome(position);
  const swept = ended && ended.stores.some((stones, side) => stones !== position.stores[side]);
  const none = position.white.map(() => 0);
  const open = sheet.mine && !ended && !sheet.ended && !sending.ended;
  return /** @type {import("../game/message_types.js").GameState} */ (/** @type {unknown} */ ({
    id: "", version: plies.length, game: sheet.game, holes: position.white.length, level: null,
    white: swept ? none : position.white, black: swept ? none : position.black, stores: ended ? ended.stores : position.stores,
    tuz: position.tuz, turn: position.turn, you: null, moves: [], legal: open ? known.legal(position) : [], previews: {}, last: last?.trace ?? null,
    clock: null, outcome: ended ?? (sheet.ended && { ...sheet.ended, stores: position.stores }), claims: [], can_undo: false,
    position: `${sheet.set} ${plies.length} ${known.text(position)}`, movetext: "", rematch: null,
  }));
}

function show() {
  const sheet = kept.shown();
  const plies = played(sheet.moves);
  if (rules) draw(sheet, plies);
  const state = rules && stateOf(sheet, plies);
  const over = Boolean(sheet.ended || state?.outcome);
  showTurn(sheet, over, state?.turn ?? "white", state);
  showWays(sheet, over);
  showTurns(byId("turns"), sheet, plies, !sheet.mine && sheet.kept ? doubt : null);
  byId("no-turns").hidden = plies.length > 0;
  const last = turnsOf(plies).pop();
  byId("last").textContent = last ? `${last.number}. ${last.side === "black" ? "… " : ""}${last.text}` : "";
  showWaiting();
}

/** @param {Told} sheet @param {ReturnType<typeof played>} plies */
function draw(sheet, plies) {
  const state = stateOf(sheet, plies);
  const last = plies[plies.length - 1];
  const one = drawn.set === sheet.set && sheet.moves.length === drawn.moves.length + 1 && drawn.moves.every((hole, at) => hole === sheet.moves[at]);
  const same = drawn.set === sheet.set && String(drawn.moves) === String(sheet.moves);
  drawn = { set: sheet.set, moves: [...sheet.moves] };
  if (one && last) {
    board.expect(state);
    void board.sow(last.trace, state);
  } else if (!same || JSON.stringify(board.shown?.legal) !== JSON.stringify(state.legal) || Boolean(board.shown?.outcome) !== Boolean(state.outcome)) board.show(state);
}

/** The player on a side of the set: in a match they change sides. @param {Told} sheet @param {"white"|"black"} side */
const playerOn = (sheet, side) => ((side === "white") === (sheet.set % 2 === 1) ? sheet.white : sheet.black);

/** @param {Told} sheet @param {boolean} over @param {"white"|"black"} turn @param {import("../game/message_types.js").GameState|null} state */
function showTurn(sheet, over, turn, state) {
  const place = byId("turn");
  place.dataset.side = over ? "over" : turn;
  const text = sheet.ended?.result_text || state?.outcome?.result_text;
  byId("turn-what").textContent = over ? gettext("The game is over") : turn === "white" ? gettext("White's clock runs") : gettext("Black's clock runs");
  byId("turn-who").textContent = over ? text || gettext("It is being sent.") : playerOn(sheet, turn);
  byId("set").hidden = sheet.sets < 2;
  byId("set").textContent = gettext("Set %(set)s of %(sets)s", { set: sheet.set, sets: sheet.sets });
}

/** @param {Told} sheet @param {boolean} over */
function showWays(sheet, over) {
  const other = sheet.kept !== null && !sheet.mine;
  byId("keep").hidden = sheet.kept !== null;
  byId("instead").hidden = !other;
  byId("undo").hidden = !sheet.mine || !(sheet.moves.length || sheet.ended) || (sheet.settled && by !== "official");
  byId("finish").hidden = !sheet.mine || over;
  const lastSet = sheet.set >= sheet.sets;
  byId("next").hidden = !(sheet.mine && over && !lastSet);
  byId("end").hidden = !over;
  const doubts = byId("doubts");
  doubts.hidden = !sheet.objections.length;
  doubts.textContent = sheet.mine
    ? gettext("Your opponent says: the marked move was another one. Look together; take it back, or call the referee.")
    : gettext("You have objected to the marked move.");
  if (over) showEnd(sheet, lastSet);
  byId("who-keeps").textContent = sending.ended ? "" : whoKeeps(sheet);
  if (sending.ended) for (const id of ["keep", "instead", "undo", "finish", "next", "end"]) byId(id).hidden = true;
}

/** @param {Told} sheet */
function whoKeeps(sheet) {
  if (sheet.kept === null) return gettext("One phone keeps the scoresheet: tap each hole as it is sown, for both players.");
  if (sheet.mine) return gettext("This phone keeps the scoresheet: tap each hole as it is sown, for both players.");
  if (sheet.kept === "official") return gettext("A helper keeps the scoresheet. You see every move here.");
  if (sheet.kept === by) return gettext("Another phone of yours keeps the scoresheet.");
  return gettext("Your opponent's phone keeps the scoresheet. If a move is wrong, tap it in the list.");
}

/** @param {Told} sheet @param {boolean} lastSet */
function showEnd(sheet, lastSet) {
  const needed = sheet.kept !== "official";
  const missing = /** @type {const} */ (["white", "black"]).filter((side) => side !== sheet.kept && !sheet.agreed.includes(side));
  const waits = needed && missing.length > 0;
  byId("confirm").hidden = !waits;
  if (waits) {
    const name = sheet[missing[0]];
    const here = sheet.mine || by !== missing[0];
    byId("ask").textContent = here
      ? gettext("Show the scoresheet to %(name)s. Is everything right?", { name })
      : gettext("Is the scoresheet right?");
    byId("agree").textContent = here ? gettext("%(name)s confirms", { name }) : gettext("Yes, I confirm it");
    byId("agree").dataset.side = missing[0];
  }
  byId("settled").hidden = waits || sheet.objections.length > 0;
  byId("settled").textContent = lastSet ? gettext("The scoresheet is complete. It will be printed and published as it stands.") : gettext("The set is complete.");
  const report = document.getElementById("report");
  if (report) report.hidden = waits || !lastSet || !sheet.result || sheet.entered !== null;
  const field = /** @type {HTMLInputElement|null} */ (document.getElementById("report-result"));
  if (field) field.value = sheet.result;
  const text = document.getElementById("report-text");
  if (text) text.textContent = sheet.result;
}

function showWaiting() {
  const { length } = kept.waiting;
  const place = byId("waiting");
  place.hidden = !(length && sending.silent);
  place.textContent = gettext("No connection. What you have tapped waits on this phone and is sent as soon as it is back: %(n)s.", { n: length });
}

/** @param {string} detail @param {import("./kept_sheet.js").Entry[]} lost */
function refused(detail, lost) {
  say([detail, ...notWritten(lost)].join(" ").trim(), true);
  show();
}

/** @param {string} detail @param {import("./kept_sheet.js").Entry[]} [lost] */
function closed(detail, lost = []) {
  say([detail || gettext("The scoresheet is closed."), ...notWritten(lost)].join(" "), true);
  const again = document.createElement("a");
  again.href = location.href;
  again.textContent = gettext("Open the page again");
  byId("said").append(" ", again);
}

/** @param {import("./kept_sheet.js").Entry[]} lost */
function notWritten(lost) {
  const moves = lost.filter((one) => one.do === "move").map((one) => one.hole).join(" ");
  return moves ? [gettext("Not written: %(moves)s.", { moves })] : [];
}

/** @param {string} text @param {boolean} [trouble] */
function say(text, trouble = false) {
  const line = byId("said");
  line.textContent = text;
  line.className = trouble ? "refused" : "";
}

/** @param {Omit<import("./kept_sheet.js").Entry, "id">} entry */
function write(entry) {
  kept.reload();
  kept.write(entry);
  say("");
  show();
  void sending.go();
}

/** @param {number} ply @param {string} name */
function doubt(ply, name) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("doubt"));
  byId("doubt-move").textContent = name;
  byId("object").dataset.ply = String(ply);
  dialog.showModal();
}

board.free = true;
board.speed = "fast";
board.addEventListener("sow", (event) => {
  const sheet = kept.shown();
  write({ do: "move", ply: sheet.moves.length + 1, hole: /** @type {CustomEvent} */ (event).detail.hole });
});
board.addEventListener("refuse", (event) => say(/** @type {CustomEvent} */ (event).detail.text));
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (board.digit(event)) event.preventDefault();
});
byId("keep").addEventListener("click", () => write({ do: "keep" }));
byId("instead").addEventListener("click", () => write({ do: "keep" }));
byId("undo").addEventListener("click", () => {
  const sheet = kept.shown();
  const ended = sheet.ended !== null && !rules?.outcome(stateBoard(sheet));
  write({ do: "undo", ply: sheet.moves.length - Number(!ended) });
});
byId("next").addEventListener("click", () => write({ do: "next" }));
byId("finish").addEventListener("click", () => /** @type {HTMLDialogElement} */ (byId("ending")).showModal());
byId("agree").addEventListener("click", () => {
  const sheet = kept.shown();
  write({ do: "agree", ply: sheet.moves.length, side: byId("agree").dataset.side });
});
byId("object").addEventListener("click", () => {
  /** @type {HTMLDialogElement} */ (byId("doubt")).close();
  write({ do: "object", ply: Number(byId("object").dataset.ply) });
});
for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#ending [data-cause]"))) {
  button.addEventListener("click", () => {
    /** @type {HTMLDialogElement} */ (byId("ending")).close();
    const { cause, winner = "" } = button.dataset;
    write({ do: "end", ply: kept.shown().moves.length, cause, winner });
  });
}
for (const button of document.querySelectorAll("dialog [data-close]")) {
  button.addEventListener("click", () => button.closest("dialog")?.close());
}
addEventListener("storage", ({ key }) => {
  if (!key?.startsWith("korgool-sheet ")) return;
  kept.reload();
  show();
});

/** @param {Told} sheet */
function stateBoard(sheet) {
  const plies = played(sheet.moves);
  return plies[plies.length - 1]?.board ?? /** @type {KernelRules} */ (rules).start();
}

show();
KernelRules.load(/** @type {any} */ (first.game), { choices: first.choices }).then((loaded) => {
  rules = loaded;
  show();
  section.toggleAttribute("data-ready", true);
}, () => closed(gettext("This browser cannot show the board. Keep the scoresheet on paper.")));
void sending.go();
