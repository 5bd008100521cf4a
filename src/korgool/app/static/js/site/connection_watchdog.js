/**
 * Notices a connection that has fallen silent: bytes vanish, nothing closes, and a browser would wait for minutes. So
 * whatever is asked is expected to be answered within a time; without an answer the connection counts as lost until
 * something is answered again, and a request is given up a while later, so that none lasts for ever.
 */

/** Milliseconds after which what a visitor has sent is said to be under way. */
export const LATE = 1500;
/** Milliseconds of silence after which the visitor is told. */
export const SILENT = 5000;
/** Milliseconds after that until a request is given up, and its connection with it. */
export const GIVEN_UP = 5000;

/** Milliseconds in which a busy page hears an answer that has come already. */
const HEARD = 50;

/**
 * `fetch`, and the text of the answer.
 * @param {string} address
 * @param {RequestInit} [options]
 * @param {number} [within] milliseconds after which it is given up
 * @returns {Promise<{answer: Response, text: string}>} rejects without an answer
 */
export async function fetchWhole(address, options = {}, within = SILENT + GIVEN_UP) {
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(), within);
  try {
    const answer = await fetch(address, { ...options, signal: ending.signal });
    return { answer, text: await answer.text() };
  } finally {
    clearTimeout(timer);
  }
}

export class Watchdog {
  #open = true;

  /**
   * @param {(open: boolean, silent: boolean) => void} changed called when the connection is lost, by silence or
   *   otherwise, and when it works again
   */
  constructor(changed) {
    this.changed = changed;
  }

  get open() {
    return this.#open;
  }

  /** Say whether the connection works. @param {boolean} open */
  set open(open) {
    this.#turn(open, false);
  }

  /** @param {boolean} open @param {boolean} silent */
  #turn(open, silent) {
    if (open === this.#open) return;
    this.#open = open;
    this.changed(open, silent);
  }

  /**
   * Something is asked. Unless what is returned is called in time, the connection counts as lost.
   * @param {number} within milliseconds
   * @param {() => void} [late] called then
   * @returns {() => void} to be called when it is answered, or when it does not matter any more
   */
  expect(within, late = () => {}) {
    let timer = setTimeout(() => {
      timer = setTimeout(() => {
        this.#turn(false, true);
        late();
      }, HEARD);
    }, within);
    return () => clearTimeout(timer);
  }

  /**
   * The same as `fetchWhole`; an answer that stays away is told after `within` milliseconds, and given up later. Whether
   * an answer means that the connection works, the caller says.
   * @param {string} address
   * @param {RequestInit} [options]
   * @param {number} [within] the time that the server may take over it included
   */
  async fetch(address, options, within = SILENT) {
    const answered = this.expect(within);
    try {
      return await fetchWhole(address, options, within + GIVEN_UP);
    } catch (error) {
      this.open = false;
      throw error;
    } finally {
      answered();
    }
  }
}
