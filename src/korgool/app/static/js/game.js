/** The page of a game: it holds board, clocks, move list and buttons to the state that the server gives. */

import "./board.js";
import { Clocks } from "./clock.js";
import { keep } from "./lately.js";
import { CommandError, Live } from "./live.js";
import { MoveList } from "./moves.js";
import { showGraph, showOutcome } from "./outcome.js";
import { byId, say } from "./page.js";
import { recall, remember } from "./settings.js";
import { knock } from "./sound.js";
import { headline, moveText, reason } from "./speech.js";
import { gettext, isPerfect } from "./words.js";

/** @typedef {import("./types.js").GameEvent} GameEvent */
/** @typedef {import("./types.js").GameState} GameState */
/** @typedef {import("./types.js").Side} Side */
/** @typedef {import("./board.js").KorgoolBoard} KorgoolBoard */

const board = /** @type {KorgoolBoard} */ (/** @type {unknown} */ (document.querySelector("korgool-board")));
/** The newest state, whatever the board still animates. @type {GameState} */
let state = JSON.parse(byId("state").textContent ?? "");
/** The ply that is being looked back at, or null for the present. @type {number|null} */
let picked = null;
/** States by ply, for looking back. @type {Map<number, GameState>} */
const past = new Map();
/** Events whose animation waits. @type {GameEvent[]} */
let queue = [];
let playing = false;
let busy = false;
let gone = false;
/** @type {{mark: (ply: number|null) => void}|null} */
let graph = null;

/** @param {Side} side */
const face = (side) => /** @type {HTMLElement} */ (document.querySelector(`.strip[data-side="${side}"] .clock`));
const clocks = new Clocks({ white: face("white"), black: face("black") }, () => void live.check());
const moves = new MoveList(byId("moves"), (ply) => void look(ply));
const live = new Live(state.id, state.version, { event: receive, connection });
/** @type {import("./opponent.js").Opponent|null} */
let opponent = null;

let told = 0;
/** Tell something that concerns the visitor, for a while. @param {string} text */
function notice(text) {
  const line = byId("connection");
  line.textContent = text;
  line.dataset.kind = "notice";
  line.hidden = false;
  clearTimeout(told);
  told = setTimeout(() => {
    if (line.dataset.kind === "notice") line.hidden = true;
  }, 7000);
}

let asking = 0;
/** Ask soon, should the engine's move not come by itself: a line may be dead without saying so. */
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
  // A short break heals by itself; only a longer one is worth a word.
  lost = setTimeout(() => {
    if (!gone) return;
    line.textContent = gettext("The connection is lost. Trying again…");
    line.dataset.kind = "lost";
    line.hidden = false;
  }, 1200);
}

/** News from the server. @param {GameEvent} event */
function receive(event) {
  if (event.kind === "clock") {
    clocks.set(event.state.clock);
    return;
  }
  const before = state;
  state = event.state;
  past.set(state.moves.length, state);
  opponent?.heed(state);
  keep(state);
  speak(event, before);
  expectMove();
  if (picked === null) {
    board.expect(state);
    if (event.kind === "move" && event.trace) queue.push(event);
    else {
      queue = [];
      board.show(state);
    }
    // A long turn of the engine is worth seeing; a crowd of events is not.
    if (queue.length > 8) {
      queue = [];
      board.show(state);
    }
    void playQueue();
  }
  page();
}

/** Animate what waits, one move after the other. */
async function playQueue() {
  if (playing) return;
  playing = true;
  for (let event = queue.shift(); event; event = queue.shift()) {
    if (event.trace) await board.sow(event.trace, event.state);
    if (!queue.length && picked === null && event.state !== state) board.show(state);
  }
  playing = false;
}

/** @param {GameEvent} event @param {GameState} before */
function speak(event, before) {
  const { kind, trace, state: now } = event;
  const words = [];
  if (kind === "move" && trace) words.push(moveText(trace, now));
  if (kind === "undo") words.push(gettext("Taken back."));
  if (now.outcome && !before.outcome) words.push(`${headline(now)}: ${now.outcome.result_text}, ${reason(now)}`);
  else if (now.you && now.turn === now.you && kind === "move") words.push(gettext("Your turn."));
  if (words.length) say(words.join(". "));
}

