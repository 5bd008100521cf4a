/** The engine on this device, or the server's if the device cannot run it. Both have the same interface. */

import { requestAnalysis, ServerUnreachableError } from "./server_requests.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./game_tree.js").Snapshot} Snapshot */
/**
 * @typedef {{move: number, evaluation: number, certain: number, exact: boolean, depth: number, pv: number[],
 *   texts?: string[], win: number, draw: number, loss: number,
 *   reasons?: import("../../kernel.js").Reason[]}} Line for the side to move
 */
/**
 * @typedef {{nodes: number, seconds: number, lines: Line[], whole?: boolean}} Report whole: of a search that
 *   reached its limits or a proof
 */
/** @typedef {{seconds?: number, nodes?: number, lines?: number}} Limits */

/**
 * @param {string} game
 * @param {{tableMiB?: number, threads?: number}} [options]
 * @returns {Promise<DeviceEngine|ServerEngine>}
 */
export async function openEngine(game, options = {}) {
  try {
    const { EngineWorkers } = await import("../device/device_engine.js");
    const knownGame = /** @type {import("../device/kernel_rules.js").Game} */ (game);
    if (EngineWorkers.possible()) return new DeviceEngine(await EngineWorkers.open(knownGame, options));
  } catch {
    // The server is used instead.
  }
  return new ServerEngine(game);
}

export class DeviceEngine {
  local = true;

  /** @param {import("../device/device_engine.js").EngineWorkers} device */
  constructor(device) {
    this.device = device;
  }

  get threads() {
    return this.device.threads;
  }

  /**
   * Search the position of a node; a new search ends the one before. What it ends with is only in the result.
   * @param {Node} node
   * @param {Limits} limits
   * @param {(report: Report) => void} [onReport]
   * @returns {Promise<Report>}
   */
  analyse(node, limits, onReport) {
    return this.device.analyse(node.path.map(({ snapshot }) => snapshot.board), limits, onReport);
  }

  /** The hole that a level chooses. @param {Node} node @param {number} level @returns {Promise<number>} */
  async choose(node, level) {
    return (await this.device.choose(node.path.map(({ snapshot }) => snapshot.board), level)).move;
  }

  stop() {
    this.device.stop();
  }

  close() {
    this.device.close();
  }
}

/** The node limits of the server's successive searches. */
const STEPS = [20_000, 100_000, 400_000];
/** The most lines of one answer. */
const MOST_LINES = 5;

export class ServerEngine {
  local = false;
  threads = 1;
  /** @type {AbortController} */ #abort = new AbortController();

  /** @param {string} game */
  constructor(game) {
    this.game = game;
  }

  /** @param {Node} node @param {Limits} limits @param {(report: Report) => void} [onReport] @returns {Promise<Report>} */
  async analyse(node, limits, onReport) {
    const signal = this.#begin();
    const most = limits.nodes ?? STEPS[STEPS.length - 1];
    const steps = [...STEPS.filter((nodes) => nodes < most), most];
    /** @type {Report} */
    let report = { nodes: 0, seconds: 0, lines: [] };
    for (const nodes of onReport ? steps : [most]) {
      try {
        const answer = await requestAnalysis("search", { ...positionRequest(this.game, node), lines: Math.min(MOST_LINES, limits.lines ?? 1), nodes }, signal);
        if (!answer.lines) throw new ServerUnreachableError(answer.detail);
        report = answer;
      } catch (error) {
        if (signal.aborted) break;
        throw error;
      }
      onReport?.(report);
      if (report.lines.every(({ exact }) => exact)) break;
    }
    return { ...report, whole: !signal.aborted };
  }

  /** @param {Node} node @param {number} level @returns {Promise<number>} */
  async choose(node, level) {
    const answer = await requestAnalysis("move", { ...positionRequest(this.game, node), level }, this.#begin());
    if (!answer.move) throw new ServerUnreachableError(answer.detail);
    return answer.move;
  }

  #begin() {
    this.stop();
    this.#abort = new AbortController();
    return this.#abort.signal;
  }

  stop() {
    this.#abort.abort();
  }

  close() {
    this.stop();
  }
}

/** How a position is named in requests to the server. @param {string} game @param {Node} node */
export function positionRequest(game, node) {
  return { game, position: node.path[0].snapshot.position, moves: node.holes };
}
