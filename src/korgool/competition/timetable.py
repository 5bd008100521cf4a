"""The timetable of an event: when its rounds are planned to begin, by the clocks of the place where it is held.

A time is written without its zone, `2026-09-14T10:00`; the zone stands beside it by its name. Names of zones are not
looked up here: an event can be read where nothing is known of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from korgool.competition.errors import CompetitionError
from korgool.languages import N_

_TIME = re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d", re.ASCII)
_ZONE = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}", re.ASCII)
_LINE = re.compile(r"\s*(?P<round>\d{1,2})\s*[:.]?\s+(?P<begins>\S+[ T]\S+)\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """Planned beginning of a round: `2026-09-14T10:00`."""

    round: int
    begins: str

    def __post_init__(self) -> None:
        if not 1 <= self.round <= 99:
            raise CompetitionError(N_("an event has 1 to 99 rounds, not {rounds}"), rounds=self.round)
        if not _TIME.fullmatch(self.begins):
            raise _no_time(self.begins)
        try:
            datetime.fromisoformat(self.begins)
        except ValueError:
            raise _no_time(self.begins) from None
        object.__setattr__(self, "begins", self.begins.replace(" ", "T"))

    @property
    def time(self) -> datetime:
        """The time without a zone."""
        return datetime.fromisoformat(self.begins)


def check_timetable(planned: Iterable[PlannedRound], zone: str) -> None:
    """Raise CompetitionError where a round is planned twice or before an earlier one, or a zone has no name."""
    last: PlannedRound | None = None
    for one in planned:
        if last is not None and (one.round <= last.round or one.begins < last.begins):
            early = N_("round {number} is planned before round {last}")
            raise CompetitionError(early, number=one.round, last=last.round)
        last = one
    if zone and (not _ZONE.fullmatch(zone) or len(zone) > 60):
        raise CompetitionError(N_("a time zone has a name such as Asia/Bishkek, not {zone!r}"), zone=zone[:60])


def read_timetable(text: str) -> tuple[PlannedRound, ...]:
    """Read a timetable: `1 2026-09-14 10:00`, separated by semicolons or lines; `none` is an empty one.

    Raises:
        CompetitionError: a part of it is not a round with its time.
    """
    if text.strip().lower() == "none":
        return ()
    found = []
    for item in re.split(r"[;\n]", text):
        if item.strip():
            line = _LINE.fullmatch(item)
            if line is None:
                raise _no_time(item.strip())
            found.append(PlannedRound(int(line["round"]), line["begins"]))
    return tuple(sorted(found, key=lambda one: one.round))


def _no_time(text: str) -> CompetitionError:
    return CompetitionError(N_("the time of a round is written 2026-09-14 10:00, not {text!r}"), text=text[:40])
