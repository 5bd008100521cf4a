/**
 * The classes in which somebody is on this device, as far as pages of lessons and drills must know: which tasks there are. A class's
 * own page writes it. Whoever is in no class loads nothing more.
 */

import { readSetting } from "../site/stored_settings.js";

/** @typedef {{id: string, member: number, game: string, tasks: {number: number, kind: string, what: string}[]}} OwnClass */

const NAME = "classes";

/** @returns {OwnClass[]} */
export function ownClasses() {
  try {
    const found = JSON.parse(readSetting(NAME, "[]"));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/**
 * Report something that was done to every class that has it as a task, and show the way back there.
 * @param {string} kind
 * @param {string} game
 * @param {string} what
 * @param {number} value
 */
export async function tellClasses(kind, game, what, value) {
  const asked = ownClasses().filter((one) => one.game === game);
  const found = asked.flatMap((one) => one.tasks.filter((task) => task.kind === kind && task.what === what).map((task) => ({ one, task })));
  if (!found.length) return;
  const { report, showWayBack } = await import("../classes/class_reports.js");
  for (const { one, task } of found) report({ class: one.id, member: one.member, task: task.number, value });
  showWayBack(found[0].one.id);
}

// Loaded while there is a network; it sends what has waited since the last page.
if (ownClasses().length) void import("../classes/class_reports.js").catch(() => undefined);
