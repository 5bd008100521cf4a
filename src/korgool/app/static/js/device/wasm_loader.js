// @ts-check
/** Loads the kernel's WebAssembly module, and allocates its memory. */

const PAGE = 65536;
/** Compiled modules by address: the rules of every game come from the same file. @type {Record<string, Promise<WebAssembly.Module>>} */
const compiled = {};

export class KernelModule {
  /**
   * @param {WebAssembly.Instance} instance
   * @param {WebAssembly.Memory} [memory] the memory that the module was given, where it has none of its own
   */
  constructor(instance, memory) {
    /** @type {Record<string, any>} the functions of korgool.h and engine.h */
    this.exports = /** @type {Record<string, any>} */ (instance.exports);
    this.memory = memory ?? /** @type {WebAssembly.Memory} */ (this.exports.memory);
    this.#free = this.exports.__heap_base.value;
  }

  #free;

  /**
   * An instance of a compiled module; with a memory, of the one that shares it.
   * @param {WebAssembly.Module} compiled
   * @param {WebAssembly.Memory} [memory]
   */
  static async make(compiled, memory) {
    return new KernelModule(await WebAssembly.instantiate(compiled, imports(memory)), memory);
  }

  /**
   * Fetches the module with a memory of its own.
   * @param {string | URL} url where kernel.wasm is
   */
  static async load(url) {
    const address = String(url);
    const compiling = (compiled[address] ??= WebAssembly.compileStreaming(fetch(url)));
    compiling.catch(() => delete compiled[address]); // a second attempt may succeed
    return KernelModule.make(await compiling);
  }

  /**
   * Allocates zeroed memory, aligned to a cache line. Of the instances that share a memory, only one may allocate.
   * @param {number} bytes
   * @returns {number} its address
   * @throws {RangeError} there is no more memory
   */
  reserve(bytes) {
    const address = Math.ceil(this.#free / 64) * 64;
    const missing = Math.ceil((address + bytes - this.memory.buffer.byteLength) / PAGE);
    if (missing > 0) this.memory.grow(missing);
    this.#free = address + bytes;
    return address;
  }

  /** @param {number} address @param {number} bytes */
  view(address, bytes) {
    return new DataView(this.memory.buffer, address, bytes);
  }

  /** @param {number} address @param {number} bytes */
  bytes(address, bytes) {
    return new Uint8Array(this.memory.buffer, address, bytes);
  }
}

/** @param {WebAssembly.Memory} [memory] @returns {WebAssembly.Imports} */
function imports(memory) {
  // Clocks of workers have different origins; a deadline must mean the same in all of them.
  const now = () => (performance.timeOrigin + performance.now()) / 1000;
  return { korgool: { now }, env: memory ? { memory } : {} };
}
