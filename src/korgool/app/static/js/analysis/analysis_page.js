/** The analysis board: a game with branches, the engine beside it, and a graph of how it went. */

import "../board/board_element.js";
import { yieldToBrowser, byId, disable, whenReleased, enableControls } from "../site/dom.js";
import { readSetting, storeSetting } from "../site/stored_settings.js";
import { playDrop } from "../site/sounds.js";
import { judgedMove, reasonsText } from "./move_reasons.js";
import { gettext, speakOf } from "../site/translations.js";
import { bookMoves, showBook } from "./opening_book.js";
import { HOLE_NAMES } from "../game/hole_names.js";
import { fetchBoard } from "./board_pictures.js";
import { bindKeys, bindSettings } from "./controls.js";
import { openEngine } from "./engine_provider.js";
import { bindTools } from "./analysis_tools.js";
import { isShown, onPaneShown, showPane } from "./page_layout.js";
import { MoveValues } from "./move_values.js";
import { PlayedMoves } from "./played_moves.js";
import { readLink, writeLink } from "./url_fragment.js";
import { EngineOpponent } from "./engine_opponent.js";
import { Annotations } from "./annotations.js";
import { BoardShapes } from "./board_shapes.js";
import { PositionEditor } from "./position_editor.js";
import { PasteImport } from "./paste_import.js";
import { bindPictures } from "./picture_download.js";
import { keptRecord, leaveNothing, leaveRecord, restoreLeft } from "./kept_record.js";
import { isPlain, treeOfRecord } from "./record_tree.js";
import { writeRecord } from "./record_writer.js";
import { treeSteps } from "./tree_steps.js";
import { openReview } from "./review_page.js";
import { askedPly, isReviewAddress, reviewedGame } from "./reviewed_game.js";
import { LocalRules, openRules, preloadRules } from "./rules_provider.js";
import { currentShown, updateShare } from "./copy_and_download.js";
import { lineArrows, showNotice, countOccurrences, problemText, boardState } from "./board_state.js";
import { EnginePanel } from "./engine_panel.js";
import { buildTree } from "./game_tree.js";
import { Threat } from "./threat.js";
import { TreeView } from "./game_tree_view.js";
import { showResult, showSeats, showMoveVerdict, announcePosition } from "./position_status.js";

/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./url_fragment.js").Link} Link */

/**
 * @type {{games: Record<string, number>, records: import("./record_parser.js").RecordFacts, books: Record<string, string>,
 *   reviewed?: import("../game/message_types.js").GameState, study?: import("../study/study_board.js").StudyFacts} & import("./url_fragment.js").Strengths}
 */
const settings = JSON.parse(byId("facts").textContent ?? "");
const games = Object.keys(settings.games);
const board = /** @type {import("../board/board_element.js").KorgoolBoard} */ (/** @type {unknown} */ (document.querySelector("korgool-board")));
board.free = true;

/** @type {LocalRules|import("./rules_provider.js").ServerRules} */ let rules;
/** @type {import("./game_tree.js").Tree} */ let tree;
/** The position that is shown. @type {Node} */ let current;
/** The start, if it is not the usual one. @type {string|null} */ let start = null;
/** @type {Side} */ let lowerSide = "white";
/** Names of White and Black, if a record gave them. @type {(string|null)[]} */ let players = [null, null];
/** Names of the players of a game that is reviewed. @type {(string|null)[]} */ let seated = [null, null];
/** True after a link that asks for a board without the engine, until the engine is switched on. */ let engineOff = false;
/** Whether the engine is off because a better move is sought. */ let engineHidden = false;
/** What refutes the move that led here, where the review shows it. @type {import("../board/move_arrows.js").Arrow[]} */ let refuting = [];
/** The study whose chapter is on the board, on its page. @type {import("../study/study_board.js").StudyBoard|null} */ let study = null;
/** Counts the games opened: requests for earlier ones are no longer wanted. */ let openings = 0;
/** The sowing that the board shows. */ let moving = Promise.resolve();
/** Resolves when everything beside the first board is in its place. */ let firstRefresh = Promise.resolve();

/** Moves in field notation; the server's engine brings them along. @param {Node} node @param {number[]} moves */
const texts = (node, moves) => (rules instanceof LocalRules ? rules.texts(node.snapshot, moves) : moves.map(String));

