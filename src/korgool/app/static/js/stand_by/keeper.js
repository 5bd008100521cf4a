/**
 * A browser that keeps the log of an event: it asks the server for every line, checks the chain of hashes, and asks for the
 * next ones once these are on its disk. If the desk's machine is lost, what is kept here leads on at another one.
 */

import { byId } from "../site/dom.js";
import { fetchWhole } from "../site/connection_watchdog.js";
import { add, addBeside, asFile, follows, forget, saveLog, personalOf, read } from "./kept_log.js";

/** Seconds for which a question waits at the server, and milliseconds more until it counts as lost. */
const WAIT = 20;
const SLACK = 10_000;
/** Milliseconds until one asks again after silence, longer each time. */
const PAUSES = [1000, 2000, 4000, 8000, 10_000];
/** Milliseconds without an answer after which the page says so. */
const SILENT = 35_000;

const root = byId("keeper");
const event = root.dataset.event ?? "";
const words = root.dataset;
/** @type {import("./kept_log.js").Kept|undefined} */
let kept;
/** @type {"starting"|"going"|"silent"|"ended"|"broken"|"full"} */
let state = "starting";
let reason = "";
let tries = 0;

/** @param {string|undefined} text @param {Record<string, unknown>} values */
const fill = (text, values) => (text ?? "").replace(/%\((\w+)\)s/g, (whole, name) => String(values[name] ?? whole));

/** How long ago, in seconds, minutes or hours. @param {number} ms */
function ago(ms) {
  const seconds = Math.max(0, Math.round((Date.now() - ms) / 1000));
  if (seconds < 100) return fill(words.seconds, { n: seconds });
  return seconds < 6000 ? fill(words.minutes, { n: Math.round(seconds / 60) }) : fill(words.hours, { n: Math.round(seconds / 3600) });
}

function show() {
  const line = kept?.line ?? 0;
  byId("keeping").hidden = !kept;
  byId("without").hidden = Boolean(kept);
  if (!kept) return;
  byId("line").textContent = line ? fill(words.line, { line }) : (words.none ?? "");
  byId("ago").textContent = kept.heard ? ago(kept.heard) : "";
  byId("title").textContent = kept.title;
  if (state === "going" && Date.now() - kept.heard > SILENT) state = "silent";
  const said = byId("state");
  const text = { starting: words.starting, going: words.going, silent: words.silent, ended: words.ended, broken: words.broken, full: words.full }[state];
  const whole = reason ? `${text} ${reason}` : (text ?? "");
  if (said.textContent !== whole) said.textContent = whole;
  root.dataset.state = state;
  byId("save").toggleAttribute("disabled", !line);
}

/** A request in the name of this device. @param {string} path @param {number} [within] */
async function ask(path, within = SLACK) {
  const { answer, text } = await fetchWhole(`/api/events/${event}/stand-by/${path}`, { headers: { authorization: `Bearer ${kept?.token}` }, cache: "no-store" }, within);
  if (answer.ok) return text;
  const detail = JSON.parse(text || "{}").detail ?? "";
  throw Object.assign(new Error(detail), { status: answer.status });
}

/** Fetch what stands beside the log, if there is other than what is kept. @param {string} version */
async function fetchBeside(version) {
  if (!kept || !version || version === kept.version) return;
  const snapshot = JSON.parse(await ask("snapshot"));
  const wanted = /** @type {Record<string, string>} */ (snapshot.personal ?? {});
  const held = new Map((await personalOf(event)).map((one) => [one.player, one.digest]));
  const fresh = [];
  for (const [player, digest] of Object.entries(wanted)) {
    if (held.get(Number(player)) === digest) continue;
    const { data } = JSON.parse(await ask(`personal/${player}`));
    if (data) fresh.push({ player: Number(player), digest, data });
  }
  const gone = [...held.keys()].filter((player) => !(player in wanted));
  kept = { ...kept, snapshot, version: snapshot.version };
  await addBeside(kept, fresh, gone);
}

/** What the first line of a log calls the event. @param {import("./kept_log.js").Line} line */
function titleOf(line) {
  try {
    return JSON.parse(line.action).settings?.name ?? "";
  } catch {
    return "";
  }
}

/** Whether a line takes names out of lines before it, which are to be fetched again without them. @param {import("./kept_log.js").Line} line */
function removes(line) {
  const action = JSON.parse(line.action);
  return action.do === "forget" && action.names === true;
}

/**
 * Ask for the lines after one, checked.
 * @param {number} at @param {string} chain @param {number} wait seconds
 */
