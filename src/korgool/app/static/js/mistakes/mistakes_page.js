/** The page on which one's own mistakes are solved: what is due, one board at a time, and the list of all cards. */

import "../board/board_element.js";
import { fetchBoard } from "../analysis/board_pictures.js";
import { stepTitle } from "../game/move_steps.js";
import { byId, say } from "../site/dom.js";
import { momentText } from "../site/local_times.js";
import { gettext, ngettext, speakOf, words } from "../site/translations.js";
import { PuzzlePlayer } from "../puzzle/puzzle_player.js";
import { bindPaper } from "./mistake_paper.js";
import { showCards } from "./mistake_list.js";
import { answersOf, cardsOf, dueCards, forgetOthers, forgetVisitor, nextDue, owner, storeAnswer, switchCard, adoptVisitorCards } from "./mistake_store.js";
import { syncMistakes } from "./mistake_sync.js";
import { taskOf } from "./mistake_task.js";

/** @typedef {import("./mistake_store.js").Stored} Stored */
/** @typedef {import("./mistake_store.js").Grade} Grade */

/** A card that comes back within so many milliseconds is solved again in the same sitting. */
const SOON = 60 * 1000;
/** Milliseconds after which the page looks again what is due. */
const LATER = 30_000;
const HOUR = 3600 * 1000;

const who = owner();
const next = /** @type {HTMLButtonElement} */ (byId("next"));
const drop = /** @type {HTMLButtonElement} */ (byId("drop"));
/** The card on the board. @type {Stored|null} */ let current = null;
let solved = 0;

const player = new PuzzlePlayer({
  marked: () => undefined,
  done: ({ steps: [{ right }] }, [mark], [tries]) => {
    const wrong = tries.filter((hole) => !right.includes(hole)).length;
    finish(mark === "shown" || wrong > 1 ? 1 : wrong ? 2 : 3);
  },
});
/** When a card comes again, in words. @param {number} due @param {number} now */
function again(due, now) {
  const left = due - now;
  if (left < HOUR) {
    const n = Math.max(1, Math.round(left / 60_000));
    return ngettext("Comes again in %(n)s minute.", "Comes again in %(n)s minutes.", n, { n });
  }
  const n = Math.max(1, Math.round(left / (24 * HOUR)));
  return ngettext("Comes again in %(n)s day.", "Comes again in %(n)s days.", n, { n });
}

/** @param {Grade} grade */
function finish(grade) {
  if (!current) return;
  const now = Date.now();
  const memory = storeAnswer(who, current.card.id, grade, now);
  solved += 1;
  byId("about").textContent = memory ? again(memory.due, now) : "";
  showLeft(now);
  drop.hidden = false;
  next.hidden = false;
  next.textContent = waiting(now).length ? gettext("Next") : gettext("Done");
  next.focus({ preventScroll: true });
  void sync();
}

/** @param {number} now */
const waiting = (now) => dueCards(cardsOf(who), now + (solved ? SOON : 0));

/** Put the next card on the board, or say that there is none. */
async function advance() {
  const now = Date.now();
  const [one] = waiting(now);
  current = null;
  if (!one) {
    showRest();
    return;
  }
  byId("nothing").hidden = true;
  byId("mistake").hidden = false;
  next.hidden = drop.hidden = true;
  byId("about").textContent = "";
  speakOf(one.card.game);
  let posed;
  try {
    await fetchBoard(one.card.game);
    posed = await taskOf(one.card);
  } catch {
    byId("mistake").hidden = true;
    showRest(gettext("This mistake cannot be shown now: without a network this device has not all that it needs."));
    return;
  }
  current = one;
  byId("mistake").dataset.card = one.card.id;
  showLeft(now);
  tellSource(one, posed.number);
  player.start(posed.task);
}

/** @param {number} now */
function showLeft(now) {
  const n = waiting(now).length;
  byId("left").textContent = n ? ngettext("%(n)s due", "%(n)s due", n, { n }) : "";
}

