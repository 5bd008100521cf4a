/** The threat: what the other side would do if it were to move. */

import { byId, say } from "../site/dom.js";
import { problemText, showNotice } from "./board_state.js";
import { Node } from "./game_tree.js";
import { LineError } from "./rules_provider.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("./rules_provider.js").LocalRules|import("./rules_provider.js").ServerRules} Rules */

/**
 * The position with the other side to move, as a node beside the tree.
 * @param {Rules} rules
 * @param {Node} node
 * @returns {Promise<Node|null>} null where the other side has no move
 * @throws {import("./server_requests.js").ServerUnreachableError}
 */
async function threatOf(rules, node) {
  const [rows, white, black, side, number] = node.snapshot.position.split(" ");
  try {
    const [snapshot] = await rules.line([rows, white, black, side === "S" ? "N" : "S", number].join(" "), []);
    return snapshot.outcome || !snapshot.legal.length ? null : new Node(snapshot, null);
  } catch (error) {
    if (error instanceof LineError) return null; // the rules do not allow such a position
    throw error;
  }
}

export class Threat {
  /** The position with the other side to move, while the threat is shown. @type {Node|null} */ node = null;

  /** @param {{rules: () => Rules, current: () => Node, show: (node: Node|null) => void}} page show: what the engine is to look at, null for the position itself */
  constructor(page) {
    this.page = page;
  }

  /** Show the threat, or the position itself again. */
  async toggle() {
    if (this.node) {
      this.end();
      this.page.show(null);
      return;
    }
    const before = this.page.current();
    let node;
    try {
      node = before.snapshot.outcome ? null : await threatOf(this.page.rules(), before);
    } catch (error) {
      if (before === this.page.current()) showNotice(problemText(error), true);
      return;
    }
    if (before !== this.page.current()) return;
    if (!node) {
      showNotice(gettext("The other side has no move here."));
      return;
    }
    this.node = node;
    byId("threat").setAttribute("aria-pressed", "true");
    this.page.show(node);
    const text = node.snapshot.board.turn === "white"
      ? gettext("The threat: what White would play now") : gettext("The threat: what Black would play now");
    byId("lines-of").textContent = text;
    byId("lines-of").hidden = false;
    say(text);
  }

  /** The position has changed. */
  end() {
    this.node = null;
    byId("threat").setAttribute("aria-pressed", "false");
    byId("lines-of").hidden = true;
  }
}
