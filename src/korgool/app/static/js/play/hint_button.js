/** Hints in a game against the engine: asked for, shown as an arrow, and counted for each game. */

import { byId, disable } from "../site/dom.js";
import { recall, remember } from "../site/stored_settings.js";
import { gettext, ngettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../board/board_element.js").KorgoolBoard} KorgoolBoard */

/** The number of games whose hints are remembered. */
const MOST = 50;

export class Hints {
  #asking = false;

  /**
   * @param {string} id of the game
   * @param {KorgoolBoard} board
   * @param {{present: () => GameState, looksBack: () => boolean, changed: () => void,
   *   notice: (text: string) => void}} table
   */
  constructor(id, board, table) {
    this.id = id;
    this.board = board;
    this.table = table;
  }

  /** @returns {Record<string, number>} */
  get #counts() {
    try {
      return JSON.parse(recall("hints", "{}"));
    } catch {
      return {};
    }
  }

  /** How many hints were used in this game, in this browser. */
  get count() {
    return Number(this.#counts[this.id] ?? 0);
  }

  /** Show a good move until the position changes. */
  async ask() {
    const { board, table } = this;
    const state = table.present();
    const { version, you } = state;
    if (!you || state.level === null) return;
    try {
      this.#asking = true;
      table.changed();
      const { hole, why } = await this.#find(state);
      if (table.present().version !== version || table.looksBack()) return;
      const preview = state.previews[String(hole)];
      const to = preview ? { side: preview.side, hole: preview.hole } : { side: you, hole };
      board.arrows = [{ from: { side: you, hole }, to, rank: 1 }];
      const line = byId("hinted");
      line.textContent = gettext("Hint: hole %(hole)s, %(what)s", { hole, what: why || board.foretold(you, hole) });
      line.hidden = false;
    } catch {
      table.notice(gettext("There is no hint now. Try again."));
    } finally {
      this.#asking = false;
      table.changed();
    }
  }

  /** Remove the hint, which is for one position only. */
  forget() {
    byId("hinted").hidden = true;
    this.board.arrows = [];
  }

  /** @param {GameState} state @returns {Promise<{hole: number, why: string}>} rejects if nobody answers */
  async #find({ game, start, moves }) {
    const { ask } = await import("./hint_search.js");
    const found = await ask(game, start, moves.map((move) => move.hole));
    const { [this.id]: before = 0, ...others } = this.#counts;
    const kept = Object.entries(others).slice(1 - MOST);
    remember("hints", JSON.stringify(Object.fromEntries([...kept, [this.id, before + 1]])));
    return found;
  }

  /** Update the button and the count. @param {boolean} can whether a hint can be asked for now */
  show(can) {
    disable("hint", !can || this.#asking);
    byId("hints").hidden = !this.count;
    byId("hints").textContent = ngettext("%(n)s hint used in this game", "%(n)s hints used in this game", this.count);
  }
}
