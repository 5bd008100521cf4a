// @ts-check
/// <reference lib="webworker" />
/**
 * The service worker: it caches what playing and analysing need without a network.
 *
 * Each cache holds exactly one release. A new release fills its own cache, with every file checked against its
 * checksum, before it replaces the old one; an interrupted installation leaves the old one unchanged. If the browser
 * ends the new worker before it has removed the old release, it does so with its next page from the server.
 *
 * Pages come from the server if it answers, in the visitor's language. The addresses of files contain their release, so
 * those of this release come from the cache. Commands, states and games are never cached.
 */

/* global RELEASE */
/** @typedef {{tag: string, files: Record<string, string>, pages: string[]}} Release put in front of this file by the server */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
// @ts-ignore: the server writes it in front of this file
const { tag, files, pages } = /** @type {Release} */ (RELEASE);
const PREFIX = "korgool-";
const KEPT = `${PREFIX}${tag}`;
const ROOT = `/static/${tag}/`;
/** How many files are fetched at the same time; a browser opens six connections to a server without HTTP/2. */
const LANES = 2;
/** Milliseconds to wait for the server's page before the cached one is used. */
const PATIENCE = 4000;
const OFFLINE = "/offline";
const BOARD = "/analysis";
/** The boards of other games, which a script of that page asks for. */
const BOARDS = "/analysis/boards";
/** The board, which opens a game that this device remembers. */
const REVIEW = /^\/games\/\w+\/review$/;
/** A stop of a path, which the page of its game can play as well. */
const STOP = /^(\/learn\/\w+)\/(?!drills$)[\w-]+$/;
/** Pages with puzzles enough for a while, of the games that somebody has played here: they are kept from the last visit. */
const VISITED = /^\/puzzles\/\w+\/(rated|run)$/;
/** Downloads and API descriptions, which cannot be shown without the server. */
const ELSEWHERE = /^\/(api|openapi|healthz|static|games\/\w+\/record)(\/|$)/;

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("push", (event) => event.waitUntil(notify(event)));
worker.addEventListener("notificationclick", (event) => event.waitUntil(open(event.notification)));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === "navigate") {
    event.waitUntil(endNotices(pathname));
    if (request.method === "GET" && !ELSEWHERE.test(pathname)) event.respondWith(page(event, pathname));
    else if (request.method === "POST") event.respondWith(form(event, pathname));
  } else if (pathname === BOARDS) event.respondWith(page(event, pathname));
  else if (request.method === "GET" && Object.hasOwn(files, pathname)) event.respondWith(kept(pathname).then((copy) => copy ?? fetch(request)));
});

/** Fill the cache of this release completely, or not at all. */
async function install() {
  const cache = await caches.open(KEPT);
  const waiting = Object.entries(files).map(([path, sum]) => () => keepFile(cache, path, sum));
  waiting.push(...pages.map((path) => () => keepPage(cache, path)));
  // Few at a time: the visitor's page may want the line for something else.
  const fetchNext = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await next();
  };
  try {
    await Promise.all(Array.from({ length: LANES }, fetchNext));
  } catch (error) {
    waiting.length = 0;
    await caches.delete(KEPT);
    throw error;
  }
  await worker.skipWaiting();
}

async function activate() {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== KEPT) await caches.delete(name);
  await worker.clients.claim();
}

/** Remove what an interrupted activation has left: caches stand in the order in which they were made, so a newer release is safe. */
async function removeOlder() {
  const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX));
  for (const name of names.slice(0, Math.max(names.indexOf(KEPT), 0))) await caches.delete(name);
}

/**
 * Cache a file: the copy of an older release if it is the same, otherwise the server's.
 * @param {Cache} cache
 * @param {string} path
 * @param {string} sum the SHA-256 that it must have
 */
async function keepFile(cache, path, sum) {
  for (const name of await caches.keys()) {
    if (!name.startsWith(PREFIX)) continue;
    const older = await caches.open(name);
    // The first releases had no tag in the addresses of their files.
    for (const root of [`/static/${name.slice(PREFIX.length)}/`, "/static/"]) {
      const found = await older.match(path.replace(ROOT, root));
      if (found && (await sumOf(found.clone())) === sum) return cache.put(path, found);
    }
  }
  // The browser's own copy may be damaged; then fetch it from the server.
  for (const mode of /** @type {RequestCache[]} */ (["default", "reload"])) {
    const answer = await fetch(path, { cache: mode });
    if (answer.ok && (await sumOf(answer.clone())) === sum) return cache.put(path, answer);
  }
  throw new Error(`${path} is not that of this release`);
}

