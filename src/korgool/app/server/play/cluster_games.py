"""The games of a process beside other processes of the same site: what they tell each other, and who does what alone.

Nothing is anybody's for good. A deadline, or the engine's turn, is taken for a few seconds by a conditional change of
one row; should the process die, the next one takes it after that time. What two of them do nevertheless is decided by
the key (game, version), and a fallen flag counts only if the deadline in the database has come.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol, TypeVar

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from korgool.app.server.cluster.bus import News
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.cluster_repository import ClusterRepository
from korgool.app.server.play.game_services import OvertakenError
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.play.presence_repository import NOBODY_HERE, PresenceRepository, ProcessPresence
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.journal import JournalEntry, NewsRow, news_rows, read_entries
from korgool.app.server.storage.server_processes import ServerProcesses
from korgool.app.server.storage.writer import Commit

_LOG = logging.getLogger(__name__)
_SWEEP_SECONDS = 0.3
_GRACE_MS = 200
"""A deadline is left so long to the process to which the players are connected."""
_LEASE_MS = 600
"""Time for which a process holds a deadline that it has taken."""
_THINK_MS = 2_000
"""The same for the engine's turn; it is taken again and again while the engine thinks."""
_UNATTENDED_ROUNDS = 4
_ROLL_SECONDS = 1.0
"""Time between two reports to other processes of who is connected here."""
_ROLL_ROUNDS = 5
"""In how many of these rounds silence and lag are looked at."""
_POLL_SECONDS = 1.0, 5.0
"""Time between two looks at versions, without news and beside them."""
_YOUNG_SECONDS = 10.0
"""Time in which a new process looks more often, because others do not know of it yet."""
_ROWS = msgspec.json.Decoder(list[NewsRow])
_HERE = msgspec.json.Decoder(tuple[str, ProcessPresence])
T = TypeVar("T")


class ClusterHost(Protocol):
    """The registry of the games of this process; `GameRegistry` is."""

    @property
    def in_memory(self) -> Sequence[LiveSession]:
        """The games that this process has in memory."""

    def known(self, game: str) -> LiveSession | None:
        """One of them."""

    async def find(self, game: str) -> LiveSession:
        """Return the game at an address; raises ApiError."""


