/**
 * The sounds of the pages: stones on wood and felt, and a few notes. All are synthesised, and no file is loaded. They are
 * quiet, sound from the first touch on, and whoever turns them off keeps them off.
 */

import { readSetting } from "./stored_settings.js";

/** @type {AudioContext|null} */
let context = null;

/** Conditions under which a sound may follow; pages may add theirs. */
const wanted = [() => readSetting("sound", "on") === "on"];

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

/**
 * One tone that fades. Nothing sounds before the first touch, as browsers would refuse it and say so.
 * @param {{from: number, to?: number, seconds: number, volume: number, after?: number, shape?: OscillatorType}} tone
 *   `from` and `to`: the pitch in hertz; `after`: seconds from now
 */
function sound({ from, to = from, seconds, volume, after = 0, shape = "sine" }) {
  if (!context) return;
  try {
    const begin = context.currentTime + after;
    const tone = context.createOscillator();
    const loudness = context.createGain();
    tone.type = shape;
    tone.frequency.setValueAtTime(from, begin);
    tone.frequency.exponentialRampToValueAtTime(to, begin + seconds);
    loudness.gain.setValueAtTime(volume, begin);
    loudness.gain.exponentialRampToValueAtTime(0.001, begin + seconds);
    tone.connect(loudness).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + seconds + 0.01);
  } catch {
    context = null;
  }
}

/** Stones are taken out of a hole. */
export function playLift() {
  sound({ from: 240, to: 420, seconds: 0.07, volume: 0.05, shape: "triangle" });
}

/** A stone falls on wood. */
export function playDrop() {
  sound({ from: 520 + 120 * Math.random(), to: 180, seconds: 0.07, volume: 0.09, shape: "triangle" });
}

/** Stones are captured: they roll into the store. */
export function playCapture() {
  for (let stone = 0; stone < 5; stone += 1) {
    sound({ from: 420 + 160 * Math.random(), to: 150, seconds: 0.08, volume: 0.08, after: 0.045 * stone, shape: "triangle" });
  }
}

/** A hole becomes a tuz. */
export function playTuz() {
  [392, 523, 784].forEach((pitch, index) => sound({ from: pitch, seconds: 0.3, volume: 0.07, after: 0.09 * index }));
}

/** Two notes upwards: it is the player's turn. */
export function playTurn() {
  [660, 880].forEach((pitch, index) => sound({ from: pitch, seconds: 0.25, volume: 0.07, after: 0.12 * index }));
}

/** The game is over. @param {"won"|"lost"|"drawn"} how */
export function playEnd(how) {
  const notes = { won: [523, 659, 784, 1047], drawn: [523, 523], lost: [440, 370, 311] }[how];
  notes.forEach((pitch, index) => sound({ from: pitch, seconds: 0.35, volume: 0.07, after: 0.14 * index }));
}
