/** The sentences of the coach. The speaker is the opponent, the reader is "you". */

import { isCastle } from "../game/sentences.js";
import { gettext, ngettext } from "../site/translations.js";

/** @typedef {import("./coach_facts.js").CoachFact} CoachFact */

/** @param {CoachFact} fact @param {string} game @returns {string} */
export function coachText({ kind, hole, from, stones: n, even }, game) {
  const values = { hole, from };
  const castle = isCastle(game);
  switch (kind) {
    case "my-tuz":
      return castle ? gettext("I made a castle in your hole %(hole)s.", values) : gettext("I made a tuz in your hole %(hole)s: my last stone made exactly three there.", values);
    case "your-tuz":
      return castle
        ? gettext("You made a castle in my hole %(hole)s: every stone that falls there is yours.", values)
        : gettext("You made a tuz in my hole %(hole)s: every stone that falls there is yours.", values);
    case "my-missed-tuz":
      return castle
        ? gettext("I could have made a castle in your hole %(hole)s, but did not.", values)
        : gettext("I could have made a tuz in your hole %(hole)s, but did not.", values);
    case "your-missed-tuz":
      return castle
        ? gettext("You could have made a castle in my hole %(hole)s, with your hole %(from)s.", values)
        : gettext("You could have made a tuz in my hole %(hole)s, with your hole %(from)s.", values);
    case "offered-tuz":
      return castle
        ? gettext("My hole %(hole)s can become your castle now. From which hole?", values)
        : gettext("My hole %(hole)s can become your tuz now. From which hole?", values);
    case "my-capture":
      return even
        ? ngettext("I took %(n)s stone from your hole %(hole)s: it had become even.", "I took %(n)s stones from your hole %(hole)s: it had become even.", n, values)
        : ngettext("I took %(n)s stone from your hole %(hole)s.", "I took %(n)s stones from your hole %(hole)s.", n, values);
    case "your-capture":
      return even
        ? ngettext("You took %(n)s stone from my hole %(hole)s: it had become even.", "You took %(n)s stones from my hole %(hole)s: it had become even.", n, values)
        : ngettext("You took %(n)s stone from my hole %(hole)s.", "You took %(n)s stones from my hole %(hole)s.", n, values);
    case "overlooked":
      return ngettext(
        "I could have taken %(n)s stone from your hole %(hole)s, with my hole %(from)s.",
        "I could have taken %(n)s stones from your hole %(hole)s, with my hole %(from)s.", n, values,
      );
    default:
      return ngettext(
        "You can take %(n)s stone from my hole %(hole)s now. From which hole?",
        "You can take %(n)s stones from my hole %(hole)s now. From which hole?", n, values,
      );
  }
}
