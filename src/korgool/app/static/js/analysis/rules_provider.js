/** The rules for the analysis board: from the kernel on the device, or from the server if that is not possible. */

import { stepTitle } from "../game/move_steps.js";
import { whenIdle, yieldToBrowser } from "../site/dom.js";
import { findReasons, refutation } from "./move_reasons.js";
import { gettext } from "../site/translations.js";
import { requestAnalysis } from "./server_requests.js";
import { fieldText } from "./move_notation.js";

/** @typedef {import("./game_tree.js").Board} Board */
/** @typedef {import("./game_tree.js").Snapshot} Snapshot */
/** @typedef {import("./engine_provider.js").Line} Line */
/** @typedef {import("../../kernel.js").Reason} Reason */
/** @typedef {import("../game/message_types.js").Preview} Preview */
/** @typedef {import("../game/message_types.js").Trace} Trace */

/**
 * The rules of a game, on the device if possible.
 * @param {string} game
 * @returns {Promise<LocalRules|ServerRules>}
 */
export function openRules(game) {
  const found = rulesByGame.get(game) ?? load(game);
  rulesByGame.set(game, found);
  return found;
}

/** Load the rules of all games while there is a network. @param {string[]} games */
export async function preloadRules(games) {
  for (const game of games) {
    await whenIdle();
    void openRules(game);
  }
}

/** Loaded once: without the network they are still there. @type {Map<string, Promise<LocalRules|ServerRules>>} */
const rulesByGame = new Map();

/** @param {string} game */
async function load(game) {
  try {
    const { KernelRules } = await import("../device/kernel_rules.js");
    const rules = await KernelRules.load(/** @type {any} */ (game));
    await yieldToBrowser();
    return new LocalRules(game, rules);
  } catch {
    rulesByGame.delete(game); // a second attempt may succeed
    return new ServerRules(game);
  }
}

/** A line cannot be played; the message gives the ply and the reason. */
export class LineError extends Error {}

export class LocalRules {
  local = true;

  /** @param {string} game @param {import("../device/kernel_rules.js").KernelRules} rules */
  constructor(game, rules) {
    this.game = game;
    this.rules = rules;
  }

  /**
   * The position at the start of a line and after each of its plies.
   * @param {string|null} position position text, null for the start of the game
   * @param {number[]} moves
   * @returns {Promise<Snapshot[]>}
   */
  async line(position, moves) {
    let board;
    try {
      board = position === null ? this.rules.start() : this.rules.parse(position);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new LineError(gettext("This is not a position of the game: %(reason)s", { reason }));
    }
    const number = position === null ? 1 : Number(position.trim().split(/\s+/)[4]);
    const line = [this.#snapshot(board, number, null)];
    for (const hole of moves) line.push(this.follow(line[line.length - 1], hole));
    return line;
  }

  /** The position after one more ply. @param {Snapshot} before @param {number} hole */
  follow(before, hole) {
    if (!before.legal.includes(hole)) {
      const step = stepTitle(before.number, before.board.turn);
      throw new LineError(gettext("%(step)s: hole %(hole)s cannot be played.", { step, hole }));
    }
    const { board, trace } = this.rules.sow(before.board, hole);
    const passed = before.board.turn === "black" && board.turn === "white" && !trace.extra_turn;
    return this.#snapshot(board, before.number + Number(passed), trace);
  }

  /** @param {Board} board @param {number} number @param {Trace|null} trace @returns {Snapshot} */
  #snapshot(board, number, trace) {
    const legal = this.rules.legal(board);
    const rules = this.rules;
    /** @type {Record<string, Preview>|null} */
    let previews = null;
    return {
      board, number, trace, legal,
      position: rules.text(board, number),
      text: trace && fieldText(trace, board.stores),
      outcome: rules.outcome(board),
      // Computed on demand: a long line that is only replayed needs none.
      get previews() {
        previews ??= Object.fromEntries(legal.map((hole) => [hole, rules.preview(board, hole)]));
        return previews;
      },
    };
  }

  /**
   * Moves in field notation. The engine's line may go beyond the end of the game; the text stops there.
   * @param {Snapshot} from
   * @param {number[]} moves
   */
  texts(from, moves) {
    let { board } = from;
    const texts = [];
    for (const hole of moves) {
      if (!this.rules.legal(board).includes(hole)) break;
      const sown = this.rules.sow(board, hole);
      board = sown.board;
      texts.push(fieldText(sown.trace, board.stores));
    }
    return texts;
  }

  /** The reasons for the first move of a line. @param {Snapshot} from @param {Line[]} lines the best first @param {number} at */
  explain(from, lines, at) {
    return findReasons(this.rules, from, lines, at);
  }

  /**
   * The reasons against a move and for a better one, and what refutes the move as arrows on the board after it.
   * @param {Snapshot} from
   * @param {number[]} line the move and those expected after it
   * @param {number[]} better likewise, of the better one
   */
  compare({ board }, line, better) {
    const against = this.rules.faults(board, line, better);
    const other = line[0] === better[0] ? [] : line;
    const arrows = refutation(this.rules, this.rules.sow(board, line[0]).board, against);
    return { against, instead: this.rules.reasons(board, better, other), arrows };
  }
}

export class ServerRules {
  local = false;

  /** @param {string} game */
  constructor(game) {
    this.game = game;
  }

  /** @param {string|null} position @param {number[]} moves @returns {Promise<Snapshot[]>} */
  async line(position, moves) {
    const line = await requestAnalysis("line", { game: this.game, position, moves });
    if (line.detail) throw new LineError(line.detail);
    return line;
  }

  /** @param {Snapshot} before @param {number} hole */
  async follow(before, hole) {
    return (await this.line(before.position, [hole]))[1];
  }

  /**
   * The server's engine sends the reasons with its lines.
   * @param {Snapshot} _
   * @param {Line[]} lines
   * @param {number} at
   */
  explain(_, lines, at) {
    return lines[at].reasons ?? [];
  }

  /**
   * @returns {{against: Reason[], instead: Reason[], arrows: import("../board/move_arrows.js").Arrow[]}} nothing: the
   *   server judges no move of a page
   */
  compare() {
    return { against: [], instead: [], arrows: [] };
  }
}
