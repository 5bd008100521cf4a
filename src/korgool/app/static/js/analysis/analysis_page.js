/** The analysis board: a game with branches, the engine beside it, and a graph of how it went. */

import "../board/board_element.js";
import { breath, byId, disable, idle, released, wake } from "../site/dom.js";
import { recall, remember } from "../site/stored_settings.js";
import { knock } from "../site/sounds.js";
import { whySentence, whyText } from "./move_reasons.js";
import { gettext } from "../site/translations.js";
import { bookMoves, showBook } from "./opening_book.js";
import { wireKeys, wireSettings } from "./controls.js";
import { openEngine } from "./engine_provider.js";
import { readLink, writeLink } from "./url_fragment.js";
import { Opponent } from "./engine_opponent.js";
import { paste } from "./paste_import.js";
import { Review } from "./game_review.js";
import { LocalRules, openRules } from "./rules_provider.js";
import { showShare } from "./copy_and_download.js";
import { arrowsOf, notice, occurrences, problem, stateOf } from "./board_state.js";
import { Thinking } from "./engine_panel.js";
import { grow } from "./game_tree.js";
import { TreeView } from "./game_tree_view.js";
import { showOver, showStrips, showVerdict, speak } from "./position_status.js";

/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./url_fragment.js").Link} Link */

/**
 * @type {{games: Record<string, number>, titles: Record<string, string>, goals: Record<string, number>,
 *   marks: import("./game_review.js").Threshold[], books: Record<string, string>} & import("./url_fragment.js").Strengths}
 */
const facts = JSON.parse(byId("facts").textContent ?? "");
const games = Object.keys(facts.games);
const board = /** @type {import("../board/board_element.js").KorgoolBoard} */ (/** @type {unknown} */ (document.querySelector("korgool-board")));
board.free = true;

/** @type {LocalRules|import("./rules_provider.js").ServerRules} */ let rules;
/** @type {import("./game_tree.js").Tree} */ let tree;
/** The position that is shown. @type {Node} */ let current;
/** The start, if it is not the usual one. @type {string|null} */ let start = null;
/** @type {Side} */ let below = "white";
/** Names of White and Black, if a record gave them. @type {(string|null)[]} */ let players = [null, null];
/** Whether a link asked for a board without the engine, and it has not been switched on since. */ let quiet = false;
/** Counts the games opened: requests for earlier ones are no longer wanted. */ let opened = 0;
/** The sowing that the board shows. */ let moving = Promise.resolve();
/** What is beside the first board has taken its place. */ let placed = Promise.resolve();

/** Moves in field notation; the server's engine brings them along. @param {Node} node @param {number[]} moves */
const texts = (node, moves) => (rules instanceof LocalRules ? rules.texts(node.snapshot, moves) : moves.map(String));

const view = new TreeView(byId("tree"), (node) => go(node));
const thinking = new Thinking({
  game: () => rules.game, texts,
  pick: (moves) => void playAll(current, moves, 1),
  // Two fit into the room that each line has.
  why: (node, lines, at) => whyText(rules.explain(node.snapshot, lines, at), rules.game, 2),
  lines: (node, report) => {
    const wanted = /** @type {HTMLInputElement} */ (byId("arrows")).checked && !opponent.waiting;
    if (node === current) board.arrows = wanted && report ? arrowsOf(node.snapshot, report.lines) : [];
  },
  found: (node, report) => review.see(node, report),
});
const review = new Review(byId("graph"), facts.marks, {
  pick: (ply) => go(tree.line[Math.min(ply, tree.line.length - 1)]),
  judged: async () => {
    await released();
    view.show(tree, current, !going());
    void verdict();
  },
  // One thread: the position on the board has priority.
  open: () => openEngine(rules.game, { tableMiB: 8, threads: 1 }),
  goal: () => facts.goals[rules.game] ?? 0,
  texts,
});
const opponent = new Opponent({
  current: () => current,
  choose: (node, level) => thinking.choose(node, level),
  stop: () => thinking.stop(),
  play: async (hole, wanted) => {
    await moving;
    await released();
    if (wanted()) await play(hole, false);
  },
  changed: () => {
    showStrips(below, stateOf(rules.game, current), players, opponent);
    if (!opponent.waiting) thinking.look(current);
    remembered();
  },
  chosen: () => {
    engineOn(!opponent.level && recall("engine-on", "on") === "on");
    refresh();
  },
}, facts.perfect, facts.ratings);

/** Whether a game against the engine is still on in the shown line: then none of its moves is judged. */
function going() {
  let last = current;
  while (last.children.length) last = last.children[0];
  return opponent.level > 0 && !last.snapshot.outcome;
}

