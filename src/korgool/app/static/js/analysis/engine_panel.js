/** The engine beside the board: it searches the shown position, and chooses the moves of a level. */

import { byId, whenReleased } from "../site/dom.js";
import { gettext, isPerfect } from "../site/translations.js";
import { ServerUnreachableError } from "./server_requests.js";
import { openEngine, ServerEngine } from "./engine_provider.js";
import { showDifference } from "./difference_bar.js";
import { forWhite, showLines, statusText } from "./engine_lines.js";
import { isDeepEnough } from "./review_search.js";
import { showNotice } from "./board_state.js";

/** @typedef {import("./engine_provider.js").DeviceEngine|import("./engine_provider.js").ServerEngine} Engine */
/** @typedef {import("./engine_provider.js").Report} Report */
/** @typedef {import("./game_tree.js").Node} Node */

/** The most seconds of a search: a phone that lies unused must not get warm. */
const SECONDS = 30;
/** Milliseconds between updates of the lines, so that they can be read and tapped. */
const PAUSE = 250;

export class EnginePanel {
  on = true;
  /** Lines that the visitor wants to see. */ wanted = 3;
  /** True while the values of all moves are wanted. */ all = false;
  /** True while the search of this position goes on without an end. */ endless = false;
  /** Threads of the engine, 0 for as many as suit the device. */ threads = 0;
  /** A level is choosing a move; nothing else may be searched in the meantime. */ choosing = false;
  /** @type {Promise<Engine>|null} */ #opening = null;
  /** @type {Engine|null} */ #engine = null;
  /** The server, while asked for perfect play: this device has no solver. @type {ServerEngine|null} */ #solver = null;
  /** @type {Node|null} */ #node = null;
  /** The latest report of each node, and how many lines it was asked for. @type {WeakMap<Node, Report & {wanted: number}>} */ #reports = new WeakMap();
  /** @type {number|undefined} */ #searchTimer;
  /** @type {number|undefined} */ #drawing;
  #drawn = 0;
  /** The number of moves requested from a level so far. */ #request = 0;

  /**
   * @param {{game: () => string, texts: (node: Node, moves: number[]) => string[], pick: (moves: number[]) => void,
   *   why: (node: Node, lines: import("./engine_provider.js").Line[], at: number) => string,
   *   lines: (node: Node, report: Report|null) => void, found: (node: Node, report: Report) => void,
   *   beside: (node: Node) => boolean, reported: (node: Node, report: Report|null) => void}} page lines: those that are
   *   shown; reported: everything that is known; beside: whether a node is no position of the game
   */
  constructor(page) {
    this.page = page;
  }

