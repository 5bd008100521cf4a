"""All running games of this process: loaded on demand, resumed at the start, and unloaded when nobody needs them."""

from __future__ import annotations

import asyncio
import logging
import time

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from korgool.app.server.cluster.bus import News
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.people_lookup import PeopleLookup
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.shielding import outcome_of
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.engines.perfect_play import check_level
from korgool.app.server.engines.searches import CancelledSearchError
from korgool.app.server.limits import Caller
from korgool.app.server.play.clockwork import HORIZON_MS
from korgool.app.server.play.cluster_games import ClusterGames
from korgool.app.server.play.commands import Said, new_game
from korgool.app.server.play.game_repository import PublicGame
from korgool.app.server.play.game_services import ID_LENGTH, LETTERS, GameServices, OvertakenError, log_unheard
from korgool.app.server.play.history import CommandResult
from korgool.app.server.play.live_session import LiveSession
from korgool.app.server.play.presence_repository import ProcessPresence
from korgool.app.server.play.ratings import SeatRatings, read_ratings
from korgool.app.server.play.standstill import SingleProcess, watch_time
from korgool.app.server.play.state_messages import engine_of
from korgool.app.server.storage.database import Storage, WriteHealth
from korgool.app.server.storage.journal import StoredGame
from korgool.app.server.storage.outages import Outage
from korgool.app.server.storage.writer import Commit, StorageError, TakenError
from korgool.live import GameTerms, OnlineGame, due

_LOG = logging.getLogger(__name__)
_MOST_IN_MEMORY = 5000
_RETRY_SECONDS = 5.0
_BEAT_SECONDS = 1.0
_DEADLINES_ROUNDS = 10
"""Deadlines are read in every tenth round of the beat."""
_LIST_SECONDS = 2.0


