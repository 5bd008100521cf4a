/**
 * Notices a silent connection: bytes vanish, nothing closes, and a browser would wait for minutes. So every request has
 * a time limit for its answer; after it the connection counts as lost until the next answer, and the request is aborted
 * a while later, so that none lasts for ever.
 */

/** Milliseconds after which a visitor's request is shown as under way. */
export const LATE = 1500;
/** Milliseconds of silence after which the connection counts as lost. */
export const SILENT = 5000;
/** Milliseconds after that until a request is aborted, and its connection with it. */
export const GIVEN_UP = 5000;

/** Milliseconds in which a busy page handles an answer that has already arrived. */
const HEARD = 50;

/**
 * `fetch`, and the text of the answer.
 * @param {string} address
 * @param {RequestInit} [options]
 * @param {number} [within] milliseconds after which it is aborted
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
   * Expect an answer. Unless the returned function is called in time, the connection counts as lost.
   * @param {number} within milliseconds
   * @param {() => void} [late] called then
   * @returns {() => void} to be called when the answer is there, or not needed any more
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
   * The same as `fetchWhole`; without an answer the connection counts as lost after `within` milliseconds, and the request
   * is aborted later. The caller decides whether an answer means that the connection works.
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
