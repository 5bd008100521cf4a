/**
 * Thinks on the visitor's device for the engine of a game on the server. The server asks for each move and plays by
 * itself if no answer comes. So this may fail at any time; it only must not answer wrongly.
 */

import { EngineWorkers } from "../device/device_engine.js";
import { KernelRules } from "../device/kernel_rules.js";
import { isOver } from "../game/state_selectors.js";
import { CommandError } from "./live_connection.js";

/** @typedef {import("./live_connection.js").LiveConnection} LiveConnection */
/** @typedef {import("./live_connection.js").ThinkRequest} ThinkRequest */
/** @typedef {import("../game/message_types.js").GameState} GameState */

/** As much memory as the server's engine has for its moves. */
const OPTIONS = { threads: 1, tableMiB: 8 };

export class DeviceEngineReply {
  #live;
  #workers;
  #rules;
  /** @type {GameState} */ #state;
  #requestedVersion = 0;

  /**
   * Offer to think for the engine, if this device can.
   * @param {LiveConnection} live
   * @param {() => GameState} state the present one
   * @returns {Promise<DeviceEngineReply|null>} null where it cannot
   */
  static async open(live, state) {
    if (!EngineWorkers.possible()) return null;
    const game = /** @type {import("../device/device_engine.js").Game} */ (state().game);
    // One after the other: a device that is not closed would keep its memory.
    const rules = await KernelRules.load(game);
    const opponent = new DeviceEngineReply(live, await EngineWorkers.open(game, OPTIONS), rules, state());
    live.setThinker((question) => void opponent.#answer(question));
    opponent.follow(state());
    return opponent;
  }

  /** @param {LiveConnection} live @param {EngineWorkers} device @param {KernelRules} rules @param {GameState} state */
  constructor(live, device, rules, state) {
    this.#live = live;
    this.#workers = device;
    this.#rules = rules;
    this.#state = state;
  }

  /** Follow the game to its newest state. @param {GameState} state */
  follow(state) {
    this.#state = state;
    if (isOver(state)) this.close();
    else if (this.#requestedVersion && this.#requestedVersion !== state.version) this.#workers.stop();
  }

  /** Stop thinking; the server takes over. */
  close() {
    this.#live.setThinker(null);
    this.#workers.close();
  }

  /** @param {ThinkRequest} question */
  async #answer({ version, seconds }) {
    const { moves, level, start } = this.#state;
    if (version !== this.#state.version || level === null) return;
    this.#requestedVersion = version;
    try {
      let board = start === null ? this.#rules.start() : this.#rules.parse(start);
      const boards = [board];
      for (const { hole } of moves) boards.push((board = this.#rules.sow(board, hole).board));
      const { move } = await this.#workers.choose(boards, level, seconds ?? undefined);
      if (this.#state.version === version) await this.#live.command("reply", { hole: move, version });
      // The server did not wait: this device is too slow for the level. (After an undo the game is shorter.)
      else if (this.#state.moves.length > moves.length) this.close();
    } catch (error) {
      // If the server refuses a reply as too late, or does not get it, it plays by itself; anything else is a bug here.
      const late = error instanceof CommandError && error.status === 409;
      if (!late) this.close();
    } finally {
      if (this.#requestedVersion === version) this.#requestedVersion = 0;
    }
  }
}
