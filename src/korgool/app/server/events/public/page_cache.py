"""`PublicPages`: what anybody may read of events, each page made once for each line of an event's log.

Readers of a running round ask again and again. A page is known by the event, the last line of its log and the language,
so that most of them are told that nothing has changed, at the cost of a comparison; and when something has, one of them
waits until the page is made and all others get the same bytes.
"""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeVar

import msgspec

from korgool.app.publishing import (
    LIVE_PAGE,
    Circumstances,
    EventFigures,
    GroupLink,
    NoPageError,
    SitePlace,
    games_text,
    live_fields,
    render_page,
    round_data,
    snapshot_data,
    standings_data,
)
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.shielding import outcome_of
from korgool.app.server.events.boards.service import ShownBoards
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.following.service import FollowedEvent, moment_of
from korgool.app.server.events.group_addresses import event_of, group_address
from korgool.app.server.events.live_event import LiveEvent
from korgool.competition.event_state import EventState
from korgool.competition.log.takeovers import led_mark
from korgool.competition.photographs import file_name
from korgool.competition.privacy import shown_photo

Key = TypeVar("Key")
Value = TypeVar("Value")
REFRESH = 1.8
"""Seconds after which a page looks for changes."""
_PAGES, _EVENTS = 500, 20
_MOMENT = "%Y-%m-%dT%H:%M:%SZ"
_LEVEL, _TAG = 6, 20


@dataclass(frozen=True, slots=True)
class MadePage:
    """A page or a file as it is sent.

    Attributes:
        tag: differs where anything differs.
        body: its bytes.
        packed: the same by gzip.
    """

    tag: str
    body: bytes
    packed: bytes


@dataclass(frozen=True, slots=True)
class EventView:
    """An event at one moment, as its pages are made from it.

    Attributes:
        id: its id.
        state: all that is known of it.
        version: differs with every moment of it.
        public: whether anybody may read it.
        followed: where it is copied from; None for an event of this site.
        groups: its groups, where a page is about all of them.
        boards: the boards of its running round, where a page shows them.
    """

    id: str
    state: EventState
    version: str
    public: bool = True
    followed: FollowedEvent | None = None
    groups: tuple[EventState, ...] = ()
    boards: ShownBoards | None = None

    @property
    def shown_version(self) -> str:
        """A text that differs with everything that its pages show."""
        return self.version if self.boards is None else f"{self.version}-{self.boards.version}"


def event_view(event: LiveEvent) -> EventView:
    """An event of this site as it is now."""
    state = event.state
    return EventView(event.id, state, event.version, event.public)


def groups_view(event: EventView, groups: Sequence[LiveEvent]) -> EventView:
    """An event of this site with all its groups as they are now: every line of its log makes another version."""
    states = tuple(one.state for one in groups)
    return replace(event, groups=states, version=f"all{min(one.actions for one in states)}{led_mark(states[0])}")


def copy_view(followed: FollowedEvent) -> EventView:
    """An event of another site as it was copied."""
    row = followed.row
    return EventView(row.id, followed.state, f"{row.version[:16]}-{row.confirmed_ms // 60_000}", followed=followed)


def group_links(event: EventView) -> tuple[GroupLink, ...]:
    """The links to the groups of an event, from the pages of one of them."""
    state, id_ = event.state, event_of(event.id)
    return tuple(
        GroupLink(name, f"/events/{group_address(id_, state, group)}", here=group == state.group)
        for group, name in state.groups.items()
    )