  /** @returns {Promise<Engine>} */
  #open() {
    if (!this.#opening) {
      const opening = (this.#opening = openEngine(this.page.game(), this.threads ? { threads: this.threads } : {}));
      void opening.then((engine) => {
        if (this.#opening === opening) this.#engine = engine;
        else engine.close();
      });
    }
    return this.#opening;
  }

  /** Close the engine, because another game needs another one. */
  reset() {
    this.#engine?.close();
    this.#engine = null;
    this.#opening = null;
    this.choosing = false;
  }

  /** Search a node, as soon as the visitor stops stepping. @param {Node} node */
  showNode(node) {
    clearTimeout(this.#searchTimer);
    if (node !== this.#node) this.endless = false;
    byId("deeper").setAttribute("aria-pressed", String(this.endless));
    this.#node = node;
    this.#draw();
    if (!this.choosing) this.#engine?.stop();
    if (this.on && !this.choosing && !node.snapshot.outcome) this.#searchTimer = setTimeout(() => void this.#search(node), 80);
  }

  /** @param {Node} node */
  async #search(node) {
    const engine = await this.#open();
    if (node !== this.#node || this.choosing || !this.on || engine !== this.#engine) return;
    const earlier = this.#reports.get(node);
    const wanted = this.#count(node);
    // The server sends fewer lines than a long list of moves asks for: what counts is that as many were asked for.
    const stored = earlier?.wanted === wanted ? earlier : null;
    // A restarted search knows less than the stored result until it has come as far.
    const isDeeper = (/** @type {Report} */ { lines }) => !stored || lines.length > stored.lines.length || lines[0]?.depth >= stored.lines[0].depth;
    const takeReport = (/** @type {Report} */ report) => {
      if (!report.lines.length) return;
      // Nothing is shown that is less reliable than the search behind the marks.
      if (isDeepEnough(report)) this.page.found(node, report);
      else if (node.seen) return;
      this.#reports.set(node, { ...report, wanted });
      if (node === this.#node) this.#drawSoon();
    };
    try {
      const last = await engine.analyse(node, this.#limits(node), (report) => isDeeper(report) && takeReport(report));
      if (last.whole) takeReport(stored && !isDeeper(last) ? { ...stored, whole: true } : last);
    } catch (error) {
      if (node === this.#node) this.#fail(error);
    }
  }

  /** How many lines are searched. @param {Node} node */
  #count(node) {
    return Math.min(this.all ? node.snapshot.legal.length : this.wanted, node.snapshot.legal.length);
  }

  /** @param {Node} node */
  #limits(node) {
    const lines = Math.max(1, this.#count(node));
    return this.endless ? { lines } : { lines, seconds: SECONDS };
  }

  /** Go on with the search of this position without an end, or end that. */
  toggleEndless() {
    if (!this.#node || !this.on) return;
    this.endless = !this.endless;
    this.showNode(this.#node);
  }

  /** The latest report on a position, if there is one. @param {Node} node */
  reportOf(node) {
    return this.on ? (this.#reports.get(node) ?? null) : null;
  }

  /** @param {unknown} error */
  #fail(error) {
    const unreachable = error instanceof ServerUnreachableError;
    byId("engine-status").textContent = unreachable
      ? gettext("The engine of the server cannot be reached.") : gettext("The engine does not work on this device.");
  }

  /** The hole that a level chooses, or null if it is not known. @param {Node} node @param {number} level */
  async choose(node, level) {
    this.choosing = true;
    this.#request += 1;
    const request = this.#request;
    const perfect = isPerfect(level);
    try {
      const engine = perfect ? (this.#solver = new ServerEngine(this.page.game())) : await this.#open();
      return await engine.choose(node, level);
    } catch (error) {
      if (request !== this.#request) return null;
      if (perfect) showNotice(gettext("Only the server plays perfectly, and it does not answer."), true);
      else this.#fail(error);
      return null;
    } finally {
      if (request === this.#request) this.choosing = false;
    }
  }

  /** Cancel the choice of a move that is not wanted any more. */
  stop() {
    this.#request += 1;
    this.choosing = false;
    this.#engine?.stop();
    this.#solver?.stop();
  }

  #drawSoon() {
    if (this.#drawing !== undefined) return;
    const wait = Math.max(0, this.#drawn + PAUSE - performance.now());
    this.#drawing = setTimeout(async () => {
      await whenReleased();
      this.#drawing = undefined;
      this.#draw();
    }, wait);
  }

  #draw() {
    const node = this.#node;
    if (!node) return;
    this.#drawn = performance.now();
    const latest = this.#reports.get(node);
    const report = this.on && latest && (isDeepEnough(latest) || !node.seen) ? latest : null;
    const lines = report?.lines.slice(0, this.wanted) ?? [];
    const { texts, pick, why } = this.page;
    showLines(byId("lines"), lines, node.snapshot, (moves) => texts(node, moves), pick, (at) => why(node, lines, at));
    // Reserve the space of the lines while waiting for them, so that nothing below them moves.
    const awaited = this.on && !node.snapshot.outcome ? Math.min(this.wanted, node.snapshot.legal.length) : 0;
    byId("lines").style.setProperty("--count", String(awaited));
    if (!this.page.beside(node)) showDifference(lines[0] ? forWhite(lines[0], node.snapshot.board.turn) : null, node.snapshot);
    const status = byId("engine-status");
    if (!this.on) status.textContent = gettext("The engine is off.");
    else if (node.snapshot.outcome) status.textContent = gettext("The game is over here.");
    else if (report && this.#engine) status.textContent = statusText(report, this.#engine);
    else status.textContent = gettext("thinking…");
    this.page.lines(node, report && { ...report, lines });
    this.page.reported(node, report);
  }
}
