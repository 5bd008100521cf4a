// @ts-check
/**
 * An additional search thread, in a worker that shares the memory of `engine_worker.js`. It sleeps until word 0 of its turn
 * changes, runs the engine prepared for it, and writes the finished round to word 1.
 */

import { KernelModule } from "./wasm_loader.js";

/** @typedef {{compiled: WebAssembly.Module, memory: WebAssembly.Memory, helper: import("./engine_worker.js").HelperSetup}} Order */

addEventListener("message", (/** @type {MessageEvent<Order>} */ { data }) => {
  // The page is not notified of a rejected promise, but of an error.
  work(data).catch((error) => setTimeout(() => { throw error; }));
});

/** @param {Order} order @returns {Promise<never>} */
async function work({ compiled, memory, helper }) {
  const { exports } = await KernelModule.make(compiled, memory);
  exports.__stack_pointer.value = helper.stack;
  const turn = new Int32Array(memory.buffer, helper.turn, 2);
  postMessage("ready");
  for (let done = 0; ; ) {
    Atomics.wait(turn, 0, done);
    done = Atomics.load(turn, 0);
    exports.kg_engine_run(helper.engine);
    Atomics.store(turn, 1, done);
    Atomics.notify(turn, 1);
  }
}
