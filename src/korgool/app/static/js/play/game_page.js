/** The page of a game: keeps the state, and hands it to the board and to every other part of the page. */

import { applyEvent, applyPresence } from "./apply_event.js";
import { VacationLines } from "./vacations.js";
import "../board/board_element.js";
import { CoachSwitch } from "./coach_switch.js";
import { Claims } from "./claims.js";
import { Clocks } from "./clocks.js";
import { CommandQueue } from "./command_queue.js";
import { Deadline } from "./deadline.js";
import { isBetweenPeople, isOver, isSlow, ownSide, isPlaying } from "../game/state_selectors.js";
import { MovePreviews } from "./move_previews.js";
import { HintButton } from "./hint_button.js";
import { HOLE_NAMES } from "../game/hole_names.js";
import { storeRecentGame } from "./recent_games.js";
import { finishLesson, isLessonGame } from "./lesson_game.js";
import { LiveConnection } from "./live_connection.js";
import { HistoryNavigation } from "./history_navigation.js";
import { StatusBar } from "./status_bar.js";
import { MoveLine, MoveList } from "./move_list.js";
import { bindGameScoresheet } from "./game_scoresheet.js";
import { bindMenu } from "./game_menu.js";
import { countFirstCapture, isEarlyGame } from "./first_games.js";
import { GameActions } from "./game_actions.js";
import { EndSheet } from "./end_sheet.js";
import { showGraph, showRatings } from "./result_panel.js";
import { yieldToBrowser, byId, say, enableControls } from "../site/dom.js";
import { PositionCache } from "./position_cache.js";
import { PresetPhrases } from "./preset_phrases.js";
import { MisclickGuard } from "./misclick_guard.js";
import { alertsByDefault, showSettings } from "./game_settings.js";
import { Premove } from "./premove.js";
import { Seats } from "./seats.js";
import { bindCheckbox, bindSelect } from "../site/settings_fields.js";
import { playCapture, playDrop, playEnd, playLift, playTuz } from "../site/sounds.js";
import { outcomeHeadline, moveText, terminationText, resultText } from "../game/sentences.js";
import { Playback } from "./playback.js";
import { TurnAlerts } from "./turn_alerts.js";
import { otherSide } from "../game/move_trace.js";
import { gettext, isPerfect, speakOf } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameEvent} GameEvent */
/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("../game/message_types.js").Trace} Trace */

/** Commands that change the board: while one is under way, no hole can be chosen. */
const SOWS_OR_TAKES_BACK = ["move", "ask-takeback", "accept-takeback"];
const board = /** @type {import("../board/board_element.js").KorgoolBoard} */ (/** @type {unknown} */ (document.querySelector("korgool-board")));
/** The newest state, whatever the board still animates. @type {GameState} */
let state = JSON.parse(byId("state").textContent ?? "");
speakOf(state.game);
const currentState = () => state;
/** @type {{mark: (ply: number|null) => void}|null} */
let graph = null;
let graphAsked = false;
/** @type {import("./device_engine_reply.js").DeviceEngineReply|null} */
let engineReply = null;

