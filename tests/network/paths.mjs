// Both paths of the WebAssembly build, for every head: node paths.mjs FOLDER prints them as JSON.
import { readFileSync } from "node:fs";

const folder = process.argv[2];
const { instance } = await WebAssembly.instantiate(readFileSync(`${folder}/paths.wasm`), {});
const { memory, __heap_base, kg_network_paths, kg_network_outputs } = instance.exports;
const network = readFileSync(`${folder}/network`);
const positions = readFileSync(`${folder}/positions`);
const count = positions.length / 24;
const aligned = (at) => Math.ceil(at / 64) * 64;
const start = aligned(__heap_base.value);
const places = aligned(start + network.length);
const found = aligned(places + positions.length);
memory.grow(Math.ceil((found + 4 * count) / 65536));
new Uint8Array(memory.buffer).set(network, start);
new Uint8Array(memory.buffer).set(positions, places);
const outputs = [0, 5].map((path) =>
  [0, 1, 2, 3].map((head) => {
    if (kg_network_outputs(start, path, head, places, BigInt(count), found) !== 0) throw new Error(`path ${path}`);
    return [...new Int32Array(memory.buffer, found, count)];
  }),
);
process.stdout.write(JSON.stringify({ paths: kg_network_paths(), outputs }));