/** Whether a move is one to be found. @param {Node} node */
const isConcealed = (node) => study?.conceals(node) ?? false;
/** The main continuation that may be seen. @param {Node} node */
const nextOf = (node) => node.children.find((child) => !isConcealed(child));
const treeView = new TreeView(byId("tree"), (node) => showNode(node), isConcealed);
const enginePanel = new EnginePanel({
  game: () => rules.game, texts,
  pick: (moves) => threat.node || void playAll(current, moves, 1),
  // Two fit into the room that each line has.
  why: (node, lines, at) => reasonsText(rules.explain(node.snapshot, lines, at), rules.game, 2),
  lines: (node, report) => {
    if (editor.active) return;
    const wanted = /** @type {HTMLInputElement} */ (byId("arrows")).checked && !opponent.waiting;
    const most = Number(/** @type {HTMLSelectElement} */ (byId("arrow-count")).value);
    if (node === threat.node) board.arrows = report ? lineArrows(node.snapshot, report.lines.slice(0, 1), "threat") : [];
    else if (node === current) board.arrows = refuting.length ? refuting : wanted && report ? lineArrows(node.snapshot, report.lines.slice(0, most)) : [];
  },
  found: (node, report) => node !== threat.node && review.see(node, report),
  beside: (node) => node === threat.node,
  reported: (node) => node === current && moveValues.show(),
});
const moveValues = new MoveValues({
  game: () => rules.game, current: () => current, on: () => enginePanel.on, report: (node) => enginePanel.reportOf(node),
  texts, pick: (hole) => void play(hole),
});
const played = new PlayedMoves({ game: () => rules.game, facts: settings.records, current: () => current, texts, pick: (hole) => void play(hole) });
const threat = new Threat({
  rules: () => rules, current: () => current,
  show: (node) => {
    if (node && !enginePanel.on) engineOn(true);
    enginePanel.showNode(node ?? current);
  },
});
const review = openReview({
  game: () => rules.game, rules: () => rules, current: () => current, texts,
  judged: async () => {
    await whenReleased();
    treeView.show(tree, current, !isGameRunning());
    void showVerdict();
  },
  // One thread: the position on the board has priority.
  open: () => openEngine(rules.game, { tableMiB: 8, threads: 1 }),
  show: (node, how) => showNode(node, how),
  sown: () => moving,
  arrows: (arrows) => { board.arrows = arrows; },
  hide: hideEngine,
  branched: () => refresh(),
});

const opponent = new EngineOpponent({
  current: () => current,
  choose: (node, level) => enginePanel.choose(node, level),
  stop: () => enginePanel.stop(),
  play: async (hole, wanted) => {
    await moving;
    await whenReleased();
    if (wanted()) await play(hole, false);
  },
  changed: () => {
    showSeats(lowerSide, boardState(rules.game, current), players, opponent);
    if (!opponent.waiting) enginePanel.showNode(threat.node ?? current);
    storeAddress();
  },
  chosen: () => {
    engineOn(engineWanted());
    refresh();
  },
}, settings.perfect, settings.ratings);

/** The names of White and Black in the tags of a record. @param {Record<string, string|undefined>} tags */
const playersIn = ({ White, Black }) => [White ?? null, Black ?? null];
const annotations = new Annotations({
  changed: () => {
    players = playersIn(tree.tags).map((name, at) => name ?? seated[at]);
    refresh();
  },
  derived: settings.records.tags.derived,
});

const shapes = new BoardShapes(board, () => lowerSide, () => refresh());
const editor = new PositionEditor(board, {
  rules: () => rules,
  done: (position) => {
    if (position === null) {
      showNode(current, { quiet: true });
      return;
    }
    openOther({ game: rules.game, position, lines: [{ before: [], moves: [] }] });
  },
});

/** Hide what the engine would play, or show it again. @param {boolean} hidden */
function hideEngine(hidden) {
  engineHidden = hidden;
  engineOn(!hidden && engineWanted());
  enginePanel.showNode(threat.node ?? current);
}

/** Return whether the shown line is a game against the engine that goes on: its moves are not judged. */
function isGameRunning() {
  let last = current;
  while (last.children.length) last = last.children[0];
  return opponent.level > 0 && !last.snapshot.outcome;
}

/** Return whether the visitor wants the engine beside the board. */
const engineWanted = () => !engineOff && !opponent.level && readSetting("engine-on", "on") === "on";

/** Switch the engine for now, without changing the visitor's setting. @param {boolean} on */
function engineOn(on) {
  enginePanel.on = /** @type {HTMLInputElement} */ (byId("engine-on")).checked = on;
  byId("engine-toggle").setAttribute("aria-pressed", String(on));
}

