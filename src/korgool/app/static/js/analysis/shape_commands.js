/**
 * Arrows and rings as commands within the comments on a position, as `korgool.notation.shapes` reads and writes them:
 * `[%csl Ga1]` for a ring, `[%cal Gf1e2]` for an arrow. A node keeps its comments as they stand in the record.
 */

import { squeeze } from "./python_text.js";

/** @typedef {import("./board_shapes.js").Shape} Shape */
/** @typedef {import("./board_shapes.js").Spot} Spot */
/** @typedef {import("./game_tree.js").Node} Node */

const COMMAND = /\[%(?:csl [GRBY][a-i][12](?:,[GRBY][a-i][12])*|cal [GRBY][a-i][12][a-i][12](?:,[GRBY][a-i][12][a-i][12])*)\]/g;
/** @type {Record<string, Shape["colour"]>} */
const COLOURS = { G: "green", R: "red", B: "blue", Y: "yellow" };
const FILES = "abcdefghi";

/** True for two shapes between the same places. @param {Shape} one @param {Shape} other */
export const samePlace = (one, other) => JSON.stringify([one.from, one.to]) === JSON.stringify([other.from, other.to]);

/** @param {string} text such as `f1` @param {number} holes @returns {Spot|null} null where there is no such hole */
function parsePlace(text, holes) {
  const column = FILES.indexOf(text[0]);
  if (column >= holes) return null;
  return text[1] === "1" ? { side: "white", hole: column + 1 } : { side: "black", hole: holes - column };
}

/** @param {Spot} spot @param {number} holes */
const placeText = ({ side, hole }, holes) => (side === "white" ? `${FILES[hole - 1]}1` : `${FILES[holes - hole]}2`);

/**
 * The words of a comment without its commands, and what they draw; the last one of a place counts.
 * @param {string} comment
 * @param {number} holes of each side
 * @returns {{said: string, shapes: Shape[]}}
 */
export function readShapes(comment, holes) {
  /** @type {Shape[]} */
  let shapes = [];
  if (!comment.includes("[%")) return { said: comment, shapes };
  const said = comment.replace(COMMAND, (command) => {
    const found = command.slice(6, -1).split(",").map((word) => {
      const [from, to] = [parsePlace(word.slice(1, 3), holes), word.length > 3 ? parsePlace(word.slice(3), holes) : null];
      const whole = from && (word.length === 3 || (to && word.slice(1, 3) !== word.slice(3)));
      return whole ? { from, to, colour: COLOURS[word[0]] } : null;
    });
    if (!found.every((shape) => shape !== null)) return command;
    for (const shape of found) shapes = [...shapes.filter((one) => !samePlace(one, shape)), shape];
    return " ";
  });
  return shapes.length ? { said: squeeze(said), shapes } : { said: comment, shapes };
}

/** The commands that draw shapes, rings first; empty without any. @param {Shape[]} shapes @param {number} holes of each side */
export function writeShapes(shapes, holes) {
  /** @param {boolean} arrows */
  const words = (arrows) => shapes.filter(({ to }) => Boolean(to) === arrows)
    .map(({ from, to, colour }) => colour[0].toUpperCase() + placeText(from, holes) + (to ? placeText(to, holes) : "")).join(",");
  const [rings, arrows] = [words(false), words(true)];
  return (rings && `[%csl ${rings}]`) + (arrows && `[%cal ${arrows}]`);
}

/** @param {Node} node */
const holesOf = ({ snapshot }) => snapshot.board.white.length;

/** What is drawn on a position. @param {Node} node @returns {Shape[]} */
export function shapesOf(node) {
  return node.comments.flatMap((text) => readShapes(text, holesOf(node)).shapes)
    .reduce((/** @type {Shape[]} */ all, shape) => [...all.filter((one) => !samePlace(one, shape)), shape], []);
}

/** What is said of a position, without what is drawn. @param {Node} node @returns {string[]} */
export const saidOf = (node) => node.comments.map((text) => readShapes(text, holesOf(node)).said).filter(Boolean);

/** Draw on a position, in place of what is drawn there: in a comment of its own, the others stay as they are. @param {Node} node @param {Shape[]} shapes */
export function draw(node, shapes) {
  node.comments = [writeShapes(shapes, holesOf(node)), ...saidOf(node)].filter(Boolean);
}

/** Say something of a position, in place of what is said there. @param {Node} node @param {string[]} said */
export function say(node, said) {
  node.comments = [writeShapes(shapesOf(node), holesOf(node)), ...said].filter(Boolean);
}
