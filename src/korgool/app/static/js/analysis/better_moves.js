/**
 * "Find the better move": the board stands before a mistake of the game, and the person looks for something better. What
 * the engine would play is shown to nobody who has not asked for it.
 */

import { nodeName } from "../game/move_steps.js";
import { byId } from "../site/dom.js";
import { gettext, ngettext, words } from "../site/translations.js";
import { lineArrows, problemText, showNotice } from "./board_state.js";
import { Node } from "./game_tree.js";
import { playedLine, reasonsSentence } from "./move_reasons.js";
import { bringIntoView } from "./page_layout.js";
import { lossText, triedText } from "./review_words.js";
import { ServerUnreachableError } from "./server_requests.js";

/** @typedef {import("./game_review.js").GameReview} GameReview */
/** @typedef {import("./game_review.js").ReviewedMove} ReviewedMove */
/** @typedef {import("./rules_provider.js").LocalRules|import("./rules_provider.js").ServerRules} Rules */
/** @typedef {"white"|"black"|"both"} Sides */

/** Milliseconds that a worse move stays on the board before it is taken back. */
const LOOK = 1500;

/** The first letter large, as at the start of a sentence. @param {string} text */
const capital = (text) => text.charAt(0).toLocaleUpperCase(words.language) + text.slice(1);

/** @param {ReviewedMove} move */
const isMistake = ({ judgement, final }) => final && (judgement?.mark === "mistake" || judgement?.mark === "blunder");

export class BetterMoves {
  /** The moves in whose place a better one is sought. @type {Node[]} */ #tasks = [];
  /** Which of them; as many as there are for the end. */ #at = 0;
  #active = false;
  /** @type {Sides} */ #sides = "both";
  /** Whether only those are asked again that were not found. */ #repeated = false;
  /** How each was settled. @type {Map<Node, "found"|"shown">} */ #settled = new Map();
  #told = "";
  /** The worse move that is on the board until it is taken back. @type {Node|null} */ #tried = null;
  #attempts = 0;

