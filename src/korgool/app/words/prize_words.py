"""The words of prizes: categories, places, and why somebody gets what they get."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState
from korgool.competition.prize_fund import TEAMS, Prize, PrizeFund, Sharing, fund_items
from korgool.competition.prizes import Award, PrizeList, prizes
from korgool.languages import N_

Gettext: TypeAlias = Callable[[str], str]

CATEGORY_NAMES = {
    "": N_("Overall"),
    "women": N_("Women"),
    "men": N_("Men"),
    "unrated": N_("Without a rating"),
    TEAMS: N_("Teams"),
}
"""Categories that everybody knows; groups of an event have names of their own."""
PLACE_NAMES = {1: N_("First place"), 2: N_("Second place"), 3: N_("Third place")}
"""Places in words, as on a diploma."""
MERITS = (
    N_("for first place"),
    N_("for second place"),
    N_("for third place"),
    N_("for fourth place"),
    N_("for fifth place"),
    N_("for sixth place"),
    N_("for seventh place"),
    N_("for eighth place"),
    N_("for ninth place"),
    N_("for tenth place"),
)
"""The reasons for a diploma, from the first place on."""
MERIT = N_("for place %(place)s")
HONOURS = {
    "diploma": N_("is awarded to | %(name)s | %(place)s"),
    "team diploma": N_("is awarded to the team | %(name)s | %(place)s"),
    "certificate": N_("is given to | %(name)s | for taking part | %(place)s"),
}
"""The sentence of a paper below its title. Each of its pieces is a line; languages put them in their own order."""
BELOW = N_("Rating below %(rating)s")
PLACE = N_("Place %(place)s")
SHARED = {
    Sharing.NONE: N_("%(sum)s shared evenly by %(count)s"),
    Sharing.HORT: N_("%(sum)s for %(count)s, half by place, half evenly"),
}
"""Ways of dividing money; `NONE` stands for competitors who are equal in everything."""
PASSED = N_("passed on from a place above")
LOT = N_("equal in everything, a draw of lots decides")
_LIMIT = re.compile(r"(?:rating)?\s*<\s*(\d{1,4})", re.I)
_OF = re.compile(r"(?:team|club|federation):\s*(.+)", re.I)


def category_name(category: str, gettext: Gettext) -> str:
    """A category as people read it: `Women`, `U16`, `Rating below 1800`, or the name of a club."""
    if name := CATEGORY_NAMES.get(category.casefold()):
        return gettext(name)
    if limit := _LIMIT.fullmatch(category):
        return gettext(BELOW) % {"rating": limit[1]}
    found = _OF.fullmatch(category)
    return found[1] if found else category


def place_name(place: int, gettext: Gettext) -> str:
    """A place in words: `First place`, and with its number from the fourth on."""
    if name := PLACE_NAMES.get(place):
        return gettext(name)
    return gettext(PLACE) % {"place": place}


def merit(place: int, gettext: Gettext) -> str:
    """The reason for a diploma in words: `for first place`, and with its number from the eleventh place on."""
    if 1 <= place <= len(MERITS):
        return gettext(MERITS[place - 1])
    return gettext(MERIT) % {"place": place}


def honour(kind: str, gettext: Gettext) -> tuple[str, str, str]:
    """The words of a paper before the name, between it and the place, and after the place; each may be empty."""
    pieces = [piece.strip() for piece in gettext(HONOURS[kind]).split("|")]
    name, place = pieces.index("%(name)s"), pieces.index("%(place)s")
    return " ".join(pieces[:name]), " ".join(pieces[name + 1 : place]), " ".join(pieces[place + 1 :])


def amount_name(fund: PrizeFund, award: Award) -> str:
    """A prize as text: `30 000 KGS` with spaces that do not break, or a thing."""
    return award.thing or fund.amount_text(award.amount, "\u00a0")


def fund_name(fund: PrizeFund, gettext: Gettext) -> str:
    """All prizes in a line: `1: 30 000 KGS; 4–6: 1 000 KGS; Women, 1: cup`."""
    parts = []
    for category, first, last, one in fund_items(fund):
        what = one.thing or fund.amount_text(one.amount, "\u00a0")
        places = f"{first}" if first == last else f"{first}–{last}"
        parts.append(f"{category_name(category, gettext)}, {places}: {what}" if category else f"{places}: {what}")
    return "; ".join(parts)


def prize_reason(fund: PrizeFund, award: Award, gettext: Gettext) -> str:
    """The reason for a prize other than the one announced for a place; empty if it is that one."""
    parts = []
    if award.among > 1 and award.thing:
        parts.append(gettext(LOT))
    elif award.among > 1:
        how = SHARED.get(fund.sharing, SHARED[Sharing.NONE])
        parts.append(gettext(how) % {"sum": fund.amount_text(award.pool, "\u00a0"), "count": award.among})
    if award.passed:
        parts.append(gettext(PASSED))
    return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """A winner with the prize and the reason; `number` is empty for teams."""

    rank: int
    number: int | str
    name: str
    prize: str
    why: str


@dataclass(frozen=True, slots=True)
class PrizeTables:
    """The prizes of an event as a page shows them.

    Attributes:
        offered: all prizes in a line; empty if there are none.
        categories: the rows by category.
        left: prizes for which there is nobody: category, place, what.
        remainder: what rounding left over; empty for nothing.
        final: whether the event is over.
        problem: why they cannot be told, such as a category without a date to count ages from.
    """

    offered: str = ""
    categories: tuple[tuple[str, tuple[PrizeRow, ...]], ...] = ()
    left: tuple[tuple[str, int, str], ...] = ()
    remainder: str = ""
    final: bool = True
    problem: str = ""


def prize_tables(state: EventState, gettext: Gettext) -> PrizeTables:
    """Prizes by category with their winners, by the present standings."""
    fund = state.event.fund
    offered = fund_name(fund, gettext) if fund.prizes else ""
    try:
        found = prizes(state)
    except CompetitionError as error:
        return PrizeTables(offered, problem=error.message)
    return PrizeTables(
        offered,
        tuple(
            (category_name(category, gettext), tuple(_row(state, one, gettext) for one in awards))
            for category, awards in groupby(found.awards, key=lambda one: one.category)
        ),
        tuple((category_name(one.category, gettext), one.place, _what(found, one)) for one in found.left),
        fund.amount_text(found.remainder, "\u00a0") if found.remainder else "",
        found.final,
    )


def _what(found: PrizeList, one: Prize) -> str:
    return one.thing or found.fund.amount_text(one.amount, "\u00a0")


def _row(state: EventState, award: Award, gettext: Gettext) -> PrizeRow:
    fund, winner = state.event.fund, award.winner
    player = state.players[winner] if isinstance(winner, int) else None
    number, name = (player.number, player.name) if player else ("", str(winner))
    return PrizeRow(award.rank, number, name, amount_name(fund, award), prize_reason(fund, award, gettext))
