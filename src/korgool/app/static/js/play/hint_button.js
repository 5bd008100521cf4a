/** Hints in a game against the engine: found on request, shown as an arrow, and counted for each game. */

import { named } from "../game/hole_names.js";
import { byId, disable } from "../site/dom.js";
import { readSetting, storeSetting } from "../site/stored_settings.js";
import { gettext, ngettext } from "../site/translations.js";

/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../board/board_element.js").KorgoolBoard} KorgoolBoard */

/** The number of games whose hints are remembered. */
const MOST = 50;

export class HintButton {
  #searching = false;

  /**
   * @param {string} id of the game
   * @param {KorgoolBoard} board
   * @param {{currentState: () => GameState, looksBack: () => boolean, changed: () => void,
   *   notice: (text: string) => void}} page
   */
  constructor(id, board, page) {
    this.id = id;
    this.board = board;
    this.page = page;
  }

  /** @returns {Record<string, number>} */
  get #counts() {
    try {
      return JSON.parse(readSetting("hints", "{}"));
    } catch {
      return {};
    }
  }

  /** The number of hints used in this game, in this browser. */
  get count() {
    return Number(this.#counts[this.id] ?? 0);
  }

  /** Show a good move until the position changes. */
  async showHint() {
    const { board, page } = this;
    const state = page.currentState();
    const { version, you } = state;
    if (!you || state.level === null) return;
    try {
      this.#searching = true;
      page.changed();
      const { hole, why } = await this.#find(state);
      if (page.currentState().version !== version || page.looksBack()) return;
      const preview = state.previews[String(hole)];
      const to = preview ? { side: preview.side, hole: preview.hole } : { side: you, hole };
      board.arrows = [{ from: { side: you, hole }, to, rank: 1 }];
      const line = byId("hinted");
      const what = named(state.game, hole, why || board.previewText(you, hole));
      line.textContent = gettext("Hint: hole %(hole)s, %(what)s", { hole, what });
      line.hidden = false;
    } catch {
      page.notice(gettext("There is no hint now. Try again."));
    } finally {
      this.#searching = false;
      page.changed();
    }
  }

  /** Remove the hint, which is for one position only. */
  removeHint() {
    byId("hinted").hidden = true;
    this.board.arrows = [];
  }

  /** @param {GameState} state @returns {Promise<{hole: number, why: string}>} rejects without an answer */
  async #find({ game, start, moves }) {
    const { findHint } = await import("./hint_search.js");
    const hint = await findHint(game, start, moves.map((move) => move.hole));
    const { [this.id]: before = 0, ...others } = this.#counts;
    const recent = Object.entries(others).slice(1 - MOST);
    storeSetting("hints", JSON.stringify(Object.fromEntries([...recent, [this.id, before + 1]])));
    return hint;
  }

  /** Update the button and the count. @param {boolean} can whether a hint can be asked for now */
  show(can) {
    disable("hint", !can || this.#searching);
    byId("hints").hidden = !this.count;
    byId("hints").textContent = ngettext("%(n)s hint used in this game", "%(n)s hints used in this game", this.count);
  }
}
