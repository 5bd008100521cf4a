"""Engine searches off the event loop, in lanes: games with a clock, other games, analysis boards, reviews.

Short searches, which a limit of nodes or depth ends within milliseconds, have a thread of their own and never wait for
long ones. Each group of threads has a gate. While more searches are asked for than the threads can do, the lanes share
them by weight; within a lane every address gets the same time, and within an address every visitor.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from typing import TypeVar

from korgool.app.server.engines.exact_values import ExactMove, ExactValues
from korgool.app.server.engines.perfect_play import PerfectPlay
from korgool.app.server.engines.searches import BusyError, CancelledSearchError, Search, clock_seconds
from korgool.app.server.limits import Caller
from korgool.app.server.limits import ServiceLimits as Allowed
from korgool.app.server.limits.admission import Gate
from korgool.app.server.limits.deadline_pool import DeadlinePool
from korgool.engine import Analysis, Engine, Limits
from korgool.engine.levels import choose, nearest, of_number
from korgool.engine.perfect import PERFECT
from korgool.rules import Position, Rules, Side

T = TypeVar("T")
_TABLE_MIB = 8
_EVALUATION = Limits(nodes=20_000)
NOBODY = Caller("")
_LONG_SECONDS, _SHORT_SECONDS = 120.0, 30.0
"""Most seconds of a search; on a busy machine they take ten times as long as on a quiet one."""


class Lane(IntEnum):
    """Purposes of searches, the most urgent first."""

    CLOCK = 0
    GAME = 1
    BOARD = 2
    REVIEW = 3


WEIGHTS = (8.0, 4.0, 2.0, 1.0)
"""The share of each lane in the threads while all lanes wait."""


def is_long(strength: int, rules: Rules) -> bool:
    """Return whether a strength uses all of its time: perfect play, and levels without a bound of nodes or depth."""
    if strength == PERFECT:
        return True
    level = of_number(nearest(strength, rules), rules)
    return level.depth is None and level.nodes is None


class EnginePool:
    """Threads, each with its own engine for each game. The kernel releases the interpreter lock.

    Args:
        searches: long searches at once.
        limits: how many searches of analysis boards may wait, and how short a search may become while others wait.
        short: short searches at once.
    """

    def __init__(self, searches: int, limits: Allowed | None = None, *, short: int = 1) -> None:
        self._limits = limits if limits is not None else Allowed()
        self._long = DeadlinePool("engine", searches, _LONG_SECONDS)
        self._short = DeadlinePool("short", short, _SHORT_SECONDS)
        self._long_gate = Gate(searches, WEIGHTS, estimate=0.2, crowded=self._hurry)
        self._short_gate = Gate(short, WEIGHTS, estimate=0.001)
        self.perfect = PerfectPlay(_TABLE_MIB)
        self.exact = ExactValues()
        self._engines = threading.local()
        self._searches: set[Search] = set()
        self._running: dict[Search, tuple[Lane, float]] = {}
        self._boards: Counter[str] = Counter()
        self._closing = False

    async def move(
        self,
        positions: Sequence[Position],
        level: int,
        clock: tuple[int, int] | None,
        search: Search,
        caller: Caller = NOBODY,
        lane: Lane = Lane.GAME,
    ) -> int:
        """The hole number that the engine plays.

        Args:
            positions: the game so far, the current position last.
            level: the engine's level, a rating, or `PERFECT` in a game that is solved.
            clock: milliseconds on its clock and its increment, or None.
            search: a handle by which it can be cancelled.
            caller: who it is for.
            lane: where it waits; games with a clock have a lane of their own.

        Raises:
            CancelledSearchError: it was cancelled while it waited in the queue.
        """
        asked = time.monotonic()
        lane = Lane.CLOCK if clock is not None else lane

        def work(engine: Engine) -> int:
            seconds = None
            if clock is not None:
                waited = round((time.monotonic() - asked) * 1000)
                seconds = clock_seconds(positions[-1], clock[0] - waited, clock[1])
            return choose(engine, positions[-1], level, history=positions[:-1], seconds=seconds).move

        if level == PERFECT:
            with self._known(search):
                return await self.perfect.move(positions, clock, search, caller, lane)
        level = nearest(level, positions[-1].rules)  # a stored game may be older than the rating scale
        long = is_long(level, positions[-1].rules)
        return await self._search(work, positions[-1].rules, search, caller, lane, long=long)

    async def _search(
        self, work: Callable[[Engine], T], rules: Rules, search: Search, caller: Caller, lane: Lane, *, long: bool
    ) -> T:
        """Wait for a thread and work in it with its engine."""

        def run() -> T:
            engine = self._engine(rules)
            try:
                if self._closing or not search.begin(engine):
                    raise CancelledSearchError
                return work(engine)
            finally:
                search.end()

        loop = asyncio.get_running_loop()
        with self._known(search):
            if not long:
                async with self._short_gate.turn(caller, lane):
                    return await loop.run_in_executor(self._short, run)
            async with self._long_gate.turn(caller, lane) as one:
                self._running[search] = lane, one.since
                try:
                    return await loop.run_in_executor(self._long, run)
                finally:
                    del self._running[search]

    @contextmanager
    def _known(self, search: Search) -> Iterator[None]:
        """Have `close` cancel a search during a `with` block; it ends as well where nobody waits for it any more."""
        self._searches.add(search)
        try:
            yield
        except asyncio.CancelledError:
            search.cancel()
            raise
        finally:
            self._searches.discard(search)

    def _hurry(self) -> None:
        """Somebody waits here: make searches that are no more urgent end as soon as possible."""
        self.hurry(self._long_gate.waits)

    def hurry(self, waits: Callable[[Lane], bool]) -> None:
        """Make long searches end as soon as they have had their minimum time.

        Args:
            waits: whether somebody waits in a lane, or in one before it; its searches are hurried.
        """
        least = self._limits.shortest_search
        if least is None:
            return
        loop = asyncio.get_running_loop()
        for search, (lane, since) in self._running.items():
            if waits(lane):
                loop.call_later(max(0.0, since + least - time.monotonic()), search.hurry)

    async def evaluate(self, positions: Sequence[Position], caller: Caller = NOBODY) -> list[float]:
        """The expected final difference of the stores in every position, in stones, from White's view."""
        return [await self._evaluation(position, caller) for position in positions]

    async def _evaluation(self, position: Position, caller: Caller) -> float:
        outcome = position.outcome()
        if outcome is not None:
            return float(outcome.stores[0] - outcome.stores[1])

        def work(engine: Engine) -> float:
            return engine.analyse(position, _EVALUATION).lines[0].evaluation

        evaluation = await self._search(work, position.rules, Search(), caller, Lane.REVIEW, long=False)
        return round(evaluation if position.to_move is Side.WHITE else -evaluation, 2)

    async def analyse(self, positions: Sequence[Position], lines: int, nodes: int, caller: Caller = NOBODY) -> Analysis:
        """The result of a bounded search, for an analysis board.

        Args:
            positions: the game so far, the position to search last.
            lines: the number of first moves to report.
            nodes: the most nodes to visit.
            caller: who it is for.

        Raises:
            BusyError: too many such searches of this session or address wait.
            CancelledSearchError: the room was closed before it began.
        """

        def work(engine: Engine) -> Analysis:
            return engine.analyse(positions[-1], Limits(nodes=nodes), lines=lines, history=positions[:-1])

        with self._board_search(caller):
            return await self._search(work, positions[-1].rules, Search(), caller, Lane.BOARD, long=True)

    async def choose(self, positions: Sequence[Position], level: int, search: Search, caller: Caller = NOBODY) -> int:
        """Choose a level's move on an analysis board; like `move`, but refused like `analyse` if too many wait."""
        with self._board_search(caller):
            return await self.move(positions, level, None, search, caller, Lane.BOARD)

    async def values(self, position: Position, caller: Caller = NOBODY) -> list[ExactMove]:
        """Proven values of the moves of a position, on an analysis board.

        Raises:
            BusyError: too many searches of this session or address wait.
            CancelledSearchError: the room was closed before it was done.
        """
        search = Search()
        with self._board_search(caller), self._known(search):
            return await self.exact.of(position, search, caller)

    @contextmanager
    def _board_search(self, caller: Caller) -> Iterator[None]:
        """Count the waiting searches of a session and of an address during a `with` block."""
        keys = {f"address {caller.address}": self._limits.address_waiting}
        if caller.session is not None:
            keys[f"session {caller.session}"] = self._limits.session_waiting
        if any(most is not None and self._boards[key] >= most for key, most in keys.items()):
            raise BusyError
        self._boards.update(keys.keys())
        try:
            yield
        finally:
            self._boards.subtract(keys.keys())
            for key in keys:
                if not self._boards[key]:
                    del self._boards[key]

    def waiting(self) -> dict[str, int]:
        """Numbers of searches that wait: for the threads of long and short ones, perfect play and exact values."""
        return {
            "long": len(self._long_gate),
            "short": len(self._short_gate),
            "perfect": len(self.perfect.gate),
            "exact": len(self.exact.gate),
        }

    def _engine(self, rules: Rules) -> Engine:
        engines: dict[str, Engine] = self._engines.__dict__.setdefault("by_game", {})
        if rules.name not in engines:
            # Without tables, as in the browser: the same search answers here where the device fails.
            engines[rules.name] = Engine(rules, table_mib=_TABLE_MIB, tables=None)
        return engines[rules.name]

    def cancel(self) -> None:
        """Cancel the waiting searches; call it on the event loop."""
        self._closing = True
        for gate in (self._long_gate, self._short_gate, self.perfect.gate):
            gate.close()
        self.exact.cancel()

    def close(self) -> None:
        """Cancel the running searches, and end the threads."""
        self._closing = True
        for search in tuple(self._searches):
            search.cancel()
        self.perfect.close()
        self.exact.close()
        self._long.shutdown(cancel_futures=True)
        self._short.shutdown(cancel_futures=True)
