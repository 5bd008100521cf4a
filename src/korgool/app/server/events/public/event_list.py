"""The public list of events: those that go on, the next ones and the past ones, each with what a card shows of it.

A summary follows from the state of its event alone, and is made once for each version of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from functools import partial
from typing import TypeAlias
from urllib.parse import urlencode

from korgool.app.publishing import EventFigures
from korgool.app.server.core.errors import ApiError
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.event_repository import ListedEvent
from korgool.app.server.events.following.repository import FollowedRow
from korgool.app.server.events.following.service import FollowedEvents
from korgool.competition.errors import CompetitionError
from korgool.competition.event_state import EventState

_LEADERS = 3
_PATIENCE = 3.0
"""Seconds for which a reader waits for summaries; events that need longer stand in the next reader's list."""

Version: TypeAlias = tuple[str, str]
"""The id of an event, and what differs with each version of it."""


class EventTime(StrEnum):
    """Where an event stands."""

    LIVE = "live"
    NEXT = "next"
    PAST = "past"


@dataclass(frozen=True, slots=True)
class Leader:
    """One of the first places of an event."""

    name: str
    federation: str
    points: int
    """Half points."""


@dataclass(frozen=True, slots=True)
class EventSummary:
    """A card of an event.

    Attributes:
        id: its id.
        name: its name.
        game: the short name of its game.
        place: where it is held, as the regulations say it; empty if they do not.
        country: the federation that holds it, empty if it is not said.
        begins: its first day as the regulations have it, ISO 8601 as a rule; empty if it is not said.
        ends: its last day, likewise.
        women: whether it is closed to men.
        groups: the groups of players that have standings of their own.
        entered: how many players, or teams in a team event.
        teams: whether teams are paired.
        round: the last round that is paired, 0 before the first; of groups that differ, the sum of theirs.
        rounds: how many are planned; likewise.
        over: whether all of them are played, in every group.
        leaders: the first places once there are rounds, by the results as they come.
        recorded: whether games with their moves can be read.
        source: the host of the site from which it is followed; empty for an event of this site.
        changed_ms: its last change, milliseconds since 1970.
        summed: whether `round` and `rounds` are sums over groups that differ.
    """

    id: str
    name: str
    game: str
    place: str
    country: str
    begins: str
    ends: str
    women: bool
    groups: tuple[str, ...]
    entered: int
    teams: bool
    round: int
    rounds: int
    over: bool
    leaders: tuple[Leader, ...]
    recorded: bool
    source: str
    changed_ms: int
    summed: bool = False

    @property
    def first_day(self) -> date | None:
        """The first day, where it is a date."""
        return day_of(self.begins) or day_of(self.ends)

    @property
    def last_day(self) -> date | None:
        """The last day, where it is a date; an event of which only the first is said lasts that day."""
        return day_of(self.ends) or day_of(self.begins)

    @property
    def year(self) -> int:
        """The year in which it begins, or else in which it changed last."""
        first = self.first_day
        return datetime.fromtimestamp(self.changed_ms / 1000, UTC).year if first is None else first.year

    def time(self, today: date) -> EventTime:
        """Return where the event stands on a day: what was played counts more than what was planned."""
        first, last = self.first_day, self.last_day
        if self.over or (last is not None and last < today):
            return EventTime.PAST
        if self.round or (first is not None and first <= today):
            return EventTime.LIVE
        return EventTime.NEXT


def day_of(text: str) -> date | None:
    """The day of a text such as `2026-09-08`; None for anything else."""
    try:
        return date.fromisoformat(text.strip()[:10])
    except ValueError:
        return None


def summary_of(
    id_: str, state: EventState, *, changed_ms: int, source: str = "", groups: Sequence[EventState] = ()
) -> EventSummary:
    """The card of an event, from what the public may see of it; `groups` are all of its groups, where it has some.

    Raises:
        CompetitionError: the event is not opened yet.
    """
    figures = EventFigures(state)
    event, shown = figures.state.event, figures.state
    leaders = []
    every = tuple(groups) or (state,)
    courses = {(len(one.rounds), one.event.rounds) for one in every}
    summed = len(courses) > 1
    # An event of several groups has no leaders of its own.
    for row in figures.rows[:_LEADERS] if shown.rounds and not state.groups else ():
        if figures.teams:
            team = shown.teams[row.competitor]
            leaders.append(Leader(team.name, team.federation, row.points))
        else:
            entry = shown.players[row.competitor].entry
            leaders.append(Leader(entry.name, entry.federation, row.points))
    return EventSummary(
        id_,
        state.title or event.name,
        event.game,
        event.place,
        event.federation,
        event.begins,
        event.ends,
        event.sex == "women" and not state.groups,
        tuple(state.groups.values()) or figures.groups,
        len(state.people if state.groups else shown.teams if figures.teams else shown.players),
        figures.teams,
        sum(len(one.rounds) for one in every) if summed else len(shown.rounds),
        sum(one.event.rounds for one in every) if summed else event.rounds,
        all(one.over for one in every),
        tuple(leaders),
        bool(figures.recorded),
        source,
        changed_ms,
        summed,
    )