/** Where a mistake was made, with a way back to the game. @param {Stored} one @param {number} number of the move */
function tellSource({ card }, number) {
  const turn = / N \d+$/.test(card.position) ? "black" : "white";
  const told = [words.games[card.game], stepTitle(number, turn), dayText(card.made)].join(" · ");
  const place = byId("source");
  const link = document.createElement("a");
  link.href = `/games/${card.source}/review#better=${card.ply}`;
  link.textContent = told;
  place.replaceChildren(card.source ? link : told);
}

/** @param {number} ms */
const dayText = (ms) => momentText(ms).replace(/,? \d?\d:\d\d.*$/, "");

/** Nothing is to be solved now. @param {string} [problem] */
function showRest(problem = "") {
  const cards = cardsOf(who);
  const active = cards.filter(({ dropped }) => !dropped);
  const due = nextDue(cards);
  const title = problem || (active.length ? gettext("Nothing is due") : gettext("No mistakes yet"));
  const was = byId("nothing").hidden;
  byId("left").textContent = "";
  byId("mistake").hidden = true;
  byId("nothing").hidden = false;
  byId("nothing-title").textContent = title;
  byId("nothing-note").textContent = problem ? "" : active.length
    ? gettext("The next one comes back at %(time)s.", { time: momentText(due) })
    : gettext("Review a game of yours: its worst moves come back here until you find the better ones.");
  byId("solved").textContent = solved ? ngettext("%(n)s mistake solved in this sitting.", "%(n)s mistakes solved in this sitting.", solved, { n: solved }) : "";
  for (const id of ["play-on", "to-games"]) byId(id).hidden = active.length > 0;
  showList();
  if (was && solved) byId("nothing-title").focus({ preventScroll: true });
}

function showList() {
  showCards(cardsOf(who), (id, dropped) => {
    switchCard(who, id, dropped, Date.now());
    void sync();
    if (!current) void advance();
    else showLeft(Date.now());
  });
  if (current) speakOf(current.card.game);
}

/** Bring the account and this device together, and say where that fails. */
async function sync() {
  if (!who) return;
  const state = await syncMistakes(who);
  const left = answersOf(who).length;
  byId("sync").textContent = state === "done" || (state === "silent" && !left) ? ""
    : state === "ended" ? gettext("Sign in again: what you solve is kept on this device until then.")
      : ngettext("%(n)s answer waits on this device for the network.", "%(n)s answers wait on this device for the network.", left, { n: left });
}

/** Ask what becomes of the cards of a visitor of this device. */
function askVisitors() {
  const cards = who ? cardsOf("").length : 0;
  byId("take-over").hidden = !cards;
  if (!cards) return;
  byId("take-over-text").textContent = ngettext("This device has %(n)s mistake from before you signed in.", "This device has %(n)s mistakes from before you signed in.", cards, { n: cards });
}
byId("take").addEventListener("click", async () => {
  adoptVisitorCards(who);
  askVisitors();
  await sync();
  showList();
  if (!current) void advance();
});
byId("forget").addEventListener("click", () => {
  forgetVisitor();
  askVisitors();
});

next.addEventListener("click", () => void advance().then(() => current && byId("task").focus({ preventScroll: true })));
drop.addEventListener("click", () => {
  if (!current) return;
  switchCard(who, current.card.id, true, Date.now());
  say(gettext("The card is dropped."));
  void sync();
  void advance();
});
// Another tab has answered, or time has passed.
addEventListener("storage", ({ key }) => {
  if (!key?.startsWith("korgool.mistake")) return;
  if (current) showLeft(Date.now());
  else void advance();
});
setInterval(() => { if (!current && !document.hidden && waiting(Date.now()).length) void advance(); }, LATER);
addEventListener("online", () => void sync());

forgetOthers(who);
askVisitors();
bindPaper(() => cardsOf(who));
showList();
await advance();
if (who) {
  await sync();
  showList();
  if (!current) await advance();
  else showLeft(Date.now());
}
