"""Temporary bans from rated games for players who leave them repeatedly.

To leave a game costs its points and nothing else, as a connection may break. To abort one costs nothing, as an
invitation may be a mistake. Both are remembered for a while, and who does it often has to wait before the next rated
game, each time longer. All other games stay open.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

_MINUTE_MS, _HOUR_MS, _DAY_MS = 60_000, 3_600_000, 86_400_000


class Way(StrEnum):
    """Way in which a player ended a rated game."""

    PLAYED = "played"
    """On the board, by agreement, by resigning, or by the clock while they were there."""
    ABORTED = "aborted"
    """Called off by them, or not begun when it was up to them."""
    LEFT = "left"
    """Lost because they did not come, or had gone when the opponent claimed the game or the time ran out."""


STRIKES = {Way.PLAYED: 0, Way.ABORTED: 1, Way.LEFT: 2}
"""Strikes that each way of ending a game counts."""
GAMES = 20
"""So many of the last rated games are looked at, whatever their game and speed."""
DAYS_MS = 30 * _DAY_MS
"""Games longer ago are forgotten."""
FREE = 4
"""So many strikes cost nothing: two games left, or four aborted."""
PAUSES_MS = (30 * _MINUTE_MS, 2 * _HOUR_MS, 12 * _HOUR_MS, _DAY_MS, 3 * _DAY_MS, 7 * _DAY_MS)
"""Length of the ban after each further strike, in milliseconds; the last one holds for all that follow."""
REMEMBER_MS = DAYS_MS + PAUSES_MS[-1]
"""Games longer ago can make no difference, so nothing older is needed."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The end of a rated game for one of its players.

    Attributes:
        at: when, milliseconds since 1970.
        way: how.
    """

    at: int
    way: Way


def kept_until(marks: Sequence[Mark]) -> int:
    """Until when a player is kept from rated games, milliseconds since 1970; 0 for one who never was.

    Args:
        marks: the player's rated games in their order, those of `REMEMBER_MS` at least.
    """
    until = 0
    for number, mark in enumerate(marks, 1):
        if mark.way is Way.PLAYED:
            continue
        last = marks[max(0, number - GAMES) : number]
        over = sum(STRIKES[one.way] for one in last if one.at > mark.at - DAYS_MS) - FREE
        if over > 0:
            until = max(until, mark.at + PAUSES_MS[min(over, len(PAUSES_MS)) - 1])
    return until
