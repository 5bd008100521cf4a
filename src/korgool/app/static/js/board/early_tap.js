/**
 * Keeps a tap on the board that the server has drawn until the scripts of the page can play it: a plain script, which runs
 * before anything can be tapped.
 */

document.addEventListener("click", ({ target }) => {
  const hole = target instanceof Element && target.closest(".hole.near.legal[data-hole]");
  // Once the scripts have come there are buttons over the holes.
  const board = hole && hole.closest("korgool-board:not([data-ready])");
  if (!board) return;
  for (const other of board.querySelectorAll(".hole.chosen")) other.classList.remove("chosen");
  for (const same of board.querySelectorAll(`.hole.near[data-hole="${hole.getAttribute("data-hole")}"]`)) same.classList.add("chosen");
  board.setAttribute("data-early", hole.getAttribute("data-hole") || "");
});
