"""`EventCopies`: after each round that closes, an event goes as a file into a folder, such as that of a memory stick.

All that touches the folder is done in one thread that nobody waits for: a stick that hangs, or is pulled out, disturbs
neither the event nor the end of the server. While a copy cannot be written, it is tried again.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.copies.copy_file import MadeCopy, write_copy
from korgool.app.server.events.event_registry import EventRegistry
from korgool.app.server.events.group_addresses import event_of
from korgool.app.server.events.stored_book import StoredBook
from korgool.competition.errors import CompetitionError, Message
from korgool.competition.event_state import EventState
from korgool.languages import N_

AGAIN_SECONDS: Final = 20.0
"""Seconds until a copy that failed is tried again."""
_FAILED: Final = N_("the copy cannot be written: {error}")
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CopyState:
    """The copies of one event, as the desk shows them.

    Attributes:
        made: the last good copy; None if this process has written none.
        made_ms: when it was written, since 1970.
        problem: why the one after it could not be written; empty for none.
        since_ms: since when it has failed, or has been under way; 0 for neither.
        closed: how many rounds were closed when a copy was last wanted.
    """

    made: MadeCopy | None = None
    made_ms: int = 0
    problem: str = ""
    since_ms: int = 0
    closed: int = field(default=0)


def closed_rounds(states: list[EventState]) -> int:
    """Count the rounds of all groups that have all their results."""
    return sum(len(one.rounds) - (not one.complete) for one in states)


class EventCopies:
    """Writes copies. Its methods are called on the event loop.

    Args:
        event_registry: the events of this site.
        book: opens the book of an event for this alone, by id.
        folder: where copies go; None for none.
        home: where the server's database is, as far as it is a file.
        snapshot: reads what the server knows of an event beside its log.
    """

    def __init__(
        self,
        event_registry: EventRegistry,
        book: Callable[[str], StoredBook],
        folder: Path | None,
        home: Path | None,
        snapshot: Callable[[str], Awaitable[Mapping[str, Any]]],
    ) -> None:
        self.folder = folder
        self._events, self._book, self._home = event_registry, book, home
        self._states: dict[str, CopyState] = {}
        self._snapshot = snapshot
        self._jobs: queue.SimpleQueue[tuple[str, Mapping[str, Any]] | None] = queue.SimpleQueue()
        self._asking: set[asyncio.Task[None]] = set()
        self._wanted: set[str] = set()
        self._more: set[str] = set()
        self._moved: set[str] = set()
        self._looking: dict[str, asyncio.Task[None]] = {}
        self._trying: asyncio.Task[None] | None = None

    def open(self) -> None:
        """Begin to follow the events."""
        if self.folder is None:
            return
        loop = asyncio.get_running_loop()
        # A thread of no pool: the server's health and its end do not depend on a stick.
        threading.Thread(target=self._work, args=(loop,), name="copies", daemon=True).start()
        self._trying = asyncio.create_task(self._try_again())
        self._events.listen(self._heard)

    def close(self) -> None:
        """End; what is being written is left to its thread."""
        for task in (self._trying, *self._looking.values(), *self._asking):
            if task is not None:
                task.cancel()
        self._jobs.put(None)

    def state(self, event: str) -> CopyState:
        """State of the copies of an event."""
        return self._states.get(event, CopyState())

    def ask(self, event: str) -> None:
        """Write a copy of an event now, as far as copies are written here."""
        if self.folder is None:
            return
        if event in self._wanted:  # what is under way may be of before
            self._more.add(event)
            return
        self._wanted.add(event)
        held = self.state(event)
        self._states[event] = replace(held, since_ms=held.since_ms or now_ms())
        task = asyncio.create_task(self._put(event))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _put(self, event: str) -> None:
        """Hand the copy to its thread, with what stands beside the log."""
        try:
            self._jobs.put((event, await self._snapshot(event)))
        except Exception as error:  # whatever the database does, the next copy is tried
            _LOG.warning("a copy of the event %s cannot be written", event, exc_info=True)
            self._done(event, None, Message(_FAILED, error=error))

    def _heard(self, id_: str, _: int) -> None:
        id_ = event_of(id_)
        self._moved.add(id_)
        if id_ not in self._looking or self._looking[id_].done():
            self._looking[id_] = asyncio.create_task(self._look(id_))

    async def _look(self, id_: str) -> None:
        """Ask for a copy where a round has closed since the last one was wanted, and again for later lines."""
        while id_ in self._moved:
            await asyncio.sleep(0.2)  # results come in handfuls
            self._moved.discard(id_)
            try:
                event = await self._events.find(id_)
                states = [one.state for one in await self._events.groups(event)]
            except (ApiError, CompetitionError):
                continue
            held, closed = self.state(id_), closed_rounds(states)
            if closed != held.closed:
                self._states[id_] = replace(held, closed=closed)
            if closed > held.closed:
                self.ask(id_)

    async def _try_again(self) -> None:
        while True:
            await asyncio.sleep(AGAIN_SECONDS)
            for id_ in [id_ for id_, held in self._states.items() if held.problem and id_ not in self._wanted]:
                self.ask(id_)

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        """Write what is asked for, one copy after another, in a thread of its own."""
        assert self.folder is not None
        while (job := self._jobs.get()) is not None:
            id_, snapshot = job
            made: MadeCopy | None = None
            problem = ""
            try:
                made = write_copy(self._book(id_), self.folder, self._home, snapshot)
            except CompetitionError as error:
                problem = error.message
            except Exception as error:  # whatever a medium or the database does, the next copy is tried
                _LOG.warning("a copy of the event %s cannot be written", id_, exc_info=True)
                problem = Message(_FAILED, error=error)
            try:
                loop.call_soon_threadsafe(self._done, id_, made, problem)
            except RuntimeError:  # the server has ended
                return

    def _done(self, id_: str, made: MadeCopy | None, problem: str) -> None:
        self._wanted.discard(id_)
        more, held = id_ in self._more, self.state(id_)
        self._more.discard(id_)  # one that failed is tried again, and holds all then
        if made is not None:
            self._states[id_] = replace(held, made=made, made_ms=now_ms(), problem="", since_ms=0)
            if more:
                self.ask(id_)
            return
        since = held.since_ms if held.problem else now_ms()
        self._states[id_] = replace(held, problem=problem, since_ms=since)
