"""Speeds: games with alike clocks share one rating."""

from __future__ import annotations

from enum import StrEnum

from korgool.conduct.control import ControlKind, TimeControl
from korgool.rules.games import VARIANTS

_MINUTE_MS = 60_000


class Speed(StrEnum):
    """Speed of a game: a class of time controls by the time of each player for a game of usual length."""

    BULLET = "bullet"
    """Less than 3 minutes."""
    BLITZ = "blitz"
    """From 3 to 10 minutes, 10 included (FIDE's Laws of Chess, B.1)."""
    RAPID = "rapid"
    """More than 10 and less than 60 minutes (FIDE's Laws of Chess, A.1)."""
    SLOW = "slow"
    """From an hour on, as the game of an hour each (WNG-TK §XI)."""
    DAYS = "days"
    """Longer than a day: games with days for every turn."""


def usual_ms(control: TimeControl, turns: int) -> int:
    """Time of each player for a game of so many turns of their own, in milliseconds.

    Every turn gets its increment, or as much of its delay as there is. Of a game with byo-yomi, half of the turns are
    taken to fall into the periods.
    """
    stocks = 1
    if control.kind is ControlKind.BYOYOMI:
        return control.initial_ms + turns * control.delay_ms // (2 * max(1, control.moves))
    if control.moves:
        stocks += turns // control.moves
        stocks = min(stocks, control.periods or stocks)
    return stocks * control.initial_ms + turns * (control.increment_ms + control.delay_ms)


def speed_of(game: str, control: TimeControl | None) -> Speed | None:
    """The speed of a game, by its short name; None without a clock, where nothing is rated.

    Raises:
        KeyError: there is no such game.
    """
    turns = VARIANTS[game].turns
    if control is None:
        return None
    usual = usual_ms(control, turns)
    if usual < 3 * _MINUTE_MS:
        return Speed.BULLET
    if usual <= 10 * _MINUTE_MS:
        return Speed.BLITZ
    if usual < 60 * _MINUTE_MS:
        return Speed.RAPID
    return Speed.SLOW if usual <= 24 * 60 * _MINUTE_MS else Speed.DAYS