  /**
   * @param {{review: GameReview, rules: () => Rules, current: () => Node, sown: () => Promise<void>,
   *   show: (node: Node, how?: {sown?: boolean, quiet?: boolean}) => void,
   *   arrows: (arrows: import("../board/move_arrows.js").Arrow[]) => void, changed: () => void, branched: () => void}} page
   *   sown: resolves when the stones have come to rest; changed: where the lines of the engine have to be hidden, or may be
   *   shown again; branched: where the tree has another branch, calls `draw` too
   */
  constructor(page) {
    this.page = page;
    byId("better-next").addEventListener("click", () => this.#next());
    byId("better-back").addEventListener("click", () => this.#toTask());
    byId("better-show").addEventListener("click", () => void this.#reveal());
    byId("better-end").addEventListener("click", () => this.end());
  }

  get active() {
    return this.#active;
  }

  /** Whether a move on the board is an answer, and what the engine would play is hidden. */
  get asking() {
    return this.waiting && this.page.current() === this.task?.parent;
  }

  /** Whether a task or an answer is on the board: what the engine would play is hidden. */
  get hiding() {
    const { task } = this;
    const current = this.page.current();
    return this.#active && task !== null && (current === task.parent || current === this.#tried);
  }

  /** Whether moves on the board are answers, or wait until a worse move is taken back. */
  get waiting() {
    return this.hiding && !this.#settled.has(/** @type {Node} */ (this.task));
  }

  /** The mistake in whose place a better move is sought. @returns {Node|null} */
  get task() {
    return this.#tasks[this.#at] ?? null;
  }

  /** The mistakes of the game that are known. @param {Sides} sides @returns {Node[]} in the order of the game */
  mistakes(sides) {
    return this.page.review.moves.filter((move) => isMistake(move) && (sides === "both" || move.side === sides)).map(({ node }) => node);
  }

  /** Begin with the first mistake, or with a move. @param {Sides} sides @param {Node} [first] */
  start(sides, first) {
    this.#sides = sides;
    this.#tasks = first ? [first] : this.mistakes(sides).slice(0, 1);
    this.#settled.clear();
    this.#repeated = false;
    this.#at = 0;
    this.#active = true;
    this.update();
    this.#toTask();
    byId("better-title").focus({ preventScroll: true });
  }

  /** Take up the mistakes that the review has found in the meantime. */
  update() {
    if (!this.#active || this.#repeated) return;
    const { task } = this;
    const news = this.mistakes(this.#sides).filter((node) => !this.#tasks.includes(node));
    this.#tasks = [...this.#tasks, ...news].sort((one, other) => one.ply - other.ply);
    // After the last task comes the first of the new ones, which may stand before those that are settled.
    const next = task ?? news[0];
    if (next) this.#at = this.#tasks.indexOf(next);
    this.draw();
  }

  end() {
    if (!this.#active) return;
    this.#endTry();
    this.#active = false;
    this.#attempts += 1;
    this.page.changed();
    this.draw();
    byId("better-start").focus({ preventScroll: true });
  }

  /** Forget everything: another game is on the board. */
  reset() {
    this.#active = false;
    this.#tasks = [];
    this.#tried = null;
    this.#attempts += 1;
    this.draw();
  }

  #next() {
    if (!this.task) {
      const missed = this.#tasks.filter((node) => this.#settled.get(node) !== "found");
      this.#repeated = missed.length > 0;
      if (this.#repeated) this.#tasks = missed;
      this.#settled.clear();
      this.#at = -1;
    }
    // Where an earlier mistake was found late, those after it may be settled.
    do this.#at += 1; while (this.task && this.#settled.has(this.task));
    this.#toTask();
  }

  #toTask() {
    this.#told = "";
    this.#attempts += 1;
    const { task } = this;
    if (task?.parent) {
      this.#tried = null;
      this.page.show(task.parent, { quiet: true });
    } else this.#endTry();
    this.page.changed();
    this.draw();
    if (this.#active) bringIntoView(byId("better"));
  }

  /**
   * Answer with a hole of the position before the mistake; does nothing while a worse move is on the board.
   * @param {number} hole
   */
  async answer(hole) {
    const { task } = this;
    const before = task?.parent;
    if (!task || !before || !this.asking || !before.snapshot.legal.includes(hole)) return;
    this.#attempts += 1;
    const attempt = this.#attempts;
    try {
      // A move that is tried does not become part of the game.
      const node = before.child(hole) ?? new Node(await this.page.rules().follow(before.snapshot, hole), before);
      if (attempt !== this.#attempts) return;
      showNotice("");
      this.#tried = node;
      this.#told = gettext("The engine looks at it…");
      this.page.show(node, { sown: true });
      this.draw();
      const judgement = await this.page.review.judge(node);
      if (attempt !== this.#attempts) return;
      if (!judgement) this.#fail();
      else if (node !== task && (!judgement.mark || judgement.mark === "good")) this.#found(task, node);
      else await this.#worse(task, node, judgement, attempt);
    } catch (error) {
      if (attempt === this.#attempts) this.#fail(error);
    }
  }

  /** Nothing can be said of a move: the task is on the board again, for another attempt. @param {unknown} [error] */
  #fail(error) {
    this.#told = "";
    this.#takeBack();
    this.draw();
    const unreachable = error instanceof ServerUnreachableError;
    showNotice(unreachable ? problemText(error) : gettext("The engine does not work on this device."), true);
  }

  /** Show the position before the move that is tried, unless another one is on the board by now. */
  #takeBack() {
    const tried = this.#tried;
    this.#tried = null;
    if (tried?.parent && this.page.current() === tried) this.page.show(tried.parent, { quiet: true });
  }

  /** Nothing is tried any more; a move that is no part of the game does not stay on the board. */
  #endTry() {
    if (this.#tried && !this.#tried.attached) this.#takeBack();
    this.#tried = null;
  }

  /** @param {Node} task @param {Node} node */
  #found(task, node) {
    const before = /** @type {Node} */ (task.parent);
    const seen = /** @type {import("./game_tree.js").SearchResult} */ (before.seen);
    const best = node.hole === seen.best;
    const line = best ? seen.pv : [node.hole, ...(node.seen?.pv ?? [])];
    const { instead } = this.page.rules().compare(before.snapshot, playedLine(task), line);
    const move = node.snapshot.text ?? "";
    const praise = best ? gettext("Yes, %(move)s is the best move.", { move }) : gettext("Yes, %(move)s is good, too.", { move });
    this.#settled.set(task, "found");
    // What was found stays beside the game as a branch.
    if (!before.child(node.hole)) before.append(node);
    this.#told = [praise, reasonsSentence(instead, this.page.rules().game)].filter(Boolean).join(" ");
    this.page.branched();
    byId("better-next").focus({ preventScroll: true });
  }

  /**
   * @param {Node} task
   * @param {Node} node
   * @param {import("./review_values.js").Judgement} judgement
   * @param {number} attempt
   */
  async #worse(task, node, judgement, attempt) {
    const before = /** @type {Node} */ (task.parent);
    const { against, arrows } = this.page.rules().compare(before.snapshot, playedLine(node), before.seen?.pv ?? []);
    // What a move misses at a hole would give the answer away.
    const told = against.filter(({ kind, hole }) => !(kind.startsWith("misses") && hole));
    const cost = node === task ? gettext("That was played in the game.") : triedText(judgement);
    const reasons = reasonsSentence(told, this.page.rules().game);
    this.#told = [`${node.snapshot.text}: ${cost}`, reasons, gettext("Try another move.")].filter(Boolean).join(" ");
    this.draw();
    await this.page.sown();
    if (attempt === this.#attempts && this.page.current() === node) this.page.arrows(arrows);
    await new Promise((done) => setTimeout(done, LOOK));
    if (attempt !== this.#attempts || this.page.current() !== node) return;
    this.#takeBack();
    this.draw();
  }

  async #reveal() {
    const { task } = this;
    const before = task?.parent;
    if (!task || !before) return;
    this.#attempts += 1;
    const attempt = this.#attempts;
    try {
      if (!before.seen) await this.page.review.judge(task);
    } catch (error) {
      if (attempt === this.#attempts) this.#fail(error);
      return;
    }
    if (attempt !== this.#attempts) return;
    if (!before.seen) {
      this.#fail();
      return;
    }
    const { seen, snapshot } = before;
    this.#tried = null;
    this.#settled.set(task, "shown");
    const { instead } = this.page.rules().compare(snapshot, playedLine(task), seen.pv);
    const better = gettext("Better: %(line)s", { line: seen.texts.slice(0, 5).join(" ") });
    this.#told = [`${better}.`, reasonsSentence(instead, this.page.rules().game)].filter(Boolean).join(" ");
    this.page.show(before, { quiet: true });
    this.page.changed();
    this.page.arrows(lineArrows(snapshot, [/** @type {any} */ ({ move: seen.best })]));
    this.draw();
  }

  /** Show the task, or what came of all of them. */
  draw() {
    byId("better").hidden = !this.#active;
    if (!this.#active) return;
    const { task } = this;
    const settled = task ? this.#settled.get(task) : undefined;
    const count = this.#tasks.length;
    const elsewhere = Boolean(task) && !settled && !this.waiting;
    const put = (/** @type {string} */ id, /** @type {string} */ text) => {
      const place = byId(id);
      if (place.textContent !== text) place.textContent = text;
      place.hidden = !text;
    };
    if (task) {
      put("better-count", gettext("%(n)s of %(all)s", { n: this.#at + 1, all: count }));
      put("better-title", capital(nodeName(task)));
      const told = elsewhere ? gettext("Another position is on the board.") : this.#told;
      const loss = task.judged ? lossText(task.judged) : "";
      const played = { move: task.snapshot.text ?? "", loss };
      const ask = loss
        ? gettext("%(move)s was played: %(loss)s. Find a better move.", played) : gettext("%(move)s was played. Find a better move.", played);
      // One of the two, so that a phone has room for the buttons.
      put("better-task", told ? "" : ask);
      put("better-told", told);
    } else {
      const found = this.#tasks.filter((node) => this.#settled.get(node) === "found").length;
      put("better-count", "");
      put("better-title", gettext("Find the better move"));
      put("better-task", count
        ? ngettext("You have found %(found)s of %(n)s better move.", "You have found %(found)s of %(n)s better moves.", count, { found })
        : gettext("No mistakes: there is nothing better to find."));
      put("better-told", "");
    }
    const next = byId("better-next");
    next.hidden = !count;
    next.textContent = task ? (settled ? gettext("Next") : gettext("Skip")) : gettext("Once more");
    next.classList.toggle("primary", !task || Boolean(settled));
    byId("better-back").hidden = !elsewhere;
    byId("better-show").hidden = !task || settled === "shown";
  }
}
