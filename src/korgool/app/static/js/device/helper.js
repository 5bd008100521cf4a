// @ts-check
/**
 * Another thread of a search, in a worker of its own that shares the memory of `worker.js`. It sleeps until its turn
 * word 0 changes, runs the engine that was begun for it, and says in word 1 which round it has done.
 */

import { Module } from "./module.js";

/** @typedef {{compiled: WebAssembly.Module, memory: WebAssembly.Memory, helper: import("./worker.js").HelperSetup}} Order */

addEventListener("message", (/** @type {MessageEvent<Order>} */ { data }) => {
  // A rejected promise says nothing to the page, an error does.
  work(data).catch((error) => setTimeout(() => { throw error; }));
});

/** @param {Order} order @returns {Promise<never>} */
async function work({ compiled, memory, helper }) {
  const { exports } = await Module.make(compiled, memory);
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
