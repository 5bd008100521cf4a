/**
 * A part of a page that is kept as the server has it while somebody looks at the page. What has not changed stays the same
 * element, so that neither the focus nor a screen reader loses its place, and nothing is announced.
 */

import { SILENT, Watchdog } from "./connection_watchdog.js";

/** After a failure the pauses grow up to so many milliseconds. */
const LONGEST_PAUSE = 60_000;

/** All nodes within but spaces between elements. @param {Element} element */
const contents = (element) => [...element.childNodes].filter((node) => node.nodeType !== Node.TEXT_NODE || node.nodeValue?.trim());

/** @param {Node[]} nodes */
const shape = (nodes) => nodes.map((node) => (node instanceof Element ? `${node.localName}#${node.id}` : node.nodeType)).join();

/**
 * Make a list have the entries of another one. Each is known by its `id`.
 * @param {Element} old
 * @param {Element} fresh
 */
function matchEntries(old, fresh) {
  const wanted = new Set([...fresh.children].map(({ id }) => id));
  for (const entry of [...old.children]) if (!wanted.has(entry.id)) entry.remove();
  let at = old.firstElementChild;
  for (const entry of [...fresh.children]) {
    const known = [...old.children].find(({ id }) => id === entry.id);
    if (known) match(known, entry);
    if (known && known === at) at = at.nextElementSibling;
    else old.insertBefore(known ?? entry, at);
  }
}

/**
 * Make an element look like another one.
 * @param {Element} old
 * @param {Element} fresh
 */
function match(old, fresh) {
  if (old.isEqualNode(fresh)) return;
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of [...fresh.attributes]) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  matchContents(old, fresh);
}

/**
 * Give an element the contents of another one, with as few changes as their form allows.
 * @param {Element} old
 * @param {Element} fresh
 */
function matchContents(old, fresh) {
  const entries = [...old.children, ...fresh.children];
  if (entries.length && entries.every((entry) => entry.localName === "li" && entry.id)) {
    matchEntries(old, fresh);
    return;
  }
  const before = contents(old);
  const after = contents(fresh);
  if (shape(before) !== shape(after)) {
    old.replaceChildren(...fresh.childNodes);
    return;
  }
  for (const [index, node] of before.entries()) {
    const other = after[index];
    if (node instanceof Element && other instanceof Element) match(node, other);
    else if (node.nodeValue !== other.nodeValue) node.nodeValue = other.nodeValue;
  }
}

/**
 * Ask for a part again and again; a hidden page does not.
 * @param {HTMLElement} part
 * @param {() => string} address of its content; the answer is empty if nothing is new
 * @param {number} every milliseconds between two requests
 * @param {(open: boolean) => void} [heard] called when the connection is lost and when it works again
 * @param {number} [within] milliseconds of silence after which it is
 */
export function keepFresh(part, address, every, heard = () => {}, within = SILENT) {
  const watchdog = new Watchdog(heard);
  let failed = 0;
  async function renew() {
    const { answer, text } = await watchdog.fetch(address(), { headers: { accept: "text/html" }, cache: "no-store" }, within);
    watchdog.open = true;
    // What is under a finger stays there until it has been lifted.
    if (answer.status !== 200 || part.querySelector(":active")) return;
    const focused = document.activeElement?.closest("li[id]")?.id;
    matchContents(part, new DOMParser().parseFromString(text, "text/html").body);
    if (!focused || part.contains(document.activeElement)) return;
    const again = document.getElementById(focused)?.querySelector("button, a");
    if (again instanceof HTMLElement) again.focus({ preventScroll: true });
  }
  const look = () => renew().then(() => { failed = 0; }, () => { failed += 1; });
  async function forever() {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_PAUSE, every * 2 ** Math.max(0, Math.min(failed - 3, 5)))));
      if (!document.hidden) await look();
    }
  }
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void look();
  });
  addEventListener("online", () => void look());
  void forever();
}
