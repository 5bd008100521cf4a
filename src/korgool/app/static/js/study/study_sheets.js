/** The sheets of a study: one for the chapter on the board, one for the study with its link, file and booklet. */

import { showNotice } from "../analysis/board_state.js";
import { saveFile } from "../analysis/copy_and_download.js";
import { bindSheet } from "../site/sheets.js";
import { byId, copyField, say } from "../site/dom.js";
import { gettext } from "../site/translations.js";
import { emptyRecord, readChosen, studyFile } from "./study_files.js";
import { DeviceStore } from "./study_store.js";

/** @typedef {import("./study_board.js").StudyBoard} StudyBoard */

const input = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (byId(id));
const sheet = (/** @type {string} */ id) => /** @type {HTMLDialogElement} */ (byId(id));

/** @param {StudyBoard} board */
export function bindStudySheets(board) {
  for (const [button, id] of [["study-open", "study-sheet"], ["chapter-open", "chapter-sheet"], ["chapter-add", "add-sheet"]]) {
    if (!document.getElementById(button)) continue;
    bindSheet(sheet(id));
    byId(button).addEventListener("click", () => {
      fill(board);
      sheet(id).showModal();
    });
  }
  input("study-link").value = new URL(board.facts.id ? `/studies/${board.facts.id}` : location.pathname, location.href).href;
  document.getElementById("copy-study-link")?.addEventListener("click", async () => {
    if (await copyField(input("study-link"))) say(gettext("Copied"));
    byId("copy-study-link").textContent = gettext("Copied");
  });
  byId("study-save").addEventListener("click", () => void board.attempt(async () => {
    await board.saving.flush();
    saveFile(new Blob([studyFile(asText(board))], { type: "application/vnd.chess-pgn" }), `${fileName(board)}.pgn`);
  }));
  byId("study-print").addEventListener("submit", (event) => {
    event.preventDefault();
    const paper = /** @type {HTMLButtonElement|null} */ (event.submitter)?.value ?? "a4";
    void board.attempt(() => print(board, paper));
  });
  if (document.getElementById("study-form")) bindChanges(board);
}

/** Open the booklet: that of the server's study, or of what the device sends. @param {StudyBoard} board @param {string} paper */
async function print(board, paper) {
  const form = /** @type {HTMLFormElement} */ (byId("study-print"));
  await board.saving.flush();
  if (board.facts.id) {
    location.assign(`/studies/${board.facts.id}/booklet.pdf?paper=${paper}`);
    return;
  }
  for (const [name, value] of [["text", studyFile(asText(board))], ["paper", paper]]) {
    /** @type {HTMLInputElement} */ (form.elements.namedItem(name)).value = value;
  }
  form.submit();
}

/** @param {StudyBoard} board */
const asText = ({ study }) => study ?? { title: "", author: "", language: "", chapters: [] };

/** @param {StudyBoard} board */
const fileName = ({ study }) => (study?.title ?? "").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-+|-+$/g, "").slice(0, 80) || "study";

/** @param {StudyBoard} board */
function fill({ study, chapter }) {
  if (!document.getElementById("study-form")) return;
  input("study-name").value = study?.title ?? "";
  input("study-author").value = study?.author ?? "";
  /** @type {HTMLSelectElement} */ (byId("study-language")).value = study?.language ?? "";
  input("chapter-title").value = chapter?.title ?? "";
  input("chapter-concealed").checked = chapter?.concealed ?? false;
  for (const id of ["study-remove-sure", "chapter-remove-sure"]) byId(id).hidden = true;
}

/** What the author may do. @param {StudyBoard} board */
function bindChanges(board) {
  const { attempt } = { attempt: board.attempt.bind(board) };
  const limits = board.facts.limits;
  byId("study-form").addEventListener("submit", () => void attempt(() => board.describe({
    title: input("study-name").value.trim(), author: input("study-author").value.trim(),
    language: /** @type {HTMLSelectElement} */ (byId("study-language")).value,
  })));
  byId("chapter-form").addEventListener("submit", () => board.changeChapter({ title: input("chapter-title").value.trim(), concealed: input("chapter-concealed").checked }));
  byId("chapter-up").addEventListener("click", () => void attempt(() => board.move(-1)));
  byId("chapter-down").addEventListener("click", () => void attempt(() => board.move(1)));
  // What is deleted is gone: the second press does it.
  for (const what of ["study", "chapter"]) {
    byId(`${what}-remove`).addEventListener("click", () => {
      byId(`${what}-remove-sure`).hidden = false;
      byId(`${what}-remove-now`).focus();
    });
  }
  byId("chapter-remove-now").addEventListener("click", () => {
    sheet("chapter-sheet").close();
    void attempt(() => board.removeChapter());
  });
  byId("study-remove-now").addEventListener("click", () => void attempt(async () => {
    board.saving.leave();
    await board.store.remove();
    location.assign("/studies");
  }));
  byId("add-start").addEventListener("click", () => {
    sheet("add-sheet").close();
    const game = /** @type {HTMLSelectElement} */ (byId("add-game")).value;
    void attempt(async () => board.addChapters([{ title: "", concealed: false, record: await emptyRecord(game, board.page.facts) }]));
  });
  byId("add-file").addEventListener("click", () => input("add-chosen").click());
  input("add-chosen").addEventListener("change", () => {
    const [file] = input("add-chosen").files ?? [];
    sheet("add-sheet").close();
    if (file) void attempt(async () => {
      showNotice(gettext("Reading the file…"));
      await board.addChapters((await readChosen(file, board.page.rules().game, board.page.facts, limits)).chapters);
      showNotice("");
    });
    input("add-chosen").value = "";
  });
  byId("study-device").hidden = !(board.store instanceof DeviceStore);
}
