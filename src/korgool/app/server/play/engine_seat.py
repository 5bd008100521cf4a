"""The engine's seat in a live game: its turn, the device that thinks for it, and its clock."""

from __future__ import annotations

import asyncio
import logging
import time

import msgspec

from korgool import live
from korgool.app.server.core.errors import ApiError
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.engines.searches import CancelledSearchError, Search, clock_seconds
from korgool.app.server.limits import Caller
from korgool.app.server.play import state_messages
from korgool.app.server.play.broadcast import Broadcast
from korgool.app.server.play.game_services import GameServices
from korgool.app.server.play.replica import Replica
from korgool.engine.levels import USUAL_SECONDS
from korgool.engine.perfect import PERFECT

_LOG = logging.getLogger(__name__)
_LOOK_AGAIN = 600.0
"""Seconds after which a game that nobody looks at is woken; looking at it wakes it sooner."""
_TURN_SECONDS = 0.5
"""Time between two looks of a process that waits for another one's engine to think."""
_GRACE, _CLOCK_GRACE = 4.0, 1.0
"""Extra seconds that the visitor's device may take for the engine's move, without and with a clock."""


class EngineSeat:
    """The engine at one side of a game."""

    def __init__(self, services: GameServices, broadcast: Broadcast, replica: Replica) -> None:
        self._services = services
        self._broadcast = broadcast
        self._history = broadcast.history
        self._subscribers = broadcast.subscribers
        self._replica = replica
        terms = broadcast.history.game.terms
        seat = state_messages.engine_of(terms)
        assert seat is not None
        self.strength = seat.strength
        self._thinking: tuple[int, Search] | None = None
        self._caller = Caller("", next((other.who for other in terms.seats if other.who), None))
        self._attended_until = 0.0

    @property
    def to_move(self) -> bool:
        """True if the game goes on and waits for the engine."""
        game = self._history.game
        return game.begun and not game.over and game.terms.by_engine(game.to_move)

    @property
    def busy(self) -> bool:
        """True if it is thinking, or would like to."""
        return self._thinking is not None and self._wanted

    def attend(self, caller: Caller, seconds: float | None = None) -> None:
        """Note that somebody looks at the game: the engine thinks in it for a while."""
        if self._broadcast.may_see_all(caller.session):
            self._caller = caller
        if seconds is None:
            seconds = self._services.limits.attended_seconds or 0.0
        self._attended_until = max(self._attended_until, time.monotonic() + seconds)
        self._subscribers.stir()

    @property
    def _wanted(self) -> bool:
        """True if the engine should think: a clock runs, somebody follows, or somebody has looked recently."""
        if self._services.limits.attended_seconds is None or self._history.game.game.clock is not None:
            return True
        if self._subscribers:
            return True
        return time.monotonic() < self._attended_until

    async def moved(self, patience: float) -> None:
        """Return when the engine has answered, or after `patience` seconds."""
        self.attend(self._caller, patience)
        until = time.monotonic() + patience
        while self.to_move and (left := until - time.monotonic()) > 0:
            await self._subscribers.stirred(left)

    def arrange(self) -> None:
        """Begin to think if it is the engine's turn; stop if it is not any more."""
        version = self._history.game.board_version
        wanted = self.to_move and not self._broadcast.closed
        if self._thinking is not None and (not wanted or self._thinking[0] != version):
            self._thinking[1].cancel()
            self._thinking = None
        if wanted and self._thinking is None:
            self._thinking = version, Search()
            self._services.spawn(self._reply, *self._thinking)

    async def _reply(self, version: int, search: Search) -> None:
        """Let the engine move, unless the game has changed by the time it has found its move.

        The visitor's device is asked first if it has offered to think, then the workers where there are any; if nobody
        answers, this server searches. Devices have no solver, so they are not asked for perfect play.
        """
        while not (self._wanted or self._moot(version)):
            await self._subscribers.stirred(_LOOK_AGAIN)
        while not (self._moot(version) or await self._services.sharing.take_turn(self._history.address)):
            await self._subscribers.stirred(_TURN_SECONDS)  # another process thinks
        holding = asyncio.create_task(self._hold()) if self._services.sharing.many else None
        try:
            await self._think(version, search)
        finally:
            if holding is not None:
                holding.cancel()

    async def _hold(self) -> None:
        """Let other processes know that this one still thinks."""
        while True:
            await asyncio.sleep(_TURN_SECONDS)
            await self._services.sharing.take_turn(self._history.address, again=True)

    async def _think(self, version: int, search: Search) -> None:
        if self.strength != PERFECT:
            await self._ask_device(version)
        if self._moot(version):
            return
        try:
            game, strength, caller = self._history.game, self.strength, self._caller
            hole = await self._services.work.move(self._history.address, game, strength, self._clock(), search, caller)
            if hole is None:
                hole = await self._services.room.move(game.game.positions, strength, self._clock(), search, caller)
        except CancelledSearchError:
            return
        except Exception:
            _LOG.exception("the engine could not move in game %s", self._history.address)
            self._replica.discard()
            return
        try:
            await self._replica.run(lambda: self._move(hole, version))
        except ApiError:
            if not self._broadcast.closed:
                self._replica.discard()
            raise

    async def _move(self, hole: int, version: int) -> None:
        """Make the move that this server has found, if the game still waits for it. The caller holds the lock."""
        at = now_ms()
        if self._broadcast.closed or self._history.game.board_version != version or await self._replica.fall(at):
            return
        game = self._history.game
        decision = live.decide(game, live.MakeMove(game.to_move, hole, version), at, self._broadcast.facts(at))
        if isinstance(decision, live.Decision):
            await self._replica.commit(decision, at, game.to_move)

    def _moot(self, version: int) -> bool:
        """Return whether the engine's move at this version is not needed any more."""
        return self._broadcast.closed or not self.to_move or self._history.game.board_version != version

    async def _ask_device(self, version: int) -> None:
        """Return when a device of the visitor has moved for the engine, or when this server has to search."""
        clock = self._clock()
        seconds = None if clock is None else clock_seconds(self._history.game.position, *clock)
        patience = USUAL_SECONDS + _GRACE
        if clock is not None and seconds is not None:
            patience = min(seconds + _CLOCK_GRACE, clock[0] / 3000)
        question = msgspec.json.encode(state_messages.Question(version, "think", seconds))
        await self._subscribers.ask(question, patience, lambda: self._moot(version))

    def _clock(self) -> tuple[int, int] | None:
        """Milliseconds on the engine's clock and its increment, or None."""
        game = self._history.game
        clock = game.game.clock
        if clock is None:
            return None
        return clock.remaining(game.to_move, now_ms()), clock.control.increment_ms
