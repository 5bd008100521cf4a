/** The steps through the moves of the tree, for buttons and keys. */

/** @typedef {import("./game_tree.js").Node} Node */

/**
 * @param {{root: () => Node, current: () => Node, next: (node: Node) => Node|undefined, show: (node: Node) => void}} page
 *   next: the main continuation of a node, where it may be seen
 */
export function treeSteps({ root, current, next, show }) {
  return {
    first: () => show(root()),
    previous: () => {
      const { parent } = current();
      if (parent) show(parent);
    },
    next: () => {
      const node = next(current());
      if (node) show(node);
    },
    last: () => {
      let node = current();
      for (let after = next(node); after; after = next(node)) node = after;
      show(node);
    },
    /** The branch before or after this one. @param {number} by */
    branch: (by = 1) => {
      const among = current().parent?.children ?? [];
      const other = among[among.indexOf(current()) + by];
      if (other) show(other);
    },
  };
}