async function linesAfter(at, chain, wait) {
  const asked = { after: `${at}`, chain, snapshot: kept?.version ?? "", wait: `${wait}`, kind: "browser", name: kept?.name ?? "" };
  const text = await ask(`lines?${new URLSearchParams(asked)}`, wait * 1000 + SLACK);
  const [head, ...rows] = text.split("\n").filter(Boolean).map((row) => JSON.parse(row));
  if (head.event !== event || head.format !== 1) throw Object.assign(new Error(words.version), { status: 409 });
  const lines = rows.map(({ kind: _, ...line }) => line);
  for (const line of lines) {
    if (!follows(line, at, chain)) throw Object.assign(new Error(fill(words.place, { line: at + 1 })), { status: 409 });
    [at, chain] = [line.at, line.chain];
  }
  return { head, lines, at, chain };
}

/** Ask for lines once. */
async function once() {
  if (!kept) return;
  let { head, lines, at, chain } = await linesAfter(kept.line, kept.chain, tries ? 0 : WAIT);
  // What is fetched now lacks what was removed before; only a removal that comes later is one of what is kept here.
  const whole = kept.line ? kept.whole : head.seq;
  const anew = lines.some((line) => line.at > whole && removes(line));
  if (anew) {
    lines = [];
    for (let [more, after, link] = [true, 0, ""]; more; [after, link] = [at, chain]) {
      const part = await linesAfter(after, link, 0);
      lines.push(...part.lines);
      ({ head, at, chain } = part);
      more = head.more;
    }
  }
  const title = kept.title || (lines[0]?.at === 1 ? titleOf(lines[0]) : "");
  const now = { ...kept, line: at, chain, title, whole: anew ? head.seq : whole, heard: Date.now(), release: head.release };
  try {
    await add(now, lines, anew);
  } catch (error) {
    throw Object.assign(/** @type {Error} */ (error), { full: true });
  }
  kept = now;
  await fetchBeside(head.snapshot);
}

async function turn() {
  if (!kept?.token) return show();
  let pause = 0;
  try {
    await once();
    [state, reason, tries] = ["going", "", 0];
  } catch (error) {
    const { status, full, message } = /** @type {Error & {status?: number, full?: boolean}} */ (error);
    reason = "";
    if (status === 401 || status === 403 || status === 404 || status === 423) [state, reason] = ["ended", message];
    else if (status === 409) [state, reason] = ["broken", message];
    else state = full ? "full" : "silent";
    pause = PAUSES[Math.min(tries++, PAUSES.length - 1)];
  }
  show();
  // Also after a refusal: a machine that takes over under this address lets the same device in.
  setTimeout(turn, state === "ended" || state === "broken" ? 30_000 : pause);
}

/** Keep the screen on, where browsers let pages do so; elsewhere say what to do. */
async function stayAwake() {
  const said = byId("awake");
  try {
    await navigator.wakeLock.request("screen");
    said.textContent = words.awake ?? "";
  } catch {
    said.textContent = words.asleep ?? "";
  }
}

/** @param {Blob} blob @param {string} name */
function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

async function begin() {
  const token = /^#(kg[st]_[\w-]{10,200})$/.exec(location.hash)?.[1] ?? "";
  kept = await read(event);
  if (token) {
    const fresh = { event, token, name: words.device ?? "", line: 0, chain: "", snapshot: null, version: "", title: "", whole: 0, heard: 0, release: "" };
    kept = kept ? { ...kept, token } : fresh;
    await saveLog(kept);
    history.replaceState(null, "", location.pathname); // so that nobody reads it off the screen
    void navigator.storage?.persist?.();
  }
  if (kept) /** @type {HTMLInputElement} */ (byId("name")).value = kept.name;
  void stayAwake();
  document.addEventListener("visibilitychange", () => void (document.hidden || stayAwake()));
  window.addEventListener("hashchange", () => location.reload()); // the link of another code
  window.addEventListener("online", () => (tries = 0));
  byId("name").addEventListener("change", async (change) => {
    const name = /** @type {HTMLInputElement} */ (change.target).value.trim().slice(0, 60);
    if (kept && name) await saveLog((kept = { ...kept, name }));
  });
  byId("save").addEventListener("click", async () => {
    const file = await asFile(event);
    if (file) download(file, `${event}-${kept?.line ?? 0}.korgool.jsonl`);
    byId("saved").textContent = fill(words.saved, { line: kept?.line ?? 0 });
  });
  byId("go").addEventListener("click", () => {
    const field = /** @type {HTMLInputElement} */ (byId("other"));
    const typed = field.value.trim();
    const address = /^https?:\/\//.test(typed) ? typed : `http://${typed}`;
    if (typed && URL.canParse(address)) window.open(new URL("/events/upload", address), "_blank", "noopener");
    else field.focus();
  });
  byId("leave").addEventListener("click", async () => {
    await forget(event);
    kept = undefined;
    show();
  });
  show();
  setInterval(show, 1000);
  void turn();
}

void begin();
