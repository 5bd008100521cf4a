"""All running games of this process: loaded on demand, resumed at the start, and unloaded when nobody needs them."""

from __future__ import annotations

import asyncio
import logging
import secrets
import string
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from korgool.app.server import messages
from korgool.app.server.games.engine_room import EngineRoom
from korgool.app.server.games.live_game import LiveGame, clock_now, day_now
from korgool.app.server.games.perfect import check_level
from korgool.app.server.games.searches import CancelledSearchError
from korgool.app.server.limits import Caller, Tally
from korgool.app.server.limits.admission import ReadingRoom
from korgool.app.server.messages import RefusedError, TooManyError
from korgool.app.server.settings import ServerSettings
from korgool.app.server.storage.database import Storage, Stored
from korgool.app.server.storage.journal import Play, Terms
from korgool.app.server.storage.writer import Commit, StorageError, TakenError
from korgool.rules import Side

_LOG = logging.getLogger(__name__)
_LETTERS = string.ascii_letters + string.digits
_ID_LENGTH = 12
_MOST_IN_MEMORY = 5000
_RETRY_SECONDS = 5.0
_WATCH_SECONDS = 0.5
_HEALTH_SECONDS = 2.0
_LATER_SECONDS = 60.0
"""Seconds after which somebody who must finish a game first may try again."""
T = TypeVar("T")


