/** What a script needs that sends a command by itself, also from a page of the cache: its token, an id, and the request. */

import { fetchWhole } from "./connection_watchdog.js";

/** The tokens that a command may carry: the browser's, and that of the page, which may be an older one from the cache. */
export function tokens() {
  const page = /** @type {HTMLMetaElement|null} */ (document.querySelector('meta[name="csrf-token"]'))?.content;
  const own = /(?:^|; )(?:__Host-)?csrftoken=([0-9a-f]+)/.exec(document.cookie)?.[1];
  return [...new Set([own, page])].filter((one) => one !== undefined);
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
