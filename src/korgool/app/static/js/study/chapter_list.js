/** The chapters of a study: a list beside the board on a desk, and in a sheet on a phone. */

import { bindSheet } from "../site/sheets.js";
import { byId, disable } from "../site/dom.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("./study_store.js").Chapter} Chapter */

/** The name of a chapter. @param {Chapter} chapter @param {number} place from 0 */
const chapterName = ({ title }, place) => title || gettext("Chapter %(n)s", { n: place + 1 });

export class ChapterList {
  #list = byId("chapters");
  #sheet = /** @type {HTMLDialogElement} */ (byId("chapters-sheet"));
  /** @type {Chapter[]} */ #chapters = [];

  /** @param {{pick: (chapter: Chapter) => void, step: (by: number) => void}} page */
  constructor(page) {
    bindSheet(this.#sheet);
    const home = /** @type {HTMLElement} */ (this.#list.parentElement);
    byId("chapters-open").addEventListener("click", () => {
      byId("chapters-here").append(this.#list);
      this.#sheet.showModal();
      /** @type {HTMLElement|null} */ (this.#list.querySelector("[aria-current]"))?.focus();
    });
    this.#sheet.addEventListener("close", () => home.append(this.#list));
    this.#list.addEventListener("click", ({ target }) => {
      const button = /** @type {HTMLElement} */ (target).closest("button");
      const chapter = this.#chapters[Number(button?.dataset.at ?? NaN)];
      if (!chapter) return;
      this.#sheet.close();
      page.pick(chapter);
    });
    for (const [id, by] of /** @type {[string, number][]} */ ([["chapter-before", -1], ["chapter-after", 1]])) {
      byId(id).addEventListener("click", () => byId(id).getAttribute("aria-disabled") === "true" || page.step(by));
    }
  }

  /** @param {Chapter[]} chapters @param {Chapter|null} current */
  draw(chapters, current) {
    this.#chapters = chapters;
    const at = chapters.findIndex((one) => one === current);
    this.#list.replaceChildren(...chapters.map((chapter, place) => {
      const [item, button, number] = [document.createElement("li"), document.createElement("button"), document.createElement("span")];
      button.type = "button";
      button.dataset.at = String(place);
      number.className = "number";
      number.textContent = String(place + 1);
      button.append(number, " ", chapterName(chapter, place));
      if (place === at) button.setAttribute("aria-current", "true");
      item.append(button);
      return item;
    }));
    byId("chapter-now").textContent = at < 0 ? "" : gettext("%(n)s of %(all)s: %(title)s", { n: at + 1, all: chapters.length, title: chapterName(chapters[at], at) });
    byId("chapter-way").hidden = !chapters.length;
    disable("chapter-before", at <= 0);
    disable("chapter-after", at < 0 || at === chapters.length - 1);
    const shown = /** @type {HTMLElement|null} */ (this.#list.querySelector("[aria-current]"));
    // Scroll only the list, never the page.
    if (shown) this.#list.scrollTop = shown.offsetTop - this.#list.clientHeight / 2;
  }
}
