/** What a script needs that sends a command by itself, also from a page of the cache: its token, an id, and the request. */

import { fetchWhole } from "./connection_watchdog.js";

const MOST_TOKENS = 3;

/**
 * The tokens that a command may carry: the browser's, that of the page, which may be an older one from the cache, and at
 * last one that a refusal has given the browser, as the server does that goes on in the place of another.
 * @returns {Iterable<string>}
 */
export function tokens() {
  return untried();
}

function* untried() {
  const tried = new Set();
  while (tried.size < MOST_TOKENS) {
    const page = /** @type {HTMLMetaElement|null} */ (document.querySelector('meta[name="csrf-token"]'))?.content;
    const own = /(?:^|; )(?:__Host-)?csrftoken=([0-9a-f]+)/.exec(document.cookie)?.[1];
    const next = [own, page].find((one) => one !== undefined && !tried.has(one));
    if (next === undefined) return;
    tried.add(next);
    yield next;
  }
}

/** An id that nobody else has; without TLS a browser makes none. */
export function newId() {
  return crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint32Array(4))].map((part) => part.toString(36)).join("-");
}

/**
 * Send a command as JSON, with the next token where one is refused: it may be that of somebody else on the same host. A page
 * that is left lets it go on.
 * @param {string} path
 * @param {unknown} body
 * @returns {Promise<{status: number, told: any}>} the answer to what was taken; status 0 without an answer
 */
export async function sendCommand(path, body) {
  let status = 0;
  try {
    for (const token of tokens()) {
      const headers = { accept: "application/json", "content-type": "application/json", "x-csrftoken": token };
      const { answer, text } = await fetchWhole(path, { method: "POST", headers, body: JSON.stringify(body), keepalive: true });
      status = answer.status;
      if (answer.ok) return { status, told: JSON.parse(text) };
      if (status !== 403) break;
    }
  } catch {
    status = 0;
  }
  return { status, told: null };
}
