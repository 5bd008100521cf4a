/** Requests to the server for what this device cannot do by itself. */

/** The server cannot be reached, or its answer is not valid. */
export class ServerUnreachableError extends Error {}

/**
 * @param {string} name of the command
 * @param {Record<string, unknown>} values
 * @param {AbortSignal} [signal]
 * @returns {Promise<any>} the answer; a refusal is `{detail: reason}`
 */
export async function requestAnalysis(name, values, signal) {
  let answer;
  try {
    answer = await fetch(`/api/analysis/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json" },
      body: JSON.stringify(values),
      signal,
    });
    const body = await answer.json();
    if (answer.ok || (answer.status < 500 && body.detail)) return body;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
  }
  throw new ServerUnreachableError(name);
}
