/** Glicko-2 for one answer; `korgool.glicko` and `korgool.training.puzzle_answer` are the same in Python. */

/** @typedef {{rating: number, deviation: number, volatility: number}} Rating */

/** Where a solver begins. */
export const BEGINNER = { rating: 800, deviation: 350, volatility: 0.06 };
const SCALE = 173.7178, TAU = 0.5;

/**
 * The rating after one game.
 * @param {Rating} own
 * @param {number} rating of the other
 * @param {number} deviation of the other
 * @param {number} score 0 to 1
 * @returns {Rating}
 */
export function glicko(own, rating, deviation, score) {
  const mu = (own.rating - 1500) / SCALE, phi = own.deviation / SCALE;
  const other = (rating - 1500) / SCALE;
  const g = 1 / Math.sqrt(1 + (3 * (deviation / SCALE) ** 2) / Math.PI ** 2);
  const expected = 1 / (1 + Math.exp(-g * (mu - other)));
  const variance = 1 / (g * g * expected * (1 - expected));
  const delta = variance * g * (score - expected);
  const start = Math.log(own.volatility ** 2);
  const f = (/** @type {number} */ x) => {
    const e = Math.exp(x);
    const total = phi * phi + variance + e;
    return (e * (delta * delta - total)) / (2 * total * total) - (x - start) / TAU ** 2;
  };
  let low = start, high;
  if (delta * delta > phi * phi + variance) high = Math.log(delta * delta - phi * phi - variance);
  else {
    let k = 1;
    while (f(start - k * TAU) < 0) k += 1;
    high = start - k * TAU;
  }
  let atLow = f(low), atHigh = f(high);
  while (Math.abs(high - low) > 1e-9) {
    /** @type {number} */
    const middle = low + ((low - high) * atLow) / (atHigh - atLow);
    const there = f(middle);
    if (there * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [middle, there];
  }
  const volatility = Math.exp(low / 2);
  const wider = Math.sqrt(phi * phi + volatility ** 2);
  const after = 1 / Math.sqrt(1 / (wider * wider) + 1 / variance);
  return { rating: SCALE * (mu + after * after * g * (score - expected)) + 1500, deviation: SCALE * after, volatility };
}
