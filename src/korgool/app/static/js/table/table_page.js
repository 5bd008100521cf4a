/** The page of a player at a table: it is kept as the server has it. */

import { byId } from "../site/dom.js";
import { keepFresh } from "../site/renewed_part.js";

/** Milliseconds between two questions. */
const EVERY = 3000;

const part = byId("table-part");
keepFresh(part, () => part.dataset.address ?? "", EVERY, (open) => (byId("lost").hidden = open));
