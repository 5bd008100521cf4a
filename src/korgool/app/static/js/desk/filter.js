/**
 * Lists that get shorter while one types: a field with `data-filters="LIST …"` names lists by id, whose lines have
 * what is searched in `data-text`. Also for parts of the page that come anew.
 */

/** Text without case and the dots of ё, as one searches it. @param {string} text */
const plain = (text) => text.normalize("NFKC").toLocaleLowerCase().replaceAll("ё", "е");

/** @param {HTMLInputElement} field */
function filter(field) {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  for (const id of (field.dataset.filters ?? "").split(" ")) {
    for (const line of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(`#${CSS.escape(id)} > li`))) {
      const text = plain(line.dataset.text ?? "");
      line.hidden = !words.every((word) => (/^\d+$/.test(word) ? text.split(" ")[0] === word : text.includes(word)));
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
