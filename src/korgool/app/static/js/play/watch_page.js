/** The page for watchers: its boards and lists are kept up to date while the page is visible. */

import { byId } from "../site/dom.js";
import { keepFresh } from "../site/renewed_part.js";

/** Milliseconds between two requests. */
const EVERY = 5000;

const part = byId("watch");
/** @returns {string} */
const tag = () => /** @type {HTMLElement} */ (part.querySelector("[data-tag]")).dataset.tag ?? "";
keepFresh(part, () => `/watch/list?show=${part.dataset.show}&known=${tag()}`, EVERY);