@dataclass(frozen=True, slots=True)
class EventFilter:
    """Choice of events; empty fields exclude nothing."""

    game: str = ""
    country: str = ""
    year: int = 0

    def keeps(self, one: EventSummary) -> bool:
        """Return whether an event is shown."""
        return self.game in ("", one.game) and self.country in ("", one.country) and self.year in (0, one.year)

    @property
    def query(self) -> str:
        """The filter as the query of an address, empty or with its question mark."""
        return self.changed()

    def changed(self, **fields: object) -> str:
        """The query with some fields changed, or emptied where they have this value already."""
        values: dict[str, object] = {"game": self.game, "country": self.country, "year": self.year}
        values |= {name: "" if values[name] == value else value for name, value in fields.items()}
        query = urlencode({name: value for name, value in values.items() if value})
        return f"?{query}" if query else ""


class EventList:
    """Summaries of all public events. Its methods are called on the event loop.

    Args:
        event_registry: the events of this site.
        followed_events: those of other sites.
    """

    def __init__(self, event_registry: EventRegistry, followed_events: FollowedEvents) -> None:
        self._events, self._followed = event_registry, followed_events
        self._made: dict[Version, EventSummary | None] = {}
        self._making: dict[Version, asyncio.Task[None]] = {}

    async def read(self) -> list[EventSummary]:
        """The public events, those changed last first; one that cannot be read is left out."""
        own, followed = await self._events.public(), await self._followed.newest()
        wanted: dict[Version, Callable[[], Awaitable[EventSummary | None]]] = {
            **{(one.id, str(one.seq)): partial(self._own, one) for one in own},
            **{(one.id, one.version): partial(self._copy, one) for one in followed},
        }
        for key in self._made.keys() - wanted.keys():
            del self._made[key]
        for key, make in wanted.items():
            if key not in self._made and key not in self._making:
                task = self._making[key] = asyncio.create_task(self._make(key, make))
                task.add_done_callback(partial(self._forget, key))
        waiting = [self._making[key] for key in wanted if key in self._making]
        if waiting:
            await asyncio.wait(waiting, timeout=_PATIENCE)
        found = [made for key in wanted if (made := self._made.get(key)) is not None]
        return sorted(found, key=lambda one: one.changed_ms, reverse=True)

    async def current(self, today: date, most: int) -> list[tuple[EventTime, EventSummary]]:
        """The events that go on, then the next ones, at most so many."""
        groups = grouped(await self.read(), today)
        found = [(time, one) for time in (EventTime.LIVE, EventTime.NEXT) for one in groups[time]]
        return found[:most]

    def _forget(self, key: Version, _: asyncio.Task[None]) -> None:
        self._making.pop(key, None)

    async def _make(self, key: Version, make: Callable[[], Awaitable[EventSummary | None]]) -> None:
        try:
            self._made[key] = await make()
        except (ApiError, CompetitionError):
            self._made[key] = None  # it is gone, or not opened yet: its next version is looked at again

    async def _own(self, one: ListedEvent) -> EventSummary | None:
        event = await self._events.find(one.id)
        groups = [each.state for each in await self._events.groups(event)]
        return await self._events.in_thread(
            lambda: summary_of(one.id, event.state, changed_ms=one.changed_ms, groups=groups)
        )

    async def _copy(self, one: FollowedRow) -> EventSummary | None:
        found = await self._followed.find(one.id)
        if found is None:
            return None
        host = one.address.partition("://")[2].partition("/")[0]
        return await self._events.in_thread(
            lambda: summary_of(one.id, found.state, changed_ms=one.changed_ms, source=host)
        )


def grouped(events: Sequence[EventSummary], today: date) -> dict[EventTime, list[EventSummary]]:
    """Events by where they stand: the next ones by their day, the past ones with the last first."""
    groups: dict[EventTime, list[EventSummary]] = {time: [] for time in EventTime}
    for one in events:
        groups[one.time(today)].append(one)
    far = date.max
    groups[EventTime.NEXT].sort(key=lambda one: one.first_day or far)
    groups[EventTime.PAST].sort(key=lambda one: one.last_day or date.min, reverse=True)
    return groups
