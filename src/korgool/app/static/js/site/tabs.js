/** Tabs as ARIA describes them: one stop of the Tab key, arrows between them, and one panel shown. */

/**
 * Let the buttons of a tab list show their panels.
 * @param {HTMLElement} list with `role=tab` buttons, each naming its panel by `aria-controls`
 * @param {(id: string) => void} [onShow] called with the id of a panel when it is shown
 * @returns {(id: string) => void} shows the panel with an id, without moving the focus
 */
export function bindTabs(list, onShow) {
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role="tab"]')]);
  const panelOf = (/** @type {HTMLElement} */ tab) => tab.getAttribute("aria-controls") ?? "";
  /** @param {HTMLElement} chosen */
  const choose = (chosen) => {
    for (const tab of tabs) {
      tab.setAttribute("aria-selected", String(tab === chosen));
      tab.tabIndex = tab === chosen ? 0 : -1;
      const panel = document.getElementById(panelOf(tab));
      if (panel) panel.hidden = tab !== chosen;
    }
    onShow?.(panelOf(chosen));
  };
  // Who pressed a tab by mouse or finger means other things by the arrow keys, such as the moves of a game.
  let pointed = false;
  list.addEventListener("pointerdown", () => { pointed = true; });
  list.addEventListener("focusout", ({ relatedTarget }) => {
    if (!list.contains(/** @type {Element|null} */ (relatedTarget))) pointed = false;
  });
  list.addEventListener("click", ({ target }) => {
    const tab = tabs.find((one) => one.contains(/** @type {Element} */ (target)));
    if (tab) choose(tab);
  });
  list.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const at = pointed ? -1 : tabs.findIndex((tab) => tab === event.target);
    /** @type {Record<string, number>} */
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 };
    if (at < 0 || !(event.key in to)) return;
    event.preventDefault();
    const next = tabs[(to[event.key] + tabs.length) % tabs.length];
    choose(next);
    next.focus();
  });
  return (id) => {
    const tab = tabs.find((one) => panelOf(one) === id);
    if (tab && tab.getAttribute("aria-selected") !== "true") choose(tab);
  };
}
