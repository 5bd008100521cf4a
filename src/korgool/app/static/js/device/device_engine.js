// @ts-check
/**
 * The engine on the visitor's own device, in workers. If the page is isolated from other sites, its threads share
 * memory, and a search stops at once. Otherwise there is one thread, and a search that does not stop soon is ended
 * together with its worker.
 */

import { GAMES } from "../../kernel.js";

/** @typedef {import("./position_conversion.js").Board} Board */
/** @typedef {import("./kernel_search.js").Limits} Limits */
/** @typedef {import("./kernel_search.js").Report} Report */
/** @typedef {import("./engine_worker.js").Setup} Setup */
/** @typedef {import("./engine_worker.js").Order} Order */
/** @typedef {import("./engine_worker.js").Opened} Opened */
/** @typedef {keyof typeof GAMES} Game */
/**
 * @typedef {{tableMiB?: number, threads?: number, shared?: boolean}} Options shared: false for the kernel without
 *   threads
 */
/** @typedef {Report & {whole: boolean}} Result whole: the search reached its limits or a proof */
/** @typedef {{report: Result, move: number}} ChosenMove */

/**
 * @typedef {object} Job A search that waits or runs.
 * @property {number} id
 * @property {Order} order
 * @property {((report: Report) => void) | undefined} onReport
 * @property {boolean} stopped
 * @property {Report | null} known
 * @property {(found: ChosenMove) => void} resolve
 * @property {(reason: Error) => void} reject
 */

const MIB = 1 << 20;
/** Numbers drawn for a move: one for the choice, one for each hole. */
const RANDOM_NUMBERS = 10;
const PAGE = 65536;
const MOST_THREADS = 4;
const MOST_TABLE_MIB = 256;
/** Beside the table: code, stacks, engines, a network. */
const BASE_MIB = 8;
const THREAD_MIB = 1;
const LEAST_PAGES = 32;
/** Milliseconds to wait for a search without shared memory to stop, and for a worker to load. */
const PATIENCE = 100;
const LOADING = 30_000;
/** A module with one SIMD instruction, i8x16.splat. */
const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

export class EngineWorkers {
  /** @type {Worker | null} */ #worker = null;
  /** @type {Worker[]} */ #helpers = [];
  /** @type {Int32Array | null} */ #flag = null;
  /** @type {Job[]} the first one runs */ #jobs = [];
  /** @type {Error | null} */ #broken = null;
  #setup;
  #last = 0;

  /**
   * Return whether this browser can run the engine. If the workers do not load, `open` rejects.
   * @returns {boolean}
   */
  static possible() {
    return typeof Worker === "function" && typeof WebAssembly === "object" && WebAssembly.validate(new Uint8Array(SIMD));
  }

  /**
   * @param {Game} game
   * @param {Options} [options] threads: by default one less than the device has, 1 to 4
   * @returns {Promise<EngineWorkers>} rejects with an Error that says why the engine cannot run here
   */
  static async open(game, { tableMiB = 16, threads, shared = true } = {}) {
    if (!Object.hasOwn(GAMES, game)) throw new RangeError(`there is no game '${game}'`);
    if (!(tableMiB >= 0 && tableMiB <= MOST_TABLE_MIB)) throw new RangeError(`the table has 0 to ${MOST_TABLE_MIB} MiB, not ${tableMiB}`);
    if (!EngineWorkers.possible()) throw new Error("this browser has no workers or no WebAssembly with SIMD");
    const files = new URL("../../", import.meta.url);
    const wanted = Math.floor(threads ?? (navigator.hardwareConcurrency || 2) - 1) || 1;
    const most = Math.max(1, Math.min(MOST_THREADS, wanted));
    const memory = shared ? sharedMemory(BASE_MIB + tableMiB + THREAD_MIB * most) : null;
    const compiled = await WebAssembly.compileStreaming(fetch(new URL(memory ? "kernel-threads.wasm" : "kernel.wasm", files)));
    const tableBytes = Math.floor(tableMiB * MIB);
    const device = new EngineWorkers({ compiled, memory, game, tableBytes, helpers: memory ? most - 1 : 0, files: files.href });
    try {
      await device.#start();
    } catch (error) {
      device.close();
      throw error;
    }
    return device;
  }

  /** @param {Setup} setup */
  constructor(setup) {
    this.#setup = setup;
    /** Threads that search. */
    this.threads = setup.helpers + 1;
    /** @type {string | null} the file of the learned evaluation in use, or null for the evaluation by hand */
    this.network = null;
    /** @type {string | null} why a network that should be used is not */
    this.notice = null;
  }