// A cheap phone takes a while for each of the parts between these pauses; a press in between is handled at once.
await yieldToBrowser();
const statusBar = new StatusBar(byId("connection"));
/** @param {string} text */
const notice = (text) => statusBar.notice(text);
const seats = new Seats(currentState);
bindGameScoresheet(currentState);
const live = new LiveConnection(state, {
  event: receiveEvent, state: replaceState, presence: receivePresence, phrase: (said) => phrases?.receive(said), connection: (open, silent) => statusBar.connection(open, silent),
});
const clocks = new Clocks({ white: seats.clock("white"), black: seats.clock("black") }, () => void live.check());
const deadline = new Deadline(() => live.now);
const playback = new Playback(board, new PositionCache(() => live.history()), state, { sowing: announceSowing, shown: positionShown });
const navigation = new HistoryNavigation(board, playback, {
  currentState, clocks, notice, changed: updatePage, hint: () => void hintButton.showHint(), drop: () => premove.cancel(),
});
const moveList = new MoveList(byId("moves"), (ply) => void navigation.showPly(ply));
const moveLine = new MoveLine(byId("line"), (ply) => void navigation.showPly(ply));
const endSheet = new EndSheet(
  { sheet: byId("outcome"), chip: byId("show-result"), game: /** @type {HTMLElement} */ (document.querySelector(".game")) }, notice,
);
const hintButton = new HintButton(state.id, board, { currentState, looksBack: () => playback.shownPly !== null, changed: updatePage, notice });
const commands = new CommandQueue({
  command: (name, values) => live.command(name, values), refused: (error) => statusBar.refusal(error),
  changed: () => {
    board.busy = SOWS_OR_TAKES_BACK.some((name) => commands.has(name));
    showChoice();
    updatePage();
  },
});
/** @type {import("./command_queue.js").Send} */
const send = (name, values, button) => commands.send(name, values, button);
const misclickGuard = new MisclickGuard([...document.querySelectorAll("#accept-draw, #abort, [data-claim]")].map((one) => /** @type {HTMLElement} */ (one)));
const gameActions = new GameActions({ currentState, send, back: navigation.returnToCurrent, misclickGuard, statusBar });
const claims = new Claims({ currentState, send, misclickGuard, statusBar, now: () => live.now });
const movePreviews = new MovePreviews();
const coach = new CoachSwitch({ currentState, settled: () => playback.settled, rules: () => movePreviews.rules, tell: (text) => statusBar.coach(text) });
const premove = new Premove(board, {
  currentState, notice, play: (hole) => sow({ hole, version: state.version }), ahead: (now, hole) => movePreviews.previewAhead(now, hole),
});
const vacationLines = new VacationLines(() => live.now);
const phrases = document.getElementById("phrases") && new PresetPhrases({
  currentState, send: (phrase) => live.sendPhrase(phrase) || notice(gettext("The server does not answer. Try again.")), tell: (text) => statusBar.phrase(text),
});

/** The side of the hole that was chosen last. */
let chosenSide = state.turn;

/** Send a choice. @param {{hole: number, version: number}} choice */
function sow(choice) {
  chosenSide = state.turn;
  void send("move", { ...choice, ...gameActions.withMove });
}

/** Mark the hole that is chosen, from the first moment until its stones move, and say what is not sent yet. */
function showChoice() {
  const move = commands.find("move");
  board.chosen = move ? { side: chosenSide, hole: Number(move.values.hole), late: move.late } : null;
  statusBar.late(move?.late ? gettext("The move is not sent yet.") : commands.late ? gettext("Not sent yet.") : "");
}

/** Set the clocks, or the deadline of a slow game, and who is away in it. */
function updateTimes() {
  vacationLines.show(state);
  if (!isSlow(state)) {
    // The clocks of a delayed game do not run for spectators.
    clocks.set(state.clock, state.delay && !state.you ? 0 : live.now - state.now);
    return;
  }
  const running = isOver(state) || !state.begun ? null : state.due;
  deadline.show([seats.clock(state.turn), seats.clock(otherSide(state.turn))], byId("due"), running);
}

let checkTimer = 0;
/** Ask the server soon if the engine's move does not arrive: a dead connection may go unnoticed. */
function expectMove() {
  clearTimeout(checkTimer);
  if (!isPlaying(state) || isBetweenPeople(state) || state.turn === state.you) return;
  checkTimer = setTimeout(() => {
    void live.check();
    expectMove();
  }, 4000);
}

