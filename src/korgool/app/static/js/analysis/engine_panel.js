/** The engine beside the board: it searches the shown position, and chooses the moves of a level. */

import { byId, released } from "../site/dom.js";
import { gettext, isPerfect } from "../site/translations.js";
import { AwayError } from "./server_requests.js";
import { openEngine, ServerEngine } from "./engine_provider.js";
import { forWhite, showLines, signed, statusText } from "./engine_lines.js";
import { counts } from "./game_review.js";
import { notice } from "./board_state.js";

/** @typedef {import("./engine_provider.js").DeviceEngine|import("./engine_provider.js").ServerEngine} Engine */
/** @typedef {import("./engine_provider.js").Report} Report */
/** @typedef {import("./game_tree.js").Node} Node */

/** The most seconds of a search: a phone that is left lying should not get warm. */
const SECONDS = 30;
/** Milliseconds between updates of the lines, so that they can be read and tapped. */
const PAUSE = 250;

export class Thinking {
  on = true;
  count = 3;
  /** A level is choosing a move; nothing else may be searched in the meantime. */ choosing = false;
  /** @type {Promise<Engine>|null} */ #opening = null;
  /** @type {Engine|null} */ #engine = null;
  /** The server, while asked for perfect play: this device has no solver. @type {ServerEngine|null} */ #solver = null;
  /** @type {Node|null} */ #node = null;
  /** What was found, by node. @type {WeakMap<Node, Report>} */ #found = new WeakMap();
  /** @type {number|undefined} */ #soon;
  /** @type {number|undefined} */ #drawing;
  #drawn = 0;
  /** The number of moves requested from a level so far. */ #asked = 0;

  /**
   * @param {{game: () => string, texts: (node: Node, moves: number[]) => string[], pick: (moves: number[]) => void,
   *   why: (node: Node, lines: import("./engine_provider.js").Line[], at: number) => string,
   *   lines: (node: Node, report: Report|null) => void, found: (node: Node, report: Report) => void}} tell
   */
  constructor(tell) {
    this.tell = tell;
  }

  /** @returns {Promise<Engine>} */
  #open() {
    if (!this.#opening) {
      const opening = (this.#opening = openEngine(this.tell.game()));
      void opening.then((engine) => {
        if (this.#opening === opening) this.#engine = engine;
        else engine.close();
      });
    }
    return this.#opening;
  }

  /** Another game needs another engine. */
  forget() {
    this.#engine?.close();
    this.#engine = null;
    this.#opening = null;
    this.choosing = false;
  }

  /** Search a node, as soon as the visitor stops stepping. @param {Node} node */
  look(node) {
    clearTimeout(this.#soon);
    this.#node = node;
    this.#draw();
    if (!this.choosing) this.#engine?.stop();
    if (this.on && !this.choosing && !node.snapshot.outcome) this.#soon = setTimeout(() => void this.#think(node), 80);
  }

  /** @param {Node} node */
  async #think(node) {
    const engine = await this.#open();
    if (node !== this.#node || this.choosing || !this.on || engine !== this.#engine) return;
    const known = this.#found.get(node);
    const wanted = Math.min(this.count, node.snapshot.legal.length);
    const stored = known?.lines.length === wanted ? known : null;
    // A restarted search knows less than the stored result until it has come as far.
    const further = (/** @type {Report} */ report) => !stored || report.lines[0]?.depth >= stored.lines[0].depth;
    const hear = (/** @type {Report} */ report) => {
      if (!report.lines.length) return;
      // Nothing is shown that is less reliable than the search behind the marks.
      if (counts(report)) this.tell.found(node, report);
      else if (node.seen) return;
      this.#found.set(node, report);
      if (node === this.#node) this.#drawSoon();
    };
    try {
      const last = await engine.analyse(node, { seconds: SECONDS, lines: this.count }, (report) => further(report) && hear(report));
      if (last.whole) hear(stored && !further(last) ? { ...stored, whole: true } : last);
    } catch (error) {
      if (node === this.#node) this.#fail(error);
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    const away = error instanceof AwayError;
    byId("engine-status").textContent = away
      ? gettext("The engine of the server cannot be reached.") : gettext("The engine does not work on this device.");
  }

  /** The hole that a level chooses, or null if it is not known. @param {Node} node @param {number} level */
  async choose(node, level) {
    this.choosing = true;
    this.#asked += 1;
    const asked = this.#asked;
    const perfect = isPerfect(level);
    try {
      const engine = perfect ? (this.#solver = new ServerEngine(this.tell.game())) : await this.#open();
      return await engine.choose(node, level);
    } catch (error) {
      if (asked !== this.#asked) return null;
      if (perfect) notice(gettext("Only the server plays perfectly, and it does not answer."), true);
      else this.#fail(error);
      return null;
    } finally {
      if (asked === this.#asked) this.choosing = false;
    }
  }

  /** Cancel a choice that nobody waits for. */
  stop() {
    this.#asked += 1;
    this.choosing = false;
    this.#engine?.stop();
    this.#solver?.stop();
  }

  #drawSoon() {
    if (this.#drawing !== undefined) return;
    const wait = Math.max(0, this.#drawn + PAUSE - performance.now());
    this.#drawing = setTimeout(async () => {
      await released();
      this.#drawing = undefined;
      this.#draw();
    }, wait);
  }

  #draw() {
    const node = this.#node;
    if (!node) return;
    this.#drawn = performance.now();
    const found = this.#found.get(node);
    const report = this.on && found && (counts(found) || !node.seen) ? found : null;
    const lines = report?.lines.slice(0, this.count) ?? [];
    const { texts, pick, why } = this.tell;
    showLines(byId("lines"), lines, node.snapshot, (moves) => texts(node, moves), pick, (at) => why(node, lines, at));
    // Reserve the space of the lines while waiting for them, so that nothing below them moves.
    const awaited = this.on && !node.snapshot.outcome ? Math.min(this.count, node.snapshot.legal.length) : 0;
    byId("lines").style.setProperty("--count", String(awaited));
    // On a phone the lines are below; the board shows the best one as an arrow with its value beside.
    const best = lines[0] && forWhite(lines[0], node.snapshot.board.turn);
    byId("value").textContent = best ? signed(best.evaluation, lines[0].exact) : "";
    const status = byId("engine-status");
    if (!this.on) status.textContent = gettext("The engine is off.");
    else if (node.snapshot.outcome) status.textContent = gettext("The game is over here.");
    else if (report && this.#engine) status.textContent = statusText(report, this.#engine);
    else status.textContent = gettext("thinking…");
    this.tell.lines(node, report && { ...report, lines });
  }
}