class GameRegistry(GameServices):
    """The games of one server. All methods run on the event loop.

    Attributes:
        leaving: whether the server is about to stop, and a balancer sends nobody here any more.
    """

    def __init__(
        self, storage: Storage, settings: ServerSettings, news: News | None = None, register: PeopleLookup | None = None
    ) -> None:
        super().__init__(storage, settings, news, register)
        self.others = None if storage.processes is None else ClusterGames(storage, self.news, self)
        self.alone = SingleProcess()
        self.sharing = self.alone if self.others is None else self.others
        self._games: dict[str, LiveSession] = {}
        self._loading: dict[str, asyncio.Future[LiveSession]] = {}
        self._watches: tuple[asyncio.Task[None], ...] = ()
        self._reviews: dict[str, asyncio.Task[list[float]]] = {}
        self.leaving = False
        self.health = WriteHealth(storage)
        self._listing = asyncio.Lock()
        self._listed: tuple[float, list[PublicGame], list[PublicGame]] = (-_LIST_SECONDS, [], [])

    async def open(self) -> None:
        """Resume the games that go on by themselves; the others wait until somebody looks at them.

        Time in which no server ran is charged to nobody: it is noted, and every game reads the note when it is loaded.
        """
        opened = self.alone.serving_since = now_ms()
        self.personal_news.open()
        if self.others is not None:
            self.news.listen("seats", lambda who, _: self._forget_games_of(who))
            self.news.open()
            self.others.open()
            return
        began, self.storage.ownership.last_beat = self.storage.ownership.last_beat, 0
        if began:
            await asyncio.to_thread(self.storage.note_outage, began, opened)
        self.spawn(self._take_up, await asyncio.to_thread(self.repository.unattended))
        if not self._watches:
            self._watches = tuple(map(asyncio.create_task, (self._watch_deadlines(), watch_time(self))))

    async def stood_still(self, one: Outage) -> None:
        """Note a time in which this process stood still: other games read of it when they are loaded."""
        await asyncio.to_thread(self.storage.note_outage, one.began, one.ended, frozenset(self._games))
        self.alone.serving_since = one.ended
        for game in self.in_memory:
            self.spawn(game.clockwork.note_outages)

    @property
    def in_memory(self) -> tuple[LiveSession, ...]:
        """The games in the memory of this process, those that are over among them. May be called from any thread."""
        return tuple(self._games.values())

    async def _take_up(self, games: list[str]) -> None:
        for game in games:
            if self._closing:
                return
            try:
                await self.find(game)
            except OvertakenError:  # another process sees to it
                continue
            except ApiError:
                _LOG.exception("game %s could not be taken up", game)

    async def _watch_deadlines(self) -> None:
        """Load each game in time before something in it is decided by time alone.

        While clocks of games in memory run, the database hears every second that a server is there, and every ten
        seconds while only others have a deadline: should this process die, nobody is charged for the time after its
        last word.
        """
        rounds = 0
        while not self._closing:
            try:
                due = rounds % _DEADLINES_ROUNDS == 0 and await self._load_due()
                if due or any(game.clockwork.ticking for game in self._games.values()):
                    await self.storage.write(Commit(""))
            except (SQLAlchemyError, StorageError) as error:
                _LOG.warning("deadlines could not be read: %s", " ".join(str(error).split())[:200])
            except Exception:
                _LOG.exception("a game whose time has come could not be read")
            rounds += 1
            await asyncio.sleep(_BEAT_SECONDS)

    async def _load_due(self) -> bool:
        """Load the games whose time comes soon; whether there are deadlines at all."""
        found = await asyncio.to_thread(self.repository.due, now_ms() + HORIZON_MS)
        for game, _ in found:
            try:
                (await self.find(game)).clockwork.arrange()
            except OvertakenError:  # another process sees to it
                continue
            except ApiError as problem:
                _LOG.warning("game %s, whose time has come, is not taken up: %s", game, problem)
            except Exception:
                _LOG.exception("game %s, whose time has come, could not be taken up", game)
        return bool(found) or await asyncio.to_thread(self.repository.has_deadlines)

    async def close(self) -> None:
        """Stop all games; everything acknowledged is already on disk."""
        self._closing = True
        self.personal_news.close()
        for watch in self._watches:
            watch.cancel()
        if self.others is not None:
            await self.others.close()
        for game in self._games.values():
            game.end()
        self.room.cancel()
        self.proofs.cancel()
        self.reading.close()
        await asyncio.to_thread(self.room.close)
        await asyncio.to_thread(self.proofs.close)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_RETRY_SECONDS)
        await self.work.close()
        await self.news.close()

    # Games

    async def find(self, game: str) -> LiveSession:
        """The game at an address.

        Raises:
            ApiError: there is none, or it cannot be read.
        """
        if not self.storage.lease.held and self.others is not None:
            await self.others.wake()
        running = self._games.get(game)
        if running is not None and self.others is not None:
            await self.others.refresh(running)
            running = self._games.get(game)
        if running is not None:
            return running
        if len(game) != ID_LENGTH or not set(game) <= set(LETTERS):
            raise ApiError(404, errors.NO_GAME)
        if self._closing:
            raise ApiError(503, errors.NOT_REACHED)
        if game not in self._loading:
            self._loading[game] = asyncio.ensure_future(self._load(game))
            self._loading[game].add_done_callback(lambda _: self._loading.pop(game, None))
            self._loading[game].add_done_callback(log_unheard)
        loaded = await outcome_of(self._loading[game])
        if self.others is not None:  # what was written while it was read
            await self.others.refresh(loaded)
        return loaded

    async def _load(self, game: str) -> LiveSession:
        def rebuild() -> tuple[StoredGame, OnlineGame, int, SeatRatings, dict[str, ProcessPresence]] | None:
            stored = self.repository.load(game)
            if stored is None:
                return None
            replayed = stored.replay()
            missed = 0 if due(replayed) is None else self.storage.missed_ms(replayed.at, now_ms())
            ratings = read_ratings(self.ratings, game, replayed, now_ms())
            return stored, replayed, missed, ratings, {} if self.others is None else self.others.others(game)

        try:
            found = await asyncio.to_thread(rebuild)
        except SQLAlchemyError as error:
            raise ApiError(503, errors.NOT_REACHED) from error
        except Exception as error:
            _LOG.exception("game %s could not be read", game)
            raise ApiError(500, errors.BROKEN) from error
        if found is None:
            raise ApiError(404, errors.NO_GAME)
        stored, replayed, missed, ratings, others = found
        running = LiveSession(self, game, replayed, stored.entries, stored.signs)
        running.broadcast.ratings = ratings
        running.broadcast.presence.only(others)
        try:
            if missed:
                async with running.replica.lock:
                    await running.replica.interrupt(missed)
            await running.clockwork.apply_vacations()
        except OvertakenError:  # another process has loaded it too
            return await self._load(game)
        return self._admit(running)

    def _admit(self, game: LiveSession) -> LiveSession:
        if len(self._games) >= _MOST_IN_MEMORY:
            for name in [name for name, other in self._games.items() if other.idle][: _MOST_IN_MEMORY // 10]:
                self._games.pop(name).end()  # a caller that has just looked the game up has to look it up again
        self._games[game.address] = game
        game.clockwork.arrange()
        return game

    def known(self, game: str) -> LiveSession | None:
        """One of them."""
        return self._games.get(game)

    def forget(self, game: str, *, over: bool) -> None:
        """Remove a game that this process has let go of; if it is not over, it is soon loaded again."""
        known = self._games.get(game)
        if known is not None and known.dropped:
            del self._games[game]
        if not self._closing and not over:
            asyncio.get_running_loop().call_later(_RETRY_SECONDS, self.spawn, self.find, game)

    async def perform(self, game: str, who: str | None, said: Said, caller: Caller | None, came: int) -> CommandResult:
        """Carry out a command in the game at an address, as of the time when it came.

        Raises:
            ApiError: it cannot be done, or the server is stopping.
        """
        running = await self.find(game)
        if running.dropped:
            raise ApiError(503, errors.NOT_REACHED)  # the server is stopping
        return await running.perform(who, said, caller, came)

    async def start(self, terms: GameTerms, caller: Caller | None = None) -> str:
        """A new game for the person who asks for it; `caller` is counted against the limits.

        Returns:
            Its address.

        Raises:
            ApiError: the game has no perfect play, the person has too many unfinished games, or it cannot be
                stored.
        """
        engine = engine_of(terms)
        if engine is not None:
            check_level(terms.rules.name, engine.strength, terms.start)
        who = next(seat.who for seat in terms.seats if seat.who)
        if caller is not None:
            self.starts.check(caller)
            await self.starts.count_for(who, caller)
        await self.starts.check_unfinished(who)
        return await self.finish(self.create(terms))

    async def create(self, terms: GameTerms) -> str:
        """Begin a new game, on disk and in memory; its address."""
        commit = new_game(self.new_address(), terms, now_ms())
        try:
            await self.storage.write(commit)
        except StorageError as error:
            raise ApiError(503, errors.NOT_STORED) from error
        self.admit_new(commit)
        return commit.game

    def admit_new(self, commit: Commit) -> None:
        """A new game is on disk: let it run."""
        assert commit.after is not None
        running = self._admit(LiveSession(self, commit.game, commit.after, commit.entries))
        if running.game.terms.between_people:
            self.personal_news.tell(*running.players)
        self.spawn(running.clockwork.apply_vacations)
        if running.game.terms.between_people and running.game.terms.control is not None:
            self.spawn(running.broadcast.learn_ratings)

    async def public_games(self) -> tuple[list[PublicGame], list[PublicGame]]:
        """The games between people that go on and those of the last 24 hours, as watchers may know of them.

        They are read at most every two seconds, however many look.
        """
        async with self._listing:
            if time.monotonic() - self._listed[0] >= _LIST_SECONDS:
                now = now_ms()
                going = await asyncio.to_thread(self.repository.running, now)
                ended = await asyncio.to_thread(self.repository.finished, now)
                self._listed = time.monotonic(), going, ended
        return self._listed[1:]

    # People

    async def met(self, game: str) -> LiveSession:
        """The game at an address, after its players' names have been read.

        Raises:
            ApiError: as for `find`.
        """
        running = await self.find(game)
        await self.register.learn(running.players)
        return running

    def reseat(self, who: str) -> None:
        """The seats of somebody have become another's in the database: all processes read their games from there again.

        A process that does not hear of it reads the seats when somebody comes to the game, and every few seconds while
        somebody follows it.
        """
        self._forget_games_of(who)
        self.news.tell("seats", who)

    def _forget_games_of(self, who: str) -> None:
        for game in [one for one in self._games.values() if who in one.players]:
            game.discard()

    # Reviews

    async def evaluations(self, game: str, caller: Caller) -> list[float]:
        """The engine's evaluation of every position of a finished game, from the start on; computed once.

        Raises:
            ApiError: there is no such game, or the game is not over.
        """
        running = await self.find(game)
        seen = running.broadcast.seen(caller.session)
        if not seen.over or not seen.begun:
            raise ApiError(409, errors.NOT_OVER)
        if game not in self._reviews:
            self._reviews[game] = task = asyncio.create_task(self._review(game, seen, caller))
            task.add_done_callback(lambda _: self._reviews.pop(game, None))
        try:
            return await outcome_of(self._reviews[game])
        except CancelledSearchError as error:
            raise ApiError(503, errors.BROKEN) from error

    async def _review(self, game: str, seen: OnlineGame, caller: Caller) -> list[float]:
        stored = await asyncio.to_thread(self.repository.evaluations, game)
        if stored is not None:
            return [float(one["evaluation"]) for one in msgspec.json.decode(stored)]
        told = await self.work.review(game, seen, caller)
        values = await self.room.evaluate(seen.game.positions, caller) if told is None else list(told)
        encoded = msgspec.json.encode([{"ply": ply, "evaluation": value} for ply, value in enumerate(values)])
        try:
            await self.storage.write(Commit(game, evaluations=encoded.decode()))
        except TakenError:
            pass
        except StorageError:
            _LOG.warning("the evaluations of game %s are not kept", game)
        return values