/** Switch the engine for now, without changing the visitor's setting. @param {boolean} on */
function engineOn(on) {
  thinking.on = /** @type {HTMLInputElement} */ (byId("engine-on")).checked = on;
}

/**
 * Open a game in place of the current one; nothing changes if it cannot be played.
 * @param {Pick<Link, "game"|"position"|"lines"> & Partial<Link>} told
 * @param {(string|null)[]} [names] of the players
 */
async function open(told, names = [null, null]) {
  opened += 1;
  const mine = opened;
  const next = rules?.game === told.game ? rules : await openRules(told.game);
  const grown = await grow(next, told.position, told.lines);
  if (!current) {
    // A cheap phone computes what the holes would do, and draws the first board after that.
    void grown.root.snapshot.previews;
    await breath();
  }
  if (mine !== opened) return;
  opponent.cancel();
  if (next.game !== rules?.game) {
    thinking.forget();
    review.forget();
  }
  [rules, tree, start, players] = [next, grown, told.position === null ? null : grown.root.snapshot.position, names];
  /** @type {HTMLSelectElement} */ (byId("game")).value = rules.game;
  flip(told.below ?? below);
  opponent.allow(rules.game);
  if (told.opponent) opponent.set(told.opponent);
  // During a game the engine's lines are off unless the visitor asks for them.
  quiet = Boolean(told.quiet);
  engineOn(!quiet && !opponent.level && recall("engine-on", "on") === "on");
  const line = tree.line;
  const shown = told.at ? tree.find(told.at) : line[Math.min(told.ply ?? line.length - 1, line.length - 1)];
  go(shown, { quiet: true });
  if (!shown.children.length) opponent.answer();
}

/** Open something, and report the error if that fails. @param {Promise<void>} work */
async function tried(work) {
  try {
    await work;
    return true;
  } catch (error) {
    notice(problem(error), true);
    return false;
  }
}

/** Show a node. @param {Node} node @param {{sown?: boolean, quiet?: boolean}} [how] */
function go(node, { sown = false, quiet = false } = {}) {
  const before = current;
  current = node;
  if (node !== before && !sown) opponent.cancel();
  const state = stateOf(rules.game, node);
  board.settle();
  board.expect(state);
  board.arrows = [];
  if (sown && state.last) moving = board.sow(state.last, state);
  else if (before && node.parent === before && state.last && !quiet) void board.sow(state.last, state);
  else board.show(state);
  if (!quiet) speak(node, state, sown);
  // A cheap phone draws the first board for a while; what is beside it can wait for that.
  if (before) refresh();
  else placed = breath().then(refresh);
}

/** Update everything except the board. */
function refresh() {
  const judged = !going();
  view.show(tree, current, judged);
  showOver(byId("outcome"), stateOf(rules.game, current));
  const times = occurrences(current);
  byId("repeated").hidden = times < 3 || Boolean(current.snapshot.outcome);
  byId("repeated").textContent = gettext("This position has occurred %(n)s times.", { n: times });
  const { parent, children } = current;
  for (const id of ["first", "previous"]) disable(id, !parent);
  for (const id of ["next", "last"]) disable(id, !children.length);
  disable("promote", current.main);
  disable("delete", !parent);
  opponent.changed();
  review.follow(tree, thinking.on, !judged);
  review.mark(current.main ? current.ply : null);
  void verdict();
  void showBook(thinking.on ? facts.books[rules.game] : undefined, current, texts, (hole) => void play(hole), () => current);
  showShare(current, () => new URL(link(), location.href).href);
}

/** Comments on the move that led here, and on the book if it plays another one. */
async function verdict() {
  const node = current;
  const seen = node.judged && node.parent?.seen;
  const why = seen && node.parent ? rules.compare(node.parent.snapshot, node.hole, seen.pv) : { against: [], instead: [] };
  const told = { against: whySentence(why.against, rules.game), instead: whySentence(why.instead, rules.game) };
  /** @param {string|null} book */
  const show = (book) => showVerdict(node, !going(), () => node.parent && void better(node.parent), book, told);
  show(null);
  if (!node.judged || !node.parent) return;
  const [first] = await bookMoves(facts.books[rules.game], node.parent.snapshot);
  await released();
  if (first && node === current && first.move !== node.parent.seen?.best) show(texts(node.parent, [first.move])[0]);
}

/** Show what was better than the move that led here. @param {Node} before */
async function better(before) {
  if (before.seen) await playAll(before, before.seen.pv.slice(0, 9), 1);
}

/** Sow a hole of the position that is shown. @param {number} hole @param {boolean} [own] whether a person did */
async function play(hole, own = true) {
  const node = current;
  if (!node.snapshot.legal.includes(hole)) return;
  try {
    const snapshot = node.child(hole)?.snapshot ?? (await rules.follow(node.snapshot, hole));
    if (current !== node) return;
    notice("");
    go(tree.add(node, snapshot), { sown: true });
    if (own) opponent.answer();
  } catch (error) {
    notice(problem(error), true);
  }
}

