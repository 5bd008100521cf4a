"""`PublicPages`: what anybody may read of events, each page made once for each line of an event's log.

Readers of a running round ask again and again. A page is known by the event, the last line of its log and the language,
so that most of them are told that nothing has changed, at the cost of a comparison; and when something has, one of them
waits until the page is made and all others get the same bytes.
"""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

import msgspec

from korgool.app.publishing import (
    Circumstances,
    EventFigures,
    NoPageError,
    SitePlace,
    games_text,
    render_page,
    round_data,
    standings_data,
)
from korgool.app.server import messages
from korgool.app.server.competitions.competition import Competition
from korgool.app.server.competitions.competitions import Competitions
from korgool.app.server.messages import RefusedError
from korgool.competition.event_state import EventState

Key = TypeVar("Key")
Value = TypeVar("Value")
REFRESH = 1.8
"""Seconds after which a page looks for changes."""
_PAGES, _EVENTS = 500, 20
_MOMENT = "%Y-%m-%dT%H:%M:%SZ"
_LEVEL = 6


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


class PublicPages:
    """Makes and keeps them. Its methods are called on the event loop.

    Args:
        competitions: the events.
        release: a text that differs with every release of the templates, and the path of its styles and scripts.
    """

    def __init__(self, competitions: Competitions, release: Callable[[], tuple[str, str]]) -> None:
        self._competitions = competitions
        self._release = release
        self._figures: OrderedDict[tuple[str, int], EventFigures] = OrderedDict()
        self._made: OrderedDict[tuple[object, ...], asyncio.Task[MadePage]] = OrderedDict()

    def tag(self, event: Competition, language: str) -> str:
        """What a page or a file of this event has as its validator now."""
        return self._tag(event.id, event.state, language)

    async def page(self, event: Competition, name: str, language: str, origin: str, query: str = "") -> MadePage:
        """A page of an event.

        Raises:
            RefusedError: 404, the event has no such page.
        """
        state = event.state  # which may go on while the page is made: it is one moment's, and so is its validator
        try:
            if query:
                return await asyncio.to_thread(self._page, event, state, name, language, origin, query)
            key = (event.id, state.actions, language, origin, name)
            return await self._once(key, lambda: self._page(event, state, name, language, origin, ""))
        except NoPageError:
            raise RefusedError(404, messages.NO_PAGE) from None

    async def data(self, event: Competition, name: str) -> MadePage:
        """The standings, a round such as `rounds/3` or the games of an event, as programs read them.

        Raises:
            RefusedError: 404, there is no such round.
        """
        kind, _, number = name.partition("/")
        state = event.state
        rounds = len(state.rounds)
        if kind == "rounds" and not (number.isascii() and number.isdigit() and 0 < int(number[:4]) <= rounds):
            raise RefusedError(404, messages.NO_PAGE)
        key = (event.id, state.actions, name)
        return await self._once(key, lambda: self._data(event.id, state, kind, int(number or 0)))

    async def _once(self, key: tuple[object, ...], make: Callable[[], MadePage]) -> MadePage:
        """What was made already, or is being made; a failure is not kept."""
        task = self._made.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = asyncio.create_task(asyncio.to_thread(make))
            _keep(self._made, key, task, _PAGES)
        return await asyncio.shield(task)

    def _tag(self, id_: str, state: EventState, language: str) -> str:
        return f"{id_}-{state.actions}-{language}-{self._release()[0]}"

    def _page(
        self, event: Competition, state: EventState, name: str, language: str, origin: str, query: str
    ) -> MadePage:
        """Runs in a thread."""
        id_ = event.id
        figures = self._figures_of(id_, state)
        place = SitePlace(
            root=f"/events/{id_}",
            files=f"/api/events/{id_}",
            statics=self._release()[1],
            origin=origin,
            picture=f"/rules/{figures.state.event.game}/picture.png",
        )
        row = self._competitions.shelf.find(id_)
        changed = "" if row is None else datetime.fromtimestamp(row.changed_ms // 1000, UTC).strftime(_MOMENT)
        circumstances = Circumstances(
            language=language,
            place=place,
            changed=changed,
            refresh=REFRESH if event.public and not figures.state.over else 0,
            query=query,
        )
        return _packed(self._tag(id_, state, language), render_page(figures, name, circumstances))

    def _data(self, id_: str, state: EventState, kind: str, number: int) -> MadePage:
        """Runs in a thread."""
        public = self._figures_of(id_, state).state
        if kind == "games.pgn":
            body = games_text(public).encode()
        else:
            body = msgspec.json.encode(standings_data(public) if kind == "standings" else round_data(public, number))
        return _packed(self._tag(id_, state, ""), body)

    def _figures_of(self, id_: str, state: EventState) -> EventFigures:
        key = (id_, state.actions)
        found = self._figures.get(key)
        if found is None:
            found = EventFigures(state)
            _keep(self._figures, key, found, _EVENTS)
        return found


def _packed(tag: str, body: bytes) -> MadePage:
    return MadePage(tag, body, gzip.compress(body, _LEVEL, mtime=0))


def _keep(kept: OrderedDict[Key, Value], key: Key, value: Value, most: int) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)
