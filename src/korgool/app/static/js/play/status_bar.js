/**
 * The one place of a game's page where it says what happens to the player: a line over the board of a phone or at the top
 * of the panel, and the questions above it. `banner_state.js` decides what stands there; this shows it and reads it aloud.
 */

import { say } from "../site/dom.js";
import { gettext } from "../site/translations.js";
import { nextEnd, QUIET, shownLine, transition } from "./banner_state.js";
import { showInPlace } from "./misclick_guard.js";

/** @typedef {import("./banner_state.js").BannerEvent} BannerEvent */
/** @typedef {import("./banner_state.js").Question} Question */

/** Milliseconds for which a lost connection is not shown: a short interruption recovers by itself. */
const CONNECTION_DELAY = 1200;
/** Milliseconds in which a new question takes no answer: such a press was aimed at what stood there before. */
const ANSWER_DELAY = 500;

export class StatusBar {
  #state = QUIET;
  #timers = { end: 0, lost: 0 };
  /** Timers after which questions take answers. @type {Map<Question, number>} */ #answers = new Map();

  /** @param {HTMLElement} line @param {(text: string) => void} [speak] reads a text aloud */
  constructor(line, speak = say) {
    this.line = line;
    this.speak = speak;
  }

  /** @param {BannerEvent} event */
  #happen(event) {
    const { state, spoken } = transition(this.#state, event);
    this.#state = state;
    if (spoken) this.speak(spoken);
    this.#show();
    clearTimeout(this.#timers.end);
    const end = nextEnd(state);
    if (end !== null) this.#timers.end = setTimeout(() => this.#happen({ type: "time", at: performance.now() }), end - performance.now() + 1);
  }

  /** @param {import("./banner_state.js").LineKind} kind */
  #has(kind) {
    return this.#state.lines.some((line) => line.kind === kind);
  }

  #show() {
    const shown = shownLine(this.#state);
    this.line.hidden = !shown;
    this.line.toggleAttribute("data-calm", shown?.kind === "coach");
    const href = this.line.firstElementChild?.getAttribute("href") ?? "";
    if (!shown || (this.line.textContent === shown.text && href === shown.href)) return;
    this.line.replaceChildren(shown.text);
    if (!shown.href) return;
    const link = document.createElement("a");
    link.href = shown.href;
    link.textContent = shown.text;
    this.line.replaceChildren(link);
  }

  /** Show a message to the visitor for a while. @param {string} text */
  notice(text) {
    this.#happen({ type: "tell", kind: "refusal", text, at: performance.now() });
  }

  /** Show why the server refused a command. @param {import("./live_connection.js").CommandError} error */
  refusal({ detail, clause }) {
    const text = detail || gettext("That did not work. Try again.");
    this.notice(clause ? `${text} (${clause})` : text);
  }

  /** Show what a player says, for a while; an empty text ends that. @param {string} text */
  phrase(text) {
    const at = performance.now();
    this.#happen(text ? { type: "tell", kind: "phrase", text, at } : { type: "end", kind: "phrase", at });
  }

  /** Show that somebody else invites the player, for a while; an empty text ends that. @param {string} text @param {string} href */
  challenge(text, href) {
    const at = performance.now();
    this.#happen(text ? { type: "tell", kind: "challenge", text, href, at } : { type: "end", kind: "challenge", at });
  }

  /** Show that a command is not sent yet; an empty text ends that. @param {string} text */
  late(text) {
    const at = performance.now();
    if (text) this.#happen({ type: "tell", kind: "late", text, at });
    else if (this.#has("late")) this.#happen({ type: "end", kind: "late", at });
  }

  /** Show what the coach says until it says something else; an empty text ends that. @param {string} text */
  coach(text) {
    const at = performance.now();
    if (text) this.#happen({ type: "tell", kind: "coach", text, at });
    else if (this.#has("coach")) this.#happen({ type: "end", kind: "coach", at });
  }

  /** @param {boolean} open @param {boolean} [silent] whether it counts as lost because of silence */
  connection(open, silent = false) {
    clearTimeout(this.#timers.lost);
    const lose = () =>
      this.#happen({ type: "tell", kind: "lost", text: gettext("The connection is lost. Trying again…"), at: performance.now() });
    if (open) this.#happen({ type: "end", kind: "lost", at: performance.now() });
    else if (silent) lose();
    else if (!this.#has("lost")) this.#timers.lost = setTimeout(lose, CONNECTION_DELAY);
  }

  /**
   * Ask a question, or take it back. Questions keep their places, the newest stands last.
   * @param {Question} question
   * @param {HTMLElement} group with its answers
   * @param {boolean} asked
   * @param {string} [text] to be read aloud
   */
  ask(question, group, asked, text = "") {
    if (this.#state.questions.includes(question) === asked && group.hidden === !asked) return;
    const at = performance.now();
    this.#happen(asked ? { type: "ask", question, text, at } : { type: "answered", question, at });
    showInPlace(group, asked);
    // One asked again soon is as new as the first time.
    clearTimeout(this.#answers.get(question));
    if (!asked) return;
    group.inert = true;
    this.#answers.set(question, setTimeout(() => (group.inert = false), ANSWER_DELAY));
  }

  /** The game is over: nothing about playing it is said any more. */
  over() {
    this.#happen({ type: "over", at: performance.now() });
  }
}
