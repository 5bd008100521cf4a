/**
 * SHA-256 of a text, as FIPS 180-4 defines it. Browsers give theirs to pages over TLS only, and in a hall there is none.
 */

const ROOTS = [2, 3, 5, 7, 11, 13, 17, 19];
const START = new Uint32Array(ROOTS.map((prime) => fraction(Math.sqrt(prime))));
const ROUNDS = new Uint32Array(primes(64).map((prime) => fraction(Math.cbrt(prime))));

/** The first 32 bits behind the point. @param {number} root */
function fraction(root) {
  return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
}

/** @param {number} count */
function primes(count) {
  const found = [2];
  for (let one = 3; found.length < count; one += 2) if (found.every((prime) => one % prime)) found.push(one);
  return found;
}

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/** The hash of a text in UTF-8, as 64 hexadecimal digits. @param {string} text */
export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const filled = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  filled.set(bytes);
  filled[bytes.length] = 0x80;
  const words = new DataView(filled.buffer);
  words.setUint32(filled.length - 8, Math.floor((bytes.length * 8) / 2 ** 32));
  words.setUint32(filled.length - 4, (bytes.length * 8) >>> 0);
  const sum = START.slice();
  const w = new Uint32Array(64);
  for (let block = 0; block < filled.length; block += 64) {
    for (let at = 0; at < 16; at++) w[at] = words.getUint32(block + 4 * at);
    for (let at = 16; at < 64; at++) {
      const early = turned(w[at - 15], 7) ^ turned(w[at - 15], 18) ^ (w[at - 15] >>> 3);
      const late = turned(w[at - 2], 17) ^ turned(w[at - 2], 19) ^ (w[at - 2] >>> 10);
      w[at] = w[at - 16] + early + w[at - 7] + late;
    }
    let [a, b, c, d, e, f, g, h] = sum;
    for (let at = 0; at < 64; at++) {
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[at] + w[at]) >>> 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) >>> 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) >>> 0, c, b, a, (one + two) >>> 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => (sum[at] += word));
  }
  return [...sum].map((word) => word.toString(16).padStart(8, "0")).join("");
}
