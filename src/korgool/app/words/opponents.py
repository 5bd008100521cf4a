"""The opponents: the levels of the engine and perfect play, each with a name and a line of character.

The names are those of horses in the Kyrgyz and Kazakh languages, from the foal to the winged horse of the epics, and
every line is true of how the level plays: see the page on the levels in the manual. The pictures are in
`static/faces.svg`. Addresses, forms and programs know an opponent by its number alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from korgool.engine.perfect import PERFECT
from korgool.engine.ratings import PEOPLE, PEOPLE_ABOVE
from korgool.languages import N_

MEASURED = "toguz"
"""The game in which levels were compared with people."""


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent. Texts are messages of the catalogues.

    Attributes:
        number: its level, 1 to 8, or that of perfect play.
        name: what it is called.
        kind: how strong it is, in a word or two.
        line: its character.
    """

    number: int
    name: str
    kind: str
    line: str


OPPONENTS = (
    Opponent(1, N_("Kulun"), N_("first game"), N_("A foal. Sees the next capture, and now and then lets it go.")),
    Opponent(2, N_("Tai"), N_("beginner"), N_("A yearling. Thinks of your answer, then follows its mood.")),
    Opponent(3, N_("Kunan"), N_("casual"), N_("A two-year-old. Weighs your answer and seldom strays far.")),
    Opponent(4, N_("Donon"), N_("practised"), N_("A three-year-old. Forgives a small slip, seldom a big one.")),
    Opponent(5, N_("Jorgo"), N_("club player"), N_("The ambler. An even pace, three or four moves ahead.")),
    Opponent(6, N_("Argymak"), N_("strong player"), N_("The racehorse. Five or six moves ahead, and few presents.")),
    Opponent(
        7,
        N_("Taiburul"),
        N_("master"),
        N_("A roan of the epics. Looks at thousands of positions and plays the best that it finds."),
    ),
    Opponent(
        8,
        N_("Chalkuyruk"),
        N_("full strength"),
        N_("The horse that spoke and foresaw traps. Plays with all that the engine has."),
    ),
    Opponent(
        PERFECT, N_("Tulpar"), N_("perfect"), N_("The winged horse. Never errs: mangala is solved from its start.")
    ),
)
"""All opponents, the weakest first."""

ENGINE = N_("Engine")
"""The name of an opponent that is chosen by its rating."""


def opponent_name(gettext: Callable[[str], str], number: int) -> str:
    """The name of a level or of perfect play; `Engine` for a rating."""
    return gettext(OPPONENTS[number - 1].name if number <= len(OPPONENTS) else ENGINE)


def people_rating(gettext: Callable[[str], str], number: int, game: str = MEASURED) -> str:
    """The rating of the people who play as a level does, such as `about 500`; empty where nobody has measured it."""
    if game != MEASURED or not 1 <= number <= len(PEOPLE):
        return ""
    about = PEOPLE[number - 1]
    if about is not None:
        return gettext("about %(rating)s") % {"rating": about}
    return gettext("above %(rating)s") % {"rating": PEOPLE_ABOVE[number]}


def strength(gettext: Callable[[str], str], number: int) -> str:
    """The strength of an engine in a word or two: its level, its rating, or perfect play."""
    if number == PERFECT:
        return gettext(OPPONENTS[-1].kind)
    if number < PERFECT:
        return gettext("level %(level)s") % {"level": number}
    return gettext("rating %(rating)s") % {"rating": number}


def opponent_title(gettext: Callable[[str], str], number: int) -> str:
    """An opponent in a list: its name with its strength, or only the rating by which it is chosen."""
    told = strength(gettext, number)
    return f"{opponent_name(gettext, number)} · {told}" if number <= PERFECT else told
