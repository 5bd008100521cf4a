"""Remarks of a lesson after an answer: what the sowing did, by the rules."""

from __future__ import annotations

from gettext import NullTranslations

from korgool.app.words.games import won_hole
from korgool.languages import N_
from korgool.rules import Position, Side, Sowing
from korgool.training.drills import Drill
from korgool.training.questions import READER, Question, Way, last_count

ANSWER_WORDS: dict[str, str] = {
    "even": N_("Even"),
    "odd": N_("Odd"),
    "yes": N_("Yes"),
    "no": N_("No"),
    "white": N_("You"),
    "black": N_("The opponent"),
    "nobody": N_("Nobody"),
}
"""The answers that are words, as the reader, who is White, is told them."""
FIRST_MOVES = N_("Four moves in 30 seconds")
"""The title of the way into a game for who is invited to one."""
DRILL_WORDS: dict[Drill, tuple[str, str]] = {
    Drill.LANDING: (N_("Where does it land?"), N_("Hole %(hole)s: tap where its last stone falls.")),
    Drill.PARITY: (N_("Even or odd?"), N_("Hole %(hole)s: is the last hole then even or odd?")),
    Drill.REACH: (N_("Does it win?"), N_("Does hole %(hole)s bring you to %(goal)s?")),
    Drill.HOME: (N_("Moves at home"), N_("How many of your moves keep all stones on your side?")),
}
"""For each drill its name, and what is asked."""
_MADE = {"tuz": N_("Exactly three: a tuz."), "castle": N_("Exactly three: a castle.")}
_NOT_MADE = {"tuz": N_("Three, but no tuz there."), "castle": N_("Three, but no castle there.")}


def remark(catalogue: NullTranslations, question: Question, answer: str) -> str:
    """A sentence about what an answer, or the move that was asked about, did on the board; may be empty."""
    sowing, gettext = question.shown(answer), catalogue.gettext
    if question.ask == "needed":
        (needed,) = question.right
        have = question.position.stores[READER]
        values = {"goal": have + int(needed), "have": have, "n": needed}
        return gettext("%(goal)s minus %(have)s is %(n)s.") % values
    if question.way is Way.HOLE and answer not in question.right:
        if question.ask in ("safe", "clean") and (loss := _loss(sowing)):
            return gettext("Now the opponent can take %(n)s.") % {"n": loss}
        if question.ask == "most" and sowing.taken:
            return gettext("You take %(n)s, and more is possible.") % {"n": sowing.taken}
    return _what_happened(catalogue, question.position, sowing)


def _loss(sowing: Sowing) -> int:
    after = sowing.after
    return 0 if sowing.outcome else max((after.sow(hole).taken for hole in after.legal_moves()), default=0)


def _what_happened(catalogue: NullTranslations, position: Position, sowing: Sowing) -> str:
    gettext, last, count = catalogue.gettext, sowing.last, last_count(sowing)
    word = won_hole(position.rules) or ""
    if sowing.outcome is not None:
        white, black = sowing.outcome.stores
        return gettext("The game is over, %(mine)s to %(theirs)s.") % {"mine": white, "theirs": black}
    if sowing.extra_turn:
        return gettext("The last stone is in the kazan: another move.")
    if sowing.tuz is not None:
        return gettext(_MADE[word])
    if any(side is sowing.mover for side, _, _ in sowing.captured):
        return gettext("The hole was empty: it takes the stones opposite.")
    if sowing.captured:
        return gettext("%(n)s is even: all are taken.") % {"n": count}
    if not last.hole or last.tuz_owner is not None:
        return ""
    if last.side is sowing.mover:
        return gettext("The last stone ends on your own side.") if last.side is Side.WHITE else ""
    if count == 3 and word:
        return gettext(_NOT_MADE[word])
    return gettext("%(n)s is odd: nothing is taken.") % {"n": count} if count % 2 else ""
