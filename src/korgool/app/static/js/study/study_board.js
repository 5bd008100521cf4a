/** The page of a study: its chapters beside the board of the analysis page, which shows one of them. */

import { parseRecord } from "../analysis/record_parser.js";
import { treeOfRecord } from "../analysis/record_tree.js";
import { writeRecord } from "../analysis/record_writer.js";
import { buildTree } from "../analysis/game_tree.js";
import { openRules } from "../analysis/rules_provider.js";
import { showPane } from "../analysis/page_layout.js";
import { showNotice } from "../analysis/board_state.js";
import { byId } from "../site/dom.js";
import { gettext } from "../site/translations.js";
import { ChapterList } from "./chapter_list.js";
import { MoveFinding } from "./move_finding.js";
import { bindStudySheets } from "./study_sheets.js";
import { ChapterSaving, dropDraft, readDraft, stateText } from "./study_saving.js";
import { DeviceStore, ServerStore, StudyRefusedError } from "./study_store.js";

/** @typedef {import("../analysis/game_tree.js").Node} Node */
/** @typedef {import("../analysis/record_parser.js").ParsedGame} ParsedGame */
/** @typedef {import("./study_store.js").Chapter} Chapter */
/** @typedef {import("./study_store.js").Study} Study */
/** @typedef {{id: string, own: boolean, limits: import("./study_files.js").Limits}} StudyFacts id: empty for one of this device */
/** @typedef {{game: string, position: string|null, lines: {before: number[], moves: number[]}[], at?: number[]|null, ply?: number|null, quiet?: boolean}} Request quiet: without the engine at first */
/**
 * @typedef {{open: (request: Request, record?: ParsedGame|null) => Promise<boolean>,
 *   show: (node: Node, how?: {sown?: boolean, quiet?: boolean}) => void, sown: () => Promise<void>,
 *   rules: () => import("../analysis/rules_provider.js").LocalRules|import("../analysis/rules_provider.js").ServerRules,
 *   tree: () => import("../analysis/game_tree.js").Tree, current: () => Node, refresh: () => void, text: () => string,
 *   hide: (hidden: boolean) => void, facts: import("../analysis/record_parser.js").RecordFacts, games: string[]}} Page
 *   text: the record of what is on the board; hide: whether what the engine would play is hidden
 */

export class StudyBoard {
  /** @type {Study|null} */ study = null;
  /** The chapter on the board. @type {Chapter|null} */ chapter = null;
  /** Keys of the page, beside those of the analysis board. */
  keys = {
    h: () => this.finding.toggle(),
    PageUp: () => this.#step(-1),
    PageDown: () => this.#step(1),
  };