class Hall:
    """The games of one server. All methods run on the event loop."""

    def __init__(self, storage: Storage, settings: ServerSettings) -> None:
        self.storage = storage
        self.settings = settings
        self.limits = settings.limits
        self.tally = Tally(settings.limits)
        self.room = EngineRoom(settings.searches, settings.limits)
        self.reading = ReadingRoom()
        self._games: dict[str, LiveGame] = {}
        self._loading: dict[str, asyncio.Future[LiveGame]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._watch: asyncio.Task[None] | None = None
        self._reviews: dict[str, asyncio.Task[bytes]] = {}
        self._closing = False
        self._healthy: tuple[float, StorageError | None] = (-_HEALTH_SECONDS, None)
        self._examined = asyncio.Lock()

    async def open(self) -> None:
        """Resume the games whose clocks run, one after the other; the others wait until somebody looks at them.

        Time in which no server ran is charged to nobody: a clock continues with what the last event on disk left on it.
        """
        self.spawn(self._take_up, await asyncio.to_thread(self.storage.unattended))

    async def _take_up(self, games: list[str]) -> None:
        for game in games:
            if self._closing:
                return
            try:
                await self.find(game)
            except RefusedError:
                _LOG.exception("game %s could not be taken up", game)
        if not self.storage.ownership.lasting and self._watch is None:
            self._watch = asyncio.create_task(self._watch_over())

    async def close(self) -> None:
        """Stop all games; everything acknowledged is already on disk."""
        self._closing = True
        if self._watch is not None:
            self._watch.cancel()
        for game in self._games.values():
            game.end()
        self.room.cancel()
        self.reading.close()
        await asyncio.to_thread(self.room.close)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_RETRY_SECONDS)

    async def _watch_over(self) -> None:
        """Forget all games when this server loses the database, and resume them when it has it again."""
        ownership = self.storage.ownership
        epoch, held = ownership.epoch, True
        while not self._closing:
            await asyncio.sleep(_WATCH_SECONDS)
            before, held = held, ownership.held
            if before and held and epoch == ownership.epoch:
                continue
            games, self._games = self._games, {}
            for game in games.values():
                game.end()
            if held:
                epoch = ownership.epoch
                try:
                    await self.open()
                except (SQLAlchemyError, StorageError):
                    held = False  # try again
                    _LOG.exception("the games that go on could not be taken up")

    async def examine(self) -> None:
        """Check that moves reach the disk; the result is cached for a few seconds.

        Raises:
            StorageError: they do not reach it.
        """
        async with self._examined:
            if time.monotonic() - self._healthy[0] >= _HEALTH_SECONDS:
                found = None
                try:
                    await asyncio.to_thread(self.storage.check)
                except StorageError as error:
                    found = error
                self._healthy = time.monotonic(), found
        if self._healthy[1] is not None:
            raise self._healthy[1]

    # Games

    async def find(self, game: str) -> LiveGame:
        """The game at an address.

        Raises:
            RefusedError: there is none, or it cannot be read.
        """
        if not self.storage.ownership.held:
            raise RefusedError(503, messages.NOT_REACHED)
        if game in self._games:
            return self._games[game]
        if len(game) != _ID_LENGTH or not set(game) <= set(_LETTERS):
            raise RefusedError(404, messages.NO_GAME)
        if game not in self._loading:
            self._loading[game] = asyncio.ensure_future(self._load(game))
            self._loading[game].add_done_callback(lambda _: self._loading.pop(game, None))
        return await asyncio.shield(self._loading[game])

    async def _load(self, game: str) -> LiveGame:
        epoch = self.storage.ownership.epoch

        def rebuild() -> tuple[Play, Stored] | None:
            stored = self.storage.load(game)
            return None if stored is None else (Play.replay(stored.terms, stored.entries, clock_now()), stored)

        try:
            found = await asyncio.to_thread(rebuild)
        except SQLAlchemyError as error:
            raise RefusedError(503, messages.NOT_REACHED) from error
        except Exception as error:
            _LOG.exception("game %s could not be read", game)
            raise RefusedError(500, messages.BROKEN) from error
        if found is None:
            raise RefusedError(404, messages.NO_GAME)
        if self.storage.ownership.epoch != epoch:
            raise RefusedError(503, messages.NOT_REACHED)  # it was read before another server may have written
        return self._admit(LiveGame(self, found[0], found[1].rematch))

    def _admit(self, game: LiveGame) -> LiveGame:
        if len(self._games) >= _MOST_IN_MEMORY:
            for name in [name for name, other in self._games.items() if other.idle][: _MOST_IN_MEMORY // 10]:
                self._games.pop(name).end()  # a caller that has just looked the game up has to look it up again
        self._games[game.play.terms.id] = game
        game.arrange()
        return game

    def drop(self, game: LiveGame) -> None:
        """Unload a game whose state on disk is unknown; if it is not over, it is soon rebuilt."""
        game.end()
        if self._games.get(game.play.terms.id) is game:
            del self._games[game.play.terms.id]
        if not self._closing and game.play.outcome is None:
            asyncio.get_running_loop().call_later(_RETRY_SECONDS, self.spawn, self.find, game.play.terms.id)

    async def start(
        self,
        visitor: str,
        game: str,
        side: Side,
        level: int,
        clock: str,
        start: str | None = None,
        caller: Caller | None = None,
    ) -> str:
        """A new game of the visitor, from the position text `start` if that is given.

        `caller` is counted against the limits.

        Returns:
            Its address.

        Raises:
            RefusedError: the game has no perfect play, the visitor has too many unfinished games, or it cannot be
                stored.
        """
        check_level(game, level, start)
        if caller is not None:
            self.count_start(caller, fresh=not await asyncio.to_thread(self.storage.has_played, visitor))
        count = await asyncio.to_thread(self.storage.unfinished, visitor)
        if self.limits.unfinished_games is not None and count >= self.limits.unfinished_games:
            raise TooManyError(messages.TOO_MANY_GAMES, _LATER_SECONDS, count=count)
        return await self.finish(self.create(visitor, game, side, level, clock, start))

    def count_start(self, caller: Caller, *, fresh: bool = False) -> None:
        """Count a new game for its caller; the first one of a new session also counts as a visitor of the address.

        Raises:
            TooManyError: this session or address has started too many.
        """
        if caller.session is not None and (wait := self.tally.spend("session_games", caller.session)):
            raise TooManyError(messages.TOO_MANY_STARTS, wait)
        wait = self.tally.spend("address_visitors", caller.address) if fresh else 0.0
        wait = wait or self.tally.spend("address_games", caller.address)
        if wait:
            raise TooManyError(messages.TOO_MANY_HERE, wait)

    async def create(
        self,
        visitor: str,
        game: str,
        side: Side,
        level: int,
        clock: str,
        start: str | None = None,
        *,
        follows: str | None = None,
    ) -> str:
        """Start a new game, on disk and in memory; `follows` names the game whose rematch it is."""
        name = "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))
        play = Play(Terms(name, game, visitor, side, level, clock, day_now(), start))
        proposal = play.propose_start(play.terms.started_ms)
        try:
            await self.storage.write(Commit(name, proposal, new=play.terms, follows=follows))
        except StorageError as error:
            raise RefusedError(503, messages.NOT_STORED) from error
        play.apply(proposal.entries[0], clock_now())
        self._admit(LiveGame(self, play, None))
        return name

    # Reviews

    async def evaluations(self, game: str, caller: Caller) -> bytes:
        """The engine's evaluation of every position of a finished game, as JSON; computed once.

        Raises:
            RefusedError: there is no such game, or the game is not over.
        """
        live = await self.find(game)
        if live.play.outcome is None:
            raise RefusedError(409, messages.NOT_OVER)
        if game not in self._reviews:
            self._reviews[game] = task = asyncio.create_task(self._review(live.play, caller))
            task.add_done_callback(lambda _: self._reviews.pop(game, None))
        try:
            return await asyncio.shield(self._reviews[game])
        except CancelledSearchError as error:
            raise RefusedError(503, messages.BROKEN) from error

    async def _review(self, play: Play, caller: Caller) -> bytes:
        game = play.terms.id
        stored = await asyncio.to_thread(self.storage.evaluations, game)
        if stored is not None:
            return stored
        found = await self.room.evaluate(play.game.positions, caller)
        encoded = msgspec.json.encode([{"ply": ply, "evaluation": value} for ply, value in enumerate(found)])
        try:
            await self.storage.write(Commit(game, evaluations=encoded.decode()))
        except TakenError:
            pass
        except StorageError:
            _LOG.warning("the evaluations of game %s are not kept", game)
        return encoded

    # Tasks

    def spawn(self, work: Callable[..., Coroutine[Any, Any, object]], *args: object) -> None:
        """Run in the background; errors go to the log."""

        async def guarded() -> None:
            try:
                await work(*args)
            except RefusedError as problem:
                _LOG.warning("%s", problem)
            except Exception:
                _LOG.exception("a task of a running game failed")

        if not self._closing:
            self._keep(asyncio.create_task(guarded()))

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Run to the end even if the visitor's request is cancelled, so that memory and disk agree."""
        task = asyncio.create_task(work)
        self._keep(task)
        return await asyncio.shield(task)

    def _keep(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
