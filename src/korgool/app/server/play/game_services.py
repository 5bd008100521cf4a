"""The services that all games of a process share: storage, people, limits, the engine, notices and background tasks."""

from __future__ import annotations

import asyncio
import logging
import secrets
import string
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Protocol, TypeVar

from korgool.app.server.cluster.bus import News
from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError, RateLimitError
from korgool.app.server.core.people_lookup import GuestLookup, PeopleLookup
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.shielding import outcome_of
from korgool.app.server.engines.adjudication_pool import AdjudicationPool
from korgool.app.server.engines.engine_pool import EnginePool
from korgool.app.server.engines.search_dispatch import SearchDispatch
from korgool.app.server.engines.searches import BusyError, CancelledSearchError, Search
from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.limits.admission import ParserPool
from korgool.app.server.notices.notices import Notices
from korgool.app.server.play.commands import Said
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.play.game_starts import GameStarts
from korgool.app.server.play.history import CommandResult
from korgool.app.server.play.personal_news import PersonalNews, WaitingPlaces
from korgool.app.server.play.rating_repository import RatingRepository
from korgool.app.server.play.vacation_repository import VacationRepository
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.journal import JournalEntry
from korgool.app.server.storage.writer import Commit
from korgool.live import OnlineGame, Proof

_LOG = logging.getLogger(__name__)
LETTERS = string.ascii_letters + string.digits
ID_LENGTH = 12
_PROOF_SECONDS = 10.0
"""Seconds after which somebody may ask for a proof again where too many ask."""
T = TypeVar("T")


class OvertakenError(ApiError):
    """A decision could not be written, because the game has gone on elsewhere."""

    def __init__(self) -> None:
        super().__init__(409, errors.STALE)


class ReplicaPeers(Protocol):
    """The other processes, as a game needs to know them."""

    many: bool

    @property
    def serving_since(self) -> int:
        """The time from which on a player's sign of life could be heard, in milliseconds since 1970."""

    async def newer(self, game: str, version: int) -> Sequence[JournalEntry]:
        """Return the entries that the database has after a version; raises ApiError where it cannot be read."""

    def wrote(self, game: str, entries: Sequence[JournalEntry]) -> None:
        """Tell the others what is on disk."""

    def missed_ms(self, since_ms: int, until_ms: int) -> int:
        """For how many of these milliseconds nothing could be written."""

    async def signs(self, game: str) -> tuple[int | None, int | None]:
        """Return when White and Black last gave a sign anywhere; raises ApiError where it cannot be read."""

    def stirs(self, game: str) -> None:
        """Somebody has come to this process or gone from it."""

    def looks(self, game: str) -> None:
        """A player has looked at a game, perhaps without a connection that stays."""

    async def take_turn(self, game: str, *, again: bool = False) -> bool:
        """Return whether this process may think for the engine for the next seconds; `again` if it does already.

        It may not while the database does not answer.
        """

    def phrase(self, game: str, message: bytes) -> None:
        """A player has said something."""


class GameServices(ABC):
    """Shared by all games of one process; `GameRegistry` adds the games themselves. Runs on the event loop."""

    sharing: ReplicaPeers

    def __init__(
        self, storage: Storage, settings: ServerSettings, news: News | None, people: PeopleLookup | None
    ) -> None:
        self.storage = storage
        self.repository, self.ratings = GameRepository(storage.engine), RatingRepository(storage.engine)
        self.register: PeopleLookup = GuestLookup() if people is None else people
        self.vacations = VacationRepository(storage.engine, storage.lease.alone)
        self.settings = settings
        self.news = News() if news is None else news
        self.personal_news = PersonalNews(self.news)
        self.limits = settings.limits
        self.waiting_places = WaitingPlaces(settings.limits)
        self.rate_limiter = RateLimiter(settings.limits)
        self.starts = GameStarts(self.repository, self.ratings, self.register, settings.limits, self.rate_limiter)
        self.room = EnginePool(settings.searches, settings.limits)
        self.work = SearchDispatch()
        self.proofs = AdjudicationPool()
        self.reading = ParserPool()
        self.notices: Notices | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closing = False

    @abstractmethod
    async def perform(self, game: str, who: str | None, said: Said, caller: Caller | None, came: int) -> CommandResult:
        """Carry out a command in the game at an address, as of the time when it came.

        Raises:
            ApiError: it cannot be done, or the server is stopping.
        """

    @abstractmethod
    def admit_new(self, commit: Commit) -> None:
        """Let a new game run that is on disk."""

    @abstractmethod
    def forget(self, game: str, *, over: bool) -> None:
        """Remove a game that this process has let go of; if it is not over, it is soon loaded again."""

    def new_address(self) -> str:
        """An address for a new game."""
        return "".join(secrets.choice(LETTERS) for _ in range(ID_LENGTH))

    async def prove(self, game: OnlineGame, caller: Caller) -> Proof | None:
        """Return what is proven about the present position of a game.

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
            task.add_done_callback(log_unheard)
            raise

    def _keep(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def log_unheard(task: asyncio.Future[Any]) -> None:
    """Log the error of a task for whose answer nobody may wait any more."""
    error = None if task.cancelled() else task.exception()
    if error is not None and not isinstance(error, ApiError):
        _LOG.error("what somebody asked for has failed, maybe after they had gone", exc_info=error)
