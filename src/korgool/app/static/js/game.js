/** The page of a game: keeps board, clocks, move list and buttons in step with the state from the server. */

import "./board.js";
import { Clocks } from "./clock.js";
import { Hints } from "./hints.js";
import { wireKeys } from "./keys.js";
import { keep } from "./lately.js";
import { CommandError, Live } from "./live.js";
import { MoveList } from "./moves.js";
import { showGraph, showOutcome } from "./outcome.js";
import { byId, disable, say } from "./page.js";
import { Past } from "./past.js";
import { boardText, clocksText, movesText } from "./reading.js";
import { recall, remember } from "./settings.js";
import { chime, knock } from "./sound.js";
import { headline, holeName, moveText, reason, storesText } from "./speech.js";
import { Stage } from "./stage.js";
import { gettext, isPerfect, ngettext } from "./words.js";

/** @typedef {import("./types.js").GameEvent} GameEvent */
/** @typedef {import("./types.js").GameState} GameState */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./board.js").KorgoolBoard} KorgoolBoard */

const board = /** @type {KorgoolBoard} */ (/** @type {unknown} */ (document.querySelector("korgool-board")));
/** The newest state, whatever the board still animates. @type {GameState} */
let state = JSON.parse(byId("state").textContent ?? "");
let busy = false;
let gone = false;
/** @type {{mark: (ply: number|null) => void}|null} */
let graph = null;

/** @param {Side} side */
const face = (side) => /** @type {HTMLElement} */ (document.querySelector(`.strip[data-side="${side}"] .clock`));
const clocks = new Clocks({ white: face("white"), black: face("black") }, () => void live.check());
const moves = new MoveList(byId("moves"), (ply) => void look(ply));
const live = new Live(state.id, state.version, { event: receive, connection });
const stage = new Stage(board, new Past(() => live.history()), state, { sowing, shown });
const hints = new Hints(state.id);
/** @type {import("./opponent.js").Opponent|null} */
let opponent = null;

let told = 0;
/**
 * Show a message to the visitor for a while, or a hint until something else is shown.
 * @param {string} text
 * @param {"notice"|"hint"} [kind]
 */
function notice(text, kind = "notice") {
  const line = byId("connection");
  line.textContent = text;
  line.dataset.kind = kind;
  line.hidden = false;
  clearTimeout(told);
  told = setTimeout(() => {
    if (line.dataset.kind === "notice") line.hidden = true;
  }, 7000);
}

/** Remove the hint, which is for one position only. */
function unhint() {
  const line = byId("connection");
  if (line.dataset.kind === "hint") line.hidden = true;
  board.arrows = [];
}

let asking = 0;
/** Ask the server soon if the engine's move does not arrive: a connection may be dead unnoticed. */
function expectMove() {
  clearTimeout(asking);
  if (state.outcome || !state.you || state.turn === state.you) return;
  asking = setTimeout(() => {
    void live.check();
    expectMove();
  }, 4000);
}

let lost = 0;
/** @param {boolean} open */
function connection(open) {
  clearTimeout(lost);
  gone = !open;
  const line = byId("connection");
  if (open) {
    if (line.dataset.kind === "lost") line.hidden = true;
    return;
  }
  // A short interruption recovers by itself; only a longer one is reported.
  lost = setTimeout(() => {
    if (!gone) return;
    line.textContent = gettext("The connection is lost. Trying again…");
    line.dataset.kind = "lost";
    line.hidden = false;
  }, 1200);
}

/** Handle an event from the server. @param {GameEvent} event */
function receive(event) {
  if (event.kind === "clock") {
    clocks.set(event.state.clock);
    return;
  }
  state = event.state;
  opponent?.heed(state);
  keep(state);
  unhint();
  if (event.kind === "undo") say(gettext("Taken back."));
  clocks.set(state.clock);
  expectMove();
  stage.take(event);
}

/**
 * Announce a ply that is shown, or one that is played while the visitor looks back.
 * @param {import("./stage.js").Sowing} sown
 */
function sowing({ trace, state: after }) {
  const words = [moveText(trace, after)];
  if (stage.picked !== null) words.push(gettext("You are looking at an earlier position."));
  say(words.join(". "));
}

/** The last version that was announced. */
let known = state.version;
/** Another state is shown; once all stones rest, announce whose turn it is or how the game ended. */
function shown() {
  page();
  const now = stage.rested;
  if (now !== stage.present || now.version === known) return;
  known = now.version;
  if (now.outcome) say(`${headline(now)}: ${now.outcome.result_text}, ${reason(now)}`);
  else if (now.you && now.turn === now.you) {
    say(gettext("Your turn."));
    if (now.last && now.last.side !== now.you && sound.checked) chime();
  }
}