  /**
   * Searches. A new call ends the one before, which resolves with what it has.
   * @param {Board[]} boards the game so far, the position to search last
   * @param {Limits} limits the first one reached ends the search; without any it goes on until `stop`
   * @param {(report: Report) => void} [onReport] called after each depth but the last, which the result tells
   * @returns {Promise<Result>} rejects with a RangeError if the game is over or the position is invalid
   */
  async analyse(boards, limits, onReport) {
    return (await this.#search({ boards, limits }, onReport)).report;
  }

  /**
   * The move that a level of play or a rating picks.
   * @param {Board[]} boards the game so far, the position to search last
   * @param {number} level from 1, or a rating
   * @param {number} [seconds] the most time
   * @returns {Promise<ChosenMove>} rejects as `analyse`
   */
  async choose(boards, level, seconds) {
    const order = { boards, level, chances: Array.from({ length: RANDOM_NUMBERS }, Math.random) };
    return this.#search(seconds === undefined ? order : { ...order, seconds });
  }

  /** Ends the running search; it resolves with what it has. */
  stop() {
    const [running] = this.#jobs;
    for (const job of this.#jobs) job.stopped = true;
    if (running) this.#halt(running);
  }

  /** Ends the workers. A running search resolves with what it has. */
  close() {
    this.#broken ??= new Error("the engine is closed");
    this.#end();
    for (const job of this.#jobs.splice(0)) settle(job, this.#broken);
  }

  /**
   * @param {Order} order
   * @param {(report: Report) => void} [onReport]
   * @returns {Promise<ChosenMove>}
   */
  #search(order, onReport) {
    this.stop();
    return new Promise((resolve, reject) => {
      if (this.#broken) return reject(this.#broken);
      this.#jobs.push({ id: ++this.#last, order, onReport, stopped: false, known: null, resolve, reject });
      if (this.#jobs.length === 1) this.#next();
    });
  }

  /** Starts the first waiting search. */
  #next() {
    const [job] = this.#jobs;
    if (!job || !this.#worker) return;
    this.#worker.postMessage({ kind: "search", id: job.id, order: job.order });
    if (job.stopped) this.#halt(job);
  }

  /** @param {Job} job that runs */
  #halt(job) {
    // First the message, then the flag: a search that is just about to begin clears the flag.
    this.#worker?.postMessage({ kind: "stop" });
    if (this.#flag) Atomics.store(this.#flag, 0, 1);
    else setTimeout(() => this.#abandon(job), PATIENCE);
  }

  /** Ends a search together with its worker, and continues with a new worker. @param {Job} job */
  #abandon(job) {
    if (this.#jobs[0] !== job || !this.#worker) return;
    if (!job.known) {
      setTimeout(() => this.#abandon(job), PATIENCE); // the first depth takes no time; the worker has not come to it yet
      return;
    }
    this.#end();
    this.#jobs.shift();
    settle(job);
    this.#start().then(() => this.#next(), (error) => this.#break(error));
  }

  /** Starts the worker and its helpers. @returns {Promise<void>} */
  async #start() {
    const worker = new Worker(new URL("engine_worker.js", import.meta.url), { type: "module", name: "korgool" });
    const made = [worker];
    try {
      /** @type {Opened} */
      const opened = await answered(worker, { kind: "open", setup: this.#setup }, ({ kind, message, opened }) => {
        if (kind === "failed") throw new Error(`the engine cannot be opened: ${message}`);
        return opened;
      });
      const { compiled, memory } = this.#setup;
      await Promise.all(
        opened.helpers.map((helper) => {
          const beside = new Worker(new URL("search_thread_worker.js", import.meta.url), { type: "module", name: "korgool helper" });
          made.push(beside);
          return answered(beside, { compiled, memory, helper }, () => undefined);
        }),
      );
      worker.postMessage({ kind: "helpers" });
      this.network = opened.network;
      this.notice = opened.notice;
      this.#flag = memory ? new Int32Array(memory.buffer, opened.flag, 1) : null;
    } catch (error) {
      for (const one of made) one.terminate();
      throw error;
    }
    if (this.#broken) {
      for (const one of made) one.terminate();
      throw this.#broken;
    }
    this.#worker = worker;
    this.#helpers = made.slice(1);
    worker.onmessage = ({ data }) => this.#hear(data);
    for (const one of made) one.onerror = (event) => this.#break(new Error(`the engine broke off: ${event.message}`));
  }

  /** @param {{kind: string, id: number, report: Report, move: number, range: boolean, message: string}} answer */
  #hear({ kind, id, report, move, range, message }) {
    const [job] = this.#jobs;
    if (!job || job.id !== id) return;
    if (kind === "depth") {
      job.known = report;
      job.onReport?.(report);
      return;
    }
    this.#jobs.shift();
    if (kind === "done") job.resolve({ report: { ...report, whole: !job.stopped }, move });
    else job.reject(range ? new RangeError(message) : new Error(message));
    this.#next();
  }

  /** The engine has failed. @param {Error} reason */
  #break(reason) {
    this.#broken ??= reason;
    this.close();
  }

  #end() {
    for (const worker of [this.#worker, ...this.#helpers]) worker?.terminate();
    this.#worker = null;
    this.#helpers = [];
  }
}

/**
 * Memory for all workers, or null if the page is not isolated or the device does not have that much.
 * @param {number} mebibytes
 */
function sharedMemory(mebibytes) {
  if (globalThis.crossOriginIsolated !== true || typeof SharedArrayBuffer !== "function") return null;
  try {
    return new WebAssembly.Memory({ initial: LEAST_PAGES, maximum: Math.ceil((mebibytes * MIB) / PAGE), shared: true });
  } catch {
    return null;
  }
}

/**
 * Sends a worker its first order and waits for the answer.
 * @template T
 * @param {Worker} worker
 * @param {object} order
 * @param {(answer: any) => T} read
 * @returns {Promise<T>} rejects when the worker does not load
 */
function answered(worker, order, read) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("the engine's worker does not answer")), LOADING);
    worker.onmessage = ({ data }) => {
      clearTimeout(late);
      try {
        resolve(read(data));
      } catch (error) {
        reject(error);
      }
    };
    worker.onerror = (event) => {
      clearTimeout(late);
      reject(new Error(`the engine's worker cannot be loaded: ${event.message || "the file is missing or of a wrong kind"}`));
    };
    worker.postMessage(order);
  });
}

/**
 * Resolves a search with what it has, or rejects it for a reason.
 * @param {Job} job
 * @param {Error} [reason]
 */
function settle(job, reason) {
  const [best] = job.known?.lines ?? [];
  if (job.known && best) job.resolve({ report: { ...job.known, whole: false }, move: best.move });
  else job.reject(reason ?? new Error("the search was ended before it found anything"));
}