/** @param {Response} answer */
async function sumOf(answer) {
  const sum = await crypto.subtle.digest("SHA-256", await answer.arrayBuffer());
  return Array.from(new Uint8Array(sum), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Cache a page as the server sends it now. @param {Cache} cache @param {string} path */
async function keepPage(cache, path) {
  const answer = await fetch(path, { headers: { accept: "text/html" }, cache: "no-store" });
  if (!answer.ok || releaseOf(answer) !== tag) throw new Error(`${path} is not that of this release`);
  return cache.put(path, answer);
}

/** @param {Response} answer */
const releaseOf = (answer) => answer.headers.get("x-korgool-release");
/** @param {Response|undefined} answer */
const languageOf = (answer) => answer?.headers.get("content-language");
/** Whose name stands on a page: differs between accounts, and is null where the page names nobody. @param {Response|undefined} answer */
const readerOf = (answer) => answer?.headers.get("x-korgool-reader") ?? null;
/** @param {string} path */
const kept = (path) => caches.match(path, { cacheName: KEPT });

/** The cache of this release; null if a newer one has replaced it, because then it must not be created again. */
const own = async () => ((await caches.has(KEPT)) ? caches.open(KEPT) : null);

/**
 * A page: the server's if it answers in time, otherwise the cached one.
 * @param {FetchEvent} event
 * @param {string} path
 */
async function page(event, path) {
  const instead = keeps(path) ? path : REVIEW.test(path) ? BOARD : STOP.exec(path)?.[1] ?? "";
  const copy = keeps(instead) ? await kept(instead) : undefined;
  const asked = fetch(event.request);
  event.waitUntil(asked.then((answer) => learn(path, answer.clone())).catch(() => undefined));
  try {
    const answer = await (copy ? Promise.race([asked, pause(PATIENCE)]) : asked);
    if (answer && !gone(answer)) return answer;
  } catch {
    // There is no network, or no server.
  }
  return copy ?? (await kept(OFFLINE)) ?? Response.error();
}

/** Whether a page is kept. @param {string} path */
const keeps = (path) => pages.includes(path) || VISITED.test(path);

/** Whether a proxy in front of the server answers that the server is down. @param {Response} answer */
const gone = (answer) => answer.status >= 502 && answer.status <= 504 && !releaseOf(answer);

/** @param {number} ms @returns {Promise<undefined>} */
const pause = (ms) => new Promise((resolve) => setTimeout(() => resolve(undefined), ms));

/**
 * Learn from a page of the server: cache it if it is of this release; if its language or its reader is new, renew all pages.
 * @param {string} path
 * @param {Response} answer
 */
async function learn(path, answer) {
  const release = releaseOf(answer);
  if (!release) return;
  if (release !== tag) {
    await worker.registration.update();
    return;
  }
  const language = languageOf(answer);
  const reader = readerOf(answer);
  const known = await kept(OFFLINE);
  await removeOlder();
  const cache = await own();
  if (!cache) return;
  if (answer.ok && keeps(path)) await cache.put(path, answer);
  if (language === languageOf(known) && (reader === null || reader === readerOf(known))) return;
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (VISITED.test(pathname) && pathname !== path) await cache.delete(url);
  }
  await Promise.all(pages.map((one) => keepPage(cache, one)));
}

/**
 * A form: it is sent to the server; if a new game does not reach it, the game is played on this device.
 * @param {FetchEvent} event
 * @param {string} path
 */
async function form(event, path) {
  const copy = event.request.clone();
  try {
    const answer = await fetch(event.request);
    if (!gone(answer)) {
      // The first page lists the visitor's games.
      if (path === "/games") event.waitUntil(own().then((cache) => cache && keepPage(cache, "/")).catch(() => undefined));
      return answer;
    }
  } catch {
    // There is no network, or no server.
  }
  if (path !== "/games") return (await kept(OFFLINE)) ?? Response.error();
  const said = await copy.formData();
  const side = said.get("side") === "random" ? (Math.random() < 0.5 ? "white" : "black") : said.get("side");
  const opponent = said.get(said.get("level") === "rating" ? "rating" : "level");
  const wanted = new URLSearchParams({ game: String(said.get("game")), opponent: String(opponent), side: String(side) });
  return Response.redirect(`${BOARD}#${wanted}`, 303);
}

/**
 * Show what the server tells: browsers want something to be seen for every message, also for one that ends a notice.
 * @param {PushEvent} event
 */
async function notify(event) {
  /** @type {{title?: string, body?: string, url?: string, due?: number, language?: string, over?: boolean}} */
  let told = {};
  try {
    told = event.data?.json() ?? {};
  } catch {
    // Not a message of ours.
  }
  const { title = "Korgool", body = "", url = "/", due = 0, language, over = false } = told;
  const options = { body: body.replace("{due}", () => momentText(due, language)), lang: language, icon: `${ROOT}icon-192.png`, tag: url, data: url };
  await worker.registration.showNotification(title, { ...options, silent: over });
  if (over) await endNotices(url);
}

/** As `js/site/local_times.js` writes a point in time. @param {number} ms @param {string} [language] */
function momentText(ms, language) {
  const text = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(ms);
  return /\bM\d\d\b/.test(text) ? new Intl.DateTimeFormat("ru", { dateStyle: "short", timeStyle: "short" }).format(ms) : text;
}

/** Close the notices of a game: its page is open, or its turn is over. @param {string} url the path of its page */
async function endNotices(url) {
  for (const notice of await worker.registration.getNotifications({ tag: url })) notice.close();
}

/**
 * Show the game of a notice, in its tab if there is one.
 * @param {Notification} notice
 */
async function open(notice) {
  notice.close();
  const to = new URL(String(notice.data), location.origin);
  if (to.origin !== location.origin) return;
  const tabs = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  const tab = tabs.find(({ url }) => new URL(url).pathname === to.pathname);
  await (tab ? tab.focus() : worker.clients.openWindow(to.href));
}
