/**
 * Thinks on the visitor's device for the engine of a game on the server. The server asks for each move and plays by
 * itself if no answer comes. So nothing here has to succeed; it only must not answer wrongly.
 */

import { Device } from "../device/device_engine.js";
import { Rules } from "../device/kernel_rules.js";
import { isOver } from "../game/state_selectors.js";
import { CommandError } from "./live_connection.js";

/** @typedef {import("./live_connection.js").Live} Live */
/** @typedef {import("./live_connection.js").Question} Question */
/** @typedef {import("../game/message_types.js").GameState} GameState */

/** As much memory as the server's engine has for its moves. */
const SERVERS = { threads: 1, tableMiB: 8 };

export class Opponent {
  #live;
  #device;
  #rules;
  /** @type {GameState} */ #state;
  #asked = 0;

  /**
   * Offer to think for the engine, if this device can.
   * @param {Live} live
   * @param {() => GameState} state the present one
   * @returns {Promise<Opponent|null>} null where it cannot
   */
  static async open(live, state) {
    if (!Device.possible()) return null;
    const game = /** @type {import("../device/device_engine.js").Game} */ (state().game);
    // One after the other: a device that is not closed would keep its memory.
    const rules = await Rules.load(game);
    const opponent = new Opponent(live, await Device.open(game, SERVERS), rules, state());
    live.offer((question) => void opponent.#answer(question));
    opponent.heed(state());
    return opponent;
  }

  /** @param {Live} live @param {Device} device @param {Rules} rules @param {GameState} state */
  constructor(live, device, rules, state) {
    this.#live = live;
    this.#device = device;
    this.#rules = rules;
    this.#state = state;
  }

  /** The game has gone on. @param {GameState} state */
  heed(state) {
    this.#state = state;
    if (isOver(state)) this.close();
    else if (this.#asked && this.#asked !== state.version) this.#device.stop();
  }

  /** Stop thinking; the server takes over. */
  close() {
    this.#live.offer(null);
    this.#device.close();
  }

  /** @param {Question} question */
  async #answer({ version, seconds }) {
    const { moves, level, start } = this.#state;
    if (version !== this.#state.version || level === null) return;
    this.#asked = version;
    try {
      let board = start === null ? this.#rules.start() : this.#rules.parse(start);
      const boards = [board];
      for (const { hole } of moves) boards.push((board = this.#rules.sow(board, hole).board));
      const { move } = await this.#device.choose(boards, level, seconds ?? undefined);
      if (this.#state.version === version) await this.#live.command("reply", { hole: move, version });
      // The server did not wait: this device is too slow for the level. (After an undo the game is shorter.)
      else if (this.#state.moves.length > moves.length) this.close();
    } catch (error) {
      // If the server refuses a reply as too late, or does not get it, it plays by itself; anything else is a bug here.
      const late = error instanceof CommandError && error.status === 409;
      if (!late) this.close();
    } finally {
      if (this.#asked === version) this.#asked = 0;
    }
  }
}
