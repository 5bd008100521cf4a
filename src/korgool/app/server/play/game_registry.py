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

from korgool.app.server.cluster.bus import News
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.people_lookup import GuestLookup, PeopleLookup
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.shielding import outcome_of
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.engines.adjudication_pool import AdjudicationPool
from korgool.app.server.engines.engine_pool import EnginePool
from korgool.app.server.engines.perfect_play import check_level
from korgool.app.server.engines.search_dispatch import SearchDispatch
from korgool.app.server.engines.searches import BusyError, CancelledSearchError, Search
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.limits.admission import ParserPool
from korgool.app.server.notices.notices import Notices
from korgool.app.server.play import vacation_clock as notifying
from korgool.app.server.play.cluster_games import ClusterGames
from korgool.app.server.play.game_repository import GameRepository, PublicGame
from korgool.app.server.play.live_session import HORIZON_MS, LiveSession, new_game
from korgool.app.server.play.presence_repository import ProcessPresence
from korgool.app.server.play.rated_endings import rated_refusal
from korgool.app.server.play.rating_repository import RatingRepository
from korgool.app.server.play.replica import OvertakenError, ReplicaPeers
from korgool.app.server.play.seat_ratings import SeatRatings, read_ratings
from korgool.app.server.play.session_host import HostedSession
from korgool.app.server.play.standstill import SingleProcess, watch_time
from korgool.app.server.play.state_messages import engine_of
from korgool.app.server.play.turn_notices import tell_turn
from korgool.app.server.storage.database import Storage, WriteHealth
from korgool.app.server.storage.journal import StoredGame
from korgool.app.server.storage.outages import Outage
from korgool.app.server.storage.writer import Commit, StorageError, TakenError
from korgool.live import GameTerms, OnlineGame, Proof, due
from korgool.rules import Side

_LOG = logging.getLogger(__name__)
_LETTERS = string.ascii_letters + string.digits
_ID_LENGTH = 12
_MOST_IN_MEMORY = 5000
_RETRY_SECONDS = 5.0
_PROOF_SECONDS = 10.0
"""Seconds after which somebody may ask for a proof again where too many ask."""
_BEAT_SECONDS = 1.0
_DEADLINES_ROUNDS = 10
"""Deadlines are read in every tenth round of the beat."""
_LIST_SECONDS = 2.0
_LATER_SECONDS = 60.0
"""Seconds after which somebody who must finish a game first may try again."""
T = TypeVar("T")