/** Add moves after a node and show the one that is asked for. @param {Node} from @param {number[]} moves @param {number} [show] */
async function playAll(from, moves, show = moves.length) {
  const mine = opened;
  const way = [from];
  try {
    for (const hole of moves) {
      const at = way[way.length - 1];
      const snapshot = at.child(hole)?.snapshot ?? (await rules.follow(at.snapshot, hole));
      if (mine !== opened) return;
      way.push(tree.add(at, snapshot));
    }
  } catch (error) {
    notice(problem(error), true);
  }
  if (from === current && moves.length === 1) {
    go(way[way.length - 1], { sown: true });
    opponent.answer();
  } else go(from === current ? way[way.length - 1] : way[Math.min(show, way.length - 1)]);
}

/** The address of what is shown. */
const link = () => writeLink(rules.game, tree, current, start, below, opponent, quiet);
let saving = 0;
/** Store what is shown in the address; browsers allow only a few such changes a second. */
function remembered() {
  clearTimeout(saving);
  saving = setTimeout(() => history.replaceState(null, "", link()), 150);
}

/**
 * Add to the browser's history, so that going back leads to what was shown before.
 * @param {string} [left] the link to that
 */
function leave(left = link()) {
  clearTimeout(saving);
  history.replaceState(null, "", left);
  history.pushState(null, "", left);
  remembered();
}

/** @param {Side} side */
function flip(side) {
  below = side;
  board.below = side;
}

async function fromAddress() {
  /** @type {Link|null} */
  let told = null;
  try {
    told = readLink(location.hash, games, facts);
  } catch (error) {
    const text = error instanceof Error ? error.message : "";
    notice(gettext("The link cannot be read: “%(text)s”", { text: text.slice(0, 40) }), true);
  }
  if (told && (await tried(open(told)))) return;
  const game = told?.game ?? recall("analysis.game", games[0]);
  const usual = { game: games.includes(game) ? game : games[0], position: null, lines: [{ before: [], moves: [] }] };
  if (!tree) await tried(open(usual));
}

/** @param {string} id @param {() => void} act */
const click = (id, act) => byId(id).addEventListener("click", () => byId(id).getAttribute("aria-disabled") === "true" || act());
const steps = {
  first: () => go(tree.root),
  previous: () => current.parent && go(current.parent),
  next: () => current.children[0] && go(current.children[0]),
  last: () => {
    let node = current;
    while (node.children.length) node = node.children[0];
    go(node);
  },
  /** The branch before or after this one. @param {number} by */
  branch: (by) => {
    const among = current.parent?.children ?? [];
    const other = among[among.indexOf(current) + by];
    if (other) go(other);
  },
  flip: () => {
    flip(below === "white" ? "black" : "white");
    go(current, { quiet: true });
  },
  play: (/** @type {KeyboardEvent} */ event) => board.digit(event),
};
for (const id of /** @type {const} */ (["first", "previous", "next", "last", "flip"])) click(id, steps[id]);
click("promote", () => {
  tree.promote(current);
  refresh();
});
click("delete", () => go(tree.remove(current)));
click("new", () => {
  leave();
  void tried(open({ game: rules.game, position: null, lines: [{ before: [], moves: [] }] }));
});
click("read", () => void paste(rules.game, facts.titles, async (found) => {
  const kept = link();
  await open({ ...found, lines: [{ before: [], moves: found.moves }], ply: 0 }, found.players);
  leave(kept);
}));
board.addEventListener("sow", (event) => void play(/** @type {CustomEvent} */ (event).detail.hole));
byId("game").addEventListener("change", () => {
  const game = /** @type {HTMLSelectElement} */ (byId("game")).value;
  remember("analysis.game", game);
  leave();
  void tried(open({ game, position: null, lines: [{ before: [], moves: [] }] }));
});
for (const name of ["hashchange", "popstate"]) {
  addEventListener(name, () => {
    if (tree && location.hash !== link()) void fromAddress();
  });
}

wireSettings({
  "engine-on": (value) => {
    thinking.on = value === "on";
    quiet &&= !thinking.on;
  },
  "line-count": (value) => { thinking.count = Number(value); },
  arrows: () => {},
  speed: (value) => { board.speed = /** @type {import("../board/sowing_timeline.js").Speed} */ (value); },
  sound: (value) => { board.onStone = () => value === "on" && knock(); },
}, () => tree && refresh());

await fromAddress();
wireKeys(steps);
await placed;
wake();
// Load the rules of the other games while there is a network.
for (const game of games) {
  await idle();
  void openRules(game);
}