/**
 * Open a game in place of the current one; nothing changes if it cannot be played.
 * @param {Pick<Link, "game"|"position"|"lines"> & Partial<Link> & {names?: (string|null)[], ended?: string[], own?: Side|null}} request
 *   names of the players, how it ended, and the reader's side of a game that is reviewed
 * @param {import("./record_parser.js").ParsedGame|null|ReturnType<typeof keptRecord>} [kept] what is opened with all that
 *   stands in it, in place of lines
 * @returns {Promise<boolean>} false if another game was opened in the meantime
 */
async function openGame(request, kept = null) {
  openings += 1;
  const opening = openings;
  const record = await kept;
  const [next] = await Promise.all([rules?.game === request.game ? rules : openRules(request.game), fetchBoard(request.game)]);
  const nextTree = record ? await treeOfRecord(next, record) : await buildTree(next, request.position, request.lines);
  if (!current) {
    // A cheap phone computes what the holes would do, and draws the first board after that.
    void nextTree.root.snapshot.previews;
    await yieldToBrowser();
  }
  if (opening !== openings) return false;
  editor.leave();
  opponent.cancel();
  speakOf(next.game);
  if (next.game !== rules?.game) {
    enginePanel.reset();
    review.reset();
  }
  seated = request.names ?? [null, null];
  [rules, tree, start, players] = [next, nextTree, request.position === null ? null : nextTree.root.snapshot.position, playersIn(nextTree.tags).map((name, at) => name ?? seated[at])];
  /** @type {HTMLSelectElement} */ (byId("game")).value = rules.game;
  flip(request.below ?? lowerSide);
  opponent.allow(rules.game);
  if (request.opponent) opponent.set(request.opponent);
  // During a game the engine's lines are off unless the visitor asks for them.
  engineOff = Boolean(request.quiet);
  review.opened(players, request.ended ?? [], request.own ?? null);
  engineOn(engineWanted());
  const line = tree.line;
  const shown = request.at ? tree.find(request.at) : line[Math.min(request.ply ?? line.length - 1, line.length - 1)];
  showNode(shown, { quiet: true });
  if (!shown.children.length) opponent.answer();
  return true;
}

/** Open another start in place of what is shown, or as a new chapter of one's study. @param {Parameters<typeof openGame>[0]} request */
function openOther(request) {
  if (!study?.own) pushHistory();
  return reportFailure(study?.own ? study.add(request) : openGame(request));
}

/** Open something, and report the error if that fails. @param {Promise<unknown>} work */
async function reportFailure(work) {
  try {
    await work;
    return true;
  } catch (error) {
    showNotice(problemText(error), true);
    return false;
  }
}

/** Show a node. @param {Node} node @param {{sown?: boolean, quiet?: boolean}} [how] */
function showNode(node, { sown = false, quiet = false } = {}) {
  editor.leave();
  const before = current;
  current = node;
  threat.end();
  if (node !== before && !sown) opponent.cancel();
  const state = boardState(rules.game, node);
  board.finishAnimation();
  board.expect(state);
  board.arrows = [];
  if (sown && state.last) moving = board.sow(state.last, state);
  else if (before && node.parent === before && state.last && !quiet) void board.sow(state.last, state);
  else board.show(state);
  shapes.show(node);
  if (!quiet) announcePosition(node, state, sown);
  // A cheap phone draws the first board for a while; what is beside it can wait for that.
  if (before) refresh();
  else firstRefresh = yieldToBrowser().then(refresh);
}

/** Update everything except the board. */
function refresh() {
  const judged = !isGameRunning();
  treeView.show(tree, current, judged);
  // A reviewed game tells its result in the review.
  if (!review.tellsResult) showResult(byId("outcome"), boardState(rules.game, current));
  const times = countOccurrences(current);
  byId("repeated").hidden = times < 3 || Boolean(current.snapshot.outcome);
  byId("repeated").textContent = gettext("This position has occurred %(n)s times.", { n: times });
  const { parent } = current;
  for (const id of ["first", "previous"]) disable(id, !parent);
  for (const id of ["next", "last"]) disable(id, !nextOf(current));
  // A move that is only tried is no part of the game.
  disable("promote", current.main || !current.attached);
  disable("delete", !parent || !current.attached);
  review.shown(current);
  opponent.changed();
  review.follow(tree, !study?.conceals() && (enginePanel.on || engineHidden || (!engineOff && (isReviewAddress() || isShown("review")))), !judged);
  void showVerdict();
  if (isShown("book") || !enginePanel.on) void showBook(enginePanel.on ? settings.books[rules.game] : undefined, current, texts, (hole) => void play(hole), () => current);
  played.show();
  annotations.show(tree, current);
  shapes.show(current);
  updateShare({ tree, current, ...recordOf() }, () => new URL(currentLink(), location.href).href);
  study?.shown(current);
}

