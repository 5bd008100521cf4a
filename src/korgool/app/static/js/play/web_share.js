/** Shares a game: by the device's own sheet where there is one, else by copying its address. */

import { gettext } from "../site/translations.js";

/** Copy a text; pages without TLS have only the older command. @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

/** Show the device's sheet; false where it has none or cannot share this. @param {ShareData} data */
async function offered(data) {
  if (!navigator.share || (data.files && !navigator.canShare?.(data))) return false;
  try {
    await navigator.share(data);
    return true;
  } catch (error) {
    // Who closes the sheet wants nothing else.
    return error instanceof DOMException && error.name === "AbortError";
  }
}

/** @param {string} url @param {(text: string) => void} notice */
export async function shareAddress(url, notice) {
  if (await offered({ title: document.title, url })) return;
  notice((await copy(url)) ? gettext("The link is copied.") : url);
}

/**
 * Share the picture of a position with the address of its game, or save the picture and copy the address.
 * @param {string} address of the game
 * @param {string} text what is said with it
 * @param {(text: string) => void} notice
 */
export async function sharePicture(address, text, notice) {
  const url = `${location.origin}${address}`;
  try {
    const answer = await fetch(`${address}/picture.png`);
    if (!answer.ok) throw new TypeError(String(answer.status));
    const picture = await answer.blob();
    const files = [new File([picture], "korgool.png", { type: "image/png" })];
    if (await offered({ files, text: `${text} ${url}` })) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(picture);
    link.download = "korgool.png";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch {
    await shareAddress(url, notice);
    return;
  }
  notice((await copy(url)) ? gettext("The picture is saved, and the link is copied.") : gettext("The picture is saved."));
}
