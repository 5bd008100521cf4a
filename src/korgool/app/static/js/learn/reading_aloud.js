/** Reads sentences aloud where the device has a voice for the language of the page; a button turns it on, which is remembered. */

import { readSetting, storeSetting } from "../site/stored_settings.js";

const NAME = "aloud";

export class ReadingAloud {
  #last = "";
  /** @type {SpeechSynthesisVoice|undefined} */ #voice;

  /** @param {HTMLButtonElement|null} button hidden as long as there is no voice; null where only lessons can turn it on */
  constructor(button) {
    this.button = button;
    if (!("speechSynthesis" in window)) return;
    this.#find();
    speechSynthesis.addEventListener?.("voiceschanged", () => this.#find());
    button?.addEventListener("click", () => {
      storeSetting(NAME, this.#on ? "off" : "on");
      this.#show();
      if (this.#on) this.#speak();
      else speechSynthesis.cancel();
    });
    addEventListener("pagehide", () => speechSynthesis.cancel());
  }

  get #on() {
    return readSetting(NAME, "off") === "on";
  }

  #find() {
    const language = document.documentElement.lang;
    this.#voice = speechSynthesis.getVoices().find(({ lang }) => lang.toLowerCase().split(/[-_]/)[0] === language);
    if (this.button) this.button.hidden = !this.#voice;
    this.#show();
  }

  #show() {
    this.button?.setAttribute("aria-pressed", String(this.#on));
  }

  /** Read a text if that is wanted, in the place of what is being read. @param {string} text */
  say(text) {
    this.#last = text;
    if (this.#on) this.#speak();
  }

  #speak() {
    if (!this.#voice || !this.#last) return;
    speechSynthesis.cancel();
    const said = new SpeechSynthesisUtterance(this.#last);
    said.voice = this.#voice;
    said.lang = this.#voice.lang;
    said.rate = 0.9;
    speechSynthesis.speak(said);
  }
}