class GameRegistry:
    """The games of one server. All methods run on the event loop.

    Attributes:
        leaving: whether the server is about to stop, and a balancer sends nobody here any more.
    """

    def __init__(
        self, storage: Storage, settings: ServerSettings, news: News | None = None, register: PeopleLookup | None = None
    ) -> None:
        self.storage = storage
        self.repository, self.ratings = GameRepository(storage.engine), RatingRepository(storage.engine)
        self.register: PeopleLookup = GuestLookup() if register is None else register
        self.settings = settings
        self.news = News() if news is None else news
        self.others = None if storage.processes is None else ClusterGames(storage, self.news, self)
        self.alone = SingleProcess()
        self.sharing: ReplicaPeers = self.alone if self.others is None else self.others
        self.limits = settings.limits
        self.rate_limiter = RateLimiter(settings.limits)
        self.room = EnginePool(settings.searches, settings.limits)
        self.work = SearchDispatch()
        self.proofs = AdjudicationPool()
        self.reading = ParserPool()
        self._games: dict[str, LiveSession] = {}
        self._loading: dict[str, asyncio.Future[LiveSession]] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self._watches: tuple[asyncio.Task[None], ...] = ()
        self._opened = now_ms()
        self.notices: Notices | None = None
        self._reviews: dict[str, asyncio.Task[list[float]]] = {}
        self._closing = self.leaving = False
        self.health = WriteHealth(storage)
        self._listing = asyncio.Lock()
        self._listed: tuple[float, list[PublicGame], list[PublicGame]] = (-_LIST_SECONDS, [], [])

    @property
    def serving_since(self) -> int:
        """Since when a player's sign of life could have been heard, in milliseconds since 1970."""
        return self._opened if self.others is None else self.others.serving_since

    async def open(self) -> None:
        """Resume the games that go on by themselves; the others wait until somebody looks at them.

        Time in which no server ran is charged to nobody: it is noted, and every game reads the note when it is loaded.
        """
        self._opened = now_ms()
        if self.others is not None:
            self.news.listen("seats", lambda who, _: self._forget_games_of(who))
            self.news.open()
            self.others.open()
            return
        began, self.storage.ownership.last_beat = self.storage.ownership.last_beat, 0
        if began:
            await asyncio.to_thread(self.storage.note_outage, began, self._opened)
        self.spawn(self._take_up, await asyncio.to_thread(self.repository.unattended))
        if not self._watches:
            self._watches = tuple(map(asyncio.create_task, (self._watch_deadlines(), watch_time(self))))

    async def stood_still(self, one: Outage) -> None:
        """Note a time in which this process stood still: other games read of it when they are loaded."""
        await asyncio.to_thread(self.storage.note_outage, one.began, one.ended, frozenset(self._games))
        self._opened = one.ended
        for game in self.in_memory:
            self.spawn(game.heed)

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
                if due or any(game.ticking for game in self._games.values()):
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
                (await self.find(game)).arrange()
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
        if not self.storage.keeper.held and self.others is not None:
            await self.others.wake()
        running = self._games.get(game)
        if running is not None and self.others is not None:
            await self.others.refresh(running)
            running = self._games.get(game)
        if running is not None:
            return running
        if len(game) != _ID_LENGTH or not set(game) <= set(_LETTERS):
            raise ApiError(404, errors.NO_GAME)
        if self._closing:
            raise ApiError(503, errors.NOT_REACHED)
        if game not in self._loading:
            self._loading[game] = asyncio.ensure_future(self._load(game))
            self._loading[game].add_done_callback(lambda _: self._loading.pop(game, None))
            self._loading[game].add_done_callback(_unheard)
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
        running.ratings = ratings
        running.attendance.only(others)
        try:
            if missed:
                await running.interrupted(missed)
            await notifying.apply_vacations(self.storage, running)
        except OvertakenError:  # another process has loaded it too
            return await self._load(game)
        return self._admit(running)

    def _admit(self, game: LiveSession) -> LiveSession:
        if len(self._games) >= _MOST_IN_MEMORY:
            for name in [name for name, other in self._games.items() if other.idle][: _MOST_IN_MEMORY // 10]:
                self._games.pop(name).end()  # a caller that has just looked the game up has to look it up again
        self._games[game.address] = game
        game.arrange()
        return game

    def known(self, game: str) -> LiveSession | None:
        """One of them."""
        return self._games.get(game)

    def drop(self, game: HostedSession) -> None:
        """Unload a game whose state on disk is unknown; if it is not over, it is soon rebuilt."""
        game.end()
        if self._games.get(game.address) is game:
            del self._games[game.address]
        if not self._closing and not game.game.over:
            asyncio.get_running_loop().call_later(_RETRY_SECONDS, self.spawn, self.find, game.address)

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
            self.check_start(caller)
            self.count_start(caller, fresh=not await asyncio.to_thread(self.repository.has_played, who))
        await self.check_unfinished(who)
        return await self.finish(self.create(terms))

    async def check_unfinished(self, who: str) -> None:
        """Refuse one more game to a person who has too many unfinished ones.

        Raises:
            RateLimitError: in this case.
        """
        count = await asyncio.to_thread(self.repository.unfinished, who)
        if self.limits.unfinished_games is not None and count >= self.limits.unfinished_games:
            raise RateLimitError(errors.TOO_MANY_GAMES, _LATER_SECONDS, count=count)

    async def check_rated(self, who: str) -> None:
        """Refuse a rated game to a guest, and to a player who has left too many of them.

        Raises:
            ApiError: in these cases.
        """
        found = await asyncio.to_thread(self.ratings.refusal, who, now_ms())
        if found is not None:
            raise rated_refusal(found)

    def check_start(self, caller: Caller) -> None:
        """Refuse a new game that `count_start` would refuse, before anything is read for it.

        Raises:
            RateLimitError: this session or address has started too many.
        """
        if caller.session is not None and (wait := self.rate_limiter.refuses("session_games", caller.session)):
            raise RateLimitError(errors.TOO_MANY_STARTS, wait)
        if wait := self.rate_limiter.refuses("address_games", caller.address):
            raise RateLimitError(errors.TOO_MANY_HERE, wait)

    def count_start(self, caller: Caller, *, fresh: bool = False) -> None:
        """Count a new game for its caller; the first one of a new session also counts as a visitor of the address.

        Raises:
            RateLimitError: this session or address has started too many.
        """
        if caller.session is not None and (wait := self.rate_limiter.spend("session_games", caller.session)):
            raise RateLimitError(errors.TOO_MANY_STARTS, wait)
        wait = self.rate_limiter.spend("address_visitors", caller.address) if fresh else 0.0
        wait = wait or self.rate_limiter.spend("address_games", caller.address)
        if wait:
            raise RateLimitError(errors.TOO_MANY_HERE, wait)

    def new_address(self) -> str:
        """An address for a new game."""
        return "".join(secrets.choice(_LETTERS) for _ in range(_ID_LENGTH))

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
        self.spawn(notifying.apply_vacations, self.storage, running)
        if running.game.terms.between_people and running.game.terms.control is not None:
            self.spawn(running.learn_ratings)

    def turn_passed(self, address: str, game: OnlineGame, before: Side | None, present: tuple[bool, bool]) -> None:
        """A turn of a slow game has ended, that of `before`: tell those who are not connected."""
        if self.notices is not None and game.terms.between_people:
            tell_turn(self.register, self.notices, address, game, before, present)

    async def prove(self, game: OnlineGame, caller: Caller) -> Proof | None:
        """What is proven about the present position of a game.

        Raises:
            RateLimitError: too many ask for proofs at the moment, or this session has asked already.
        """
        if not game.begun or game.over:
            return None
        try:
            proven = await self.proofs.prove(game.game.positions, Search(), caller)
        except BusyError:
            raise RateLimitError(errors.BUSY, _PROOF_SECONDS) from None
        except CancelledSearchError:
            return None
        return None if proven is None else Proof(game.board_version, proven.winner, proven.source)

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
            self.drop(game)

    # Reviews

    async def evaluations(self, game: str, caller: Caller) -> list[float]:
        """The engine's evaluation of every position of a finished game, from the start on; computed once.

        Raises:
            ApiError: there is no such game, or the game is not over.
        """
        running = await self.find(game)
        seen = running.seen(caller.session)
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

    # Tasks

    def spawn(self, work: Callable[..., Coroutine[Any, Any, object]], *args: object) -> None:
        """Run in the background; errors go to the log, but not what another process has decided at the same time."""

        async def guarded() -> None:
            try:
                await work(*args)
            except OvertakenError as problem:
                _LOG.debug("%s", problem)
            except ApiError as problem:
                _LOG.warning("%s", problem)
            except Exception:
                _LOG.exception("a task of a running game failed")

        if not self._closing:
            self._keep(asyncio.create_task(guarded()))

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Run to the end even if the visitor's request is cancelled, so that memory and disk agree."""
        task = asyncio.create_task(work)
        self._keep(task)
        try:
            return await outcome_of(task)
        except asyncio.CancelledError:
            task.add_done_callback(_unheard)
            raise

    def _keep(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _unheard(task: asyncio.Future[Any]) -> None:
    """Everybody who waited for the answer may have gone."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, ApiError):
        _LOG.error("what somebody asked for has failed, maybe after they had gone", exc_info=error)
