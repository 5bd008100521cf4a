/** The sounds of the pages, synthesised: a stone on wood, and a chime; no file is loaded. */

import { readSetting } from "./stored_settings.js";

/** @type {AudioContext|null} */
let context = null;

/** Conditions under which a sound may follow; pages may add theirs. */
const wanted = [() => readSetting("sound", "off") === "on"];

/** Prepare sounds also where `reason` returns true. @param {() => boolean} reason */
export const prepareSoundsWhen = (reason) => wanted.push(reason);

/** Safari allows sound only after a tap or a key, and suspends it with the screen. */
function resumeAudio() {
  if (!wanted.some((reason) => reason())) return;
  try {
    context ??= new AudioContext();
    if (context.state !== "running") void context.resume().catch(() => undefined);
  } catch {
    context = null;
  }
}

for (const name of ["pointerup", "keydown"]) addEventListener(name, resumeAudio, { capture: true });

export function playKnock() {
  try {
    context ??= new AudioContext();
    const now = context.currentTime;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(520 + 120 * Math.random(), now);
    tone.frequency.exponentialRampToValueAtTime(180, now + 0.05);
    volume.gain.setValueAtTime(0.12, now);
    volume.gain.exponentialRampToValueAtTime(0.001, now + 0.07);
    tone.connect(volume).connect(context.destination);
    tone.start(now);
    tone.stop(now + 0.08);
  } catch {
    context = null;
  }
}

/** Two notes upwards: it is the player's turn. */
export function playChime() {
  try {
    context ??= new AudioContext();
    const now = context.currentTime;
    [660, 880].forEach((pitch, index) => {
      const { destination } = /** @type {AudioContext} */ (context);
      const tone = /** @type {AudioContext} */ (context).createOscillator();
      const volume = /** @type {AudioContext} */ (context).createGain();
      const from = now + 0.12 * index;
      tone.frequency.setValueAtTime(pitch, from);
      volume.gain.setValueAtTime(0.08, from);
      volume.gain.exponentialRampToValueAtTime(0.001, from + 0.25);
      tone.connect(volume).connect(destination);
      tone.start(from);
      tone.stop(from + 0.26);
    });
  } catch {
    context = null;
  }
}
