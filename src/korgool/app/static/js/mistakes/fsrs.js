/**
 * When a mistake comes back: FSRS 6 with its published weights, a share of 0.9 to be remembered, one step of ten minutes for
 * what is new or forgotten, and no chance. The server does the same by the library `fsrs`; a test compares the two.
 */

/** @typedef {1|2|3|4} Grade shown or guessed, at the second try, at once, easily */
/**
 * @typedef {{state: 1|2|3, stability: number, difficulty: number, due: number, last: number}} Memory state: learning,
 *   known, forgotten; stability: days after which a card is remembered in nine of ten cases; difficulty: 1 to 10; due and
 *   last: milliseconds since 1970
 */

const W = [
  0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194, 0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629, 1.6483, 0.6014,
  1.8729, 0.5425, 0.0912, 0.0658, 0.1542,
];
const RETENTION = 0.9;
const MOST_DAYS = 36_500;
const DAY = 24 * 3600 * 1000;
/** Milliseconds until a card comes back that is learnt or forgotten. */
const STEP = 10 * 60 * 1000;
const LEARNING = 1, KNOWN = 2, FORGOTTEN = 3;
const FACTOR = RETENTION ** (-1 / W[20]) - 1;

/** @param {number} difficulty */
const clampDifficulty = (difficulty) => Math.min(Math.max(difficulty, 1), 10);

/** @param {Grade} grade */
const firstDifficulty = (grade) => W[4] - Math.exp(W[5] * (grade - 1)) + 1;

/** @param {number} difficulty @param {Grade} grade */
function nextDifficulty(difficulty, grade) {
  const change = ((10 - difficulty) * -(W[6] * (grade - 3))) / 9;
  return clampDifficulty(W[7] * firstDifficulty(4) + (1 - W[7]) * (difficulty + change));
}

/** Stability after an answer on the day of the last one. @param {number} stability @param {Grade} grade */
function sameDayStability(stability, grade) {
  const rise = Math.exp(W[17] * (grade - 3 + W[18])) * stability ** -W[19];
  return stability * (grade > 1 ? Math.max(rise, 1) : rise);
}

/** Stability after an answer on a later day. @param {Memory} memory @param {number} days since the last one @param {Grade} grade */
function laterStability({ stability, difficulty }, days, grade) {
  const recalled = (1 + (FACTOR * days) / stability) ** -W[20];
  if (grade === 1) {
    const long = W[11] * difficulty ** -W[12] * ((stability + 1) ** W[13] - 1) * Math.exp((1 - recalled) * W[14]);
    return Math.min(long, stability / Math.exp(W[17] * W[18]));
  }
  const rise = Math.exp(W[8]) * (11 - difficulty) * stability ** -W[9] * (Math.exp((1 - recalled) * W[10]) - 1);
  return stability * (1 + rise * (grade === 2 ? W[15] : 1) * (grade === 4 ? W[16] : 1));
}

/** Milliseconds until a card of that stability is due: whole days. @param {number} stability */
function interval(stability) {
  const days = (stability / FACTOR) * (RETENTION ** (-1 / W[20]) - 1);
  const below = Math.floor(days);
  // A half goes to the even number, as in Python.
  const whole = days - below === 0.5 ? below + (below % 2) : Math.round(days);
  return Math.min(Math.max(whole, 1), MOST_DAYS) * DAY;
}

/**
 * What is remembered after an answer.
 * @param {Memory|null} memory before it; null of a new card
 * @param {Grade} grade
 * @param {number} at milliseconds since 1970, not before the last answer
 * @returns {Memory}
 */
export function reviewMemory(memory, grade, at) {
  const days = memory ? Math.floor((at - memory.last) / DAY) : 0;
  const stability = Math.max(0.001, !memory ? W[grade - 1]
    : days < 1 ? sameDayStability(memory.stability, grade) : laterStability(memory, days, grade));
  const difficulty = memory ? nextDifficulty(memory.difficulty, grade) : clampDifficulty(firstDifficulty(grade));
  const was = memory?.state ?? LEARNING;
  if (grade === 1) return { state: was === LEARNING ? LEARNING : FORGOTTEN, stability, difficulty, due: at + STEP, last: at };
  if (grade === 2 && was !== KNOWN) return { state: was, stability, difficulty, due: at + 1.5 * STEP, last: at };
  return { state: KNOWN, stability, difficulty, due: at + interval(stability), last: at };
}
