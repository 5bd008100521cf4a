/** What a board says by itself for a moment: why a tap did nothing, what a capture gains, and why it does. */

import { capturesOf, capturedStones, landingOf, otherSide } from "../game/move_trace.js";
import { isOver } from "../game/state_selectors.js";
import { isCastle, tuzWord } from "../game/sentences.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("../game/message_types.js").Trace} Trace */
/** @typedef {import("./svg_drawing.js").Drawing} Drawing */
/** @typedef {import("./svg_drawing.js").Spot} Spot */

/** Milliseconds for which a line is shown. */
const SHOWN = 2600;

/**
 * Why a hole cannot be sown now, in a few words.
 * @param {GameState} state the newest
 * @param {{side: Side, hole: number}} spot
 * @param {{past: boolean, moving: boolean, actor: Side|null}} now whether an earlier position is shown, whether stones
 *   move, and whom this viewer may sow for
 */
export function refusalText(state, { side, hole }, { past, moving, actor }) {
  if (past) return gettext("an earlier position: go back to the game first");
  if (isOver(state)) return gettext("the game is over");
  if (!actor) return gettext("you are watching");
  if (!state.begun) return gettext("the game has not begun");
  if (side !== actor && !state.shared) return gettext("not your hole");
  if (moving) return gettext("stones are still moving");
  if (side !== state.turn) return gettext("not your turn");
  if (state.tuz[side === "white" ? 1 : 0] === hole) {
    return isCastle(state.game) ? gettext("a castle is not sown") : gettext("a tuz is not sown");
  }
  return state[side][hole - 1] ? gettext("it cannot be sown now") : gettext("empty");
}

/**
 * What a capture takes and why, for who is new to the game: the holes with their texts.
 * @param {Trace} trace
 * @param {string} game
 */
function captureLessons(trace, game) {
  const land = landingOf(trace);
  return capturesOf(trace).map(({ spot, stones }) => {
    const there = spot.side === otherSide(trace.side) && spot.side === land.side && spot.hole === land.hole;
    let text = gettext("%(n)s: taken", { n: stones });
    if (there && trace.tuz === spot.hole) text = gettext("%(n)s: a %(tuz)s", { n: stones, tuz: tuzWord(game) });
    else if (there && stones % 2 === 0) text = gettext("%(n)s, even: taken", { n: stones });
    return { spot, text };
  });
}

/** A line over the board, hidden at first. Announcements and the move list have it for screen readers. @param {string} name of its class */
function hiddenLine(name) {
  const line = document.createElement("p");
  line.className = name;
  line.hidden = true;
  line.setAttribute("aria-hidden", "true");
  return line;
}

/** A line that goes away by itself. */
class PassingLine {
  #timer = 0;

  /** @param {string} name of its class */
  constructor(name) {
    this.line = hiddenLine(name);
  }

  /** Show a text at once, and hide it after a while. @param {string} text */
  show(text) {
    const { line } = this;
    line.textContent = text;
    line.hidden = true;
    void line.offsetWidth; // so that an animation begins again
    line.hidden = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.hide(), SHOWN);
    return line;
  }

  hide() {
    this.line.hidden = true;
  }
}

export class BoardMessages {
  /** What the hole that is looked at would do. */ tip = hiddenLine("tip");
  /** Says at the chosen hole that the choice is not sent yet. */ late = hiddenLine("tip late");
  #why = new PassingLine("tip why");
  #gain = new PassingLine("gain");
  #lesson = new PassingLine("tip lesson");

  /** @param {(line: HTMLElement, drawing: Drawing, spot: Spot) => void} putAt puts a line over a hole or a store */
  constructor(putAt) {
    this.putAt = putAt;
    this.late.textContent = gettext("not sent yet");
  }

  /** The lines, to be put on the board. */
  get lines() {
    return [this.tip, this.late, ...[this.#why, this.#gain, this.#lesson].map(({ line }) => line)];
  }

  /** Shake a hole and say why it cannot be sown. @param {Drawing} drawing @param {Spot} spot @param {string} text */
  refuse(drawing, spot, text) {
    const { classList } = drawing.place(spot).group;
    classList.remove("shaken");
    void drawing.svg.getBoundingClientRect(); // so that it shakes again
    classList.add("shaken");
    this.putAt(this.#why.show(text), drawing, spot);
  }

  /**
   * Show what a move has captured, and why to who is new to the game.
   * @param {Drawing} drawing
   * @param {Trace} trace
   * @param {string} [taught] the game that is taught
   */
  showCapture(drawing, trace, taught) {
    const captured = capturedStones(trace);
    if (!captured) return;
    this.putAt(this.#gain.show(`+${captured}`), drawing, { side: trace.side, hole: 0 });
    const [lesson] = taught ? captureLessons(trace, taught) : [];
    if (lesson) this.putAt(this.#lesson.show(lesson.text), drawing, lesson.spot);
  }
}