/** Update everything except the board. */
function page() {
  const { picked, rested } = stage;
  const over = rested.outcome;
  moves.show(rested.moves, picked);
  graph?.mark(picked);
  for (const strip of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".strip"))) {
    const turn = !over && strip.dataset.side === rested.turn;
    strip.toggleAttribute("data-turn", turn);
    const thinking = /** @type {HTMLElement} */ (strip.querySelector(".thinking"));
    thinking.hidden = !turn || !state.you || state !== rested || state.turn === state.you;
  }
  const mine = Boolean(state.you);
  byId("actions").hidden = false;
  /** @type {HTMLButtonElement} */ (byId("undo")).disabled = busy || !state.can_undo;
  byId("undo").hidden = !mine || Boolean(over);
  byId("resign").hidden = !mine || Boolean(over);
  byId("claim").hidden = !mine || !state.claims.length;
  byId("hint").hidden = !mine || Boolean(over);
  disable("hint", busy || hints.asking || picked !== null || state !== rested || state.turn !== state.you);
  const steps = { first: stage.ply > 0, previous: stage.ply > 0, next: picked !== null, last: picked !== null, again: stage.ply > 0 };
  for (const [id, can] of Object.entries(steps)) disable(id, !can);
  byId("hints").hidden = !hints.count;
  byId("hints").textContent = ngettext("%(n)s hint used in this game", "%(n)s hints used in this game", hints.count);
  byId("rematch").hidden = !mine || !over;
  const analyse = /** @type {HTMLAnchorElement} */ (byId("analyse"));
  analyse.hidden = !over;
  analyse.href = `/analysis#game=${state.game}&moves=${state.moves.map(({ hole }) => hole).join(",")}&side=${state.you ?? "white"}`;
  if (state.start) analyse.href += `&start=${encodeURIComponent(state.start)}`;
  byId("settings").hidden = false;
  byId("review").hidden = picked === null;
  if (picked !== null) {
    /** @type {HTMLElement} */ (byId("review").firstElementChild).textContent =
      gettext("After ply %(ply)s of %(plies)s", { ply: picked, plies: state.moves.length });
  }
  const news = over ? over.result_text : mine && rested.turn === rested.you ? gettext("Your turn") : "";
  document.title = [news, document.title.split(" | ").at(-1)].filter(Boolean).join(" | ");
  const outcome = byId("outcome");
  if (over && outcome.dataset.shown !== String(rested.version)) {
    showOutcome(outcome, rested);
    void showGraph(byId("graph"), state, (ply) => void look(ply)).then((made) => {
      graph = made;
      graph?.mark(stage.picked);
    });
  }
  outcome.hidden = !over;
  byId("graph").hidden = !over || !graph;
}

/** Look at the position after a ply; the last ply is the current position. @param {number} ply */
function look(ply) {
  unhint();
  return recalled(stage.look(ply));
}

/**
 * Wait for something from the game's past; if the server does not answer, say so.
 * @template T
 * @param {Promise<T>} work
 */
async function recalled(work) {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CommandError || error instanceof RangeError)) throw error;
    notice(gettext("The server does not answer. Try again."));
    page();
    return null;
  }
}

const back = () => void look(state.moves.length);

/** Step forward or back, and announce the position. @param {number} ply */
async function walk(ply) {
  const found = await look(ply);
  if (!found) return;
  const { picked } = stage;
  const words = picked === null ? [gettext("The current position")] : [gettext("Ply %(ply)s", { ply: picked })];
  if (found.last) words.push(moveText(found.last, found));
  say(words.join(". "));
}

/** Put the other side at the lower edge, with its name. */
function flip() {
  board.below = board.below === "white" ? "black" : "white";
  const [far, near] = ["far", "near"].map((place) => /** @type {HTMLElement} */ (document.querySelector(`.strip.${place}`)));
  far.classList.replace("far", "near");
  near.classList.replace("near", "far");
  board.before(near);
  board.after(far);
}

/** Ask for a good move in a game against the engine; the number of hints is shown. */
async function hint() {
  const { version, you } = state;
  if (!you) return;
  try {
    const asked = hints.ask(state);
    page();
    const { hole, why } = await asked;
    if (state.version !== version || stage.picked !== null) return;
    const { side, hole: to } = state.previews[String(hole)];
    board.arrows = [{ from: { side: you, hole }, to: { side, hole: to }, rank: 1 }];
    notice(gettext("Hint: hole %(hole)s, %(what)s", { hole, what: why || board.foretold(you, hole) }), "hint");
  } catch {
    notice(gettext("There is no hint now. Try again."));
  } finally {
    page();
  }
}

