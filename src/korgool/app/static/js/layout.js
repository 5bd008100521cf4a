/**
 * Where everything lies on the board, in CSS pixels. Pure arithmetic.
 *
 * The board is laid out lengthwise once: `u` runs along the near player's row from his left, `v` from the far edge to
 * the near one. A wide board takes that as it is. A tall one is turned a quarter to the left: the near row becomes
 * the right column with hole 1 at the bottom, and sowing stays counter-clockwise.
 */

/** @typedef {import("./types.js").Box} Box */
/** @typedef {import("./types.js").Side} Side */
/**
 * @typedef {{box: Box, stones: Box, button: Box, count: {x: number, y: number}, label: {x: number, y: number}}} HolePlace
 *   the button covers the hole and its number and meets its neighbours: no dead strip between them
 */
/**
 * @typedef {{box: Box, stones: Box, count: {x: number, y: number}, owner: {x: number, y: number}|null}} StorePlace
 *   `owner` is where the owner's colour is shown, for stores that do not lie along his row
 */
/**
 * @typedef {{vertical: boolean, panel: Box, near: HolePlace[], far: HolePlace[],
 *   stores: {near: StorePlace, far: StorePlace}, band: Box, text: number}} Layout
 */

/**
 * @param {number} width of the element
 * @param {number} height of the element
 * @param {number} holes of each side
 * @param {boolean} ends whether the stores lie at the ends (mangala) rather than between the rows
 * @returns {Layout}
 */
export function layout(width, height, holes, ends) {
  const vertical = height > width;
  let length = vertical ? height : width;
  let breadth = vertical ? width : height;
  const small = breadth < 380;
  const rim = small ? 5 : 14;
  const label = small ? 17 : 22;
  const gap = small ? 5 : 10;
  const band = small ? gap : 18; // an ornament along the middle

  // A hole should not become a ballroom: bound the pitch by the breadth and centre the panel in what is left over.
  const extra = ends ? 2 : 0; // stores at the ends take the room of a hole and a bit each
  const across = ends ? (breadth - 2 * (rim + label) - band) / 2 : (breadth - 2 * (rim + label) - 2 * gap - band) / 3;
  const widest = across * (ends ? 0.95 : 0.9);
  const pitch = Math.min((length - 2 * rim - (ends ? 2 * gap : 0)) / (holes + extra * 1.1), widest);
  const used = 2 * rim + pitch * (holes + extra * 1.1) + (ends ? 2 * gap : 0);
  const u0 = (length - used) / 2;
  length = used;

  // Breadth: rim, labels, far holes, stores (when between the rows), near holes, labels, rim.
  const tallest = pitch * (ends ? 1.9 : 2.1);
  const depth = Math.min(across, tallest);
  const trough = ends ? 0 : Math.min(depth * 0.5, breadth * 0.16);
  const middle = ends ? band : 2 * trough + 2 * gap + band;
  const need = 2 * (rim + label) + 2 * depth + middle;
  const v0 = Math.max(0, (breadth - need) / 2);
  breadth = Math.min(breadth, need);

  /** @param {number} u @param {number} v @param {number} du @param {number} dv @returns {Box} */
  const place = (u, v, du, dv) =>
    vertical
      ? { x: v0 + v, y: height - u0 - u - du, w: dv, h: du }
      : { x: u0 + u, y: v0 + v, w: du, h: dv };
  /** @param {number} u @param {number} v */
  const point = (u, v) => {
    const { x, y } = place(u, v, 0, 0);
    return { x, y };
  };

  const start = rim + (ends ? pitch * 1.1 + gap : 0);
  const farV = rim + label;
  const nearV = farV + depth + middle;
  const inset = Math.max(2, pitch * 0.05);
  const text = Math.max(14, Math.min(24, pitch * (vertical ? 0.4 : 0.27)));
  // The count stands at the inner end of each hole: as long as a number is wide, or as tall.
  const room = Math.min(depth * 0.34, vertical ? text * 1.75 : text * 1.5);

  /** @param {number} index @param {boolean} near @returns {HolePlace} */
  const hole = (index, near) => {
    const u = start + pitch * (near ? index : holes - 1 - index) + inset;
    const du = pitch - 2 * inset;
    const v = near ? nearV : farV;
    const inner = near ? v + room / 2 : v + depth - room / 2;
    const pad = Math.max(3, du * 0.06);
    const reach = label / 2 + 9;
    return {
      box: place(u, v, du, depth),
      stones: place(u + pad, near ? v + room : v + pad, du - 2 * pad, depth - room - pad),
      button: place(u - inset, near ? v : v - reach, pitch, depth + reach),
      count: point(u + du / 2, inner + (near ? 2 : -2)),
      label: point(u + du / 2, near ? v + depth + label / 2 : v - label / 2),
    };
  };

  /** @param {boolean} near @returns {StorePlace} */
  const store = (near) => {
    if (ends) {
      const u = near ? start + pitch * holes + gap : rim;
      const du = pitch * 1.1;
      const v = farV - label * 0.4;
      const dv = 2 * depth + middle + label * 0.8;
      const head = Math.min(text * 2.2, dv * 0.3);
      const count = point(u + du / 2, near ? v + dv - head / 2 : v + head / 2);
      // The owner's disc stays inside his store, also where a zoomed page leaves little room.
      const aside = vertical ? text * 1.05 : Math.min(text * 1.35, du / 2 - text * 0.34 - 4);
      return {
        box: place(u, v, du, dv),
        stones: place(u + 6, near ? v + 6 : v + head, du - 12, dv - head - 6),
        count: vertical ? { x: count.x, y: count.y + text * 0.45 } : { x: count.x + text * 0.3, y: count.y },
        owner: vertical ? { x: count.x, y: count.y + text * 0.45 - aside } : { x: count.x - aside, y: count.y },
      };
    }
    const v = farV + depth + gap + (near ? trough + band : 0);
    const whole = length - 2 * rim - 2 * inset;
    const head = text * (vertical ? 2 : 2.6);
    // The total stands at each player's right; on a tall board at the end next to his name.
    const atStart = vertical ? near : !near;
    const u = rim + inset;
    return {
      box: place(u, v, whole, trough),
      stones: place(atStart ? u + head : u + 5, v + 3, whole - head - 5, trough - 6),
      count: point(atStart ? u + head / 2 : u + whole - head / 2, v + trough / 2),
      owner: null,
    };
  };

  const indices = Array.from({ length: holes }, (_, index) => index);
  return {
    vertical,
    panel: place(0, 0, length, breadth),
    near: indices.map((index) => hole(index, true)),
    far: indices.map((index) => hole(index, false)),
    stores: { near: store(true), far: store(false) },
    band: place(start, farV + depth + (ends ? 0 : gap + trough) + 2, pitch * holes, band - 4),
    text,
  };
}

