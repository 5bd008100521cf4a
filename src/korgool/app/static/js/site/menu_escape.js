/** Escape closes the list of screens of a narrow page, and the languages, and gives the focus back to what opened them. */

addEventListener("keydown", (event) => {
  const here = document.activeElement;
  const list = /** @type {HTMLDetailsElement|null|undefined} */ (here?.closest(".screens details[open], details.menu[open]"));
  if (event.key !== "Escape" || event.isComposing || !list) return;
  event.preventDefault();
  list.open = false;
  list.querySelector("summary")?.focus();
});
