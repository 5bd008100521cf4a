/** Shares a game or a text: by the device's own sheet where there is one, else by copying its address. */

import { copyText } from "./dom.js";
import { gettext } from "./translations.js";

/** Milliseconds to wait for a picture. */
const PATIENCE = 10_000;
let sharing = false;

/** Share something, unless that goes on already: the second tap of two means the same. @param {() => Promise<void>} share */
async function shareOnce(share) {
  if (sharing) return;
  sharing = true;
  try {
    await share();
  } finally {
    sharing = false;
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
async function offerAddress(url, notice) {
  if (await offered({ title: document.title, url })) return;
  notice((await copyText(url)) ? gettext("The link is copied.") : url);
}

/** @param {string} url @param {(text: string) => void} notice */
export const shareAddress = (url, notice) => shareOnce(() => offerAddress(url, notice));

/**
 * Share a text with an address.
 * @param {string} text
 * @param {string} url
 * @param {(copied: boolean) => void} notice told where the device has no sheet: whether both were copied instead
 */
export const shareText = (text, url, notice) => shareOnce(async () => {
  if (!(await offered({ text: `${text}\n${url}` }))) notice(await copyText(`${text}\n${url}`));
});

/**
 * Share the picture of a position with the address of its game, or save the picture and copy the address.
 * @param {string} address of the game
 * @param {string} text what is said with it
 * @param {(text: string) => void} notice
 */
export const sharePicture = (address, text, notice) => shareOnce(() => offerPicture(address, text, notice));

/** @param {string} address @param {string} text @param {(text: string) => void} notice */
async function offerPicture(address, text, notice) {
  const url = `${location.origin}${address}`;
  try {
    const answer = await fetch(`${address}/picture.png`, { signal: AbortSignal.timeout?.(PATIENCE) });
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
    await offerAddress(url, notice);
    return;
  }
  notice((await copyText(url)) ? gettext("The picture is saved, and the link is copied.") : gettext("The picture is saved."));
}
