"""What a running game asks of the server around it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeVar

from korgool import live
from korgool.app.server.core.people_lookup import PeopleLookup
from korgool.app.server.engines.engine_pool import EnginePool
from korgool.app.server.engines.search_dispatch import SearchDispatch
from korgool.app.server.limits import Caller, ServiceLimits
from korgool.app.server.play.commands import Said
from korgool.app.server.play.idempotency import CommandResult
from korgool.app.server.play.rating_repository import RatingRepository
from korgool.app.server.play.replica import ReplicaPeers
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.writer import Commit
from korgool.rules import Side

T = TypeVar("T")


class HostedSession(Protocol):
    """A game as its host knows it."""

    address: str

    @property
    def game(self) -> live.OnlineGame:
        """The game as it stands."""

    async def perform(
        self, who: str | None, said: Said, caller: Caller | None = None, came: int | None = None
    ) -> CommandResult:
        """Do what somebody says as of the time when it came, milliseconds since 1970, or now; raise `ApiError`."""

    def end(self) -> None:
        """Drop it from memory."""


class SessionHost(Protocol):
    """What a running game asks of the server around it; `running_games.Hall` gives it."""

    limits: ServiceLimits
    room: EnginePool
    work: SearchDispatch
    storage: Storage
    ratings: RatingRepository
    register: PeopleLookup
    sharing: ReplicaPeers

    @property
    def serving_since(self) -> int:
        """Since when a player's sign of life could have been heard, in milliseconds since 1970."""

    def new_address(self) -> str:
        """An address for a new game."""

    def count_start(self, caller: Caller, *, fresh: bool = False) -> None:
        """Count a new game for its caller; raise `RateLimitError` if that is one too many."""

    def admit_new(self, commit: Commit) -> None:
        """A new game is on disk: let it run."""

    async def check_rated(self, who: str) -> None:
        """Refuse a rated game to somebody who may not play one; raise `ApiError`."""

    async def prove(self, game: live.OnlineGame, caller: Caller) -> live.Proof | None:
        """What is proven about the present position of a game."""

    def turn_passed(self, address: str, game: live.OnlineGame, before: Side | None, present: tuple[bool, bool]) -> None:
        """A turn of a slow game has ended, that of `before`: take back what was told of it, and tell the player to
        move, who may not be connected."""

    async def finish(self, work: Coroutine[Any, Any, T]) -> T:
        """Run to the end even if the visitor who asked goes away."""

    async def find(self, game: str) -> HostedSession:
        """The game at an address as this process has it now; raise `ApiError` if it cannot be read."""

    def drop(self, game: HostedSession) -> None:
        """Take a game out of memory whose state on disk is not known."""

    def spawn(self, work: Callable[..., Coroutine[Any, Any, object]], *args: object) -> None:
        """Run in the background."""
