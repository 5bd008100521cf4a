/** The tools of the analysis board: buttons below it, and the keys for them. */

import { byId } from "../site/dom.js";
import { onPaneShown, openSheet, showPane } from "./page_layout.js";

/** @typedef {import("./game_tree.js").Node} Node */

/**
 * @param {{click: (id: string, act: () => void) => void, board: import("../board/board_element.js").KorgoolBoard,
 *   editor: import("./position_editor.js").PositionEditor, threat: import("./threat.js").Threat,
 *   enginePanel: import("./engine_panel.js").EnginePanel, rules: () => import("./threat.js").Rules, current: () => Node,
 *   play: (hole: number) => void, edit: () => void, hidden: () => boolean}} page edit: called before a position is
 *   edited; hidden: whether a better move is sought, which the engine must not tell
 * @returns {import("./controls.js").Acts} what the keys do
 */
export function bindTools({ click, board, editor, threat, enginePanel, rules, current, play, edit, hidden }) {
  click("engine-toggle", () => byId("engine-on").click());
  click("threat", () => void threat.toggle());
  click("deeper", () => enginePanel.toggleEndless());
  click("edit", () => {
    if (editor.active) {
      editor.cancel();
      return;
    }
    edit();
    threat.end();
    board.finishAnimation();
    board.arrows = [];
    editor.open(rules().game, current().snapshot);
  });
  // The values of all moves take longer than those of the best: they are searched for while somebody looks at them.
  onPaneShown((name) => {
    if (enginePanel.all === (name === "book")) return;
    enginePanel.all = name === "book";
    if (rules() && !threat.node) enginePanel.showNode(current());
  });
  return {
    " ": () => {
      const best = enginePanel.reportOf(current())?.lines[0];
      if (best && !threat.node && !hidden()) play(best.move);
    },
    x: () => byId("threat").click(),
    e: () => byId("edit").click(),
    l: () => byId("engine-on").click(),
    a: () => byId("arrows").click(),
    c: () => {
      showPane("moves");
      /** @type {HTMLDetailsElement} */ (byId("notes")).open = true;
      byId("comment").focus();
    },
    "?": () => openSheet("keys-sheet"),
  };
}