/** Everything beside the board. */
function page() {
  const over = state.outcome;
  clocks.set(state.clock);
  moves.show(state.moves, picked);
  graph?.mark(picked);
  for (const strip of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".strip"))) {
    const turn = !over && strip.dataset.side === state.turn;
    strip.toggleAttribute("data-turn", turn);
    const thinking = /** @type {HTMLElement} */ (strip.querySelector(".thinking"));
    thinking.hidden = !turn || !state.you || state.turn === state.you;
  }
  const mine = Boolean(state.you);
  byId("actions").hidden = false;
  /** @type {HTMLButtonElement} */ (byId("undo")).disabled = busy || !state.can_undo;
  byId("undo").hidden = !mine || Boolean(over);
  byId("resign").hidden = !mine || Boolean(over);
  byId("claim").hidden = !mine || !state.claims.length;
  byId("rematch").hidden = !mine || !over;
  const analyse = /** @type {HTMLAnchorElement} */ (byId("analyse"));
  analyse.hidden = !over;
  analyse.href = `/analysis#game=${state.game}&moves=${state.moves.map(({ hole }) => hole).join(",")}&side=${state.you ?? "white"}`;
  byId("settings").hidden = false;
  byId("review").hidden = picked === null;
  if (picked !== null) {
    /** @type {HTMLElement} */ (byId("review").firstElementChild).textContent =
      gettext("After ply %(ply)s of %(plies)s", { ply: picked, plies: state.moves.length });
  }
  const news = over ? over.result_text : mine && state.turn === state.you ? gettext("Your turn") : "";
  document.title = [news, document.title.split(" | ").at(-1)].filter(Boolean).join(" | ");
  const outcome = byId("outcome");
  if (over && outcome.dataset.shown !== String(state.version)) {
    showOutcome(outcome, state);
    void showGraph(byId("graph"), state, (ply) => void look(ply)).then((made) => {
      graph = made;
      graph?.mark(picked);
    });
  }
  outcome.hidden = !over;
  byId("graph").hidden = !over || !graph;
}

/** Look at the position after a ply; the last one is the present. @param {number} ply */
async function look(ply) {
  if (ply >= state.moves.length) {
    back();
    return;
  }
  if (!past.has(ply)) {
    try {
      for (const event of await live.history()) past.set(event.state.moves.length, event.state);
    } catch {
      notice(gettext("The server does not answer. Try again."));
      return;
    }
  }
  const found = past.get(ply);
  if (!found) return;
  picked = ply;
  queue = [];
  board.show({ ...found, legal: [], previews: {}, outcome: null });
  page();
}

function back() {
  picked = null;
  queue = [];
  board.show(state);
  page();
}

/** Send a command and put into words what went wrong. @param {string} name @param {Record<string, unknown>} [values] */
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

board.addEventListener("sow", (event) => void command("move", /** @type {CustomEvent} */ (event).detail));
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

addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return;
  if (event.target.closest("input, select, textarea, dialog")) return;
  if (board.digit(event)) event.preventDefault();
  else if (event.key === "Escape" && picked !== null) back();
});

const speed = /** @type {HTMLSelectElement} */ (byId("speed"));
speed.value = recall("speed", "normal");
board.speed = /** @type {import("./sowing.js").Speed} */ (speed.value || "normal");
speed.addEventListener("change", () => {
  board.speed = /** @type {import("./sowing.js").Speed} */ (speed.value);
  remember("speed", speed.value);
});
const sound = /** @type {HTMLInputElement} */ (byId("sound"));
sound.checked = recall("sound", "off") === "on";
board.onStone = () => sound.checked && knock();
sound.addEventListener("change", () => remember("sound", sound.checked ? "on" : "off"));

/** Let this device think for the engine, if it can; where it cannot, the server does. */
async function think() {
  try {
    const { Opponent } = await import("./opponent.js");
    opponent = await Opponent.open(live, () => state);
  } catch {
    // Old browsers, and pages whose policy or memory allows no engine.
  }
}

past.set(state.moves.length, state);
keep(state);
board.show(state);
page();
expectMove();
// Perfect play is the server's: no device has its solver.
if (state.you && !state.outcome && !isPerfect(state.level)) void think();
