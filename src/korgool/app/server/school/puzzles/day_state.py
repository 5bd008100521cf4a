"""The puzzle of the day as the first page needs it: whether it is answered, and the days in a row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from korgool.app.server.core.headers import PUZZLE_COOKIE
from korgool.app.server.core.principal import Principal
from korgool.app.server.http.responses import AnyRequest
from korgool.app.server.school.puzzles.service import PuzzleService, is_solver
from korgool.training.puzzle_answer import is_found
from korgool.training.puzzle_days import streak_of

_COOKIE = re.compile(r"(\d{4}-\d\d-\d\d)\.([a-z-]{0,60})\.(\d{1,3})", re.ASCII)


@dataclass(frozen=True, slots=True)
class DayState:
    """A reader's puzzle of the day in a game.

    Attributes:
        answered: whether they have answered it.
        streak: days in a row on which one was found; 0 where that is not known.
    """

    answered: bool = False
    streak: int = 0


async def day_state(
    request: AnyRequest, principal: Principal, puzzles: PuzzleService, game: str, day: date
) -> DayState:
    """Find out by the account of whoever is signed in, or by the cookie of the device."""
    if not is_solver(principal):
        return read_cookie(request.cookies.get(PUZZLE_COOKIE, ""), game, day)
    days = await puzzles.days(principal.person.id)
    found = {date.fromisoformat(name.split(" ")[0]) for name, marks in days.items() if is_found(marks)}
    return DayState(f"{day} {game}" in days, streak_of(found, day))


def read_cookie(text: str, game: str, day: date) -> DayState:
    """Read the cookie, `DAY.GAME-GAME.STREAK`; what cannot be read says nothing."""
    match = _COOKIE.fullmatch(text)
    if match is None:
        return DayState()
    try:
        written = date.fromisoformat(match[1])
    except ValueError:
        return DayState()
    # Yesterday's row goes on until today is over.
    streak = int(match[3]) if 0 <= (day - written).days <= 1 else 0
    return DayState(written == day and game in match[2].split("-"), streak)
