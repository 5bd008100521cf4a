"""The actions for the wall as clients say them: by seconds and minutes from now, of which the server knows the time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import korgool.competition.actions as do
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.words.round_clock import moment_text, round_begins
from korgool.competition.errors import CompetitionError
from korgool.competition.storage.book import Book
from korgool.competition.wall_actions import Wording
from korgool.languages import N_

_A_WEEK = 7 * 86_400
"""Most seconds by which a round begins from now, or is shifted."""
_MOST_MINUTES = 600


@dataclass(frozen=True, slots=True)
class AskClock:
    """Say when a round begins: `seconds` from now, or `shift` seconds later than it was to begin, or `begins` in UTC.

    A negative number of seconds is a moment that has passed. Without any of them the timetable says it again.
    """

    do: ClassVar[str] = "clock"
    round: int
    begins: str = ""
    seconds: int | None = None
    shift: int | None = None


@dataclass(frozen=True, slots=True)
class AskAnnounce:
    """Show something on the wall for so many minutes: a call to boards, or a text in one or several languages."""

    do: ClassVar[str] = "announce"
    kind: Literal["text", "begin", "arbiter"]
    boards: tuple[int, ...] = ()
    words: tuple[Wording, ...] = ()
    minutes: int = 5


def ask_clock(book: Book, action: AskClock, *, by: str) -> None:
    """Set the clock of a round; raises CompetitionError where that cannot be."""
    begins, state = action.begins, book.refresh()
    if action.seconds is not None or action.shift is not None:
        moment = now_ms()
        if action.shift is not None:
            known = round_begins(state, action.round)
            if known is None:
                raise CompetitionError(N_("round {number} has no time that could be shifted"), number=action.round)
            moment = known
        begins = moment_text(moment + 1000 * max(-_A_WEEK, min(_A_WEEK, action.seconds or action.shift or 0)))
    book.do(do.SetClock(action.round, begins), by=by)


def ask_announce(book: Book, action: AskAnnounce, *, by: str) -> None:
    """Show an announcement; raises CompetitionError where that cannot be."""
    if not 1 <= action.minutes <= _MOST_MINUTES:
        raise CompetitionError(N_("an announcement stays for 1 to {most} minutes"), most=_MOST_MINUTES)
    words = tuple(Wording(one.language, " ".join(one.text.split())) for one in action.words if one.text.strip())
    until = moment_text(now_ms() + 60_000 * action.minutes)
    boards = tuple(sorted(set(action.boards)))
    book.do(do.Announce(action.kind, until, boards, words), by=by)
