/** Studies as files: a record in PGN style for each chapter, as `korgool.training.study` reads and writes them. */

import { listGames, parseRecord } from "../analysis/record_parser.js";
import { treeOfRecord } from "../analysis/record_tree.js";
import { tagLine, writeRecord } from "../analysis/record_writer.js";
import { openRules } from "../analysis/rules_provider.js";
import { whenIdle } from "../site/dom.js";
import { gettext } from "../site/translations.js";

/** @typedef {import("../analysis/record_parser.js").RecordFacts} RecordFacts */
/** @typedef {{chapters: number, chapter: number, study: number, title: number}} Limits chapters of a study, bytes, letters of a title */
/** @typedef {{title: string, concealed: boolean, record: string}} ChapterText */
/** @typedef {{title: string, author: string, language: string, chapters: ChapterText[]}} StudyText */

const NO_EVENT = tagLine("Event", "?");
const OWN = ["StudyName", "ChapterName", "Annotator", "StudyLanguage", "ChapterMode"];
const CONCEALED = "conceal";

/** A file is no study; the message says where and why. */
class StudyFileError extends Error {}

/** The bytes of a text in UTF-8. @param {string} text */
const sizeOf = (text) => new TextEncoder().encode(text).length;

/** The file of a study. @param {StudyText} study */
export function studyFile({ title, author, language, chapters }) {
  return chapters.map(({ title: name, concealed, record }) => {
    const [head, ...rest] = record.split("\n\n");
    const event = title && head.startsWith(NO_EVENT) ? tagLine("Event", [title, name].filter(Boolean).join(": ")) + head.slice(NO_EVENT.length) : head;
    const own = [title, name, author, language, concealed ? CONCEALED : ""];
    const tags = OWN.flatMap((tag, at) => (own[at] ? [tagLine(tag, own[at])] : []));
    return [[event, ...tags].join("\n"), ...rest].join("\n\n");
  }).join("");
}

/**
 * The study in the text of a file; any file of games is one, each game a chapter.
 * @param {string} text
 * @param {string} game the game of records that do not name theirs
 * @param {RecordFacts} facts
 * @param {Limits} limits
 * @returns {Promise<StudyText>}
 * @throws {StudyFileError} it is too large, has no game, or one that cannot be read
 */
async function readStudyFile(text, game, facts, limits) {
  if (sizeOf(text) > limits.study) throw new StudyFileError(gettext("The file is too large: a study has at most %(n)s kB.", { n: limits.study / 1000 }));
  const games = listGames(text, facts);
  if (!games.length) throw new StudyFileError(gettext("There is no game in this file."));
  if (games.length > limits.chapters) throw new StudyFileError(gettext("The file has %(n)s games; a study has at most %(most)s chapters.", { n: games.length, most: limits.chapters }));
  /** @type {(ChapterText & {tags: Record<string, string>})[]} */
  const read = [];
  for (const one of games) {
    await whenIdle();
    try {
      read.push(await chapterOf(one.text, game, facts));
    } catch (error) {
      const reason = error instanceof Error && error.message ? error.message : gettext("It cannot be read.");
      throw new StudyFileError(gettext("Chapter %(n)s: %(reason)s", { n: read.length + 1, reason }));
    }
    if (sizeOf(read[read.length - 1].record) > limits.chapter) throw new StudyFileError(gettext("Chapter %(n)s is too large: a chapter has at most %(most)s kB.", { n: read.length, most: limits.chapter / 1000 }));
  }
  const first = (/** @type {string} */ name) => read.map(({ tags }) => tags[name]).find(Boolean) ?? "";
  const parts = read.map(({ tags }) => (tags.Event ?? "").split(": ")[0]);
  const common = read.length > 1 && read.every(({ tags }) => tags.Event?.includes(": ") && tags.Site?.includes("/study/")) && new Set(parts).size === 1 ? parts[0] : "";
  const title = first("StudyName") || common;
  const language = /^[a-z]{2,3}$/.test(first("StudyLanguage")) ? first("StudyLanguage") : "";
  const cut = (/** @type {string} */ said) => said.slice(0, limits.title).trim();
  return { title: cut(title), author: cut(first("Annotator")), language, chapters: read.map((one) => titled(one, title, cut)) };
}

/** @param {ChapterText & {tags: Record<string, string>}} chapter @param {string} study @param {(said: string) => string} cut */
function titled({ tags, concealed, record }, study, cut) {
  const { Event: event = "", White, Black } = tags;
  let said = tags.ChapterName ?? "";
  let text = record;
  if (study && (event === study || event.startsWith(`${study}: `))) {
    said ||= event.slice(study.length).replace(/^: /, "");
    text = NO_EVENT + record.slice(record.indexOf("\n"));
  }
  return { title: cut(said || [White, Black].filter(Boolean).join(" – ")), concealed, record: text };
}

/** @param {string} text @param {string} game @param {RecordFacts} facts */
async function chapterOf(text, game, facts) {
  const record = await parseRecord(text, game, facts);
  const { tags } = record;
  const bare = Object.fromEntries(Object.entries(tags).filter(([name]) => !OWN.includes(name)));
  const tree = await treeOfRecord(await openRules(record.game), { ...record, tags: bare });
  const written = writeRecord(tree, tree.line, { game: record.game, start: record.position && tree.root.snapshot.position, facts }, "pgn");
  return { title: "", tags, concealed: tags.ChapterMode?.toLowerCase() === CONCEALED, record: written ?? "" };
}

/** The record of a game that has not begun. @param {string} game @param {RecordFacts} facts */
export async function emptyRecord(game, facts) {
  return (await chapterOf(`${tagLine("Variant", facts.titles[game])}\n\n*\n`, game, facts)).record;
}

/**
 * The study in a file that somebody has chosen; see `readStudyFile`.
 * @param {File} file
 * @param {string} game
 * @param {RecordFacts} facts
 * @param {Limits} limits
 */
export async function readChosen(file, game, facts, limits) {
  if (file.size > limits.study) throw new StudyFileError(gettext("The file is too large: a study has at most %(n)s kB.", { n: limits.study / 1000 }));
  let text;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    throw new StudyFileError(gettext("The file is no text in UTF-8; save it as UTF-8."));
  }
  return readStudyFile(text, game, facts, limits);
}
