/** Hides what follows in a chapter, so that the next move has to be found: everything is read from the tree alone. */

import { Node } from "../analysis/game_tree.js";
import { saidOf } from "../analysis/shape_commands.js";
import { showPane } from "../analysis/page_layout.js";
import { problemText, showNotice } from "../analysis/board_state.js";
import { nodeName, stepTitle } from "../game/move_steps.js";
import { capturedStones } from "../game/move_trace.js";
import { byId } from "../site/dom.js";
import { gettext, ngettext } from "../site/translations.js";

/** @typedef {import("./study_board.js").Page} Page */

/** Milliseconds that another move stays on the board before it is taken back. */
const LOOK_MS = 1500;

export class MoveFinding {
  #on = false;
  /** The positions that have been on the board. @type {Set<Node>} */ #seen = new Set();
  /** Another move on the board, until it is taken back. @type {Node|null} */ #tried = null;
  #told = "";
  #attempts = 0;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    byId("find-toggle").addEventListener("click", () => this.toggle());
    byId("find-hint").addEventListener("click", () => this.#hint());
    byId("find-show").addEventListener("click", () => this.#reveal());
    byId("find-back").addEventListener("click", () => this.#back());
  }

  /** Whether what follows is hidden. */
  get on() {
    return this.#on;
  }

  /** Whether a position has not been on the board yet. @param {Node} node */
  conceals(node) {
    return this.#on && !this.#seen.has(node);
  }

  toggle(on = !this.#on) {
    if (on === this.#on) return;
    this.#on = on;
    this.#attempts += 1;
    this.#told = "";
    if (this.#tried) this.#back();
    this.#seen = new Set(this.page.current().path);
    document.body.toggleAttribute("data-finding", on);
    for (const [id, pressed] of /** @type {[string, boolean][]} */ ([["find-toggle", on], ["threat", false]])) byId(id).setAttribute("aria-pressed", String(pressed));
    byId("threat").setAttribute("aria-disabled", String(on));
    /** @type {HTMLInputElement} */ (byId("engine-on")).disabled = on;
    if (on) showPane("moves");
    this.page.hide(on);
    this.page.refresh();
  }

  /** Another chapter is on the board. */
  reset() {
    this.#attempts += 1;
    [this.#tried, this.#told] = [null, ""];
    this.#seen = new Set(this.page.current()?.path ?? []);
  }

  /** A position is on the board. @param {Node} node */
  shown(node) {
    if (!this.#on) {
      byId("find").hidden = true;
      return;
    }
    if (node !== this.#tried) {
      for (const one of node.path) this.#seen.add(one);
      if (this.#tried) [this.#tried, this.#told] = [null, ""];
    }
    this.#draw();
  }

  /** Take a move as an answer. @param {number} hole @returns {boolean} whether it was one */
  answer(hole) {
    if (!this.#on) return false;
    const node = this.page.current();
    if (this.#tried || !node.attached) this.#back();
    else if (node.children.length && node.snapshot.legal.includes(hole)) void this.#try(node, hole);
    return true;
  }

  /** @param {Node} node @param {number} hole */
  async #try(node, hole) {
    const [right] = node.children;
    this.#attempts += 1;
    const attempt = this.#attempts;
    if (hole === right.hole) {
      this.#told = gettext("Right.");
      this.page.show(right, { sown: true });
      return;
    }
    const branch = node.child(hole);
    try {
      // A move that is only tried does not become part of the chapter.
      const tried = branch ?? new Node(await this.page.rules().follow(node.snapshot, hole), node);
      if (attempt !== this.#attempts) return;
      this.#tried = tried;
      this.#told = gettext("Another move was played here.");
      this.page.show(tried, { sown: true });
      if (branch && [...branch.lead.comments, ...saidOf(branch), ...branch.after].length) return; // there is something to read
      await this.page.sown();
      await new Promise((done) => setTimeout(done, LOOK_MS));
      if (attempt === this.#attempts && this.#tried === tried) this.#back();
    } catch (error) {
      showNotice(problemText(error), true);
    }
  }

  #back() {
    const tried = this.#tried;
    this.#attempts += 1;
    if (!tried?.parent) return;
    const told = this.#told;
    this.#tried = null;
    this.page.show(tried.parent, { quiet: true });
    this.#told = told;
    this.#draw();
  }

  /** Say what the move does, and not which it is. */
  #hint() {
    const trace = this.page.current().children[0]?.snapshot.trace;
    if (!trace) return;
    const taken = capturedStones(trace);
    if (trace.tuz) this.#told = gettext("It makes a tuz.");
    else if (taken) this.#told = ngettext("It takes %(n)s stone.", "It takes %(n)s stones.", taken, { n: taken });
    else if (trace.extra_turn) this.#told = gettext("It brings another turn.");
    else this.#told = gettext("It takes nothing.");
    this.#draw();
  }

  #reveal() {
    if (this.#tried) this.#back();
    const [right] = this.page.current().children;
    if (!right) return;
    this.#attempts += 1;
    this.#told = "";
    this.page.show(right, { sown: true });
    byId("find-show").focus({ preventScroll: true });
  }

  #draw() {
    const node = this.page.current();
    const tried = this.#tried;
    const open = node.children.length > 0 && !tried;
    const { board, number } = node.snapshot;
    byId("find").hidden = false;
    let task = gettext("The chapter ends here.");
    if (tried) task = nodeName(tried);
    else if (open) task = gettext("Find the move. %(step)s", { step: stepTitle(number, board.turn) });
    byId("find-task").textContent = task;
    const said = tried ? [...tried.lead.comments, ...saidOf(tried), ...tried.after] : saidOf(node);
    byId("find-told").textContent = [this.#told, ...said].filter(Boolean).join(" ");
    byId("find-hint").hidden = byId("find-show").hidden = !open;
    byId("find-back").hidden = !tried;
  }
}