  /** @param {StudyFacts} facts @param {Page} page */
  constructor(facts, page) {
    this.facts = facts;
    this.page = page;
    this.own = facts.own;
    this.store = facts.id ? new ServerStore(facts.id) : new DeviceStore(new URLSearchParams(location.hash.slice(1)).get("study") ?? "");
    this.finding = new MoveFinding(page);
    this.list = new ChapterList({ pick: (chapter) => void this.#pick(chapter), step: (by) => this.#step(by) });
    this.saving = new ChapterSaving(this.store, page.text, (state, reason) => this.#tell(state, reason), facts.limits.chapter);
    bindStudySheets(this);
    byId("keep-mine").addEventListener("click", () => void this.attempt(() => this.#keepMine()));
    byId("take-other").addEventListener("click", () => void this.attempt(() => this.#takeOther()));
    addEventListener("pagehide", () => void this.saving.flush());
    addEventListener("online", () => void this.saving.flush());
  }

  /** The link of what is shown. @param {Node} node */
  link(node) {
    const parts = [this.facts.id ? "" : `study=${this.store.id}`, this.chapter ? `chapter=${this.chapter.number}` : "", node.ply ? `at=${node.holes.join(",")}` : ""];
    return `#${parts.filter(Boolean).join("&")}`;
  }

  /** Open the chapter that the address names, or the first one. */
  async openAddress() {
    if (!this.study) await this.load();
    const values = new URLSearchParams(location.hash.slice(1));
    const chapters = this.study?.chapters ?? [];
    const wanted = chapters.find(({ number }) => String(number) === values.get("chapter")) ?? chapters[0];
    const at = /^\d{1,2}(,\d{1,2})*$/.test(values.get("at") ?? "") ? (values.get("at") ?? "").split(",").map(Number) : [];
    showPane("moves");
    if (wanted) await this.openChapter(wanted, at);
    else this.list.draw(chapters, null);
  }

  /** Read the study again. */
  async load() {
    this.study = await this.store.load();
    const { title, chapters, own } = this.study;
    this.own = own;
    byId("study-title").textContent = title || gettext("Study without a title");
    byId("study-empty").hidden = chapters.length > 0;
    this.list.draw(chapters, this.chapter);
  }

  /** @param {Chapter} chapter @param {number[]} [at] the moves to the position to show */
  async openChapter(chapter, at = []) {
    await this.saving.flush();
    const stored = chapter.record;
    const draft = this.own ? readDraft(this.store, chapter.number) : null;
    if (draft) Object.assign(chapter, draft);
    const record = await parseRecord(chapter.record, this.page.games[0], this.page.facts);
    this.finding.toggle(false);
    this.saving.leave();
    this.chapter = chapter;
    if (!(await this.page.open({ ...record, lines: [], at, quiet: true }, record))) return;
    this.finding.reset();
    if (chapter.concealed && !this.own) this.finding.toggle(true);
    this.list.draw(this.study?.chapters ?? [], chapter);
    if (!this.own) return;
    chapter.record = this.page.text();
    this.saving.watch(chapter, draft ? stored : chapter.record);
  }

  /** Whether a move is hidden; without one, whether moves are to be found. @param {Node} [node] */
  conceals(node) {
    return node ? this.finding.conceals(node) : this.finding.on;
  }

  /** Take a move on the board as an answer. @param {number} hole */
  answer(hole) {
    return this.finding.answer(hole);
  }

  /** A position is on the board, or something of the chapter has changed. @param {Node} node */
  shown(node) {
    this.finding.shown(node);
    if (this.own && this.chapter) this.saving.changed();
  }

  /**
   * Add what is opened or set up as a new chapter, and show it.
   * @param {Request} request
   * @param {ParsedGame|null} [record]
   */
  async add(request, record = null) {
    const rules = await openRules(request.game);
    const tree = record ? await treeOfRecord(rules, record) : await buildTree(rules, request.position, request.lines);
    const start = request.position === null ? null : tree.root.snapshot.position;
    const text = writeRecord(tree, tree.line, { game: request.game, start, facts: this.page.facts }, "pgn") ?? "";
    const title = [tree.tags.White, tree.tags.Black].filter(Boolean).join(" – ");
    await this.addChapters([{ title: title.slice(0, this.facts.limits.title), concealed: false, record: text }]);
    return true;
  }

  /** Add chapters at the end, and show the first of them. @param {import("./study_files.js").ChapterText[]} chapters */
  async addChapters(chapters) {
    const { study, facts: { limits } } = this;
    if (study && study.chapters.length + chapters.length > limits.chapters) throw new StudyRefusedError(gettext("A study has at most %(n)s chapters.", { n: limits.chapters }));
    await this.saving.flush();
    const [first] = await this.store.append(chapters);
    await this.load();
    const made = this.study?.chapters.find(({ number }) => number === first);
    if (made) await this.openChapter(made);
  }

  /** Change the title, the author, the language or the order. @param {Partial<Study>} changes */
  async describe(changes) {
    if (!this.study) return;
    await this.store.describe({ ...this.study, ...changes });
    await this.#reload();
  }

  /** Rename the chapter on the board, or let its moves be found. @param {Partial<Chapter>} changes */
  changeChapter(changes) {
    if (!this.chapter) return;
    Object.assign(this.chapter, changes);
    this.saving.changed(true);
    this.list.draw(this.study?.chapters ?? [], this.chapter);
  }

  /** Move the chapter on the board. @param {number} by */
  async move(by) {
    const chapters = [...(this.study?.chapters ?? [])];
    const from = chapters.findIndex((one) => one === this.chapter);
    const to = from + by;
    if (from < 0 || to < 0 || to >= chapters.length) return;
    chapters.splice(to, 0, ...chapters.splice(from, 1));
    await this.describe({ chapters });
  }

  /** Delete the chapter on the board. */
  async removeChapter() {
    const { chapter } = this;
    if (!chapter) return;
    await this.saving.flush();
    await this.store.removeChapter(chapter);
    dropDraft(this.store, chapter.number);
    const at = this.study?.chapters.indexOf(chapter) ?? 0;
    this.saving.leave();
    this.chapter = null;
    await this.load();
    const chapters = this.study?.chapters ?? [];
    const next = chapters[Math.min(at, chapters.length - 1)];
    if (next) await this.openChapter(next);
    else await this.page.open({ game: this.page.rules().game, position: null, lines: [{ before: [], moves: [] }] });
  }

  /** Do something, and say why if it fails. @param {() => Promise<unknown>} work */
  async attempt(work) {
    try {
      await work();
      return true;
    } catch (error) {
      showNotice(error instanceof Error && error.message ? error.message : gettext("That did not work."), true);
      return false;
    }
  }

  /** Read the study again, and stay with the chapter on the board. */
  async #reload() {
    const held = this.chapter;
    await this.load();
    const chapters = this.study?.chapters ?? [];
    const at = chapters.findIndex(({ number }) => number === held?.number);
    // What is not saved yet stands on the board.
    if (held && at >= 0) chapters[at] = held;
    this.list.draw(chapters, held);
  }

  async #keepMine() {
    const { chapter } = this;
    if (!chapter) return;
    const mine = { ...chapter, title: `${chapter.title || gettext("Chapter %(n)s", { n: chapter.number })} (2)`.slice(0, this.facts.limits.title), record: this.page.text() };
    await this.store.append([mine]);
    dropDraft(this.store, chapter.number);
    this.saving.leave();
    await this.load();
    const last = this.study?.chapters[this.study.chapters.length - 1];
    if (last) await this.openChapter(last);
  }

  async #takeOther() {
    const { chapter } = this;
    if (!chapter) return;
    dropDraft(this.store, chapter.number);
    this.saving.leave();
    await this.load();
    const chapters = this.study?.chapters ?? [];
    const other = chapters.find(({ number }) => number === chapter.number) ?? chapters[0];
    if (other) await this.openChapter(other);
  }

  /** @param {Chapter} chapter */
  async #pick(chapter) {
    if (chapter !== this.chapter) await this.attempt(() => this.openChapter(chapter));
  }

  /** @param {number} by */
  #step(by) {
    const chapters = this.study?.chapters ?? [];
    const next = chapters[chapters.findIndex((one) => one === this.chapter) + by];
    if (next) void this.#pick(next);
  }

  /** @param {import("./study_saving.js").State} state @param {string} reason */
  #tell(state, reason) {
    const line = byId("study-state");
    line.textContent = stateText(state, reason);
    line.dataset.state = state;
    byId("study-conflict").hidden = state !== "conflict";
  }
}
