/** Requests to the server for what this device cannot do by itself. */

/** Milliseconds until an answer is no longer expected: the longest computation for a request takes three seconds. */
const PATIENCE = 20_000;

/** The server cannot be reached, or its answer is not valid. */
export class ServerUnreachableError extends Error {}

/**
 * @param {string} name of the command
 * @param {Record<string, unknown>} values
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} the answer; a refusal is `{detail: reason}`
 */
export async function requestAnalysis(name, values, signal) {
  const limit = new AbortController();
  const abort = () => limit.abort();
  const timer = setTimeout(abort, PATIENCE);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  try {
    const answer = await fetch(`/api/analysis/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(values),
      signal: limit.signal,
    });
    const body = await answer.json();
    if (answer.ok || (answer.status < 500 && body.detail)) return body;
  } catch (error) {
    if (signal?.aborted) throw error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
  throw new ServerUnreachableError(name);
}

/**
 * A picture by the server.
 * @param {{game: string, position: string|null, moves: number[], form: string, below: string}} values
 * @returns {Promise<Blob|{detail: string}>} a refusal is `{detail: reason}`
 * @throws {ServerUnreachableError}
 */
export async function requestPicture(values) {
  try {
    const answer = await fetch("/api/analysis/picture", {
      method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(values),
      signal: AbortSignal.timeout?.(PATIENCE),
    });
    if (answer.ok) return await answer.blob();
    const body = await answer.json();
    if (body.detail) return body;
  } catch {
    // Without an answer there is no picture.
  }
  throw new ServerUnreachableError("picture");
}
