/**
 * Lists that get shorter while one types: a field with `data-filters="LIST …"` names lists by id, whose lines have
 * what is searched in `data-text`. Also for parts of the page that come anew.
 */
import { finds, sought } from "../site/name_search.js";

/** @param {HTMLInputElement} field */
function filter(field) {
  const asked = field.value.trim();
  const number = /^\d+$/.test(asked);
  const words = sought(asked);
  for (const id of (field.dataset.filters ?? "").split(" ")) {
    for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`#${CSS.escape(id)} > li`))) {
      const text = line.dataset.text ?? "";
      line.hidden = !(number ? text.split(" ")[0] === asked : finds(words, text));
    }
  }
}

addEventListener("input", (event) => {
  const field = event.target;
  if (field instanceof HTMLInputElement && field.dataset.filters) filter(field);
});
addEventListener("placed", () => {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("[data-filters]"))) filter(field);
});