/** Comments on the move that led here, and on the book if it plays another one. */
async function showVerdict() {
  const node = current;
  const why = judgedMove(rules, node);
  refuting = isGameRunning() || engineHidden || !isShown("review") ? [] : why.arrows;
  if (refuting.length) board.arrows = refuting;
  /** @param {string|null} book */
  const show = (book) => showMoveVerdict(node, !isGameRunning(), () => node.parent && void showBetterMove(node.parent), book, why);
  show(null);
  if (!node.judged || !node.parent) return;
  const [first] = await bookMoves(settings.books[rules.game], node.parent.snapshot);
  await whenReleased();
  if (first && node === current && first.move !== node.parent.seen?.best) show(texts(node.parent, [first.move])[0]);
}

/** Show what was better than the move that led here. @param {Node} before */
async function showBetterMove(before) {
  if (before.seen) await playAll(before, before.seen.pv.slice(0, 9), 1);
}

/** Sow a hole of the position that is shown. @param {number} hole @param {boolean} [own] whether a person did */
async function play(hole, own = true) {
  const node = current;
  if (own && (review.answer(hole) || study?.answer(hole))) return;
  if (!node.snapshot.legal.includes(hole)) return;
  try {
    const snapshot = node.child(hole)?.snapshot ?? (await rules.follow(node.snapshot, hole));
    if (current !== node) return;
    showNotice("");
    showNode(tree.add(node, snapshot), { sown: true });
    if (own) opponent.answer();
  } catch (error) {
    showNotice(problemText(error), true);
  }
}

/** Add moves after a node and show the one that is asked for. @param {Node} from @param {number[]} moves @param {number} [show] */
async function playAll(from, moves, show = moves.length) {
  const opening = openings;
  const path = [from];
  try {
    for (const hole of moves) {
      const at = path[path.length - 1];
      const snapshot = at.child(hole)?.snapshot ?? (await rules.follow(at.snapshot, hole));
      if (opening !== openings) return;
      path.push(tree.add(at, snapshot));
    }
  } catch (error) {
    showNotice(problemText(error), true);
  }
  if (from === current && moves.length === 1) {
    showNode(path[path.length - 1], { sown: true });
    opponent.answer();
  } else showNode(from === current ? path[path.length - 1] : path[Math.min(show, path.length - 1)]);
}

/** The address of the shown node. */
const currentLink = () => study?.link(current) ?? writeLink(rules.game, tree, current, start, lowerSide, opponent, engineOff);
let saveTimer = 0;
/** Store the shown node in the address; browsers allow only a few such changes a second. */
function storeAddress() {
  clearTimeout(saveTimer);
  saveTimer = setTimeout(() => history.replaceState(savedRecord(), "", currentLink()), 150);
}

/** What a record of the tree is written with. */
const recordOf = () => ({ game: rules.game, start, facts: settings.records });

/** What the browser keeps beside the address: the record, where the address cannot hold all of it. */
const savedRecord = () => (study || isPlain(tree) ? null : { record: writeRecord(tree, tree.line, recordOf(), "pgn") });

/**
 * Add to the browser's history, so that going back leads to what was shown before.
 * @param {string} [left] the link to that
 * @param {ReturnType<typeof savedRecord>} [kept] its record
 */
function pushHistory(left = currentLink(), kept = savedRecord()) {
  clearTimeout(saveTimer);
  history.replaceState(kept, "", left);
  history.pushState(null, "", left);
  storeAddress();
}

/** @param {Side} side */
function flip(side) {
  lowerSide = side;
  board.below = side;
  /** @type {HTMLElement} */ (board.closest(".field")).dataset.below = side;
}