class PublicPages:
    """Makes and keeps them. Its methods are called on the event loop.

    Args:
        event_registry: the events.
        release: a text that differs with every release of the templates, and the path of its styles and scripts.
    """

    def __init__(self, event_registry: EventRegistry, release: Callable[[], tuple[str, str]]) -> None:
        self._events = event_registry
        self._release = release
        self._figures: OrderedDict[tuple[str, str], EventFigures] = OrderedDict()
        self._made: OrderedDict[tuple[object, ...], asyncio.Task[MadePage]] = OrderedDict()

    def tag(self, event: EventView, language: str, now: int = 0) -> str:
        """The validator of a page or a file of an event, with the time for one that shows it."""
        return f"{event.id}-{event.shown_version}-{language}-{self._release()[0]}{f'-{now}' if now else ''}"

    async def page(
        self,
        event: EventView,
        name: str,
        language: str,
        origin: str,
        query: str = "",
        *,
        one_group: str = "",
        now: int = 0,
    ) -> MadePage:
        """A page of an event; with `one_group` the wall stays with that group, and `now` is the time that it shows.

        Raises:
            ApiError: 404, the event has no such page.
        """
        try:
            if query:
                return await asyncio.to_thread(self._page, event, name, language, origin, query, one_group, now)
            key = (event.id, event.shown_version, language, origin, name, one_group, now)
            return await self._cached(key, lambda: self._page(event, name, language, origin, "", one_group, now))
        except NoPageError:
            raise ApiError(404, errors.NO_PAGE) from None

    async def data(self, event: EventView, name: str) -> MadePage:
        """The standings, a round such as `rounds/3`, the games or the snapshot of an event, as programs read them.

        Raises:
            ApiError: 404, there is no such round, or a copy is to be copied.
        """
        kind, _, number = name.partition("/")
        rounds = len(event.state.rounds)
        if kind == "rounds" and not (number.isascii() and number.isdigit() and 0 < int(number[:4]) <= rounds):
            raise ApiError(404, errors.NO_PAGE)
        if kind == "public" and event.followed is not None:  # so that no site follows itself over others
            raise ApiError(404, errors.NO_PAGE)
        key = (event.id, event.shown_version, name)
        return await self._cached(key, lambda: self._data(event, kind, int(number or 0)))

    async def photo(self, event: EventView, name: str) -> MadePage:
        """A photograph that the pages of an event show, by the name that they give it.

        Raises:
            ApiError: 404, they show no such photograph.
        """
        id_ = name.partition("-")[0]
        player = event.state.players.get(int(id_)) if id_.isascii() and id_.isdecimal() and len(id_) < 10 else None
        found = "" if player is None else shown_photo(event.state, player)
        if player is None or not found or name != file_name(player.id, found):
            raise ApiError(404, errors.NO_PAGE)
        repository, number = self._events.repository, player.id
        jpeg = await asyncio.to_thread(lambda: repository.photo(event_of(event.id), number, found))
        if jpeg is None:
            raise ApiError(404, errors.NO_PAGE)
        return MadePage(found[:_TAG], jpeg, jpeg)

    async def _cached(self, key: tuple[object, ...], make: Callable[[], MadePage]) -> MadePage:
        """Return a page that is made or being made; a failure is not kept."""
        task = self._made.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = asyncio.create_task(asyncio.to_thread(make))
            _store(self._made, key, task, _PAGES)
        return await outcome_of(task)

    def _page(
        self, event: EventView, name: str, language: str, origin: str, query: str, one_group: str, now: int
    ) -> MadePage:
        """Runs in a thread."""
        figures = self._figures_of(event)
        place = SitePlace(
            root=f"/events/{event.id}",
            files=f"/api/events/{event.id}",
            statics=self._release()[1],
            origin=origin,
            picture=f"/rules/{figures.state.event.game}/picture.png",
            groups=group_links(event),
        )
        copied = event.followed
        circumstances = Circumstances(
            language=language,
            place=place,
            changed=self._changed(event),
            refresh=REFRESH if event.public and not all(one.over for one in event.groups or (figures.state,)) else 0,
            query=query,
            source="" if copied is None else copied.row.address,
            copied="" if copied is None else moment_of(copied),
            groups=event.groups,
            one_group=one_group,
            now=now,
            version=event.shown_version if now else "",
            sheets=None if event.boards is None else event.boards.sheets,
            pictured=lambda player: (
                self._events.repository.photo(event_of(event.id), player.id, player.photo) is not None
            ),
        )
        return _packed(self.tag(event, language, now), render_page(figures, name, circumstances))

    def _data(self, event: EventView, kind: str, number: int) -> MadePage:
        """Runs in a thread."""
        public = self._figures_of(event).state
        if kind == "games.pgn":
            body = games_text(public).encode()
        elif kind == LIVE_PAGE:
            sheets = {} if event.boards is None or not public.event.live.boards else event.boards.sheets
            body = msgspec.json.encode(live_fields(public, sheets))
        elif kind == "public":
            mark = self._events.repository.log_mark(event_of(event.id), event.state.actions)
            body = snapshot_data(event.state, self._changed(event), mark)
        else:
            body = msgspec.json.encode(standings_data(public) if kind == "standings" else round_data(public, number))
        return _packed(self.tag(event, ""), body)

    def _changed(self, event: EventView) -> str:
        """The time of the last change; empty if it is not known."""
        if event.followed is not None:
            return event.followed.changed
        row = self._events.repository.find(event_of(event.id))
        return "" if row is None else datetime.fromtimestamp(row.changed_ms // 1000, UTC).strftime(_MOMENT)

    def _figures_of(self, event: EventView) -> EventFigures:
        key = (event.id, event.version)
        found = self._figures.get(key)
        if found is None:
            found = EventFigures(event.state)
            _store(self._figures, key, found, _EVENTS)
        return found


def _packed(tag: str, body: bytes) -> MadePage:
    return MadePage(tag, body, gzip.compress(body, _LEVEL, mtime=0))


def _store(kept: OrderedDict[Key, Value], key: Key, value: Value, most: int) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)
