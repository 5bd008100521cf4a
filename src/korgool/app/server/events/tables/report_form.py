"""The form on which a player says how a game has ended: who has won, and the stones of one kazan.

Where a kazan that holds the goal ends the game, stones are left on the board that belong to nobody (WNG-TK §V), and the
form asks for both kazans; elsewhere those of the other follow from the winner's. Where the game was not played to its
end, the form asks why, and for the stones of both.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from korgool.competition.errors import CompetitionError, Message
from korgool.competition.model import Settings
from korgool.competition.result import Cause, Result, SetResult, match_result
from korgool.languages import N_
from korgool.rules import Rules

_POINTS: Final = {"white": (2, 0), "black": (0, 2), "draw": (1, 1)}
CAUSES: Final[tuple[Cause, ...]] = ("resignation", "time", "agreement", "repetition")
"""Endings that players tell beside one on the board."""
UNPLAYED: Final[Cause] = "forfeit"
"""Ending of a set that was not played any more."""


def read_report(given: Mapping[str, str], settings: Settings) -> Result:
    """The result that a form tells.

    Args:
        given: for each set, from 1: `won1`, `white`, `black` or `draw`; `stones1`, those of the winner, or of White in
            a draw; `other1`, those of the other side, where they do not follow; and where the game was not played to
            its end `cause1`.
        settings: of the event.

    Raises:
        CompetitionError: something is missing, or it is no result by the rules.
    """
    rules = settings.rules()
    if settings.sets == 1:
        result = _read_one(given, 1, rules, (*CAUSES,))
        result.check(rules)
        return result
    sets = []
    for number in range(1, settings.sets + 1):
        try:
            one = _read_one(given, number, rules, (*CAUSES, UNPLAYED))
        except CompetitionError as error:
            raise CompetitionError(N_("set {number}: {error}"), number=number, error=error) from None
        sets.append(SetResult(one.white, one.black, one.stores, one.cause))
    match = match_result(tuple(sets))
    match.check(rules, sets=settings.sets)
    return match


def _read_one(given: Mapping[str, str], number: int, rules: Rules, causes: tuple[Cause, ...]) -> Result:
    won, cause = given.get(f"won{number}", ""), given.get(f"cause{number}", "")
    if won not in _POINTS:
        raise CompetitionError(N_("say who has won"))
    points = _POINTS[won]
    if cause and cause not in causes:
        raise CompetitionError(N_("say how the game has ended"))
    if cause == UNPLAYED:
        return Result(*points, None, UNPLAYED)
    half = rules.total // 2
    own, other = (_stones(given.get(f"{name}{number}", "")) for name in ("stones", "other"))
    if cause:
        if own is None or other is None:
            raise CompetitionError(N_("say how many stones lie in each kazan"))
        stores = (other, own) if won == "black" else (own, other)
        return Result(*points, stores, cause)
    if won == "draw":
        return Result(1, 1, (half, half))
    if own is None:
        raise CompetitionError(N_("say how many stones the winner has"))
    if not half < own <= rules.total:
        raise CompetitionError(NO_WIN, stones=own, least=half + 1)
    if not rules.goal:
        other = rules.total - own
    if other is None:
        raise CompetitionError(N_("say how many stones lie in each kazan"))
    return Result(*points, (own, other) if won == "white" else (other, own))


NO_WIN: Final = N_("{stones} stones do not win, that takes {least}. If the game ended otherwise, say how.")


def _stones(text: str) -> int | None:
    """The number in a field, None where nothing stands."""
    text = text.strip()
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 4):
        raise CompetitionError(Message(N_("{text} is no whole number"), text=text[:40]))
    return int(text)
