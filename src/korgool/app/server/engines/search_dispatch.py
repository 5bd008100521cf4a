"""Dispatch of the engine's work to worker processes, and how long the server waits for them.

Short searches stay here: they take 0.3 to 20 ms of a processor, and a job through the database costs as much.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol

from korgool.app.server.engines.engine_pool import Lane, is_long
from korgool.app.server.engines.jobs import Job, job_of
from korgool.app.server.engines.perfect_play import MOVE_SECONDS
from korgool.app.server.engines.searches import CancelledSearchError, Search, clock_seconds
from korgool.app.server.limits import Caller
from korgool.engine.levels import USUAL_SECONDS
from korgool.engine.perfect import PERFECT
from korgool.live import OnlineGame

_LOG = logging.getLogger(__name__)
_GRACE, _CLOCK_GRACE = 4.0, 1.0
"""Extra seconds that a worker may take for a move, without and with a clock."""
_CLOCK_SHARE = 1 / 3
"""The most of the engine's clock that is spent on waiting for a worker."""
_REVIEW_SECONDS = 20.0


class WorkerQueue(Protocol):
    """A queue of worker processes; `WorkQueue` is one.

    Attributes:
        workers: how many workers are alive.
    """

    workers: int

    async def ask(self, key: str, job: Job, caller: Caller, patience: float) -> Any:
        """The answer, or None if nobody gives one in time."""

    async def close(self) -> None:
        """Hear no more."""


class SearchDispatch:
    """Asks workers where there are any. Each method returns None if this server has to search by itself.

    Attributes:
        outcomes: how many searches workers have `answered`, and how many stayed `unanswered`.
    """

    def __init__(self, workers: WorkerQueue | None = None) -> None:
        self._workers = workers
        self.outcomes: Counter[str] = Counter(answered=0, unanswered=0)

    @property
    def workers(self) -> int | None:
        """Number of workers that are alive; None without a queue."""
        return None if self._workers is None else self._workers.workers

    async def close(self) -> None:
        """Ask nobody any more."""
        if self._workers is not None:
            await self._workers.close()

    async def move(
        self,
        address: str,
        game: OnlineGame,
        strength: int,
        clock: tuple[int, int] | None,
        search: Search,
        caller: Caller,
    ) -> int | None:
        """The hole that the engine sows in a game.

        Args:
            address: of the game; with its version it names the search.
            game: as it stands.
            strength: of the engine.
            clock: milliseconds on its clock and its increment, or None.
            search: a handle by which it can be cancelled.
            caller: who it is for.

        Raises:
            CancelledSearchError: it was cancelled.
        """
        if self._workers is None or not is_long(strength, game.terms.rules):
            return None
        lane, patience = Lane.GAME, (MOVE_SECONDS if strength == PERFECT else USUAL_SECONDS) + _GRACE
        if clock is not None:
            lane = Lane.CLOCK
            patience = min(clock_seconds(game.position, *clock) + _CLOCK_GRACE, clock[0] / 1000 * _CLOCK_SHARE)
        job = job_of("move", game, lane, strength, clock)
        asked = asyncio.ensure_future(
            self._workers.ask(f"{address}:{game.board_version}", job, caller, max(0.0, patience))
        )
        search.on_cancel = asked.cancel
        try:
            hole = await asked
        except asyncio.CancelledError:
            if search.cancelled:
                raise CancelledSearchError from None
            raise
        finally:
            search.on_cancel = None
        self._count(hole)
        if hole is not None and hole not in game.position.legal_moves():
            _LOG.error("a worker answers %r, which is no legal move", hole)
            return None
        return None if hole is None else int(hole)

    async def review(self, address: str, game: OnlineGame, caller: Caller) -> Sequence[float] | None:
        """The evaluation of every position of a finished game, as `EnginePool.evaluate` gives it."""
        if self._workers is None:
            return None
        found = await self._workers.ask(
            f"{address}:review", job_of("review", game, Lane.REVIEW), caller, _REVIEW_SECONDS
        )
        self._count(found)
        if found is not None and len(found) != len(game.game.positions):
            _LOG.error("a worker evaluates %d positions of a game that has %d", len(found), len(game.game.positions))
            return None
        return None if found is None else [float(value) for value in found]

    def _count(self, answer: object) -> None:
        self.outcomes["unanswered" if answer is None else "answered"] += 1
