/** What every page does: it looks as chosen, closes its menus by Escape, and registers the service worker, which keeps the pages for use without a network: see `sw.js`. */

import "./menu_escape.js";
import { whenIdle } from "./dom.js";
import { applyAppearance } from "./stored_settings.js";

applyAppearance();

/** Wait until the page has loaded and its board, if it has one, can be used: network and processor serve that first. */
async function ready() {
  if (document.readyState !== "complete") await new Promise((done) => addEventListener("load", done, { once: true }));
  const board = document.querySelector("korgool-board:not([data-ready])");
  if (board) await new Promise((done) => new MutationObserver(done).observe(board, { attributeFilter: ["data-ready"] }));
  await whenIdle();
}

async function register() {
  await ready();
  try {
    await navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" });
  } catch {
    // Private windows may refuse; with a network the page works anyway.
  }
}

if ("serviceWorker" in navigator) void register();
