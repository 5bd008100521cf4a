/**
 * The connection to the server: commands go out and are kept until they are answered, and events come in, in order and
 * without gaps.
 *
 * A lost connection is resumed after the last version. Every command has a name of its own, by which the server
 * recognises it however often it is sent; so it is sent again after a loss, and by a request where no socket opens.
 *
 * A connection may also fall silent without an end. So the server is asked for a sign of life all the time, and a socket
 * that does not open or answer in time gives way to a new one, more patiently each time: no state lasts for ever.
 */

import { fetchWhole, SILENT, Watchdog } from "../site/connection_watchdog.js";

/** @typedef {import("../game/message_types.js").GameEvent} GameEvent */
/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Presence} Presence */
/** @typedef {{version: number, kind: "think", seconds: number|null}} Question what the engine plays, in so much time of a clock */
/**
 * @typedef {{body: Record<string, unknown>, done: (answer: Answer) => void, fail: (error: CommandError) => void,
 *   timer: number, acknowledged: number}} Pending a command under way; `acknowledged` at that version, 0 for not yet
 */
/** @typedef {{version: number, game?: string}} Answer */

export class CommandError extends Error {
  /** @param {number} status 0 when the server did not answer @param {string} detail @param {string} [clause] */
  constructor(status, detail, clause = "") {
    super(detail || `status ${status}`);
    this.status = status;
    this.detail = detail;
    this.clause = clause;
  }
}

const WAITS = [300, 700, 1500, 3000, 5000, 8000];
/** Milliseconds after which a command without an answer goes by a request. */
const PATIENCE = 4000;
/** Milliseconds between two signs of life while somebody looks, and while nobody does. */
const BEAT = 2000;
const SELDOM = 20_000;
/** The least and the most milliseconds for the answer to one; a slow line is given twice what it took last. */
const SOON = SILENT - BEAT;
const LONGEST = 15_000;
/** Milliseconds for the answer while the server examines a proof, and says nothing else. */
const EXAMINED = 20_000;
const NO_SUCH_GAME = 4404;
const REPLACED = 4409;

