"""Engine searches off the event loop: a fixed number at once, the rest wait their turn."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from korgool.app.server.perfect import PerfectDesk
from korgool.app.server.searches import BusyError, CancelledSearchError, Search, clock_seconds
from korgool.engine.levels import choose
from korgool.engine.limits import Limits
from korgool.engine.perfect import PERFECT
from korgool.engine.search import Analysis, Engine
from korgool.rules import Position, Rules, Side

_TABLE_MIB = 8
_EVALUATION = Limits(nodes=20_000)
_MOST_WAITING = 32
"""Searches for analysis boards that run or wait at once; more are refused."""
_MOST_PERFECT = 4
"""Moves of perfect play that may wait when an analysis board asks for one more: games come first."""


class EngineRoom:
    """A pool of threads, each with its own engine for each game. The kernel lets go of the interpreter's lock."""

    def __init__(self, searches: int) -> None:
        self._moves = ThreadPoolExecutor(searches, "korgool-engine")
        # Reviews of finished games must not keep the running ones waiting.
        self._reviews = ThreadPoolExecutor(1, "korgool-review")
        self.perfect = PerfectDesk(_TABLE_MIB)
        self._engines = threading.local()
        self._searches: set[Search] = set()
        self._boards = 0
        self._closing = False

    async def move(
        self, positions: Sequence[Position], level: int, clock: tuple[int, int] | None, search: Search
    ) -> int:
        """The hole number that the engine plays.

        Args:
            positions: the game so far, the present position last.
            level: the engine's level, or `PERFECT` in a game that is solved.
            clock: milliseconds on its clock and its increment, or None.
            search: by which it can be cancelled.

        Raises:
            CancelledSearchError: it was cancelled while it waited in the queue.
        """
        asked = time.monotonic()

        def work() -> int:
            seconds = None
            if clock is not None:
                waited = round((time.monotonic() - asked) * 1000)
                seconds = clock_seconds(clock[0] - waited, clock[1])
            return self._choose(positions, level, seconds, search)

        self._searches.add(search)
        try:
            if level == PERFECT:
                return await self.perfect.move(positions, clock, search)
            return await asyncio.get_running_loop().run_in_executor(self._moves, work)
        finally:
            self._searches.discard(search)

    def _choose(self, positions: Sequence[Position], level: int, seconds: float | None, search: Search) -> int:
        engine = self._engine(positions[-1].rules)
        try:
            if self._closing or not search.begin(engine):
                raise CancelledSearchError
            return choose(engine, positions[-1], level, history=positions[:-1], seconds=seconds).move
        finally:
            search.end()

    async def evaluate(self, positions: Sequence[Position]) -> list[float]:
        """The expected final difference of the stores in every position, in stones, from White's view."""
        return await asyncio.get_running_loop().run_in_executor(self._reviews, self._evaluate, positions)

    def _evaluate(self, positions: Sequence[Position]) -> list[float]:
        return [self._evaluation(position) for position in positions]

    async def analyse(self, positions: Sequence[Position], lines: int, nodes: int) -> Analysis:
        """What a bounded search finds, for an analysis board.

        Args:
            positions: the game so far, the position to search last.
            lines: first moves to tell.
            nodes: the most to visit.

        Raises:
            BusyError: too many such searches wait.
            CancelledSearchError: the room was closed before it began.
        """

        def work() -> Analysis:
            if self._closing:
                raise CancelledSearchError
            engine = self._engine(positions[-1].rules)
            return engine.analyse(positions[-1], Limits(nodes=nodes), lines=lines, history=positions[:-1])

        with self._board_search():
            return await asyncio.get_running_loop().run_in_executor(self._reviews, work)

    async def choose(self, positions: Sequence[Position], level: int, search: Search) -> int:
        """What a level plays on an analysis board; as `move`, but refused like `analyse` where too many wait."""
        if level == PERFECT and self.perfect.waiting >= _MOST_PERFECT:
            raise BusyError
        with self._board_search():
            return await self.move(positions, level, None, search)

    @contextmanager
    def _board_search(self) -> Iterator[None]:
        if self._boards >= _MOST_WAITING:
            raise BusyError
        self._boards += 1
        try:
            yield
        finally:
            self._boards -= 1

    def _evaluation(self, position: Position) -> float:
        outcome = position.outcome()
        if outcome is not None:
            return float(outcome.stores[0] - outcome.stores[1])
        if self._closing:
            raise CancelledSearchError
        evaluation = self._engine(position.rules).analyse(position, _EVALUATION).lines[0].evaluation
        return round(evaluation if position.to_move is Side.WHITE else -evaluation, 2)

    def _engine(self, rules: Rules) -> Engine:
        engines: dict[str, Engine] = self._engines.__dict__.setdefault("by_game", {})
        if rules.name not in engines:
            engines[rules.name] = Engine(rules, table_mib=_TABLE_MIB)
        return engines[rules.name]

    def close(self) -> None:
        """Cancel what runs and waits, and end the threads."""
        self._closing = True
        for search in tuple(self._searches):
            search.cancel()
        self.perfect.close()
        self._moves.shutdown(cancel_futures=True)
        self._reviews.shutdown(cancel_futures=True)
