/** The page of one's studies: makes new ones, in the account or on the device, and lists those of the device. */

import { byId } from "../site/dom.js";
import { gettext, ngettext } from "../site/translations.js";
import { emptyRecord, readChosen } from "./study_files.js";
import { listDevice, makeOnDevice, requestStudies } from "./study_store.js";

/** @typedef {import("./study_files.js").StudyText} StudyText */

/**
 * @type {{games: Record<string, number>, records: import("../analysis/record_parser.js").RecordFacts,
 *   limits: import("./study_files.js").Limits, member: boolean}}
 */
const facts = JSON.parse(byId("facts").textContent ?? "");
const form = /** @type {HTMLFormElement} */ (byId("new-study"));
const buttons = /** @type {HTMLButtonElement[]} */ ([...form.querySelectorAll("button")]);
const chosen = /** @type {HTMLInputElement} */ (byId("chosen"));
const title = () => /** @type {HTMLInputElement} */ (byId("title")).value.trim();
const game = () => /** @type {HTMLSelectElement} */ (byId("game")).value;

/** @param {string} text */
function tell(text) {
  byId("studies-problem").textContent = text;
  byId("studies-problem").hidden = !text;
}

/** Make a study and open it. @param {() => Promise<StudyText>} read */
async function make(read) {
  for (const one of buttons) one.disabled = true;
  tell("");
  try {
    const study = await read();
    location.assign(facts.member ? await inAccount(study) : `/studies/device#study=${makeOnDevice(study)}`);
  } catch (error) {
    tell(error instanceof Error && error.message ? error.message : gettext("That did not work."));
    for (const one of buttons) one.disabled = false;
  }
}

/** @param {StudyText} study @returns {Promise<string>} its address */
async function inAccount(study) {
  const { studyFile } = await import("./study_files.js");
  return (await requestStudies("POST", "", { title: study.title, language: study.language, text: studyFile(study) })).url;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  void make(async () => ({ title: title(), author: "", language: "", chapters: [{ title: "", concealed: false, record: await emptyRecord(game(), facts.records) }] }));
});
byId("from-file").addEventListener("click", () => chosen.click());
chosen.addEventListener("change", () => {
  const [file] = chosen.files ?? [];
  if (file) void make(async () => {
    const study = await readChosen(file, game(), facts.records, facts.limits);
    return { ...study, title: title() || study.title || file.name.replace(/\.\w+$/, "").slice(0, facts.limits.title) };
  });
  chosen.value = "";
});
for (const one of buttons) one.disabled = false;

const held = listDevice();
byId("on-device").hidden = !held.length;
byId("device-list").replaceChildren(...held.map(({ id, title: name, chapters }) => {
  const [item, link, strong, count] = [document.createElement("li"), document.createElement("a"), document.createElement("strong"), document.createElement("span")];
  link.className = "card";
  link.href = `/studies/device#study=${id}`;
  strong.textContent = name || gettext("Study without a title");
  count.className = "quiet";
  count.textContent = ngettext("%(n)s chapter", "%(n)s chapters", chapters, { n: chapters });
  link.append(strong, " ", count);
  item.append(link);
  return item;
}));
const empty = document.getElementById("none-yet");
if (empty) empty.hidden = held.length > 0;
