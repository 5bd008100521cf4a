/**
 * The engine of a server's game, thinking on the visitor's device. The server asks for each move and plays by itself
 * whenever no answer comes: so nothing here has to succeed, it only has to be honest.
 */

import { Device } from "./device/device.js";
import { Rules } from "./device/rules.js";
import { CommandError } from "./live.js";

/** @typedef {import("./live.js").Live} Live */
/** @typedef {import("./live.js").Question} Question */
/** @typedef {import("./types.js").GameState} GameState */

/** As much as the server's engine has for its moves. */
const SERVERS = { threads: 1, tableMiB: 8 };

export class Opponent {
  #live;
  #device;
  #rules;
  /** @type {GameState} */ #state;
  #asked = 0;

  /**
   * Offer to think for the engine, where this device can.
   * @param {Live} live
   * @param {() => GameState} state the present one
   * @returns {Promise<Opponent|null>} null where it cannot
   */
  static async open(live, state) {
    if (!Device.possible()) return null;
    const game = /** @type {import("./device/device.js").Game} */ (state().game);
    // One after the other: a device that nobody closes would go on holding its memory.
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
    if (state.outcome) this.close();
    else if (this.#asked && this.#asked !== state.version) this.#device.stop();
  }

  /** Think no more: the server does. */
  close() {
    this.#live.offer(null);
    this.#device.close();
  }

  /** @param {Question} question */
  async #answer({ version, seconds }) {
    const { moves, level, start } = this.#state;
    if (version !== this.#state.version) return;
    this.#asked = version;
    try {
      let board = start === null ? this.#rules.start() : this.#rules.parse(start);
      const boards = [board];
      for (const { hole } of moves) boards.push((board = this.#rules.sow(board, hole).board));
      const { move } = await this.#device.choose(boards, level, seconds ?? undefined);
      if (this.#state.version === version) await this.#live.command("reply", { hole: move, version });
      // The server has not waited: this device is too slow for the level. After an undo the game is shorter.
      else if (this.#state.moves.length > moves.length) this.close();
    } catch (error) {
      // What the server refuses as too late, or does not hear, it sees to by itself; everything else is a fault here.
      const late = error instanceof CommandError && [0, 409, 503].includes(error.status);
      if (!late) this.close();
    } finally {
      if (this.#asked === version) this.#asked = 0;
    }
  }
}
