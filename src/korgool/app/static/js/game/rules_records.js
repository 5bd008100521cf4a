// @ts-check
/** Made by kernel/generate.py from korgool.rules and korgool.app.words.games. Do not edit. */

/** The rules records in the order of `kg_rules`. */
export const GAMES = Object.freeze({
  toguz: [9, 9, 82, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 3, 73, 0],
  mangala: [6, 4, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 3, 73, 0],
  castle: [6, 4, 0, 1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 3, 73, 0],
  bestemshe: [5, 5, 26, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 3, 73, 0],
});

/** @type {Readonly<Record<string, string>>} */
const WON_HOLES = Object.freeze({
  toguz: "tuz",
  castle: "castle",
});

/** What a won hole is called, tuz or castle; undefined in a game without such. @param {string} game */
export const wonHole = (game) => WON_HOLES[game];
