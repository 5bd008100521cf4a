/** Arrow keys on the board: the hole to which each key moves the focus. */

/** @typedef {import("../game/message_types.js").Side} Side */

/**
 * The hole to which an arrow key leads, by the layout on the screen; Home and End lead to the ends of the row.
 * @param {string} key
 * @param {{side: Side, hole: number}} from
 * @param {Side} near
 * @param {number} holes
 * @param {boolean} tall
 * @returns {{side: Side, hole: number}|null}
 */
export function nextFocus(key, { side, hole }, near, holes, tall) {
  const [forward, backward] = tall ? ["ArrowDown", "ArrowUp"] : ["ArrowRight", "ArrowLeft"];
  const across = tall ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  if (key === forward || key === backward) {
    const step = (key === forward ? 1 : -1) * (side === near ? 1 : -1);
    return { side, hole: ((hole - 1 + step + holes) % holes) + 1 };
  }
  if (across.includes(key)) return { side: side === "white" ? "black" : "white", hole: holes + 1 - hole };
  if (key === "Home") return { side, hole: 1 };
  return key === "End" ? { side, hole: holes } : null;
}
