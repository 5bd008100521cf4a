/** Escape closes a menu of the header, or the list of screens of a narrow page, and gives the focus back to what opened it. */

addEventListener("keydown", (event) => {
  const here = document.activeElement;
  const list = /** @type {HTMLDetailsElement|null|undefined} */ (here?.closest(".screens details[open], details.menu[open]"));
  if (event.key !== "Escape" || event.isComposing || !list) return;
  event.preventDefault();
  list.open = false;
  list.querySelector("summary")?.focus();
});
