/**
 * `<korgool-board>`: one board, drawn in SVG by the server, with a real button over every hole.
 *
 * It shows a given state, animates the trace of a move, previews a move with the data from the server, and reports the
 * hole that the player chose by a `sow` event. It knows no rules of any game.
 */

import { BoardMessages, refusalText } from "./board_messages.js";
import { drawArrows } from "./move_arrows.js";
import { Drawing, viewOf } from "./svg_drawing.js";
import { isOver } from "../game/state_selectors.js";
import { HoleButtons } from "./hole_buttons.js";
import { labelHoles } from "./hole_labels.js";
import { SowingAnimation } from "./sowing_animation.js";
import { TapGuard } from "./tap_guard.js";
import { previewSentence, previewText, storesText } from "../game/sentences.js";
import { landingOf } from "../game/move_trace.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Side} Side */
/** @typedef {import("../game/message_types.js").Trace} Trace */
/** @typedef {import("./sowing_timeline.js").Speed} Speed */
/** @typedef {{hole: number, shown: import("../game/message_types.js").Preview|null}} ShownPremove */

const still = matchMedia("(prefers-reduced-motion: reduce)");
/** What a page may have on the wood of its board beside the drawing. */
const KEPT = ".strip, .line, .at-board";

export class KorgoolBoard extends HTMLElement {
  /** @type {Speed} */
  speed = "normal";
  /** Called for every stone that falls; the page may play a sound. @type {() => void} */
  onStone = () => {};
  /** Called when stones are lifted or captured and when a tuz is won; the page may play a sound. @type {(what: "lift"|"capture"|"tuz") => void} */
  onStep = () => {};
  /** True for who is new to the game: holes then say why their stones are taken. */
  teaching = false;
  /** True if a viewer who plays no side (`you` is null) may sow for both, as on an analysis board. */
  free = false;
  /** True while an editor lets every hole be chosen; it hears the clicks before the board. */
  editing = false;
  #plans = false;

