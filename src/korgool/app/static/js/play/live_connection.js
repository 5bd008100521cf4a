/**
 * The connection to the server: sends commands, keeping each until it is answered, and receives events, in order and
 * without gaps.
 *
 * A lost connection is resumed after the last version. Every command has an idempotency key, its `id`: the server
 * recognises it however often it is sent. So it is sent again after a loss, and by a request where no socket opens.
 *
 * A connection may also fall silent without an end. So the page pings the server all the time, and replaces a
 * socket that does not open or answer in time, with a longer time limit each time: no state lasts for ever.
 */

import { fetchWhole, SILENT, Watchdog } from "../site/connection_watchdog.js";

/** @typedef {import("../game/message_types.js").GameEvent} GameEvent */
/** @typedef {import("../game/message_types.js").GameState} GameState */
/** @typedef {import("../game/message_types.js").Presence} Presence */
/** @typedef {{version: number, kind: "think", seconds: number|null}} ThinkRequest asks for the engine's move, within a time */
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
/** Milliseconds between two pings while the page is visible, and while it is hidden. */
const HEARTBEAT = 2000;
const HIDDEN_HEARTBEAT = 20_000;
/** The least and the most milliseconds for the answer to a ping; a slow line gets twice its last time. */
const SHORTEST = SILENT - HEARTBEAT;
const LONGEST = 15_000;
/** Milliseconds for the answer while the server examines a proof and sends nothing else. */
const EXAMINATION = 20_000;
const NO_SUCH_GAME = 4404;
const REPLACED = 4409;

/** Parse JSON; null if the text is not valid. @param {string} text */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Return whether the server may take long over a command. @param {Record<string, unknown>} body */
const needsExamination = (body) => body.what === "proof";

export class LiveConnection {
  /** @type {WebSocket|null} */ #socket = null;
  #tries = 0;
  #retry = 0;
  #closed = false;
  #watchdog = new Watchdog((open, silent) => this.handlers.connection(open, silent));
  /** Cancels the time limit of the ping under way. @type {(() => void)|null} */ #cancelExpected = null;
  /** The moment of the last ping, as of `performance.now()`. */ #pingSentAt = -Infinity;
  /** Milliseconds that the next answer or opening may take. */ #patience = SILENT;
  /** @type {((question: ThinkRequest) => void)|null} */ #thinker = null;
  /** @type {Map<string, Pending>} */ #pending = new Map();
  /** The prefix of this page's idempotency keys. */ #pageId = Math.random().toString(36).slice(2, 12);
  #count = 0;
  /** Milliseconds to add to this device's time for the server's: a lower bound, as every message takes a while. */
  #clockOffset = -Infinity;

  /**
   * @param {GameState} state on the page
   * @param {{event: (event: GameEvent) => void, state: (state: GameState) => void,
   *   presence: (presence: Presence) => void, phrase: (said: import("./preset_phrases.js").PhraseMessage) => void,
   *   connection: (open: boolean, silent: boolean) => void}} handlers
   */
  constructor({ id, version, now }, handlers) {
    this.path = `/api/games/${id}`;
    this.version = version;
    this.handlers = handlers;
    this.token = document.querySelector('meta[name="csrf-token"]')?.getAttribute("content") ?? "";
    this.#adjustClock(now);
  }

