/**
 * Filters lists while a name is typed: a field with `data-filters="LIST …"` names lists by id, whose lines have their
 * searched text in `data-text`. Parts of the page that are replaced are filtered too.
 */
import { finds, sought } from "../site/name_search.js";

/** @param {HTMLInputElement} field */
function filter(field) {
  const query = field.value.trim();
  const number = /^\d+$/.test(query);
  const words = sought(query);
  for (const id of (field.dataset.filters ?? "").split(" ")) {
    for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`#${CSS.escape(id)} > li`))) {
      const text = line.dataset.text ?? "";
      line.hidden = !(number ? text.split(" ")[0] === query : finds(words, text));
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
