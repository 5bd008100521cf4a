/**
 * The mistakes that this device keeps: those of a visitor, and beside them a copy of those of each account that plays here.
 *
 * A card and an answer each have a place of their own, so that two tabs never overwrite each other. What is remembered of a
 * card follows from its answers in the order of time. Those of an account are sent to it, each with an id of its own, and
 * stay here until it has taken them.
 */

import { newId } from "../site/send_command.js";
import { reviewMemory } from "./fsrs.js";

/** @typedef {import("./fsrs.js").Memory} Memory */
/** @typedef {import("./fsrs.js").Grade} Grade */
/**
 * @typedef {{id: string, game: string, position: string, played: number, right: number[], lines: Record<string, number[]>,
 *   lost: number, stones: number, source: string, ply: number, made: number}} Mistake position: text, before the move; right:
 *   accepted holes, the best first; lines: by hole, the move and what the engine expects after it; lost: of a point; source:
 *   the game's address; ply: of the move; made: milliseconds since 1970
 * @typedef {{id: string, card: string, grade: Grade, at: number}} Answer
 * @typedef {{card: Mistake, memory: Memory|null, dropped: boolean, switched: number, sent: boolean}} Stored memory: that of
 *   the account, which the answers here are added to; switched: when it was dropped or kept again; sent: whether the account
 *   has all of this
 */

/** Mistakes of one game that become cards, the worst first. */
export const MOST_OF_GAME = 5;
/** Cards on one device, or of one account. */
export const MOST_CARDS = 2000;
const CARDS = "korgool.mistake.", ANSWERS = "korgool.mistake-answer.";
/** How much of an account is known here. */
const SEEN = "korgool.mistakes-seen.";
/** When the next card is due, for the first page. */
const DUE = "korgool.mistakes-due";

/** Where the browser stores nothing, for as long as the page is open. @type {Map<string, string>} */
const unstored = new Map();

/** Whose cards this page is about: a mark of the account, empty of a visitor. */
export const owner = () => /** @type {HTMLElement|null} */ (document.querySelector("[data-who]"))?.dataset.who ?? "";

/** @param {string} prefix @returns {string[]} */
function places(prefix) {
  let found = [...unstored.keys()];
  try {
    found = [...new Set([...found, ...Object.keys(localStorage)])];
  } catch {
    // A browser without storage.
  }
  return found.filter((place) => place.startsWith(prefix));
}

/** @param {string} place @returns {any} null where nothing that can be read is there */
function read(place) {
  try {
    const found = JSON.parse(unstored.get(place) ?? localStorage.getItem(place) ?? "null");
    return found && typeof found === "object" ? found : null;
  } catch {
    return null;
  }
}

/** @param {string} place @param {unknown} value */
function write(place, value) {
  const text = JSON.stringify(value);
  try {
    localStorage.setItem(place, text);
    unstored.delete(place);
  } catch {
    unstored.set(place, text);
  }
}

/** @param {string} place */
function remove(place) {
  unstored.delete(place);
  try {
    localStorage.removeItem(place);
  } catch {
    // Nothing was stored.
  }
}

/** @param {string} who @param {string} id */
const cardPlace = (who, id) => `${CARDS}${who}.${id}`;
/** @param {string} who @param {string} id */
const answerPlace = (who, id) => `${ANSWERS}${who}.${id}`;

/**
 * The id of a position: FNV-1a of 64 bits over the game and the position without the number of its move, as
 * `korgool.training.mistakes` has it.
 * @param {string} game
 * @param {string} position
 */
export function mistakeId(game, position) {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(`${game} ${position.trim().split(/\s+/).slice(0, 4).join(" ")}`)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, "0");
}

/** The answers that are kept here, the oldest first. @param {string} who @returns {Answer[]} */
export function answersOf(who) {
  const found = places(`${ANSWERS}${who}.`).map(read).filter((one) => one?.id && one.card);
  return found.sort((one, other) => one.at - other.at || (one.id < other.id ? -1 : 1));
}

/** All cards with what is remembered of each. @param {string} who @returns {Stored[]} the worst first */
export function cardsOf(who) {
  /** @type {Map<string, Stored>} */
  const cards = new Map();
  for (const place of places(`${CARDS}${who}.`)) {
    const one = read(place);
    if (one?.card?.id) cards.set(one.card.id, one);
  }
  for (const { card, grade, at } of answersOf(who)) {
    const one = cards.get(card);
    if (one) one.memory = reviewMemory(one.memory, grade, Math.max(at, one.memory?.last ?? 0));
  }
  return [...cards.values()].sort((one, other) => other.card.lost - one.card.lost || other.card.stones - one.card.stones);
}

/** Whether a card waits to be solved. @param {Stored} one @param {number} now */
const isDue = ({ memory, dropped }, now) => !dropped && (!memory || memory.due <= now);

/** What is to be solved now: what was forgotten or grows old first, then new cards, the worst first. @param {Stored[]} cards @param {number} now */
export function dueCards(cards, now) {
  const due = cards.filter((one) => isDue(one, now));
  return due.sort((one, other) => (one.memory?.due ?? Infinity) - (other.memory?.due ?? Infinity) || other.card.lost - one.card.lost);
}