  /** Connect, and stay connected. Commands may be given before. */
  begin() {
    this.#connect();
    document.addEventListener("visibilitychange", () => document.hidden || this.check());
    addEventListener("online", () => this.check());
    addEventListener("pageshow", (event) => event.persisted && this.check());
    addEventListener("pagehide", () => this.#socket?.close());
    setInterval(() => this.#heartbeat(), HEARTBEAT);
  }

  /** The server's time, in milliseconds since 1970. */
  get now() {
    return Date.now() + this.#clockOffset;
  }

  /** @param {number|undefined} now the server's time in a message */
  #adjustClock(now) {
    if (now) this.#clockOffset = Math.max(this.#clockOffset, now - Date.now());
  }

  /** Set or remove the function that thinks for the engine on this page, and tell the server. @param {((question: ThinkRequest) => void)|null} thinker */
  setThinker(thinker) {
    const news = Boolean(thinker) !== Boolean(this.#thinker);
    this.#thinker = thinker;
    if (news) this.#sendMessage({ thinks: thinker !== null });
  }

  /** Send something if the connection is open. @param {Record<string, unknown>} message */
  #sendMessage(message) {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Send a preset phrase to the opponent; returns whether it could be sent. @param {string} phrase */
  sendPhrase(phrase) {
    return this.#sendMessage({ do: "say", phrase });
  }

  #heartbeat() {
    if (!document.hidden || performance.now() - this.#pingSentAt >= HIDDEN_HEARTBEAT) this.#ping();
  }

  /** Send a ping, if none is under way. */
  #ping() {
    if (this.#cancelExpected || !this.#sendMessage({ do: "ping", sent: Date.now() })) return;
    this.#pingSentAt = performance.now();
    const patience = [...this.#pending.values()].some(({ body }) => needsExamination(body)) ? EXAMINATION : this.#patience;
    this.#cancelExpected = this.#watchdog.expect(patience, () => this.#reconnect());
  }

  /** Handle the answer to a ping. */
  #pong() {
    this.#expectNothing();
    this.#patience = Math.min(LONGEST, Math.max(SHORTEST, 2 * (performance.now() - this.#pingSentAt)));
    this.#watchdog.open = true;
  }

  /** Expect nothing more of the socket. */
  #expectNothing() {
    this.#cancelExpected?.();
    this.#cancelExpected = null;
  }

  /** Replace a silent connection, and wait longer for the next answer. */
  #reconnect() {
    this.#connect();
    this.#patience = Math.min(LONGEST, 2 * this.#patience);
  }

  /** Handle a message from the server. @param {any} message */
  #receive(message) {
    if (message.ack !== undefined) this.#acknowledge(message.ack, message);
    else if (message.refused !== undefined) this.#refuse(message.refused, new CommandError(message.status, message.detail, message.clause));
    else if (message.pong !== undefined) {
      this.#adjustClock(message.now);
      this.#pong();
    }
    else if (message.kind === "think") this.#thinker?.(message);
    else if (message.kind === "presence") this.handlers.presence(message);
    else if (message.kind === "phrase") this.handlers.phrase(message);
    else if (message.kind === "state") this.#takeState(message.state);
    else this.takeEvent(message);
  }

  /** @param {GameState} state */
  #takeState(state) {
    this.#adjustClock(state.now);
    if (state.version < this.version) return;
    this.version = state.version;
    this.handlers.state(state);
    this.#settle();
  }

  /** Process an event if it is the next one. @param {GameEvent} event */
  takeEvent(event) {
    this.#adjustClock(event.at);
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
    this.#expectNothing();
    this.#socket?.close();
    const socket = this.#open(this.version);
    this.#socket = socket;
    this.#cancelExpected = this.#watchdog.expect(this.#patience, () => this.#reconnect());
    socket.onopen = () => {
      if (socket !== this.#socket) return;
      this.#tries = 0;
      this.#expectNothing();
      this.#ping();
      if (this.#thinker) this.#sendMessage({ thinks: true });
      for (const { body, acknowledged } of this.#pending.values()) if (!acknowledged) this.#sendMessage(body);
    };
    socket.onmessage = ({ data }) => {
      if (socket === this.#socket) this.#receive(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (socket !== this.#socket) return;
      this.#closed = code === NO_SUCH_GAME;
      this.#expectNothing();
      this.#watchdog.open = false;
      const wait = WAITS[Math.min(this.#tries, WAITS.length - 1)];
      this.#tries += 1;
      // The visitor has as many newer pages open as the server allows: reconnect when this one becomes visible.
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
   * Send a command; resolves when the server has stored it and the page has its event. It is sent until the
   * server answers, however long that takes.
   * @param {string} name
   * @param {Record<string, unknown>} [values]
   * @returns {Promise<Answer>} rejects with a CommandError where the server refuses it
   */
  command(name, values = {}) {
    this.#count += 1;
    const id = `${this.#pageId}-${this.#count}`;
    const body = { do: name, id, version: this.version, ...values };
    return new Promise((done, fail) => {
      const timer = setTimeout(() => void this.#request(id), this.#sendMessage(body) ? PATIENCE : PATIENCE / 4);
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
      }, needsExamination(body) ? EXAMINATION : undefined);
      const reply = parseJson(text);
      if (answer.ok) this.#acknowledge(id, reply ?? { version: this.version });
      // A server that is starting or full has not decided.
      else if (answer.status >= 500 || answer.status === 429) throw new TypeError(String(answer.status));
      else this.#refuse(id, new CommandError(answer.status, String(reply?.detail ?? ""), reply?.clause));
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
    if (answer.kind) this.takeEvent(answer);
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
