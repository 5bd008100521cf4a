// A search with a network in the browser's kernel: node browser.mjs KERNEL NETWORK NODES RULES... prints JSON.
import { readFileSync } from "node:fs";

const [kernelFile, networkFile, nodes, ...rules] = process.argv.slice(2);
const imports = { korgool: { now: () => performance.now() / 1000 } };
const { instance } = await WebAssembly.instantiate(readFileSync(kernelFile), imports);
const kernel = instance.exports;
let free = kernel.__heap_base.value;
const reserve = (bytes) => {
  const at = Math.ceil(free / 64) * 64;
  free = at + bytes;
  const missing = Math.ceil((free - kernel.memory.buffer.byteLength) / 65536);
  if (missing > 0) kernel.memory.grow(missing);
  return at;
};
const table = BigInt(1 << 20);
const network = readFileSync(networkFile);
const [rulesAt, place, limits, report, chances] = [60, 24, 64, 4096, 24].map(reserve);
const kernelAt = reserve(Number(kernel.kg_kernel_bytes()));
const engine = reserve(Number(kernel.kg_engine_bytes(table)));
const networkAt = reserve(network.length);
new Int32Array(kernel.memory.buffer, rulesAt, rules.length).set(rules.map(Number));
kernel.kg_kernel_init(kernelAt, rulesAt);
kernel.kg_engine_init(engine, kernelAt, table);
new Uint8Array(kernel.memory.buffer).set(network, networkAt);
const taken = kernel.kg_engine_network(engine, networkAt, BigInt(network.length));
new Uint8Array(kernel.memory.buffer)[networkAt + 5000] ^= 1;
const damaged = kernel.kg_engine_network(engine, networkAt, BigInt(network.length));
new Uint8Array(kernel.memory.buffer)[networkAt + 5000] ^= 1;
kernel.kg_start(kernelAt, place);
const evaluation = kernel.kg_engine_evaluate(engine, place);
kernel.kg_engine_chances(engine, place, 160, 7, chances);
const view = new DataView(kernel.memory.buffer);
view.setFloat64(limits, -1, true);
view.setBigUint64(limits + 8, BigInt(nodes), true);
view.setInt32(limits + 16, 100, true);
view.setInt32(limits + 20, 1, true);
kernel.kg_engine_begin(engine, place, 0, limits, 0, 0, 0);
while (kernel.kg_engine_step(engine)) {}
kernel.kg_engine_report(engine, report);
const found = { nodes: Number(view.getBigUint64(report, true)), move: view.getInt32(report + 24, true) + 1 };
found.value = view.getInt32(report + 28, true);
process.stdout.write(
  JSON.stringify({ taken, damaged, evaluation, found, chances: [...new Float64Array(kernel.memory.buffer, chances, 3)] }),
);
