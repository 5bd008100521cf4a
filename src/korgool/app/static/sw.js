// @ts-check
/// <reference lib="webworker" />
/**
 * The service worker: it keeps what playing and analysing need, for the time without a network.
 *
 * Everything kept is of one release and lies in one cache. A new release fills its own cache, each file checked against
 * its sum, before it takes the place of the old one; an install that breaks off leaves the old one as it was. Pages come
 * from the server where it answers, in whatever language the visitor has chosen; files bear their release in their
 * addresses, so those of this one come from the cache. Commands, states and games are never kept.
 */

/* global RELEASE */
/** @typedef {{tag: string, files: Record<string, string>, pages: string[]}} Release put in front of this file by the server */

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
// @ts-ignore: the server writes it in front of this file
const { tag, files, pages } = /** @type {Release} */ (RELEASE);
const PREFIX = "korgool-";
const KEPT = `${PREFIX}${tag}`;
const ROOT = `/static/${tag}/`;
/** Milliseconds that a kept page waits for a newer one. */
const PATIENCE = 4000;
const OFFLINE = "/offline";
const BOARD = "/analysis";
/** Downloads and descriptions: nothing of these can be shown without the server. */
const ELSEWHERE = /^\/(api|openapi|healthz|static|games\/\w+\/record)(\/|$)/;

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (request.method === "GET" && !ELSEWHERE.test(pathname)) event.respondWith(page(event, pathname));
    else if (request.method === "POST") event.respondWith(form(event, pathname));
  } else if (request.method === "GET" && Object.hasOwn(files, pathname)) event.respondWith(kept(pathname).then((copy) => copy ?? fetch(request)));
});

/** Fill the cache of this release, or leave no trace. */
async function install() {
  try {
    const cache = await caches.open(KEPT);
    await Promise.all([
      ...Object.entries(files).map(([path, sum]) => keepFile(cache, path, sum)),
      ...pages.map((path) => keepPage(cache, path)),
    ]);
  } catch (error) {
    await caches.delete(KEPT);
    throw error;
  }
  await worker.skipWaiting();
}

async function activate() {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== KEPT) await caches.delete(name);
  await worker.clients.claim();
}

/**
 * Keep a file: the copy of an older release where it is the same, else the server's.
 * @param {Cache} cache
 * @param {string} path
 * @param {string} sum SHA-256 of what it must be
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
  // The browser's own copy may be damaged: then the server's own.
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

/** Keep a page as the server gives it now. @param {Cache} cache @param {string} path */
async function keepPage(cache, path) {
  const answer = await fetch(path, { headers: { accept: "text/html" }, cache: "no-store" });
  if (!answer.ok || releaseOf(answer) !== tag) throw new Error(`${path} is not that of this release`);
  return cache.put(path, answer);
}

/** @param {Response} answer */
const releaseOf = (answer) => answer.headers.get("x-korgool-release");
/** @param {Response|undefined} answer */
const languageOf = (answer) => answer?.headers.get("content-language");
/** @param {string} path */
const kept = (path) => caches.match(path, { cacheName: KEPT });

/** The cache of this release; null when a newer one has taken its place, for then it must not come back. */
const own = async () => ((await caches.has(KEPT)) ? caches.open(KEPT) : null);

/** A page: the server's if it answers in time, else the one that is kept. @param {FetchEvent} event @param {string} path */
async function page(event, path) {
  const copy = pages.includes(path) ? await kept(path) : undefined;
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

/** Whether something before the server answers that it is not there. @param {Response} answer */
const gone = (answer) => answer.status >= 502 && answer.status <= 504 && !releaseOf(answer);

/** @param {number} ms @returns {Promise<undefined>} */
const pause = (ms) => new Promise((resolve) => setTimeout(() => resolve(undefined), ms));

/** Learn from a page of the server: it is kept if it is of this release, and a new language is one for all pages. @param {string} path @param {Response} answer */
async function learn(path, answer) {
  const release = releaseOf(answer);
  if (!release) return;
  if (release !== tag) {
    await worker.registration.update();
    return;
  }
  const language = languageOf(answer);
  const known = languageOf(await kept(OFFLINE));
  const cache = await own();
  if (answer.ok && pages.includes(path)) await cache?.put(path, answer);
  if (language !== known) await Promise.all(pages.map((one) => cache && keepPage(cache, one)));
}

/** A form: it goes to the server, and a new game that it does not get is played on this device. @param {FetchEvent} event @param {string} path */
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