/** Announce the last moves of both sides again. */
async function repeat() {
  const ply = stage.ply;
  const { moves: plies } = state;
  let from = ply;
  for (const side of [plies[ply - 1]?.side, plies[ply - 1]?.side === "white" ? "black" : "white"]) {
    while (from && plies[from - 1].side === side) from -= 1;
  }
  const told = await recalled(stage.past.between(from, ply, () => state));
  if (told) say(movesText(told.slice(1)));
}

/** Announce the effect of the focused hole, or of every hole that may be sown. */
function describe() {
  const now = board.shown;
  const at = board.focused;
  if (!now) return;
  const holes = at ? [at] : now.legal.map((hole) => ({ side: /** @type {Side} */ (now.you), hole }));
  const told = holes.map(({ side, hole }) => {
    const would = board.foretold(side, hole) || gettext("It cannot be sown now.");
    return `${holeName(now, side, hole)}: ${would}`;
  });
  say(told.join(" ") || gettext("No hole can be sown now."));
}

/** Send a command, and show a message if it fails. @param {string} name @param {Record<string, unknown>} [values] */
async function command(name, values) {
  if (busy) return null;
  busy = true;
  board.busy = true;
  try {
    return await live.command(name, values);
  } catch (error) {
    const { status, detail } = error instanceof CommandError ? error : { status: -1, detail: "" };
    if (status === 0) notice(gettext("The server does not answer. Try again."));
    else notice(detail || gettext("That did not work. Try again."));
    return null;
  } finally {
    busy = false;
    board.busy = false;
    page();
  }
}

board.addEventListener("sow", (event) => {
  unhint();
  void command("move", /** @type {CustomEvent} */ (event).detail);
});
/** @param {string} id @param {() => void} act */
const click = (id, act) => byId(id).addEventListener("click", () => byId(id).getAttribute("aria-disabled") === "true" || act());
const steps = {
  first: () => void walk(0),
  previous: () => void walk(stage.ply - 1),
  next: () => void walk(stage.ply + 1),
  last: () => void walk(state.moves.length),
  flip,
  again: () => void recalled(stage.again()),
  hint: () => void hint(),
  keys: () => /** @type {HTMLDialogElement} */ (byId("key-help")).showModal(),
};
for (const [id, act] of Object.entries(steps)) click(id, act);
byId("undo").addEventListener("click", () => {
  back();
  void command("undo");
});
byId("claim").addEventListener("click", () => void command("claim"));
const dialog = /** @type {HTMLDialogElement} */ (byId("confirm"));
byId("resign").addEventListener("click", () => dialog.showModal());
dialog.addEventListener("close", () => {
  if (dialog.returnValue === "yes") void command("resign");
  dialog.returnValue = "";
});
byId("rematch").addEventListener("click", async () => {
  const made = await command("rematch");
  if (made?.id) location.assign(`/games/${made.id}`);
});
byId("back").addEventListener("click", back);

const characters = /** @type {HTMLInputElement} */ (byId("characters"));
characters.checked = recall("characters", "on") === "on";
characters.addEventListener("change", () => remember("characters", characters.checked ? "on" : "off"));
wireKeys({
  ArrowLeft: steps.previous, ArrowRight: steps.next, Home: steps.first, End: steps.last,
  ",": steps.previous, ".": steps.next,
  Escape: () => stage.picked !== null && back(),
  f: flip, a: () => byId("again").click(), h: () => byId("hint").click(), "?": steps.keys,
  l: () => void repeat(), b: () => board.shown && say(boardText(board.shown)),
  s: () => board.shown && say(storesText(board.shown)), t: () => say(clocksText(clocks)), d: describe,
}, { digit: (event) => board.digit(event), characters: () => characters.checked });

const speed = /** @type {HTMLSelectElement} */ (byId("speed"));
speed.value = recall("speed", "normal");
if (!speed.value) speed.value = "normal";
stage.speed = /** @type {import("./sowing.js").Speed} */ (speed.value);
speed.addEventListener("change", () => {
  stage.speed = /** @type {import("./sowing.js").Speed} */ (speed.value);
  remember("speed", speed.value);
});
const sound = /** @type {HTMLInputElement} */ (byId("sound"));
sound.checked = recall("sound", "off") === "on";
board.onStone = () => sound.checked && knock();
sound.addEventListener("change", () => remember("sound", sound.checked ? "on" : "off"));

/** Let this device think for the engine if it can; otherwise the server does. */
async function think() {
  try {
    const { Opponent } = await import("./opponent.js");
    opponent = await Opponent.open(live, () => state);
  } catch {
    // Old browsers, and pages whose policy or memory does not allow the engine.
  }
}

keep(state);
clocks.set(state.clock);
page();
expectMove();
// Only the server plays perfectly: devices do not have its solver.
if (state.you && !state.outcome && !isPerfect(state.level)) void think();
