"""Timers of a game: deadlines, outages, vacations, and the engine's turn."""

from __future__ import annotations

import asyncio

from korgool import live
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.broadcast import Broadcast
from korgool.app.server.play.engine_seat import EngineSeat
from korgool.app.server.play.game_services import GameServices
from korgool.app.server.play.replica import Replica
from korgool.rules import Side

HORIZON_MS = 60_000
"""A game in memory waits for deadlines within these milliseconds; the server's list of deadlines for later ones."""


class Clockwork:
    """Lets happen in one game what time decides. All methods run on the event loop."""

    def __init__(
        self, services: GameServices, broadcast: Broadcast, replica: Replica, engine: EngineSeat | None
    ) -> None:
        self._services = services
        self._broadcast = broadcast
        self._history = broadcast.history
        self._replica = replica
        self._engine = engine
        self._timer: asyncio.TimerHandle | None = None

    @property
    def ticking(self) -> bool:
        """True if a clock runs on which seconds count."""
        game = self._history.game
        clock = game.game.clock
        return game.terms.live and clock is not None and clock.running is not None

    @property
    def waiting(self) -> bool:
        """True if something is going to happen soon: a deadline, or the engine's move."""
        return self._timer is not None or (self._engine is not None and self._engine.busy)

    def arrange(self) -> None:
        """Begin to wait for the next deadline, and let the engine think if it is to move."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._engine is not None:
            self._engine.arrange()
        game = self._history.game
        if self._broadcast.closed or game.over:
            return
        at = now_ms()
        due = live.due(game)
        if due is not None and due - at < HORIZON_MS:
            due = live.due(game, self._broadcast.facts(at)) or due  # later, by the lag that may be given back
            left = max(0, due - at) / 1000
            self._timer = asyncio.get_running_loop().call_later(left, self._services.spawn, self._time_came)

    async def _time_came(self) -> None:
        async def decide() -> None:
            if not self._broadcast.closed and not await self._replica.fall(now_ms()):
                self.arrange()

        await self._replica.run(decide)

    async def note_outages(self) -> None:
        """Note at once a time in which nothing could be written."""

        async def nothing() -> None:
            return

        async with self._replica.lock:
            if not self._broadcast.closed:
                await self._replica.settled(nothing)

    async def apply_vacations(self) -> None:
        """Compare a slow game with the rows of its players' vacations, and note what is new.

        The row of a vacation is written first (`vacations.service`), and the games follow it. This can be called at any
        time: when somebody takes or ends a vacation, when a game begins, and whenever a game is loaded, before its time
        decides anything. So a server that is killed between the row and a game has lost nothing, and no day counts
        twice.
        """
        terms = self._history.game.terms
        if self._history.game.over or not (terms.slow and terms.between_people):
            return
        people = [seat.who for seat in terms.seats]
        until = await asyncio.to_thread(self._services.vacations.until, people, now_ms())
        for side in Side:
            await self._be_away(side, until.get(people[side], 0))

    async def _be_away(self, side: Side, until: int) -> None:
        """Note until when a player is on vacation, in milliseconds since 1970; 0 for back."""

        async def away() -> None:
            at, game = now_ms(), self._history.game
            if self._broadcast.closed or game.over:
                return
            decision = live.decide(game, live.TakeVacation(side, until), at, self._broadcast.facts(at))
            if isinstance(decision, live.Decision) and decision.events:
                await self._replica.commit(decision, at)

        await self._replica.run(away)