async function openAddress() {
  if (study) {
    await reportFailure(study.openAddress());
    if (tree) return;
  }
  if (!tree) restoreLeft();
  /** @type {Link|null} */
  let request = null;
  try {
    request = readLink(location.hash, games, settings);
  } catch (error) {
    const text = error instanceof Error ? error.message : "";
    showNotice(gettext("The link cannot be read: “%(text)s”", { text: text.slice(0, 40) }), true);
  }
  const reviewed = reviewedGame(settings.reviewed);
  if (reviewed) {
    const { game, position, moves, below, own, names, ended, quiet } = reviewed;
    const known = { game, position, lines: [{ before: [], moves }], below, own, names, ended, quiet, ply: askedPly(location.hash) };
    // An address that was stored here has more: branches, and the position that was shown.
    const same = request?.game === game && moves.every((hole, at) => request.lines[0].moves[at] === hole);
    review.seek(location.hash);
    if (!quiet) showPane("review");
    if (!request || same) {
      await reportFailure(same && request ? openGame({ ...request, own, names, ended, quiet }, keptRecord(request.game, settings.records)) : openGame(known));
      return;
    }
  } else if (isReviewAddress() && !request) showNotice(gettext("This device does not have the game, and the server does not answer."), true);
  if (request && (await reportFailure(openGame(request, keptRecord(request.game, settings.records))))) return;
  const game = request?.game ?? readSetting("analysis.game", games[0]);
  const startPosition = { game: games.includes(game) ? game : games[0], position: null, lines: [{ before: [], moves: [] }] };
  if (tree || (await reportFailure(openGame(startPosition)))) return;
  // Without a network the board that has come with the page remains.
  await reportFailure(openGame({ ...startPosition, game: board.dataset.game ?? games[0] }));
}

/** @param {string} id @param {() => void} act */
const click = (id, act) => byId(id).addEventListener("click", () => byId(id).getAttribute("aria-disabled") === "true" || act());
const steps = {
  ...treeSteps({ root: () => tree.root, current: () => current, next: nextOf, show: (node) => showNode(node) }),
  flip: () => {
    flip(lowerSide === "white" ? "black" : "white");
    showNode(current, { quiet: true });
  },
  play: (/** @type {KeyboardEvent} */ event) => board.digit(event),
};
for (const id of /** @type {const} */ (["first", "previous", "next", "last", "flip"])) click(id, steps[id]);
click("promote", () => {
  tree.promote(current);
  refresh();
});
click("delete", () => showNode(tree.remove(current)));
click("new", () => {
  /** @type {HTMLDialogElement} */ (byId("set-up-sheet")).close();
  void openOther({ game: rules.game, position: null, lines: [{ before: [], moves: [] }] });
});
bindPictures(currentShown, () => lowerSide);
void new PasteImport({
  game: () => rules.game,
  facts: settings.records,
  open: async (found) => {
    const [linkBefore, kept] = [currentLink(), savedRecord()];
    if (study?.own) await study.add({ ...found, lines: [] }, found);
    else if (await openGame({ ...found, lines: [], ply: 0 }, found)) pushHistory(linkBefore, kept);
  },
});
board.addEventListener("sow", (event) => void play(/** @type {CustomEvent} */ (event).detail.hole));
byId("game").addEventListener("change", () => {
  const choice = /** @type {HTMLSelectElement} */ (byId("game"));
  const game = choice.value;
  storeSetting("analysis.game", game);
  void openOther({ game, position: null, lines: [{ before: [], moves: [] }] }).then((opened) => opened || (choice.value = rules.game));
});
addEventListener("pagehide", () => (study || !tree ? leaveNothing() : leaveRecord(currentLink(), savedRecord())));
for (const name of ["hashchange", "popstate"]) {
  addEventListener(name, () => {
    if (tree && location.hash !== currentLink()) void openAddress();
  });
}

bindSettings({
  "engine-on": (value) => {
    engineOn(value === "on");
    engineOff &&= !enginePanel.on;
  },
  "line-count": (value) => { enginePanel.wanted = Number(value); },
  arrows: () => {},
  "arrow-count": () => {},
  threads: (value) => {
    if (enginePanel.threads === Number(value)) return;
    enginePanel.threads = Number(value);
    enginePanel.reset();
  },
  speed: (value) => { board.speed = /** @type {import("../board/sowing_timeline.js").Speed} */ (value); },
  sound: (value) => { board.onStone = () => value === "on" && playDrop(); },
  ...(document.getElementById(HOLE_NAMES) ? { [HOLE_NAMES]: () => board.nameHoles() } : {}),
}, () => tree && refresh());

onPaneShown((name) => tree && (name === "review" || name === "book" || refuting.length) && refresh());
if (settings.study) {
  const { StudyBoard } = await import("../study/study_board.js");
  study = new StudyBoard(settings.study, {
    open: openGame, show: showNode, rules: () => rules, tree: () => tree, current: () => current, sown: () => moving, refresh,
    text: () => writeRecord(tree, tree.line, recordOf(), "pgn") ?? "", hide: hideEngine, facts: settings.records, games,
  });
}
await openAddress();
bindKeys(steps, { ...study?.keys, ...bindTools({
  click, board, editor, threat, enginePanel,
  rules: () => rules, current: () => current,
  play: (hole) => void play(hole),
  edit: () => opponent.cancel(),
  hidden: () => engineHidden,
}) });
await firstRefresh;
enableControls();
void preloadRules(games);
