/** Saves a picture of the position shown, or a moving one of its line; the server draws them. */

import { byId, say } from "../site/dom.js";
import { gettext } from "../site/translations.js";
import { saveFile } from "./copy_and_download.js";
import { requestPicture } from "./server_requests.js";

/** @typedef {import("./copy_and_download.js").Shown} Shown */

/** @param {() => Shown|null} current what the board shows @param {() => import("../game/message_types.js").Side} below whose row stands below */
export function bindPictures(current, below) {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (byId("pictures").querySelectorAll("[data-picture]"))) {
    button.addEventListener("click", () => void save(button, current(), below()));
  }
}

/** @param {HTMLButtonElement} button @param {Shown|null} shown @param {string} below */
async function save(button, shown, below) {
  if (!shown) return;
  const problem = byId("picture-problem");
  problem.hidden = true;
  button.disabled = true;
  say(gettext("The picture is being drawn…"));
  const form = String(button.dataset.picture);
  let last = shown.current;
  if (form === "gif") while (last.children.length) last = last.children[0];
  try {
    const content = await requestPicture({ game: shown.game, position: shown.start, moves: last.holes, form, below });
    if (content instanceof Blob) saveFile(content, `korgool.${form}`);
    problem.textContent = content instanceof Blob ? "" : content.detail;
  } catch {
    problem.textContent = gettext("The server does not answer. Try again.");
  } finally {
    button.disabled = false;
    problem.hidden = !problem.textContent;
  }
}