  /** The state on the board, or the one that an animation starts from. @type {GameState|null} */ #state = null;
  /** The newest known state, which the board may still be animating towards. @type {GameState|null} */ #latest = null;
  /** @type {Drawing|null} */ #drawing = null;
  #buttons = new HoleButtons({
    chosen: (event, side, hole) => this.#clicked(event, side, hole),
    looked: () => this.#hint(),
    touched: (side, hole) => this.#preview(side, hole),
  });
  #messages = new BoardMessages((line, drawing, spot) => this.#putAt(line, drawing, spot));
  /** True while an earlier position is shown. */ #past = false;
  /** @type {HTMLElement} */ #stores = document.createElement("p");
  /** @type {Side} */ #near = "white";
  /** The side at the lower edge, if the page chose it. @type {Side|null} */ #below = null;
  /** @type {import("./move_arrows.js").Arrow[]} */ #arrows = [];
  /** The pictures of the board; one of them is on the page. @type {SVGSVGElement[]} */ #pictures = [];
  /** CSS pixels of a unit of the drawing, and its upper left corner. */ #scale = { by: 1, x: 0, y: 0 };
  /** The hole whose sowing is under way to the server. @type {{side: Side, hole: number, late: boolean}|null} */ #chosen = null;
  #busy = false;
  #tapGuard = new TapGuard(() => this.#updateButtons());
  /** The last press by finger or mouse, and the state that it applies to. @type {{at: number, state: GameState|null}|null} */ #press = null;
  /** The premove, with the preview that was shown of it. @type {ShownPremove|null} */ #premove = null;
  /** @type {SowingAnimation|null} */ #animation = null;
  /** True if a finger or the mouse has focused a hole: then arrow keys are not meant for the board. */ #pointed = false;
  #observer = new ResizeObserver(() => this.#resize());

  connectedCallback() {
    this.#observer.observe(this);
    this.addEventListener("keydown", (event) => this.#key(event));
    // In the capture phase, before the button's own handler.
    this.addEventListener("pointerdown", ({ timeStamp }) => { this.#press = { at: timeStamp, state: this.#open(timeStamp) }; }, true);
    this.addEventListener("click", (event) => this.#skipAnimation(event));
    this.addEventListener("focusin", () => { this.#pointed = false; });
    document.addEventListener("visibilitychange", this.#hidden);
  }

  disconnectedCallback() {
    this.#observer.disconnect();
    document.removeEventListener("visibilitychange", this.#hidden);
  }

  #hidden = () => {
    if (document.hidden) this.finishAnimation();
  };

  /** Let a player choose a hole while the opponent is to move; it is reported by a `plan` event. @param {boolean} plans */
  set premovesEnabled(plans) {
    this.#plans = plans;
    this.#updateButtons();
  }

  /** Show that the position is an earlier one, in which nothing can be sown. @param {boolean} past */
  set past(past) {
    // A tap that was aimed at the past never plays.
    if (this.#past && !past) this.#tapGuard.registerTap();
    this.#past = past;
    this.toggleAttribute("data-past", past);
  }

  /** Block choices while a command is under way. @param {boolean} busy */
  set busy(busy) {
    this.#busy = busy;
    this.#updateButtons();
  }

  /**
   * Mark the hole whose sowing is under way to the server, and say there if that lasts long.
   * @param {{side: Side, hole: number, late: boolean}|null} chosen
   */
  set chosen(chosen) {
    const shown = this.#chosen;
    if (shown?.hole === chosen?.hole && shown?.side === chosen?.side && shown?.late === chosen?.late) return;
    this.#chosen = chosen;
    this.#updateButtons();
    this.#showLate();
  }

  #showLate() {
    const { drawing, chosen } = { drawing: this.#drawing, chosen: this.#chosen };
    this.#messages.late.hidden = !chosen?.late;
    if (drawing && chosen?.late) this.#putAt(this.#messages.late, drawing, chosen);
  }

  /** Put a line over a hole, within the board. @param {HTMLElement} line @param {Drawing} drawing @param {{side: Side, hole: number}} spot */
  #putAt(line, drawing, spot) {
    const { x, y } = drawing.middle(spot);
    const half = line.offsetWidth / 2;
    const scale = this.#scale;
    line.style.left = `${Math.max(half + 2, Math.min(this.clientWidth - half - 2, scale.x + x * scale.by))}px`;
    line.style.top = `${scale.y + y * scale.by}px`;
  }

  /** Show a state at once, and drop an animation in progress. @param {GameState} state */
  show(state) {
    this.#latest = state;
    this.#picture(state);
  }

  /** @param {GameState} state */
  #picture(state) {
    this.#animation?.drop();
    this.#animation = null;
    this.#ended?.();
    if (!this.#drawing || state.game !== this.dataset.game) {
      this.#state = null; // the shown state does not fit the new drawing
      this.#build(state);
    }
    this.#state = state;
    const drawing = /** @type {Drawing} */ (this.#drawing);
    drawing.clearAir();
    drawing.svg.classList.remove("sweeping");
    drawing.show(viewOf(state));
    drawArrows(drawing, this.#arrows);
    const last = state.last;
    drawing.frame(drawing.origin, last ? { side: last.side, hole: last.hole } : null);
    drawing.frame(drawing.landing, last ? landingOf(last) : null);
    this.removeAttribute("data-moving");
    this.toggleAttribute("data-over", isOver(state));
    this.#tapGuard.showPosition(`${state.game} ${state.position}`);
    this.#stores.textContent = storesText(state);
    this.#updateButtons();
  }

  /**
   * Set the newest state, before the animations that lead to it; until they end the player cannot choose.
   * @param {GameState} state
   */
  expect(state) {
    this.#latest = state;
    this.#updateButtons();
  }

  /**
   * Show moves as arrows until others are given; while stones move, none are shown.
   * @param {import("./move_arrows.js").Arrow[]} list
   */
  set arrows(list) {
    // The engine mostly finds the same moves again, and to draw them takes a cheap phone as long as all its lines.
    const news = JSON.stringify(list) !== JSON.stringify(this.#arrows);
    this.#arrows = list;
    if (news && this.#drawing && !this.#animation) drawArrows(this.#drawing, list);
  }

  /** Put a side at the lower edge. @param {Side} side */
  set below(side) {
    this.#below = side;
    if (!this.#state || side === this.#near) return;
    this.finishAnimation();
    this.#drawing = null;
    const { focused } = this;
    const pointed = this.#pointed;
    this.#picture(this.#state);
    if (focused) this.focusHole(focused.side, focused.hole);
    this.#pointed = pointed;
  }

  /** The state on the board, or the one that an animation starts from. */
  get shown() {
    return this.#state;
  }

  get below() {
    return this.#near;
  }

  /** The side that this viewer may sow now. @param {GameState} state */
  #actor(state) {
    return state.you ?? (this.free ? state.turn : null);
  }

  /** End an animation at its final state. */
  finishAnimation() {
    this.#animation?.finish();
  }

  /** Resolves the promise of the sowing in progress. @type {(() => void)|null} */ #ended = null;

  /**
   * Animate a trace from the shown state to the state after it; resolves when that or a newer state is shown.
   * @param {Trace} trace
   * @param {GameState} after
   * @returns {Promise<void>}
   */
  sow(trace, after) {
    const drawing = this.#drawing;
    const speed = still.matches ? "off" : this.speed;
    const show = () => this.#picture(after);
    if (!drawing?.view || speed === "off" || document.hidden) {
      show();
      this.#showCapture(trace);
      return Promise.resolve();
    }
    this.#animation?.drop();
    this.#ended?.();
    drawArrows(drawing, []);
    drawing.frame(drawing.preview, null);
    drawing.frame(drawing.landing, null);
    drawing.frame(drawing.origin, { side: trace.side, hole: trace.hole });
    this.#messages.tip.hidden = true;
    this.setAttribute("data-moving", "");
    return new Promise((resolve) => {
      this.#ended = () => {
        this.#ended = null;
        resolve();
      };
      this.#animation = new SowingAnimation(drawing, trace, speed, {
        stone: () => this.onStone(), step: (what) => this.onStep(what), taken: () => this.#showCapture(trace), end: show,
      });
    });
  }

  /** @param {GameState} state */
  #build(state) {
    this.#near = this.#below ?? state.you ?? "white";
    this.#fetch(state.game);
    this.#drawing = new Drawing(this.#fitting(), this.#near);
    labelHoles(this.#drawing, state.game);
    this.#stores.className = "hidden";
    for (const child of [...this.children]) if (child !== this.#drawing.svg && !child.matches(KEPT)) child.remove();
    if (!this.#drawing.svg.isConnected) this.insertBefore(this.#drawing.svg, this.querySelector(":scope > .near"));
    this.append(this.#stores, ...this.#messages.lines);
    this.#buttons.build(this, state, this.#near);
    this.setAttribute("data-ready", "");
    this.#place();
  }

  /**
   * Take the server's pictures of the board of a game; those of games that are not shown are in templates.
   * @param {string} game
   */
  #fetch(game) {
    if (this.dataset.game !== game) {
      const template = /** @type {HTMLTemplateElement} */ (document.querySelector(`template[data-game="${game}"]`));
      const copy = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
      this.#pictures = [.../** @type {NodeListOf<SVGSVGElement>} */ (copy.querySelectorAll("svg.board"))];
      this.dataset.game = game;
      this.toggleAttribute("data-ends", template.hasAttribute("data-ends"));
    } else if (!this.#pictures.length) {
      this.#pictures = [.../** @type {NodeListOf<SVGSVGElement>} */ (this.querySelectorAll("svg.board"))];
    }
  }

  /** The picture that the style sheet selects for this screen. */
  #fitting() {
    const shape = getComputedStyle(this).getPropertyValue("--shape").trim();
    return this.#pictures.find((svg) => svg.classList.contains(shape)) ?? this.#pictures[0];
  }

  /**
   * The position to which a choice begun at the given moment applies, if any: it is the newest one, nothing moves, and
   * no command is under way.
   * @param {number} [moment] as of `performance.now()`
   */
  #open(moment) {
    const still = !this.#busy && !this.#animation && this.#state === this.#latest;
    return still && this.#tapGuard.accepts(moment) ? this.#state : null;
  }

  /** @param {MouseEvent} event @param {Side} side @param {number} hole */
  #clicked(event, side, hole) {
    const { detail, timeStamp } = event;
    // Keys and assistive technologies click without a finger; a tap applies to what was shown when it began.
    const press = detail ? this.#press : null;
    this.#pointed = Boolean(detail);
    if (press && (!press.state || press.state !== this.#state)) {
      // While stones move, the newest state tells whose turn it is.
      if (this.#reportPremove(side, hole, press.at)) event.stopPropagation();
      else this.#refuse(side, hole, press.at);
      return;
    }
    this.#try(side, hole, press?.at ?? timeStamp);
  }

  /** Choose a hole, now or ahead, or say why that cannot be. @param {Side} side @param {number} hole @param {number} moment when the choice began */
  #try(side, hole, moment) {
    if (this.choose(side, hole, moment) || this.#reportPremove(side, hole, moment)) return true;
    this.#refuse(side, hole, moment);
    return false;
  }

  /** Shake a hole and say why it cannot be sown. @param {Side} side @param {number} hole @param {number} moment when the choice began */
  #refuse(side, hole, moment) {
    const { drawing, state } = { drawing: this.#drawing, state: this.#latest };
    // The second half of a double tap wants nothing, and a choice that is on its way is marked already.
    if (!drawing || !state || this.#chosen || !this.#tapGuard.accepts(moment)) return;
    const text = refusalText(state, { side, hole }, { past: this.#past, moving: Boolean(this.#animation), actor: this.#actor(state) });
    this.#messages.refuse(drawing, { side, hole }, text);
    this.dispatchEvent(new CustomEvent("refuse", { detail: { text } }));
  }

  /** Show what a move has captured, and why where that is new to the player. @param {Trace} trace */
  #showCapture(trace) {
    if (this.#drawing) this.#messages.showCapture(this.#drawing, trace, this.teaching ? this.#state?.game : undefined);
  }

  /** Report a premove. @param {Side} side @param {number} hole @param {number} moment when the choice began */
  #reportPremove(side, hole, moment) {
    if (!this.#premoveHoles(side).includes(hole) || !this.#tapGuard.accepts(moment)) return false;
    this.#tapGuard.registerTap();
    this.dispatchEvent(new CustomEvent("plan", { detail: { hole } }));
    return true;
  }

  /** The holes that may be premoves: whether they can be sown is known when the turn comes. @param {Side} side */
  #premoveHoles(side) {
    const state = this.#latest;
    if (this.editing) return state?.[side].map((_, index) => index + 1) ?? [];
    if (!this.#plans || this.#past || !state || side !== state.you || state.turn === side || isOver(state)) return [];
    return state[side].flatMap((stones, index) => (stones ? [index + 1] : []));
  }

  /** Mark the hole of the premove, with its preview. @param {ShownPremove|null} planned */
  set premove(planned) {
    this.#premove = planned;
    this.#updateButtons();
  }

  /** A tap on the board ends the sowing in progress, and does not choose a hole. @param {MouseEvent} event */
  #skipAnimation({ timeStamp }) {
    if (!this.#animation || !this.#tapGuard.accepts(this.#press?.at ?? timeStamp)) return;
    this.#tapGuard.registerTap();
    this.finishAnimation();
  }

  /**
   * Report the player's choice, if a choice counts now.
   * @param {Side} side
   * @param {number} hole
   * @param {number} [moment] when it began, as of `performance.now()`
   */
  choose(side, hole, moment) {
    const state = this.#open(moment);
    if (!state || side !== this.#actor(state) || !state.legal.includes(hole)) return false;
    this.#tapGuard.registerTap();
    this.#updateButtons();
    this.dispatchEvent(new CustomEvent("sow", { detail: { hole, version: state.version } }));
    return true;
  }

  /** A digit chooses a hole of the side to move; a key that is held down does so once. @param {KeyboardEvent} event */
  digit({ key, repeat, timeStamp }) {
    const actor = this.#state && this.#actor(this.#state);
    if (!actor || repeat || !/^[1-9]$/.test(key)) return false;
    const hole = Number(key);
    return hole <= (this.#state?.[actor].length ?? 0) && this.#try(actor, hole, timeStamp);
  }

  #resize() {
    const drawing = this.#drawing;
    if (!drawing) return;
    const fitting = this.#fitting();
    if (fitting !== drawing.svg) {
      this.finishAnimation();
      drawing.svg.replaceWith(fitting);
      this.#drawing = new Drawing(fitting, this.#near);
      labelHoles(this.#drawing, this.dataset.game ?? "");
      this.#place();
      if (this.#state) this.#picture(this.#state);
    } else this.#place();
  }

  /** Name the holes again, after a change of the setting. */
  nameHoles() {
    if (!this.#drawing) return;
    labelHoles(this.#drawing, this.dataset.game ?? "");
    this.#updateButtons();
  }

  /** Put the buttons over the holes of the drawing. */
  #place() {
    const drawing = /** @type {Drawing} */ (this.#drawing);
    const [outer, inner] = [this.getBoundingClientRect(), drawing.svg.getBoundingClientRect()];
    const by = inner.width / drawing.width;
    this.#scale = { by, x: inner.left - outer.left, y: inner.top - outer.top };
    this.toggleAttribute("data-vertical", drawing.tall);
    this.#buttons.place(drawing, this.#scale);
    this.#showLate();
  }

  #updateButtons() {
    const state = this.#state;
    if (!state || !this.#drawing) return;
    const open = this.#open();
    this.#buttons.update(state, this.#drawing, {
      playable: (side) => (open && side === this.#actor(open) ? open.legal : []),
      plannable: (side) => this.#premoveHoles(side),
      foretold: (side, hole) => this.previewText(side, hole),
      planned: (side) => (side === state.you ? (this.#premove?.hole ?? null) : null),
      chosen: (side) => (side === this.#chosen?.side ? this.#chosen.hole : null),
    });
    this.#hint();
  }

  /** Preview the hole under the mouse or with the keyboard focus; after a tap there is neither. */
  #hint() {
    const side = (this.#state && this.#actor(this.#state)) ?? this.#near;
    this.#preview(side, this.#buttons.lookedAt(side));
  }

  /**
   * Show where the last stone of a hole would fall, with the data from the server; hole 0 for none.
   * @param {Side} side
   * @param {number} hole
   */
  #preview(side, hole) {
    const drawing = this.#drawing;
    const state = this.#state;
    if (!drawing || !state) return;
    for (const own of Object.values(drawing.sides)) for (const { group } of own.holes) group.classList.remove("hot");
    let preview = hole && this.#open() && side === this.#actor(state) ? state.previews[String(hole)] : undefined;
    const ahead = !preview && !this.#animation && this.#premove?.shown;
    if (ahead) preview = ahead;
    drawing.frame(drawing.preview, preview ? { side: preview.side, hole: preview.hole } : null, 3);
    const text = preview ? previewText(preview, state) : "";
    this.#messages.tip.hidden = !text;
    if (!preview) return;
    if (!ahead) drawing.place({ side, hole }).group.classList.add("hot");
    this.#messages.tip.textContent = text;
    drawing.preview.classList.toggle("wins", preview.captures > 0 || preview.tuz);
    this.#putAt(this.#messages.tip, drawing, preview);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    // A key that is held down would click repeatedly.
    if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
    if (this.#pointed || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = this.#buttons.towards(event, this.#near, this.hasAttribute("data-vertical"));
    if (!to) return;
    event.preventDefault();
    this.focusHole(to.side, to.hole);
  }

  /**
   * The effect of sowing a hole, in a sentence; empty if it may not be sown.
   * @param {Side} side
   * @param {number} hole
   */
  previewText(side, hole) {
    const state = this.#state;
    const preview = state && side === this.#actor(state) ? state.previews[String(hole)] : null;
    return state && preview ? previewSentence(preview, state) : "";
  }

  /** The hole with the keyboard focus. @returns {{side: Side, hole: number}|null} */
  get focused() {
    const { side, hole } = /** @type {HTMLElement|null} */ (this.querySelector(".hole-button:focus"))?.dataset ?? {};
    return side ? { side: /** @type {Side} */ (side), hole: Number(hole) } : null;
  }

  /** @param {Side} side @param {number} hole */
  focusHole(side, hole) {
    this.#buttons.focus(side, hole);
  }
}

customElements.define("korgool-board", KorgoolBoard);
