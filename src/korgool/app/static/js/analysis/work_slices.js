/** Cuts a long piece of work into slices, between which the browser looks at what people do and draws. */

/** Milliseconds of work between two looks at the page. */
const SLICE_MS = 12;

export class WorkSlices {
  #until = performance.now() + SLICE_MS;

  /** @param {AbortSignal} signal @param {() => void} [pausing] called before each pause */
  constructor(signal, pausing = () => {}) {
    this.signal = signal;
    this.pausing = pausing;
  }

  /** The pause that is due, to be waited for; nothing while the slice lasts. Asked after every small step of the work. @returns {Promise<void>|undefined} */
  due() {
    return performance.now() < this.#until ? undefined : this.#pause();
  }

  /** @throws {DOMException} the work has been given up */
  async #pause() {
    this.pausing();
    // A timer would wait longer, and a second in a tab that nobody sees.
    const { port1, port2 } = new MessageChannel();
    await new Promise((done) => {
      port1.onmessage = done;
      port2.postMessage(null);
    });
    port1.close();
    this.signal.throwIfAborted();
    this.#until = performance.now() + SLICE_MS;
  }
}
