/** Registers the service worker, which keeps the pages for use without a network: see `sw.js`. */

/** The page itself loads first; caching the rest can wait until then. */
function register() {
  void navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => {
    // Private windows may refuse; with a network the page works anyway.
  });
}

if ("serviceWorker" in navigator) {
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}