class ClusterGames:
    """`ReplicaPeers` on PostgreSQL. All methods run on the event loop."""

    many = True

    def __init__(self, storage: Storage, news: News, game_registry: ClusterHost) -> None:
        assert storage.processes is not None
        self._storage = storage
        self._processes: ServerProcesses = storage.processes
        self._repository = ClusterRepository(storage.engine)
        self._attendances = PresenceRepository(storage.engine, self._processes.id)
        self._news = news
        self._game_registry = game_registry
        self._stirred: set[str] = set()
        self._looked: set[str] = set()
        self._written: dict[str, ProcessPresence] = {}
        self._alive = self._processes.alive
        self._heeded = self._processes.serving_since
        self._began = self._polled = time.monotonic()
        self._broken: set[str] = set()
        self._tasks: list[asyncio.Task[None]] = []

    def open(self) -> None:
        """Begin to hear, to look and to sweep."""
        for kind, hear in (("game", self._hear_game), ("here", self._hear_here), ("phrase", self._hear_phrase)):
            self._news.listen(kind, hear, lambda game: self._game_registry.known(game) is not None)
        for work, seconds in ((self._sweep, _SWEEP_SECONDS), (self._look_round, _ROLL_SECONDS)):
            self._tasks.append(asyncio.create_task(self._again(work, seconds)))

    async def close(self) -> None:
        """Do nothing more by itself."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    # For a session

    async def newer(self, game: str, version: int) -> Sequence[JournalEntry]:
        """Return the entries that the database has after a version."""
        found = await self._read(self._repository.newer, {game: version})
        return found.get(game, ())

    def wrote(self, game: str, entries: Sequence[JournalEntry]) -> None:
        """Tell the others what is on disk."""
        if len(self._processes.alive) > 1:
            self._news.tell("game", game, msgspec.json.encode(news_rows(entries)).decode())

    def missed_ms(self, since_ms: int, until_ms: int) -> int:
        """For how many of these milliseconds nothing could be written."""
        return self._processes.missed_ms(since_ms, until_ms)

    async def signs(self, game: str) -> tuple[int | None, int | None]:
        """Return when White and Black last gave a sign anywhere."""
        return await self._read(self._attendances.signs, game, now_ms())

    def stirs(self, game: str) -> None:
        """Somebody has come to this process or gone from it."""
        self._stirred.add(game)

    def looks(self, game: str) -> None:
        """A player has looked at a game, perhaps without a connection that stays."""
        self._looked.add(game)

    async def take_turn(self, game: str, *, again: bool = False) -> bool:
        """Return whether this process may think for the engine of a game."""
        at = now_ms()
        try:
            return await asyncio.to_thread(self._repository.take_turn, game, at, at + _THINK_MS, again=again)
        except SQLAlchemyError:
            return False

    def phrase(self, game: str, message: bytes) -> None:
        """A player has said something."""
        self._news.tell("phrase", game, message.decode())

    # For the registry

    @property
    def serving_since(self) -> int:
        """Since when the site could hear its players without interruption."""
        return self._processes.serving_since

    async def wake(self) -> None:
        """Beat at once, because it is long ago.

        Raises:
            ApiError: the database does not answer.
        """
        await self._read(self._processes.beat)

    async def wait_for(self, challenge: str, until_ms: int) -> None:
        """The maker of an offer in the lobby waits at this process until then."""
        await self._read(self._repository.wait_for, challenge, until_ms)

    async def refresh(self, running: LiveSession) -> None:
        """Return when a game is as new as the database, or out of memory because its seats have become others'.

        Raises:
            ApiError: it cannot be read.
        """
        standing = await self._read(self._repository.standing, running.address)
        if standing is None:
            return
        version, players = standing
        if players != running.players:
            running.discard()
        elif version > running.game.version:
            running.replica.hear(())
            await running.replica.catch_up()

    def others(self, game: str) -> dict[str, ProcessPresence]:
        """The connections of other processes to a game. It blocks."""
        found = self._attendances.others([game]).get(game, {})
        return {process: here for process, here in found.items() if process in self._processes.alive}

    # News

    def _hear_game(self, game: str, said: str) -> None:
        running = self._game_registry.known(game)
        if running is not None:
            rows = _ROWS.decode(said) if said else []
            running.replica.hear(read_entries(game, rows[0].version - 1, rows) if rows else ())

    def _hear_here(self, game: str, said: str) -> None:
        running = self._game_registry.known(game)
        if running is not None and said:
            running.broadcast.presence.elsewhere(*_HERE.decode(said))

    def _hear_phrase(self, game: str, said: str) -> None:
        running = self._game_registry.known(game)
        if running is None or not said:
            return
        for subscriber in running.broadcast.subscribers:
            if subscriber.plays:
                running.broadcast.subscribers.tell(subscriber, said.encode())

    # Background tasks

    async def _again(self, work: Callable[[int], Awaitable[None]], seconds: float) -> None:
        turn = 0
        while True:
            try:
                if self._processes.held:
                    await work(turn)
            except (SQLAlchemyError, ApiError) as error:
                _LOG.warning("the database does not answer: %s", " ".join(str(error).split())[:200])
            except Exception:
                _LOG.exception("the games of other processes could not be looked at")
            turn += 1
            await asyncio.sleep(seconds)

    async def _sweep(self, turn: int) -> None:
        """Take what is due and nobody sees to: deadlines, and the engine's turns in games with a clock."""
        at = now_ms()
        found = list(await asyncio.to_thread(self._repository.take_due, at - _GRACE_MS, at, _LEASE_MS))
        if turn % _UNATTENDED_ROUNDS == 0:
            found += await asyncio.to_thread(self._repository.take_unattended, at, _LEASE_MS)
        for game in found:
            try:
                (await self._game_registry.find(game)).clockwork.arrange()
            except OvertakenError:  # another process sees to it
                continue
            except ApiError as problem:
                if game not in self._broken:
                    _LOG.warning("game %s, whose time has come, is not taken up: %s", game, problem)
                self._broken.add(game)

    async def _look_round(self, turn: int) -> None:
        """Tell who is here, forget who is there no more, and read what news may have lost."""
        games = self._game_registry.in_memory
        await self._call_roll(games if turn % _ROLL_ROUNDS == 0 else ())
        alive, since = self._processes.alive, self._processes.serving_since
        if alive != self._alive:
            self._alive = alive
            for running in games:
                running.broadcast.presence.without(alive)
        if since != self._heeded:
            self._heeded = since
            late = [running.clockwork.note_outages() for running in games if running.replica.missed_ms()]
            await asyncio.gather(*late, return_exceptions=True)  # together, so that they are written together
        young = time.monotonic() - self._began < _YOUNG_SECONDS
        if time.monotonic() - self._polled >= _POLL_SECONDS[self._news.connected and not young] - _ROLL_SECONDS / 2:
            self._polled = time.monotonic()
            await self._poll([running for running in games if not running.idle])

    async def _poll(self, games: Sequence[LiveSession]) -> None:
        """Read which games have gone on elsewhere, whose they are, and who is connected to them there."""
        if not games or len(self._processes.alive) < 2:
            return
        behind = await asyncio.to_thread(self._repository.behind, {one.address: one.game.version for one in games})
        newer = await asyncio.to_thread(self._repository.newer, behind) if behind else {}
        others = await asyncio.to_thread(self._attendances.others, [one.address for one in games])
        players = await asyncio.to_thread(self._repository.players, [one.address for one in games])
        for running in games:
            if running.dropped:
                continue
            if players.get(running.address, running.players) != running.players:
                running.discard()  # the seats of a visitor have moved to an account
                continue
            entries = newer.get(running.address)
            if entries:
                running.replica.hear(entries)
            running.broadcast.presence.only(others.get(running.address, {}))
            running.broadcast.presence.without(self._processes.alive)

    async def _call_roll(self, all_of: Sequence[LiveSession]) -> None:
        """Write and tell who is connected to this process, where that has changed."""
        at = now_ms()
        if all_of:
            self._write_looks()
        stirred, self._stirred = self._stirred, set()
        changed: dict[str, ProcessPresence] = {}
        for game in (
            stirred
            | {one.address for one in all_of if one.broadcast.subscribers}
            | (set(self._written) if all_of else set())
        ):
            running = self._game_registry.known(game)
            here = NOBODY_HERE if running is None or running.dropped else running.broadcast.presence.here(at)
            if here != self._written.get(game, NOBODY_HERE):
                changed[game] = here
            if running is not None and running.clockwork.ticking and all_of:
                running.clockwork.arrange()
        if not changed:
            return
        try:
            await asyncio.to_thread(self._attendances.write, changed)
        except SQLAlchemyError:
            self._stirred |= set(changed)
            raise
        for game, here in changed.items():
            self._written[game] = here
            if here == NOBODY_HERE:
                del self._written[game]
            self._news.tell("here", game, msgspec.json.encode((self._processes.id, here)).decode())

    def _write_looks(self) -> None:
        """Let the database know of players who only look: others may be asked whether they have gone."""
        looked, self._looked = self._looked, set()
        for game in looked:
            running = self._game_registry.known(game)
            if running is not None and not running.game.over:
                self._storage.writer.submit(Commit(game, signs=running.broadcast.presence.signs))

    async def _read(self, read: Callable[..., T], *asked: object) -> T:
        try:
            return await asyncio.to_thread(read, *asked)
        except SQLAlchemyError as error:
            raise ApiError(503, errors.NOT_REACHED) from error
