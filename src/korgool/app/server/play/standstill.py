"""A server alone on its database: it notices by itself when it stood still, and nobody is charged for that.

The computer may have slept, a virtual machine been paused, or the process stopped. Several processes of one database
learn it from their beats (`storage/server_processes.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Sequence
from typing import Protocol

from sqlalchemy.exc import SQLAlchemyError

from korgool.app.server.core import wall_clock
from korgool.app.server.storage.journal import JournalEntry
from korgool.app.server.storage.outages import OUTAGE, Outage, missed_of
from korgool.app.server.storage.writer import StorageError

_LOG = logging.getLogger(__name__)
_SECONDS = 1.0
_MOST_OUTAGES = 100
"""Of the times in which this process stood still, the latest; games in memory hear of each at once."""


class SingleProcess:
    """There are no others. What this process has missed is what it has slept.

    Attributes:
        serving_since: since when it could hear players, in milliseconds since 1970.
        unnoted: times in which it stood still that the database does not know yet.
    """

    many = False

    def __init__(self) -> None:
        self.serving_since = wall_clock.now_ms()
        self._seen: int | None = None
        self._outages: deque[Outage] = deque(maxlen=_MOST_OUTAGES)
        self.unnoted: list[Outage] = []

    def see(self) -> None:
        """Note that this process runs, again and again from now on; after a pause, that it stood still meanwhile.

        The computer may have slept, or the process was stopped. What waits for the time may run before this is called
        again, so every decision calls it too.
        """
        wall_clock.catch_up()
        at, seen = wall_clock.now_ms(), self._seen
        self._seen = at
        if seen is not None and at - seen > 1000 * OUTAGE:
            _LOG.warning("this server stood still for %.1f seconds; nobody is charged for them", (at - seen) / 1000)
            outage = Outage(seen, at)
            self._outages.append(outage)
            self.unnoted.append(outage)

    async def newer(self, game: str, version: int) -> Sequence[JournalEntry]:
        """Return no entries."""
        return ()

    def wrote(self, game: str, entries: Sequence[JournalEntry]) -> None:
        """Do nothing: there are no others."""

    def missed_ms(self, since_ms: int, until_ms: int) -> int:
        """For how many of these milliseconds this process stood still."""
        if self._seen is not None:
            self.see()
        if not self._outages:
            return 0
        return missed_of(self._outages, since_ms, until_ms)

    async def signs(self, game: str) -> tuple[int | None, int | None]:
        """Return none: this process knows them all."""
        return None, None

    def stirs(self, game: str) -> None:
        """Do nothing: there are no others."""

    def looks(self, game: str) -> None:
        """Do nothing: there are no others."""

    async def take_turn(self, game: str, *, again: bool = False) -> bool:
        """Return true."""
        return True

    def phrase(self, game: str, message: bytes) -> None:
        """Do nothing: there are no others."""


class StandstillListener(Protocol):
    """The registry whose games learn that this process stood still; `GameRegistry` is."""

    alone: SingleProcess

    async def stood_still(self, one: Outage) -> None:
        """Note it in the database, and let the games in memory note it."""


async def watch_time(game_registry: StandstillListener) -> None:
    """See every second that this process runs, and note when it did not. It ends only by being cancelled."""
    while True:
        game_registry.alone.see()
        try:
            while game_registry.alone.unnoted:
                await game_registry.stood_still(game_registry.alone.unnoted[0])
                game_registry.alone.unnoted.pop(0)
        except (SQLAlchemyError, StorageError) as error:
            _LOG.warning("a time without a server could not be noted: %s", " ".join(str(error).split())[:200])
        await asyncio.sleep(_SECONDS)
