/** The page of a game: keeps the state, and hands it to the board and to every other part of the page. */

import { after, attended } from "./apply_event.js";
import { Away } from "./vacations.js";
import "../board/board_element.js";
import { Claims } from "./claims.js";
import { Clocks } from "./clocks.js";
import { Commands } from "./command_queue.js";
import { Deadline } from "./deadline.js";
import { betweenPeople, isOver, isSlow, ownSide, plays } from "../game/state_selectors.js";
import { Foresight } from "./move_previews.js";
import { Hints } from "./hint_button.js";
import { keep } from "./recent_games.js";
import { Live } from "./live_connection.js";
import { Looking } from "./history_navigation.js";
import { Messages } from "./status_bar.js";
import { MoveList } from "./move_list.js";
import { Offers } from "./game_actions.js";
import { showGraph, showOutcome, showRatings } from "./result_panel.js";
import { breath, byId, say, wake } from "../site/dom.js";
import { Past } from "./position_cache.js";
import { Phrases } from "./preset_phrases.js";
import { Places } from "./misclick_guard.js";
import { callsByDefault, checkbox, offerSettings, selection } from "./game_settings.js";
import { Premove } from "./premove.js";
import { Seats } from "./seats.js";
import { knock } from "../site/sounds.js";
import { headline, moveText, reason, resultText } from "../game/sentences.js";
import { Stage } from "./playback.js";
import { Summons } from "./turn_alerts.js";
import { otherSide } from "../game/move_trace.js";
import { gettext, isPerfect } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameEvent} GameEvent */
/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("../game/message_types.js").Trace} Trace */

/** Commands after which the board is another one: while one is under way, no hole can be chosen. */
const SOWS_OR_TAKES_BACK = ["move", "ask-takeback", "accept-takeback"];
const board = /** @type {import("../board/board_element.js").KorgoolBoard} */ (/** @type {unknown} */ (document.querySelector("korgool-board")));
/** The newest state, whatever the board still animates. @type {GameState} */
let state = JSON.parse(byId("state").textContent ?? "");
const present = () => state;
/** @type {{mark: (ply: number|null) => void}|null} */
let graph = null;
/** @type {import("./device_engine_reply.js").Opponent|null} */
let opponent = null;

// A cheap phone takes a while for each of the parts between these pauses; what is pressed meanwhile is heard at once.
await breath();
const messages = new Messages(byId("connection"));
/** @param {string} text */
const notice = (text) => messages.notice(text);
const seats = new Seats(present);
const live = new Live(state, {
  event: receive, state: replace, presence, phrase: (said) => phrases?.hear(said), connection: (open, silent) => messages.connection(open, silent),
});
const clocks = new Clocks({ white: seats.clock("white"), black: seats.clock("black") }, () => void live.check());
const deadline = new Deadline(() => live.now);
const stage = new Stage(board, new Past(() => live.history()), state, { sowing, shown });
const looking = new Looking(board, stage, {
  present, clocks, notice, changed: page, hint: () => void hints.ask(), drop: () => premove.cancel(),
});
const moves = new MoveList(byId("moves"), (ply) => void looking.look(ply));
const hints = new Hints(state.id, board, { present, looksBack: () => stage.picked !== null, changed: page, notice });
const commands = new Commands({
  command: (name, values) => live.command(name, values), refused: (error) => messages.refusal(error),
  changed: () => {
    board.busy = SOWS_OR_TAKES_BACK.some((name) => commands.has(name));
    showChoice();
    page();
  },
});
/** @type {import("./command_queue.js").Send} */
const send = (name, values, button) => commands.send(name, values, button);
const places = new Places([...document.querySelectorAll("#accept-draw, #abort, [data-claim]")].map((one) => /** @type {HTMLElement} */ (one)));
const offers = new Offers({ present, send, back: looking.back, places });
const claims = new Claims({ present, send, places, now: () => live.now });
const foresight = new Foresight();
const premove = new Premove(board, {
  present, notice, play: (hole) => sow({ hole, version: state.version }), ahead: (now, hole) => foresight.ahead(now, hole),
});
const away = new Away(() => live.now);
const phrases = document.getElementById("phrases") && new Phrases({
  present, send: (phrase) => live.phrase(phrase) || notice(gettext("The server does not answer. Try again.")),
});

/** The side of the hole that was chosen last, and the choice of which it was said that it is not sent yet. */
let mover = state.turn;
/** @type {import("./command_queue.js").Open|undefined} */
let toldLate;

/** Send a choice. @param {{hole: number, version: number}} choice */
function sow(choice) {
  mover = state.turn;
  void send("move", { ...choice, ...offers.withMove });
}

/** Mark the hole that is chosen, from the first moment until its stones move. */
function showChoice() {
  const move = commands.of("move");
  board.chosen = move ? { side: mover, hole: Number(move.values.hole), late: move.late } : null;
  if (!move?.late || toldLate === move) return;
  toldLate = move;
  say(gettext("The move is not sent yet."));
}

/** Set the clocks, or the deadline of a slow game, and who is away in it. */
function time() {
  away.show(state);
  if (!isSlow(state)) {
    // What watchers see later has not gone on meanwhile.
    clocks.set(state.clock, state.delay && !state.you ? 0 : live.now - state.now);
    return;
  }
  const running = isOver(state) || !state.begun ? null : state.due;
  deadline.show([seats.clock(state.turn), seats.clock(otherSide(state.turn))], byId("due"), running);
}