/** When the next card is due; Infinity where none will be. @param {Stored[]} cards */
export const nextDue = (cards) => Math.min(Infinity, ...cards.flatMap(({ memory, dropped }) => (dropped ? [] : [memory?.due ?? 0])));

/** Note for the first page when something is due. @param {string} who */
function noteDue(who) {
  const due = nextDue(cardsOf(who));
  try {
    if (due < Infinity) localStorage.setItem(DUE, String(due));
    else localStorage.removeItem(DUE);
  } catch {
    // Then the first page says nothing.
  }
}

/**
 * Keep the mistakes of a game as cards: each position once, at most five of a game, the first ones given.
 * @param {string} who
 * @param {Mistake[]} mistakes the worst first
 * @returns {Mistake[]} those that are cards now, the known ones too
 */
export function storeMistakes(who, mistakes) {
  const known = cardsOf(who);
  const ids = new Map(known.map((one) => [one.card.id, one]));
  const kept = [];
  let count = known.length;
  for (const card of mistakes) {
    const one = ids.get(card.id);
    if (one && !one.dropped) kept.push(card);
    if (one || count >= MOST_CARDS) continue;
    if (card.source && known.filter(({ card: { source } }) => source === card.source).length + kept.filter(({ id }) => !ids.has(id)).length >= MOST_OF_GAME) continue;
    write(cardPlace(who, card.id), { card, memory: null, dropped: false, switched: 0, sent: false });
    count += 1;
    kept.push(card);
  }
  noteDue(who);
  return kept;
}

/** Keep an answer. @param {string} who @param {string} card @param {Grade} grade @param {number} at @returns {Memory|null} what is remembered now */
export function storeAnswer(who, card, grade, at) {
  const id = newId();
  write(answerPlace(who, id), { id, card, grade, at });
  noteDue(who);
  return cardsOf(who).find((one) => one.card.id === card)?.memory ?? null;
}

/** Drop a card, or keep it again. @param {string} who @param {string} id @param {boolean} dropped @param {number} at */
export function switchCard(who, id, dropped, at) {
  const one = read(cardPlace(who, id));
  if (one) write(cardPlace(who, id), { ...one, dropped, switched: at, sent: false });
  noteDue(who);
}

/** What the account does not have yet. @param {string} who @param {{cards: number, answers: number}} most of each at a time */
export function unsentOf(who, most) {
  const changed = places(`${CARDS}${who}.`).map(read).filter((one) => one?.card?.id && !one.sent);
  return { cards: changed.slice(0, most.cards), answers: answersOf(who).slice(0, most.answers) };
}

/**
 * Take in what the account has: what was sent is forgotten here in the same breath.
 * @param {string} who
 * @param {Stored[]} cards of the account
 * @param {{cards: Stored[], answers: Answer[]}} sent
 * @param {string[]} refused ids of cards that the account does not take
 * @param {number} seen how much of the account is known then
 */
export function takeIn(who, cards, sent, refused, seen) {
  for (const { id } of sent.answers) remove(answerPlace(who, id));
  for (const { card } of sent.cards) if (refused.includes(card.id)) remove(cardPlace(who, card.id));
  for (const one of sent.cards) {
    // What was switched while the answer was under way has yet to be sent.
    const now = refused.includes(one.card.id) ? null : read(cardPlace(who, one.card.id));
    if (now?.switched === one.switched) write(cardPlace(who, one.card.id), { ...now, sent: true });
  }
  for (const one of cards) {
    const now = read(cardPlace(who, one.card.id));
    const later = now && !now.sent && now.switched > one.switched;
    write(cardPlace(who, one.card.id), later ? { ...one, dropped: now.dropped, switched: now.switched, sent: false } : { ...one, sent: true });
  }
  write(SEEN + who, { seen });
  noteDue(who);
}

/** How much of an account this device knows: the count of its changes. @param {string} who */
export const seenOf = (who) => Number(read(SEEN + who)?.seen) || 0;

/** Give an account the cards and answers of the visitor of this device. @param {string} who */
export function adoptVisitorCards(who) {
  for (const place of places(`${CARDS}.`)) {
    const one = read(place);
    const to = one?.card?.id && cardPlace(who, one.card.id);
    if (to && !read(to)) write(to, { ...one, memory: null, sent: false });
    remove(place);
  }
  for (const place of places(`${ANSWERS}.`)) {
    const one = read(place);
    if (one?.id) write(answerPlace(who, one.id), one);
    remove(place);
  }
  noteDue(who);
}

/** Forget the copies of accounts that are not signed in here any more, but for what they have not got yet. @param {string} who */
export function forgetOthers(who) {
  const unsent = new Set(places(ANSWERS).map((place) => place.slice(ANSWERS.length).split(".")[0]));
  for (const place of places(CARDS)) {
    const [whose] = place.slice(CARDS.length).split(".");
    if (!whose || whose === who || unsent.has(whose) || read(place)?.sent === false) continue;
    remove(place);
    remove(SEEN + whose); // all of it is fetched again
  }
  noteDue(who);
}

/** Remove every card and answer of a visitor from this device. */
export function forgetVisitor() {
  for (const place of [...places(`${CARDS}.`), ...places(`${ANSWERS}.`)]) remove(place);
}
