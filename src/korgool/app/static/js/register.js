/** Keeps the pages for the time without a network, where the browser can: see `sw.js`. */

/** What every page takes comes first; keeping the rest can wait until the page stands. */
function register() {
  void navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => {
    // Private windows may refuse; the page works on with a network.
  });
}

if ("serviceWorker" in navigator) {
  if (document.readyState === "complete") register();
  else addEventListener("load", register);
}