/** What a text says as JSON; null where it says nothing. @param {string} text */
function jsonIn(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Whether a command may take the server long. @param {Record<string, unknown>} body */
const isExamined = (body) => body.what === "proof";

export class Live {
  /** @type {WebSocket|null} */ #socket = null;
  #tries = 0;
  #retry = 0;
  #closed = false;
  #watchdog = new Watchdog((open, silent) => this.handlers.connection(open, silent));
  /** Of the ping that is not answered yet. @type {(() => void)|null} */ #answered = null;
  /** When the last ping was sent, as of `performance.now()`. */ #asked = -Infinity;
  /** How long the next answer or opening may take, in milliseconds. */ #patience = SILENT;
  /** @type {((question: Question) => void)|null} */ #thinker = null;
  /** @type {Map<string, Pending>} */ #pending = new Map();
  /** Makes this page's commands differ from those of all others. */ #own = Math.random().toString(36).slice(2, 12);
  #count = 0;
  /** What to add to this device's time to have the server's: at least this, as every message takes a while. */
  #ahead = -Infinity;

  /**
   * @param {GameState} state on the page
   * @param {{event: (event: GameEvent) => void, state: (state: GameState) => void,
   *   presence: (presence: Presence) => void, phrase: (said: import("./preset_phrases.js").Said) => void,
   *   connection: (open: boolean, silent: boolean) => void}} handlers
   */
  constructor({ id, version, now }, handlers) {
    this.path = `/api/games/${id}`;
    this.version = version;
    this.handlers = handlers;
    this.token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";
    this.#heardAt(now);
  }

  /** Connect, and stay connected. Commands may be given before. */
  begin() {
    this.#connect();
    document.addEventListener("visibilitychange", () => document.hidden || this.check());
    addEventListener("online", () => this.check());
    addEventListener("pageshow", (event) => event.persisted && this.check());
    addEventListener("pagehide", () => this.#socket?.close());
    setInterval(() => this.#beat(), BEAT);
  }

  /** The server's time, in milliseconds since 1970. */
  get now() {
    return Date.now() + this.#ahead;
  }

  /** @param {number|undefined} now when the server wrote something */
  #heardAt(now) {
    if (now) this.#ahead = Math.max(this.#ahead, now - Date.now());
  }

  /** Say whether this page thinks for the engine from now on. @param {((question: Question) => void)|null} thinker */
  offer(thinker) {
    const news = Boolean(thinker) !== Boolean(this.#thinker);
    this.#thinker = thinker;
    if (news) this.#say({ thinks: thinker !== null });
  }

  /** Send something if the connection is open. @param {Record<string, unknown>} message */
  #say(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Say a set phrase to the opponent; whether it could be sent. @param {string} phrase */
  phrase(phrase) {
    return this.#say({ do: "say", phrase });
  }

  #beat() {
    if (!document.hidden || performance.now() - this.#asked >= SELDOM) this.#ping();
  }

  /** Ask the server for a sign of life, if none is under way. */
  #ping() {
    if (this.#answered || !this.#say({ do: "ping", sent: Date.now() })) return;
    this.#asked = performance.now();
    const patience = [...this.#pending.values()].some(({ body }) => isExamined(body)) ? EXAMINED : this.#patience;
    this.#answered = this.#watchdog.expect(patience, () => this.#tryAnother());
  }

  /** The server has answered. */
  #pong() {
    this.#forget();
    this.#patience = Math.min(LONGEST, Math.max(SOON, 2 * (performance.now() - this.#asked)));
    this.#watchdog.open = true;
  }

  /** Expect nothing more of the socket. */
  #forget() {
    this.#answered?.();
    this.#answered = null;
  }

  /** The connection is silent: take another one, and wait longer for what comes after it. */
  #tryAnother() {
    this.#connect();
    this.#patience = Math.min(LONGEST, 2 * this.#patience);
  }

  /** Process what the server says. @param {any} said */
  #hear(said) {
    if (said.ack !== undefined) this.#acknowledge(said.ack, said);
    else if (said.refused !== undefined) this.#refuse(said.refused, new CommandError(said.status, said.detail, said.clause));
    else if (said.pong !== undefined) {
      this.#heardAt(said.now);
      this.#pong();
    }
    else if (said.kind === "think") this.#thinker?.(said);
    else if (said.kind === "presence") this.handlers.presence(said);
    else if (said.kind === "phrase") this.handlers.phrase(said);
    else if (said.kind === "state") this.#takeState(said.state);
    else this.take(said);
  }

  /** @param {GameState} state */
  #takeState(state) {
    this.#heardAt(state.now);
    if (state.version < this.version) return;
    this.version = state.version;
    this.handlers.state(state);
    this.#settle();
  }

  /** Process an event if it is the next one. @param {GameEvent} event */
  take(event) {
    this.#heardAt(event.at);
    if (event.version <= this.version) return;
    if (event.version > this.version + 1) {
      void this.check();
      return;
    }
    this.version = event.version;
    this.handlers.event(event);
    this.#settle();
  }

  /** Ask for the current state, and reconnect if the connection is lost. */
  async check() {
    if (this.#closed) return;
    if (!this.#socket || this.#socket.readyState > WebSocket.OPEN) this.#connect();
    else this.#ping();
    try {
      const { answer, text } = await fetchWhole(this.path, { headers: { accept: "application/json" }, cache: "no-store" });
      if (answer.ok) this.#takeState(JSON.parse(text));
    } catch {
      // There is no connection; it keeps trying to reconnect.
    }
  }

  #connect() {
    clearTimeout(this.#retry);
    this.#forget();
    this.#socket?.close();
    const socket = this.#open(this.version);
    this.#socket = socket;
    this.#answered = this.#watchdog.expect(this.#patience, () => this.#tryAnother());
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.#tries = 0;
      this.#forget();
      this.#ping();
      if (this.#thinker) this.#say({ thinks: true });
      for (const { body, acknowledged } of this.#pending.values()) if (!acknowledged) this.#say(body);
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#hear(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket) return;
      this.#closed = code === NO_SUCH_GAME;
      this.#forget();
      this.#watchdog.open = false;
      const wait = WAITS[Math.min(this.#tries, WAITS.length - 1)];
      this.#tries += 1;
      // The visitor has as many newer pages open as the server allows: reconnect when somebody looks at this one.
      if (!this.#closed && code !== REPLACED) this.#retry = setTimeout(() => this.#connect(), wait * (0.8 + 0.4 * Math.random()));
    };
  }

  /** @param {number} since a version */
  #open(since) {
    const address = new URL(`${this.path}/live?since=${since}`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    return new WebSocket(address);
  }

  /**
   * Send a command; resolves when it is on the server's disk and the page knows what came of it. It is sent until the
   * server answers, however long that takes.
   * @param {string} name
   * @param {Record<string, unknown>} [values]
   * @returns {Promise<Answer>} rejects with a CommandError where the server refuses it
   */
  command(name, values = {}) {
    this.#count += 1;
    const id = `${this.#own}-${this.#count}`;
    const body = { do: name, id, version: this.version, ...values };
    return new Promise((done, fail) => {
      const timer = setTimeout(() => void this.#request(id), this.#say(body) ? PATIENCE : PATIENCE / 4);
      this.#pending.set(id, { body, done, fail, timer, acknowledged: 0 });
    });
  }

  /** Send a pending command by a request. @param {string} id */
  async #request(id) {
    const pending = this.#pending.get(id);
    if (!pending || pending.acknowledged) return;
    const { body } = pending;
    try {
      const { answer, text } = await fetchWhole(`${this.path}/${body.do}`, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json", "x-csrftoken": this.token },
        body: JSON.stringify(body),
      }, isExamined(body) ? EXAMINED : undefined);
      const said = jsonIn(text);
      if (answer.ok) this.#acknowledge(id, said ?? { version: this.version });
      // A server that is starting or full has decided nothing.
      else if (answer.status >= 500 || answer.status === 429) throw new TypeError(String(answer.status));
      else this.#refuse(id, new CommandError(answer.status, String(said?.detail ?? ""), said?.clause));
    } catch {
      pending.timer = setTimeout(() => void this.#request(id), PATIENCE);
    }
  }

  /** @param {string} id @param {any} answer an acknowledgement, or the event that a request was answered with */
  #acknowledge(id, answer) {
    const pending = this.#pending.get(id);
    if (!pending) return;
    clearTimeout(pending.timer);
    pending.acknowledged = answer.version;
    pending.body = answer;
    if (answer.kind) this.take(answer);
    this.#settle();
  }

  /** Resolve the commands whose events have been shown. */
  #settle() {
    for (const [id, { acknowledged, body, done }] of this.#pending) {
      if (!acknowledged || acknowledged > this.version) continue;
      this.#pending.delete(id);
      done(/** @type {any} */ (body));
    }
  }

  /** @param {string} id @param {CommandError} error */
  #refuse(id, error) {
    const pending = this.#pending.get(id);
    if (!pending) return;
    clearTimeout(pending.timer);
    this.#pending.delete(id);
    if (error.status === 409) void this.check();
    pending.fail(error);
  }

  /** Every event of the game from its start up to the version on the page, to look back. @returns {Promise<GameEvent[]>} */
  history() {
    const upTo = this.version;
    const socket = this.#open(0);
    return new Promise((resolve, reject) => {
      /** @type {GameEvent[]} */
      const events = [];
      socket.onmessage = ({ data }) => {
        const event = JSON.parse(data);
        if (event.kind === "state") socket.close();
        if (event.version !== events.length + 1) return;
        events.push(event);
        if (event.version >= upTo) {
          resolve(events);
          socket.close();
        }
      };
      const fail = () => reject(new CommandError(0, ""));
      socket.onclose = fail;
      setTimeout(() => {
        fail();
        socket.close();
      }, LONGEST);
    });
  }
}
