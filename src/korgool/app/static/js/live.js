/**
 * The connection to the server: sends commands, and receives events in order and without gaps.
 *
 * Every event carries the state after it, so a page is never wrong for longer than one message. A lost connection is
 * resumed from the last version; a tab that wakes up first asks for the current state.
 */

/** @typedef {import("./types.js").GameEvent} GameEvent */
/** @typedef {import("./types.js").GameState} GameState */
/** @typedef {{version: number, kind: "think", seconds: number|null}} Question what the engine plays, in so much time of a clock */

export class CommandError extends Error {
  /** @param {number} status 0 when the server did not answer @param {string} detail */
  constructor(status, detail) {
    super(detail || `status ${status}`);
    this.status = status;
    this.detail = detail;
  }
}

const WAITS = [300, 700, 1500, 3000, 5000, 8000];
const CHECK = 20_000;
const NO_SUCH_GAME = 4404;
const REPLACED = 4409;

export class Live {
  /** @type {WebSocket|null} */ #socket = null;
  #tries = 0;
  #retry = 0;
  #closed = false;
  /** @type {((question: Question) => void)|null} */ #thinker = null;

  /**
   * @param {string} id of the game
   * @param {number} version of the state on the page
   * @param {{event: (event: GameEvent) => void, connection: (open: boolean) => void}} handlers
   */
  constructor(id, version, handlers) {
    this.path = `/api/games/${id}`;
    this.version = version;
    this.handlers = handlers;
    this.token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";
    this.#connect();
    document.addEventListener("visibilitychange", () => document.hidden || this.check());
    addEventListener("online", () => this.check());
    addEventListener("pageshow", (event) => event.persisted && this.check());
    addEventListener("pagehide", () => this.#socket?.close());
    setInterval(() => document.hidden || this.check(), CHECK);
  }

  /** Say whether this page thinks for the engine from now on. @param {((question: Question) => void)|null} thinker */
  offer(thinker) {
    const news = Boolean(thinker) !== Boolean(this.#thinker);
    this.#thinker = thinker;
    if (news && this.#socket?.readyState === WebSocket.OPEN) this.#tellOffer(this.#socket);
  }

  /** @param {WebSocket} socket */
  #tellOffer(socket) {
    socket.send(JSON.stringify({ thinks: this.#thinker !== null }));
  }

  /** Process an event if it is new. @param {GameEvent} event */
  take(event) {
    const { version, kind } = event;
    if (kind !== "state") {
      if (version <= this.version) return;
      if (version > this.version + 1) {
        void this.check();
        return;
      }
    }
    this.version = version;
    this.handlers.event(event);
  }

  /** Ask for the current state, and reconnect if the connection is lost. */
  async check() {
    if (this.#closed) return;
    if (!this.#socket || this.#socket.readyState > WebSocket.OPEN) this.#connect();
    try {
      const answer = await fetch(this.path, { headers: { accept: "application/json" }, cache: "no-store" });
      if (!answer.ok) return;
      const state = /** @type {GameState} */ (await answer.json());
      if (state.version > this.version) this.take({ version: state.version, kind: "state", trace: null, state });
      else if (state.version === this.version && state.clock) {
        this.handlers.event({ version: state.version, kind: "clock", state });
      }
    } catch {
      // There is no connection; it keeps trying to reconnect.
    }
  }

  #connect() {
    clearTimeout(this.#retry);
    this.#socket?.close();
    const address = new URL(`${this.path}/live?since=${this.version}`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    const socket = new WebSocket(address);
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      if (this.#thinker) this.#tellOffer(socket);
      this.handlers.connection(true);
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      const said = JSON.parse(data);
      if (said.kind === "think") this.#thinker?.(said);
      else this.take(said);
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket) return;
      this.#closed = code === NO_SUCH_GAME;
      this.handlers.connection(false);
      const wait = WAITS[Math.min(this.#tries, WAITS.length - 1)];
      this.#tries += 1;
      // The visitor has as many newer pages open as the server allows: reconnect when somebody looks at this one.
      if (!this.#closed && code !== REPLACED) this.#retry = setTimeout(() => this.#connect(), wait * (0.8 + 0.4 * Math.random()));
    };
  }

  /**
   * Send a command; resolves with the answer when it is on the server's disk.
   * @param {string} name
   * @param {Record<string, unknown>} [values] may name another version than the present one
   * @returns {Promise<any>}
   */
  async command(name, values = {}) {
    let answer;
    try {
      answer = await fetch(`${this.path}/${name}`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json", "x-csrftoken": this.token },
        body: JSON.stringify({ ...(name === "rematch" ? {} : { version: this.version }), ...values }),
      });
    } catch {
      throw new CommandError(0, "");
    }
    /** @type {any} */
    let body = null;
    try {
      body = await answer.json();
    } catch {
      // An answer without a body is judged by its status.
    }
    if (!answer.ok) {
      if (answer.status === 409) void this.check();
      throw new CommandError(answer.status, String(body?.detail ?? ""));
    }
    if (body?.state) this.take(body);
    return body;
  }

  /** Every event of the game from its start, to look back. @returns {Promise<GameEvent[]>} */
  history() {
    const upTo = this.version;
    const address = new URL(`${this.path}/live?since=0`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(address);
      /** @type {GameEvent[]} */
      const events = [];
      socket.onmessage = ({ data }) => {
        const event = JSON.parse(data);
        events.push(event);
        if (event.version >= upTo) {
          resolve(events);
          socket.close();
        }
      };
      socket.onclose = () => reject(new CommandError(0, ""));
    });
  }
}