/**
 * Centres of `count` stones in a hole: ranks of three as long as they fit, then of four and more, so that a number
 * is seen at a glance and no stone ever lies outside.
 * @param {Box} box
 * @param {number} count
 * @returns {{r: number, at: {x: number, y: number}[]}}
 */
export function packHole(box, count) {
  const long = Math.max(box.w, box.h);
  const short = Math.min(box.w, box.h);
  let lanes = 3;
  while (lanes < 40 && lanes * Math.floor((long / short) * lanes) < count) lanes += 1;
  const pitch = Math.min(short / lanes, 30);
  const ranks = Math.ceil(count / lanes);
  const upright = box.h >= box.w;
  const at = [];
  for (let stone = 0; stone < count; stone += 1) {
    const rank = Math.floor(stone / lanes);
    const inRank = rank < ranks - 1 ? lanes : count - lanes * rank;
    const u = ((stone % lanes) - (inRank - 1) / 2) * pitch;
    const v = (rank - (ranks - 1) / 2) * pitch;
    at.push({ x: box.x + box.w / 2 + (upright ? u : v), y: box.y + box.h / 2 + (upright ? v : u) });
  }
  return { r: pitch * 0.44, at };
}

/**
 * Centres of `count` stones in a store: rows of five across, a little gap after every ten, so that tens can be counted.
 * @param {Box} box
 * @param {number} count
 * @param {number} most stones that may ever come, which sets their size
 * @param {boolean} backwards whether they fill from the far end
 * @returns {{r: number, at: {x: number, y: number}[]}}
 */
export function packStore(box, count, most, backwards) {
  const along = box.w >= box.h;
  const long = along ? box.w : box.h;
  const short = along ? box.h : box.w;
  const ranks = Math.ceil(most / 5);
  const pitch = Math.min(short / 5, long / (ranks * 1.25), 22);
  const at = [];
  for (let stone = 0; stone < count; stone += 1) {
    const lane = ((stone % 5) - 2) * pitch;
    const rank = Math.floor(stone / 5);
    const from = (rank + 0.5) * pitch + Math.floor(rank / 2) * pitch * 0.45;
    const u = backwards ? long - from : from;
    at.push(along ? { x: box.x + u, y: box.y + short / 2 + lane } : { x: box.x + short / 2 + lane, y: box.y + u });
  }
  return { r: pitch * 0.44, at };
}

/**
 * Where an arrow key leads from a hole, as the holes lie on the screen; Home and End lead to the ends of the row.
 * @param {string} key
 * @param {{side: Side, hole: number}} from
 * @param {Side} near
 * @param {number} holes
 * @param {boolean} vertical
 * @returns {{side: Side, hole: number}|null}
 */
export function walk(key, { side, hole }, near, holes, vertical) {
  const [forward, backward] = vertical ? ["ArrowUp", "ArrowDown"] : ["ArrowRight", "ArrowLeft"];
  const across = vertical ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  if (key === forward || key === backward) {
    const step = (key === forward ? 1 : -1) * (side === near ? 1 : -1);
    return { side, hole: ((hole - 1 + step + holes) % holes) + 1 };
  }
  if (across.includes(key)) return { side: side === "white" ? "black" : "white", hole: holes + 1 - hole };
  if (key === "Home") return { side, hole: 1 };
  return key === "End" ? { side, hole: holes } : null;
}