/** Handle an event from the server. @param {GameEvent} event */
function receiveEvent(event) {
  const next = applyEvent(state, event);
  if (!next) {
    void live.check();
    return;
  }
  advance(next, event.kind === "move" ? event.trace : null);
  if (event.trace) countFirstCapture(state, event.trace);
  gameActions.announce(event, state);
  if (event.kind === "vacation") vacationLines.announce(state, event);
  if (event.kind === "rematch" && event.game && state.you) location.assign(`/games/${event.game}`);
}

/** The server sends the whole state: on joining, after a gap, and on request. @param {GameState} next */
function replaceState(next) {
  if (next.version !== state.version) {
    advance(next);
    return;
  }
  // Only parts without a version can differ; the board keeps its state object.
  const { seats: sitting, viewers, clock, now, due } = next;
  Object.assign(state, { seats: sitting, viewers, clock, now, due });
  updateTimes();
  updatePage();
}

/** @param {import("../game/message_types.js").Presence} message */
function receivePresence(message) {
  const { seats: sitting, viewers } = applyPresence(state, message);
  Object.assign(state, { seats: sitting, viewers });
  updatePage();
}

/** Go on to another state. @param {GameState} next @param {Trace|null} [trace] of the ply that leads there */
function advance(next, trace) {
  state = next;
  movePreviews.fill(state);
  engineReply?.follow(state);
  storeRecentGame(state);
  hintButton.removeHint();
  updateTimes();
  expectMove();
  playback.advance(state, trace ?? null);
  premove.update();
}

/**
 * Announce a ply that is shown, or one that is played while the visitor looks back.
 * @param {import("./playback.js").Sowing} sown
 */
function announceSowing({ trace, state: after }) {
  const words = [moveText(trace, after)];
  if (playback.shownPly !== null) words.push(gettext("You are looking at an earlier position."));
  say(words.join(". "));
}

/** How a game ended for the viewer; for watchers, somebody has won. @param {GameState} over @returns {"won"|"lost"|"drawn"} */
function endingFor(over) {
  const winner = over.outcome?.winner;
  const own = ownSide(over);
  if (!winner) return "drawn";
  return own && winner !== own ? "lost" : "won";
}

/** The parts of a state that announcements depend on. @param {GameState} now */
const announcementOf = (now) => ({ turn: now.begun ? now.turn : null, plies: now.moves.length, over: isOver(now) });
/** The parts announced last. */
let announced = announcementOf(state);
/** Handle another state on the board; once all stones rest, announce whose turn it is or how the game ended. */
function positionShown() {
  if (state.shared && turningBox.checked && playback.shownPly === null && !isOver(playback.settled)) navigation.turnTo(playback.settled.turn);
  updatePage();
  const now = playback.settled;
  if (now !== playback.newest) return;
  coach.shown(now);
  const before = announced;
  announced = announcementOf(now);
  if (announced.over) {
    if (!before.over && soundBox.checked && now.outcome) playEnd(endingFor(now));
    if (!before.over) say(now.outcome ? `${outcomeHeadline(now)}: ${resultText(now)}, ${terminationText(now)}` : outcomeHeadline(now));
  } else if (announced.turn && announced.turn === ownSide(now)) {
    if (before.turn === announced.turn && before.plies === announced.plies) return;
    say(gettext("Your turn."));
    if (before.turn !== announced.turn) turnAlerts.alert();
  }
}

/** What the page has told of so far: the end of the game, and the invitation of somebody else. */
const told = { over: false, invitation: "" };

/** Tell of somebody else's invitation, which the page keeps unseen while a game is played. */
function tellInvitation() {
  const link = document.querySelector('[data-waiting-part="invited"] a');
  const address = link?.getAttribute("href") ?? "";
  const words = [...(link?.children ?? [])].map(({ textContent }) => textContent?.trim()).join(": ");
  if (address !== told.invitation) statusBar.challenge(words, address);
  told.invitation = address;
}

