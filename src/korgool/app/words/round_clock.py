"""The clock of a round: when it begins, until when late players may come, and what of that holds at a moment.

Every moment is in milliseconds since 1970.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from korgool.app.words.event_texts import planned_ms
from korgool.competition.event_state import EventState
from korgool.conduct.state import LATE_MS

ANNOUNCED_MS = 60_000
"""Time for which the wall announces that a round has begun, and that the time for late players is over."""
_LONG_AGO = 86_400_000
"""A round that should have begun so long ago is not waited for any more."""


@dataclass(frozen=True, slots=True)
class RoundClock:
    """The clock of a round.

    Attributes:
        round: its number.
        begins: when it begins or has begun.
        late: for how long after that players may be late (WNG-TK §V): half their time and 30 seconds.
        runs: whether the round is paired, so that it runs from then on; otherwise its beginning is only waited for.
    """

    round: int
    begins: int
    late: int
    runs: bool

    def phase(self, now: int) -> Literal["before", "begun", "late", "lost", "running", "waiting"]:
        """Phase at a moment: `begun` and `lost` are announced for a minute; `waiting`: it is not paired yet."""
        since = now - self.begins
        if since < 0:
            return "before"
        if not self.runs:
            return "waiting"
        if since < min(ANNOUNCED_MS, self.late):
            return "begun"
        if since <= self.late:
            return "late"
        return "lost" if since < self.late + ANNOUNCED_MS else "running"


def moment_text(moment: int) -> str:
    """A moment as the log has it: `2026-09-14T10:05:00Z`."""
    return datetime.fromtimestamp(moment // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment_ms(text: str) -> int:
    """The moment of such a text."""
    return round(datetime.fromisoformat(text).timestamp() * 1000)


def round_begins(state: EventState, number: int) -> int | None:
    """Beginning of a round, as an official has said, or else by the timetable; None where nobody knows."""
    said = state.clocks.get(number)
    return moment_ms(said) if said else planned_ms(state.event, number)


def round_of_clock(state: EventState) -> int:
    """The round that is played, or else the next one; 0 after the last."""
    last = len(state.rounds)
    number = last + 1 if state.complete else last
    return number if number <= state.event.rounds else 0


def round_clock(state: EventState, now: int) -> RoundClock | None:
    """The clock of the round that is played, or else of the next one; None where there is nothing to wait for."""
    number = round_of_clock(state)
    runs = number == len(state.rounds)
    begins = round_begins(state, number) if number else None
    if begins is None or (not runs and now - begins > _LONG_AGO):
        return None
    control = state.event.time_control()
    return RoundClock(number, begins, LATE_MS + control.initial_ms // 2, runs)


def announcements(state: EventState, now: int) -> list[int]:
    """The ids of the announcements that are on the wall at a moment, the latest first."""
    return [id_ for id_, one in sorted(state.announcements.items(), reverse=True) if moment_ms(one.until) > now]
