/**
 * Shows on every page of an event which results wait on this device, and why some are refused: a result is not forgotten
 * when the official goes to another page.
 */

import { LATE } from "../site/connection_watchdog.js";
import { lastAttempt, outbox, removeResult, resend, sendResults, storedResults } from "./result_outbox.js";

const note = document.getElementById("outbox");
/** @type {{plural: string, waits: string[], refused: string, stands: string, ended: string, other: string, board: string, send: string, as: string, go: string, drop: string}} */
const words = JSON.parse(note?.dataset.words ?? "{}");
let shown = "";

/** Put values into a text such as "Board %(board)s". @param {string} text @param {Record<string, unknown>} values */
const fill = (text, values) => text.replace(/%\((\w+)\)s/g, (whole, name) => String(values[name] ?? whole));

/** @template {keyof HTMLElementTagNameMap} T @param {T} kind @param {string} text @param {string} [style] */
function element(kind, text, style = "") {
  const made = document.createElement(kind);
  made.textContent = text;
  made.className = style;
  return made;
}

/** @param {string} text @param {() => void} press */
function button(text, press) {
  const made = element("button", text, "button small");
  made.type = "button";
  made.addEventListener("click", press);
  return made;
}

/** A result that waits, as a line. @param {import("./result_outbox.js").StoredResult} one */
function line(one) {
  const made = element("li", [fill(words.board, one), one.names, ""].filter((part, at) => part || at === 2).join(" · "));
  made.append(element("strong", one.text || "–"));
  if (!one.state) return made;
  const why = one.state === "other" ? fill(words.other, { name: one.by, now: one.why ?? "" }) : one.why || words.stands;
  made.append(element("span", one.state === "other" ? why : `${words.refused} ${why}`, "why"));
  if (one.state === "other") made.append(button(fill(words.as, { name: one.why ?? "" }), () => resend(one, { who: "", by: "" })));
  else {
    const go = element("a", words.go, "button small");
    go.href = `/events/${one.event}/desk/round/${one.round}#board-${one.board}`;
    made.append(go);
  }
  made.append(button(words.drop, () => removeResult(one)));
  return made;
}

function show() {
  if (!note) return;
  // A result that was just typed is on its way, and need not be shown.
  const late = storedResults().filter((one) => one.state || lastAttempt.silent || lastAttempt.ended || Date.now() - one.at >= LATE);
  const now = JSON.stringify([late, lastAttempt]);
  if (now === shown) return;
  shown = now;
  note.hidden = !late.length;
  const form = Number(words.plural[late.length] ?? words.plural.at(-1));
  const head = /** @type {(string|Node)[]} */ ([element("strong", fill(words.waits[form], { n: late.length }))]);
  if (lastAttempt.ended) head.push(element("span", words.ended, "why"));
  else if (late.some((one) => !one.state)) head.push(button(words.send, () => void sendResults()));
  const here = note.contains(document.activeElement);
  note.querySelector("p")?.replaceChildren(...head);
  note.querySelector("ul")?.replaceChildren(...late.map(line));
  const list = note.querySelector("details");
  if (list && (lastAttempt.ended || late.some((one) => one.state))) list.open = true; // they need hands
  if (here && late.length) note.focus();
}

outbox.addEventListener("change", show);
setTimeout(show, LATE);
show();
void sendResults();
