/** The explorer: what has been played in the position on the board, on this site, in one's own games, or in a file. */

import { byId, whenReleased } from "../site/dom.js";
import { gettext, ngettext } from "../site/translations.js";
import { problemText } from "./board_state.js";
import { positionRequest } from "./engine_provider.js";
import { isShown } from "./page_layout.js";
import { requestAnalysis } from "./server_requests.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {{move: number, games: number, white: number, draws: number, black: number, last: string|null}} PlayedMove */
/** @typedef {{moves: PlayedMove[], games: {id: string, title?: string, result: string, date: string|null}[]}} Played id: empty for games of a file */

/** The server is asked once somebody stops stepping through the moves. */
const PAUSE_MS = 150;
const MOST_GAMES = 6;

/** @param {string} tag @param {string} text @param {string} [name] of its class */
function element(tag, text, name = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (name) made.className = name;
  return made;
}

export class PlayedMoves {
  /** The answers of the choice that is shown; null where the server did not answer. @type {WeakMap<Node, Played|null>} */ #known = new WeakMap();
  #timer = 0;
  #abort = new AbortController();
  /** @type {Node|null} */ #asked = null;
  /** The file of games that was opened. @type {import("./played_file.js").PlayedFile|null} */ #file = null;
  #reading = new AbortController();

  /**
   * @param {{game: () => string, current: () => Node, texts: (node: Node, moves: number[]) => string[], pick: (hole: number) => void,
   *   facts: import("./record_parser.js").RecordFacts}} page texts: moves in field notation
   */
  constructor(page) {
    this.page = page;
    byId("played-whose").addEventListener("change", () => {
      this.#known = new WeakMap();
      this.#asked = null;
      this.#drawFile();
      this.show();
      if (this.#ofFile && !this.#file) chosen.click();
    });
    const chosen = /** @type {HTMLInputElement} */ (byId("played-chosen"));
    byId("played-open").addEventListener("click", () => chosen.click());
    chosen.addEventListener("change", () => {
      const [file] = chosen.files ?? [];
      if (file) void this.#read(file);
      chosen.value = "";
    });
    // A browser may remember the choice of the last visit.
    this.#drawFile();
  }

  /** Whether the games of a file are asked for. */
  get #ofFile() {
    return /** @type {HTMLSelectElement} */ (byId("played-whose")).value === "file";
  }

  /** @param {string} [text] how far the reading is, or why it failed */
  #drawFile(text = "") {
    byId("played-file").hidden = !this.#ofFile;
    byId("played-read").textContent = text;
  }

  /** Read a file of games, in slices: the page works meanwhile. @param {File} file */
  async #read(file) {
    this.#reading.abort();
    const { signal } = (this.#reading = new AbortController());
    this.#drawFile(gettext("Reading the file…"));
    try {
      const { PlayedFile } = await import("./played_file.js");
      const made = new PlayedFile(this.page.facts, this.page.game());
      await made.read(file, (n) => this.#drawFile(ngettext("%(n)s game read…", "%(n)s games read…", n, { n })), signal);
      if (signal.aborted) return;
      this.#file = made;
      const { games: n, bad, cut } = made;
      const told = [ngettext("%(n)s game of the file counts.", "%(n)s games of the file count.", n, { n })];
      if (bad) told.push(ngettext("%(n)s cannot be read to its end.", "%(n)s cannot be read to their ends.", bad, { n: bad }));
      if (cut) told.push(gettext("The file has more than can be counted here."));
      this.#drawFile(told.join(" "));
    } catch (error) {
      if (signal.aborted) return;
      this.#drawFile(problemText(error));
    }
    this.#known = new WeakMap();
    this.#asked = null;
    this.show();
  }

  /** Show what was played in the position on the board, while somebody looks. */
  show() {
    if (!isShown("book")) return;
    const node = this.page.current();
    if (node !== this.#asked) this.#ask(node);
    void this.#draw(node);
  }

  /** @param {Node} node */
  #ask(node) {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#asked = node;
    if (this.#known.get(node)) return;
    const { signal } = (this.#abort = new AbortController());
    this.#timer = setTimeout(async () => {
      const { value: whose } = /** @type {HTMLSelectElement} */ (byId("played-whose"));
      try {
        if (whose === "file") {
          const found = this.#file ? await this.#file.ask(this.page.game(), node, signal) : { moves: [], games: [] };
          if (signal.aborted) return;
          this.#known.set(node, found);
          if (node === this.page.current()) void this.#draw(node);
          return;
        }
        const answer = await requestAnalysis("played", { ...positionRequest(this.page.game(), node), whose }, signal);
        if (!answer.moves) throw new Error(answer.detail);
        this.#known.set(node, answer);
      } catch {
        if (signal.aborted) return;
        this.#asked = null; // whoever comes back asks again
        this.#known.set(node, null);
      }
      if (node === this.page.current()) void this.#draw(node);
    }, PAUSE_MS);
  }

  /** @param {Node} node */
  async #draw(node) {
    await whenReleased();
    if (node !== this.page.current()) return;
    const played = this.#known.get(node);
    const { moves = [], games = [] } = played ?? {};
    const state = byId("played-state");
    if (played === undefined) state.textContent = "";
    else if (played === null) state.textContent = gettext("The server does not answer. Try again.");
    else state.textContent = games.length || (this.#ofFile && !this.#file) ? "" : gettext("No game has had this position.");
    state.hidden = !state.textContent;
    const host = byId("played-moves");
    const focused = host.contains(document.activeElement) ? /** @type {HTMLElement} */ (document.activeElement).dataset.move : undefined;
    host.replaceChildren(...moves.map((move) => this.#row(node, move)));
    /** @type {HTMLElement} */ (host.parentElement).hidden = !moves.length;
    if (focused) /** @type {HTMLElement|null} */ (host.querySelector(`[data-move="${focused}"]`))?.focus({ preventScroll: true });
    byId("played-games").replaceChildren(...games.slice(0, MOST_GAMES).map(({ id, title, result, date }) => {
      const item = document.createElement("li");
      const link = document.createElement(id ? "a" : "span");
      if (link instanceof HTMLAnchorElement) link.href = `/games/${id}`;
      link.textContent = [title, date, result === "1/2-1/2" ? "½-½" : result].filter(Boolean).join(" · ");
      item.append(link);
      return item;
    }));
  }

  /** @param {Node} node @param {PlayedMove} played */
  #row(node, { move, games, white, draws, black, last }) {
    const line = document.createElement("tr");
    const button = /** @type {HTMLButtonElement} */ (element("button", this.page.texts(node, [move])[0], "move"));
    button.type = "button";
    button.dataset.move = String(move);
    button.addEventListener("click", () => this.page.pick(move));
    const name = document.createElement("th");
    name.scope = "row";
    name.append(button);
    const results = document.createElement("td");
    const bar = element("span", "", "results");
    bar.setAttribute("aria-hidden", "true");
    for (const [part, count] of Object.entries({ white, draws, black })) {
      if (!count) continue;
      const share = element("span", "", part);
      share.style.flexGrow = String(count);
      bar.append(share);
    }
    const said = gettext("White won %(white)s, drawn %(draws)s, Black won %(black)s", { white, draws, black });
    results.append(bar, element("span", `${white} · ${draws} · ${black}`, "counts"), element("span", said, "hidden"));
    results.querySelector(".counts")?.setAttribute("aria-hidden", "true");
    line.append(name, element("td", String(games)), results, element("td", last ?? ""));
    return line;
  }
}