/** Update everything except the board. */
function updatePage() {
  const { shownPly, settled } = playback;
  const over = isOver(settled);
  moveList.show(settled.moves, shownPly);
  moveLine.show(settled.moves, shownPly);
  graph?.mark(shownPly);
  seats.show(settled);
  byId("actions").hidden = false;
  gameActions.show(settled);
  claims.show();
  phrases?.show();
  navigation.show();
  hintButton.show(!commands.has("move") && shownPly === null && state === settled && state.turn === state.you && !over);
  byId("analyse").hidden = !over;
  turnAlerts.show(settled);
  endSheet.show(settled, shownPly !== null);
  byId("new").hidden = over;
  if (over && !graphAsked) {
    graphAsked = true;
    void showGraph(byId("graph"), state, (ply) => void navigation.showPly(ply)).then((made) => {
      graph = made;
      graph?.mark(playback.shownPly);
    });
  }
  if (over && !told.over) {
    statusBar.over();
    void finishLesson(state);
  }
  told.over = over;
  if (over) showRatings(byId("new-ratings"), state);
  misclickGuard.update();
  byId("graph").hidden = !over || !graph;
}

document.addEventListener("waiting", () => {
  tellInvitation();
  updatePage();
});

board.addEventListener("refuse", (event) => {
  say(/** @type {CustomEvent} */ (event).detail.text);
  if (playback.shownPly === null) return;
  const { classList } = byId("back");
  classList.remove("pointed");
  void byId("back").offsetWidth;
  classList.add("pointed");
});

board.addEventListener("sow", (event) => {
  hintButton.removeHint();
  sow(/** @type {CustomEvent} */ (event).detail);
});

bindSelect("speed", "normal", (speed) => { playback.speed = /** @type {import("../board/sowing_timeline.js").Speed} */ (speed); });
const soundBox = bindCheckbox("sound", true);
if (document.getElementById(HOLE_NAMES)) bindCheckbox(HOLE_NAMES, false, () => board.nameHoles());
board.onStone = () => soundBox.checked && playDrop();
board.onStep = (/** @type {"lift"|"capture"|"tuz"} */ what) => soundBox.checked && { lift: playLift, capture: playCapture, tuz: playTuz }[what]();
const chimeBox = bindCheckbox("chime", alertsByDefault(state));
const vibrationBox = bindCheckbox("vibration", alertsByDefault(state));
const turnAlerts = new TurnAlerts({ sound: () => chimeBox.checked, vibration: () => vibrationBox.checked });
bindCheckbox("premove", false, (on) => { premove.on = on; });
bindSelect("premove-if", "same", (value) => { premove.always = value === "legal"; });

await yieldToBrowser();
playback.showFirst();
const turningBox = bindCheckbox("turning", true, (on) => {
  if (state.shared && !isOver(state)) navigation.turnTo(on ? state.turn : "white");
});
showSettings(state);

/** Let this device think for the engine if it can; otherwise the server does. */
async function offerThinking() {
  try {
    const { DeviceEngineReply } = await import("./device_engine_reply.js");
    engineReply = await DeviceEngineReply.open(live, currentState);
  } catch {
    // Old browsers, and pages whose policy or memory does not allow the engine.
  }
}

await yieldToBrowser();
live.begin();
storeRecentGame(state);
board.teaching = Boolean(state.you) && isEarlyGame(state.id);
coach.bind(isLessonGame(state.id));
bindMenu(state, notice);
updateTimes();
updatePage();
tellInvitation();
enableControls();
for (const tool of document.querySelectorAll(".tools [inert]")) tool.removeAttribute("inert");
expectMove();
// What was tapped on the drawn board before this script came.
if (board.dataset.early && state.you) board.choose(state.you, Number(board.dataset.early));
delete board.dataset.early;
await yieldToBrowser();
if (isPlaying(state)) {
  void movePreviews.load(state, board.dataset.choices, () => {
    movePreviews.fill(state);
    board.expect(state);
  });
  // Only the server plays perfectly: devices do not have its solver.
  if (state.level !== null && !isPerfect(state.level)) void offerThinking();
}
