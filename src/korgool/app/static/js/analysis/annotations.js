/** The fields for comments and marks of the position that is shown, and the sheet with the tags of the game. */

import { byId } from "../site/dom.js";
import { gettext } from "../site/translations.js";
import { glyphText } from "./game_tree_view.js";
import { squeeze } from "./python_text.js";
import { saidOf, say } from "./shape_commands.js";

/** @typedef {import("./game_tree.js").Node} Node */
/** @typedef {import("./game_tree.js").Tree} Tree */

/** The marks `!` to `?!` of a move, of which it has one at most. */
const SIGNS = [1, 2, 3, 4, 5, 6];
const PAUSE_MS = 400;
/** The tags with a field of their own in the sheet. */
const USUAL = ["White", "Black", "Event", "Site", "Date", "Round"];

/** A text of lines as comments, without the brace that would end one. @param {string} text */
const comments = (text) => text.split("\n").map((line) => squeeze(line).replaceAll("}", ")")).filter(Boolean);

export class Annotations {
  /** @type {Node|null} */ #node = null;
  /** @type {Tree|null} */ #tree = null;
  #timer = 0;
  #sheet = /** @type {HTMLDialogElement} */ (byId("tags-sheet"));

  /** @param {{changed: () => void, derived: string[]}} page changed: called after a change; derived: tags that follow from the rest */
  constructor({ changed, derived }) {
    this.changed = changed;
    this.derived = derived;
    for (const button of this.#buttons) button.addEventListener("click", () => this.#toggle(Number(button.dataset.glyph)));
    this.#bind("comment", say);
    this.#bind("comment-before", (node, said) => { node.lead.comments = said; });
    this.#bind("comment-after", (node, said) => { node.after = said; });
    byId("edit-tags").addEventListener("click", () => this.#openTags());
    byId("close-tags").addEventListener("click", () => this.#sheet.close());
    byId("add-tag").addEventListener("click", () => this.#addTag("", "").focus());
    this.#sheet.querySelector("form")?.addEventListener("submit", (event) => this.#saveTags(event));
  }

  get #buttons() {
    return /** @type {NodeListOf<HTMLElement>} */ (byId("notes").querySelectorAll("[data-glyph]"));
  }

  /** @param {string} id @param {(node: Node, said: string[]) => void} store */
  #bind(id, store) {
    const field = /** @type {HTMLTextAreaElement} */ (byId(id));
    field.addEventListener("input", () => {
      if (!this.#node) return;
      store(this.#node, comments(field.value));
      clearTimeout(this.#timer);
      this.#timer = setTimeout(this.changed, PAUSE_MS);
    });
  }

  /** Show what stands on a node. @param {Tree} tree @param {Node} node */
  show(tree, node) {
    const same = node === this.#node;
    [this.#tree, this.#node] = [tree, node];
    const branch = Boolean(node.parent && node.parent.children[0] !== node);
    byId("around-branch").hidden = !branch;
    byId("comment-label").textContent = node.parent ? gettext("Comment on this move") : gettext("Comment before the game");
    this.#fill("comment", saidOf(node), same);
    this.#fill("comment-before", node.lead.comments, same);
    this.#fill("comment-after", node.after, same);
    for (const button of this.#buttons) {
      button.setAttribute("aria-pressed", String(node.glyphs.includes(Number(button.dataset.glyph))));
      button.setAttribute("aria-disabled", String(!node.parent));
    }
    byId("other-marks").replaceChildren(...node.glyphs.filter((glyph) => !SIGNS.includes(glyph)).map((glyph) => this.#otherMark(glyph)));
  }

  /** @param {string} id @param {string[]} said @param {boolean} same whether the node is still the one that is written on */
  #fill(id, said, same) {
    const field = /** @type {HTMLTextAreaElement} */ (byId(id));
    if (!same || document.activeElement !== field) field.value = said.join("\n");
  }

  /** A mark that only a record can bring, to be taken away. @param {number} glyph */
  #otherMark(glyph) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "button small";
    button.textContent = `${glyphText(glyph)} ×`;
    button.setAttribute("aria-label", gettext("Remove the mark %(mark)s", { mark: glyphText(glyph) }));
    button.addEventListener("click", () => {
      if (!this.#node) return;
      this.#node.glyphs = this.#node.glyphs.filter((one) => one !== glyph);
      this.changed();
    });
    return button;
  }

  /** @param {number} glyph one of the six signs */
  #toggle(glyph) {
    const node = this.#node;
    if (!node?.parent) return;
    const others = node.glyphs.filter((one) => !SIGNS.includes(one));
    node.glyphs = node.glyphs.includes(glyph) ? others : [glyph, ...others];
    this.changed();
  }

  #openTags() {
    const tags = this.#tree?.tags ?? {};
    for (const name of USUAL) /** @type {HTMLInputElement} */ (byId(`tag-${name}`)).value = tags[name] ?? "";
    /** @type {HTMLSelectElement} */ (byId("tag-result")).value = this.#tree?.result ?? "*";
    byId("other-tags").replaceChildren();
    for (const [name, text] of Object.entries(tags)) if (!USUAL.includes(name)) this.#addTag(name, text);
    byId("tags-problem").hidden = true;
    this.#sheet.showModal();
  }

  /** A row for any other tag. @param {string} name @param {string} text @returns {HTMLInputElement} the field of its name */
  #addTag(name, text) {
    const [key, value] = [document.createElement("input"), document.createElement("input")];
    [key.value, value.value] = [name, text];
    [key.maxLength, value.maxLength] = [60, 2000];
    [key.autocomplete, value.autocomplete] = ["off", "off"];
    key.setAttribute("aria-label", gettext("Name of the tag"));
    key.placeholder = "Annotator";
    value.setAttribute("aria-label", gettext("Text of the tag"));
    byId("other-tags").append(key, value);
    return key;
  }

  /** @param {SubmitEvent} event */
  #saveTags(event) {
    event.preventDefault();
    const tree = this.#tree;
    if (!tree) return;
    /** @type {[string, string][]} */
    const given = USUAL.map((name) => [name, /** @type {HTMLInputElement} */ (byId(`tag-${name}`)).value]);
    const others = /** @type {HTMLInputElement[]} */ ([...byId("other-tags").children]);
    for (let at = 0; at < others.length; at += 2) given.push([others[at].value.trim(), others[at + 1].value]);
    const wanted = given.map(([name, text]) => /** @type {[string, string]} */ ([name, text.replace(/[\x00-\x1f]/g, " ").trim()])).filter(([, text]) => text.replace(/[ ?.]/g, ""));
    const names = wanted.map(([name]) => name);
    const wrong = names.find((name, index) => !/^[A-Za-z][A-Za-z0-9_]*$/.test(name) || this.derived.includes(name) || names.indexOf(name) !== index);
    const problem = byId("tags-problem");
    problem.hidden = wrong === undefined;
    if (wrong !== undefined) {
      problem.textContent = gettext("“%(name)s” cannot be the name of a tag: it needs Latin letters, digits and _, and each tag stands once.", { name: wrong });
      return;
    }
    // Tags keep their order in the file; new ones follow.
    const order = [...Object.keys(tree.tags).filter((name) => names.includes(name)), ...names.filter((name) => !Object.hasOwn(tree.tags, name))];
    tree.tags = Object.fromEntries(order.map((name) => [name, wanted[names.indexOf(name)][1]]));
    tree.result = /** @type {HTMLSelectElement} */ (byId("tag-result")).value;
    this.#sheet.close();
    this.changed();
  }
}
