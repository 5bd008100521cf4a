/** Sheets: dialogs that a button opens, and that close by their own button, by Escape, or by a press beside them. */

/** Close a sheet by a press beside it. @param {HTMLDialogElement} sheet */
export function bindSheet(sheet) {
  sheet.addEventListener("click", (event) => {
    // The backdrop belongs to the dialog, and everything else lies inside of its padding.
    const { left, right, top, bottom } = sheet.getBoundingClientRect();
    const { target, detail, clientX, clientY } = event;
    const inside = clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
    if (target === sheet && detail && !inside) sheet.close();
  });
}
