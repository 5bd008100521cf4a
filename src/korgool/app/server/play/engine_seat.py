"""The engine's seat in a running game: when it thinks, whose device it asks, and its clock."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

import msgspec

from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.engines.engine_pool import EnginePool
from korgool.app.server.engines.search_dispatch import SearchDispatch
from korgool.app.server.engines.searches import CancelledSearchError, Search, clock_seconds
from korgool.app.server.limits import Caller, ServiceLimits
from korgool.app.server.play import state_messages
from korgool.app.server.play.replica import ReplicaPeers
from korgool.app.server.play.subscribers import Subscribers
from korgool.engine.levels import USUAL_SECONDS
from korgool.engine.perfect import PERFECT
from korgool.live import OnlineGame

_LOG = logging.getLogger(__name__)
_LOOK_AGAIN = 600.0
"""Seconds after which a game that nobody looks at is woken; looking at it wakes it sooner."""
_TURN_SECONDS = 0.5
"""How often a process that waits for another one's engine looks whether that one still thinks."""
_GRACE, _CLOCK_GRACE = 4.0, 1.0
"""Extra seconds that the visitor's device may take for the engine's move, without and with a clock."""


class EngineHost(Protocol):
    """What the engine's seat asks of the server."""

    limits: ServiceLimits
    room: EnginePool
    work: SearchDispatch
    sharing: ReplicaPeers

    def spawn(self, work: Callable[..., Coroutine[Any, Any, object]], *args: object) -> None:
        """Run in the background."""


class EngineGame(Protocol):
    """What the engine's seat asks of the game that it sits in; `LiveSession` gives it."""

    address: str

    @property
    def game(self) -> OnlineGame:
        """The game as it stands."""

    @property
    def dropped(self) -> bool:
        """Whether this process has let go of the game."""

    @property
    def followers(self) -> Subscribers:
        """Who follows it."""

    def may_see_all(self, who: str | None) -> bool:
        """Whether somebody plays in it."""

    async def engine_moves(self, hole: int, version: int) -> None:
        """Sow for the engine, if the game is still at this version of the board."""

    def discard(self) -> None:
        """Take the game out of memory, because it cannot go on here."""


class EngineSeat:
    """The engine at one side of a game."""

    def __init__(self, running: EngineGame, host: EngineHost) -> None:
        self._running = running
        self._host = host
        seat = state_messages.engine_of(running.game.terms)
        assert seat is not None
        self.strength = seat.strength
        self._thinking: tuple[int, Search] | None = None
        self._caller = Caller("", next((other.who for other in running.game.terms.seats if other.who), None))
        self._attended_until = 0.0

    @property
    def to_move(self) -> bool:
        """Whether the game goes on and waits for the engine."""
        game = self._running.game
        return game.begun and not game.over and game.terms.by_engine(game.to_move)

    @property
    def busy(self) -> bool:
        """Whether it is thinking, or would like to."""
        return self._thinking is not None and self._wanted

    def attend(self, caller: Caller, seconds: float | None = None) -> None:
        """Note that somebody looks at the game: the engine thinks in it for a while."""
        if self._running.may_see_all(caller.session):
            self._caller = caller
        if seconds is None:
            seconds = self._host.limits.attended_seconds or 0.0
        self._attended_until = max(self._attended_until, time.monotonic() + seconds)
        self._running.followers.stir()

    @property
    def _wanted(self) -> bool:
        """Whether the engine should think: a clock runs, somebody follows, or somebody has looked recently."""
        running = self._running
        if self._host.limits.attended_seconds is None or running.game.game.clock is not None or running.followers:
            return True
        return time.monotonic() < self._attended_until

    async def moved(self, patience: float) -> None:
        """Return when the engine has answered, or after `patience` seconds."""
        self.attend(self._caller, patience)
        until = time.monotonic() + patience
        while self.to_move and (left := until - time.monotonic()) > 0:
            await self._running.followers.stirred(left)

    def arrange(self) -> None:
        """Begin to think if it is the engine's turn; stop if it is not any more."""
        version = self._running.game.board_version
        wanted = self.to_move and not self._running.dropped
        if self._thinking is not None and (not wanted or self._thinking[0] != version):
            self._thinking[1].cancel()
            self._thinking = None
        if wanted and self._thinking is None:
            self._thinking = version, Search()
            self._host.spawn(self._reply, *self._thinking)

    async def _reply(self, version: int, search: Search) -> None:
        """Let the engine move, unless the game has changed by the time it has found its move.

        The visitor's device is asked first if it has offered to think, then the workers where there are any; if nobody
        answers, this server searches. Devices have no solver, so they are not asked for perfect play.
        """
        while not (self._wanted or self._moot(version)):
            await self._running.followers.stirred(_LOOK_AGAIN)
        while not (self._moot(version) or await self._host.sharing.take_turn(self._running.address)):
            await self._running.followers.stirred(_TURN_SECONDS)  # another process thinks
        holding = asyncio.create_task(self._hold()) if self._host.sharing.many else None
        try:
            await self._think(version, search)
        finally:
            if holding is not None:
                holding.cancel()

    async def _hold(self) -> None:
        """Let other processes know that this one still thinks."""
        while True:
            await asyncio.sleep(_TURN_SECONDS)
            await self._host.sharing.take_turn(self._running.address, again=True)

    async def _think(self, version: int, search: Search) -> None:
        if self.strength != PERFECT:
            await self._ask_device(version)
        if self._moot(version):
            return
        try:
            game, strength, caller = self._running.game, self.strength, self._caller
            hole = await self._host.work.move(self._running.address, game, strength, self._clock(), search, caller)
            if hole is None:
                hole = await self._host.room.move(game.game.positions, strength, self._clock(), search, caller)
        except CancelledSearchError:
            return
        except Exception:
            _LOG.exception("the engine could not move in game %s", self._running.address)
            self._running.discard()
            return
        try:
            await self._running.engine_moves(hole, version)
        except ApiError:
            if not self._running.dropped:
                self._running.discard()
            raise

    def _moot(self, version: int) -> bool:
        """Whether nobody waits for the engine's move at this version any more."""
        return self._running.dropped or not self.to_move or self._running.game.board_version != version

    async def _ask_device(self, version: int) -> None:
        """Return when a device of the visitor has moved for the engine, or when this server has to search."""
        clock = self._clock()
        seconds = None if clock is None else clock_seconds(self._running.game.position, *clock)
        patience = USUAL_SECONDS + _GRACE
        if clock is not None and seconds is not None:
            patience = min(seconds + _CLOCK_GRACE, clock[0] / 3000)
        question = msgspec.json.encode(state_messages.Question(version, "think", seconds))
        await self._running.followers.ask(question, patience, lambda: self._moot(version))

    def _clock(self) -> tuple[int, int] | None:
        """Milliseconds on the engine's clock and its increment, or None."""
        game = self._running.game
        clock = game.game.clock
        if clock is None:
            return None
        return clock.remaining(game.to_move, now_ms()), clock.control.increment_ms