let asking = 0;
/** Ask the server soon if the engine's move does not arrive: a connection may be dead unnoticed. */
function expectMove() {
  clearTimeout(asking);
  if (!plays(state) || betweenPeople(state) || state.turn === state.you) return;
  asking = setTimeout(() => {
    void live.check();
    expectMove();
  }, 4000);
}

/** Handle an event from the server. @param {GameEvent} event */
function receive(event) {
  const next = after(state, event);
  if (!next) {
    void live.check();
    return;
  }
  take(next, event.kind === "move" ? event.trace : null);
  offers.tell(event, state);
  if (event.kind === "vacation") away.tell(state, event);
  if (event.kind === "rematch" && event.game && state.you) location.assign(`/games/${event.game}`);
}

/** The server sends the whole state: on joining, after a gap, and on request. @param {GameState} next */
function replace(next) {
  if (next.version !== state.version) {
    take(next);
    return;
  }
  // Only what has no version may differ; the board goes on with the object that it has.
  const { seats: sitting, viewers, clock, now, due } = next;
  Object.assign(state, { seats: sitting, viewers, clock, now, due });
  time();
  page();
}

/** @param {import("../game/message_types.js").Presence} told */
function presence(told) {
  const { seats: sitting, viewers } = attended(state, told);
  Object.assign(state, { seats: sitting, viewers });
  page();
}

/** Go on to another state. @param {GameState} next @param {Trace|null} [trace] of the ply that leads there */
function take(next, trace) {
  state = next;
  foresight.fill(state);
  opponent?.heed(state);
  keep(state);
  hints.forget();
  time();
  expectMove();
  stage.take(state, trace ?? null);
  premove.heed();
}

/**
 * Announce a ply that is shown, or one that is played while the visitor looks back.
 * @param {import("./playback.js").Sowing} sown
 */
function sowing({ trace, state: after }) {
  const words = [moveText(trace, after)];
  if (stage.picked !== null) words.push(gettext("You are looking at an earlier position."));
  say(words.join(". "));
}

/** What an announcement is made of. @param {GameState} now */
const telling = (now) => ({ turn: now.begun ? now.turn : null, plies: now.moves.length, over: isOver(now) });
/** What was announced last. */
let known = telling(state);
/** Another state is shown; once all stones rest, announce whose turn it is or how the game ended. */
function shown() {
  if (state.shared && turning.checked && stage.picked === null && !isOver(stage.rested)) looking.turnTo(stage.rested.turn);
  page();
  const now = stage.rested;
  if (now !== stage.present) return;
  const before = known;
  known = telling(now);
  if (known.over) {
    if (!before.over) say(now.outcome ? `${headline(now)}: ${resultText(now)}, ${reason(now)}` : headline(now));
  } else if (known.turn && known.turn === ownSide(now)) {
    if (before.turn === known.turn && before.plies === known.plies) return;
    say(gettext("Your turn."));
    if (before.turn !== known.turn) summons.call();
  }
}

/** Update everything except the board. */
function page() {
  const { picked, rested } = stage;
  const over = isOver(rested);
  moves.show(rested.moves, picked);
  graph?.mark(picked);
  seats.show(rested);
  byId("actions").hidden = false;
  offers.show(rested);
  claims.show();
  phrases?.show();
  looking.show();
  hints.show(!commands.has("move") && picked === null && state === rested && state.turn === state.you && !over);
  byId("analyse").hidden = !over;
  summons.show(rested);
  const outcome = byId("outcome");
  if (over && !outcome.hasAttribute("data-shown")) {
    showOutcome(outcome, rested);
    void showGraph(byId("graph"), state, (ply) => void looking.look(ply)).then((made) => {
      graph = made;
      graph?.mark(stage.picked);
    });
  }
  outcome.hidden = !over;
  if (over) showRatings(byId("new-ratings"), state);
  places.heed();
  byId("graph").hidden = !over || !graph;
}

board.addEventListener("sow", (event) => {
  hints.forget();
  sow(/** @type {CustomEvent} */ (event).detail);
});

selection("speed", "normal", (speed) => { stage.speed = /** @type {import("../board/sowing_timeline.js").Speed} */ (speed); });
const sound = checkbox("sound", false);
board.onStone = () => sound.checked && knock();
const chimes = checkbox("chime", callsByDefault(state));
const vibrates = checkbox("vibration", callsByDefault(state));
const summons = new Summons({ sound: () => chimes.checked, vibration: () => vibrates.checked });
checkbox("premove", false, (on) => { premove.on = on; });
selection("premove-if", "same", (value) => { premove.always = value === "legal"; });

await breath();
stage.begin();
const turning = checkbox("turning", true, (on) => {
  if (state.shared && !isOver(state)) looking.turnTo(on ? state.turn : "white");
});
offerSettings(state);

/** Let this device think for the engine if it can; otherwise the server does. */
async function think() {
  try {
    const { Opponent } = await import("./device_engine_reply.js");
    opponent = await Opponent.open(live, present);
  } catch {
    // Old browsers, and pages whose policy or memory does not allow the engine.
  }
}

await breath();
live.begin();
keep(state);
time();
page();
wake();
expectMove();
await breath();
if (plays(state)) {
  void foresight.load(state, board.dataset.choices, () => {
    foresight.fill(state);
    board.expect(state);
  });
  // Only the server plays perfectly: devices do not have its solver.
  if (state.level !== null && !isPerfect(state.level)) void think();
}
