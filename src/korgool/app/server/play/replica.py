"""A game in the memory of this process beside the same game in the memory of others: how it stays abreast of them.

The database decides which event follows which, by the key (game, version). A process decides on what it has in memory,
and writes; whose version is taken already reads what is new, tells its followers, and decides again. News from other
processes only spare the waiting. With SQLite there is one process, and nothing here costs anything.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, Protocol, TypeVar

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.storage.journal import JournalEntry
from korgool.live import OnlineGame, due

_LOG = logging.getLogger(__name__)
_ATTEMPTS = 20
"""How often somebody may be overtaken before they are told to come again."""
_SURE = {429, 503}
"""Refusals that do not depend on the game."""
T = TypeVar("T")


class OvertakenError(ApiError):
    """What was decided could not be written, because the game has gone on elsewhere."""

    def __init__(self) -> None:
        super().__init__(409, errors.STALE)


class ReplicaPeers(Protocol):
    """The other processes, as a game needs to know them."""

    many: bool

    async def newer(self, game: str, version: int) -> Sequence[JournalEntry]:
        """What the database has after a version; raises ApiError where it cannot be read."""

    def wrote(self, game: str, entries: Sequence[JournalEntry]) -> None:
        """Tell the others what is on disk."""

    def missed_ms(self, since_ms: int, until_ms: int) -> int:
        """For how many of these milliseconds nothing could be written."""

    async def signs(self, game: str) -> tuple[int | None, int | None]:
        """When White and Black last gave a sign anywhere; raises ApiError where it cannot be read."""

    def stirs(self, game: str) -> None:
        """Somebody has come to this process or gone from it."""

    def looks(self, game: str) -> None:
        """A player has looked at a game, perhaps without a connection that stays."""

    async def take_turn(self, game: str, *, again: bool = False) -> bool:
        """Whether this process may think for the engine for the next seconds; `again` where it does already. It may not
        while the database is away."""

    def phrase(self, game: str, message: bytes) -> None:
        """A player has said something."""


class ReplicatedGame(Protocol):
    """What is kept abreast; `LiveSession` is."""

    address: str

    @property
    def game(self) -> OnlineGame:
        """The game as it stands."""

    @property
    def dropped(self) -> bool:
        """Whether this process has let go of it."""

    def follow_up(self, entries: Sequence[JournalEntry]) -> bool:
        """Let happen what others have written; False where something before it is missing."""

    async def interrupt(self) -> None:
        """Charge nobody for the time in which nothing could be written. The caller holds the lock."""

    def discard(self) -> None:
        """Take it out of memory."""


class Replica:
    """Keeps one game abreast. All methods run on the event loop.

    Args:
        running: the game.
        lock: held while something is decided and written.
        sharing: the other processes.
        spawn: runs something in the background.
    """

    def __init__(
        self,
        running: ReplicatedGame,
        lock: asyncio.Lock,
        sharing: ReplicaPeers,
        spawn: Callable[[Callable[[], Coroutine[Any, Any, object]]], None],
    ) -> None:
        self._running = running
        self._lock = lock
        self._sharing = sharing
        self._spawn = spawn
        self._heard = 0
        self._reads = False

    async def settled(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do what decides something and writes it, again as often as somebody else is quicker. The caller holds the
        lock.

        Raises:
            ApiError: as `work` does when nothing new could change it.
        """
        running = self._running
        for _ in range(_ATTEMPTS):
            version = running.game.version
            try:
                if self.missed_ms():
                    await running.interrupt()
                return await work()
            except OvertakenError:
                await self._catch_up()
                if running.game.version == version:  # it was not the game that went on
                    running.discard()
                    raise
            except ApiError as problem:
                if not self._sharing.many or problem.status in _SURE or running.dropped:
                    raise
                await self._catch_up()
                if running.game.version == version:
                    raise
        raise ApiError(503, errors.NOT_STORED)

    def missed_ms(self) -> int:
        """For how many milliseconds since its last event nothing could be written, if it waits for the time."""
        game = self._running.game
        missed = self._sharing.missed_ms(game.at, 1 << 62)
        return missed if missed and due(game) is not None else 0

    def hear(self, entries: Sequence[JournalEntry]) -> None:
        """Another process has written these; none where they have to be read."""
        running = self._running
        if entries:
            self._heard = max(self._heard, entries[-1].version)
        if not entries or self._lock.locked() or not running.follow_up(entries):
            if not entries:
                self._heard = max(self._heard, running.game.version + 1)
            if not self._reads:
                self._reads = True
                self._spawn(self.catch_up)

    async def catch_up(self) -> None:
        """Read what is new, unless it has come by itself.

        Raises:
            ApiError: it cannot be read.
        """
        async with self._lock:
            self._reads = False
            if self._heard > self._running.game.version and not self._running.dropped:
                self._heard = 0
                await self._catch_up()

    async def _catch_up(self) -> None:
        running = self._running
        entries = await self._sharing.newer(running.address, running.game.version)
        if not running.dropped and not running.follow_up(entries):
            _LOG.error("game %s does not follow its journal", running.address)
            running.discard()
