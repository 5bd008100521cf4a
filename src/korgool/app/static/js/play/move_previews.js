/**
 * Previews of the viewer's moves, from the kernel on this device. The server sends them with a page and not with every
 * move; where the kernel does not run there are no previews, and everything else works.
 */

/** @typedef {import("../device/kernel_rules.js").KernelRules} KernelRules */
/** @typedef {import("../game/message_types.js").GameState} GameState */

export class MovePreviews {
  /** @type {KernelRules|null} */ #rules = null;

  /**
   * Load the kernel; the page itself comes first.
   * @param {GameState} state
   * @param {string|undefined} choices the numbers of rules with named options
   * @param {() => void} loaded
   */
  async load({ game }, choices, loaded) {
    try {
      if (document.readyState !== "complete") await new Promise((done) => addEventListener("load", done, { once: true }));
      const { KernelRules } = await import("../device/kernel_rules.js");
      this.#rules = await KernelRules.load(/** @type {import("../device/kernel_rules.js").Game} */ (game), {
        choices: choices?.split(" ").map(Number),
      });
      loaded();
    } catch {
      // Old browsers, and pages whose policy or memory does not allow it.
    }
  }

  /** The rules of the game on this device; null where they are not there yet, or cannot be. */
  get rules() {
    return this.#rules;
  }

  /** Complete a state whose previews are missing. @param {GameState} state */
  fill(state) {
    const rules = this.#rules;
    if (!rules || !state.legal.length || state.legal[0] in state.previews) return;
    const board = rules.parse(state.position);
    state.previews = Object.fromEntries(state.legal.map((hole) => [hole, rules.preview(board, hole)]));
  }

  /**
   * The preview of a hole if it were the viewer's turn in this position; null if it is not known.
   * @param {GameState} state
   * @param {number} hole
   * @returns {import("../game/message_types.js").Preview|null}
   */
  previewAhead(state, hole) {
    const rules = this.#rules;
    if (!rules || !state.you) return null;
    try {
      return rules.preview({ ...rules.parse(state.position), turn: state.you }, hole);
    } catch {
      return null; // it could not be sown, or the game would be over
    }
  }
}
