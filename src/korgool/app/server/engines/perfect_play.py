"""Perfect play for the games of this server: one solver for all games, which answers one request at a time.

Positions in the shipped book are answered at once. Beyond the book the solver searches above a table. The table is
built while nobody waits, shared by all moves and games, and dropped after a while without requests.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache

from korgool.app.server.core import errors
from korgool.app.server.core.errors import ApiError
from korgool.app.server.engines.searches import CancelledSearchError, Search, clock_seconds
from korgool.app.server.limits import Caller
from korgool.app.server.limits.admission import Gate
from korgool.app.server.limits.deadline_pool import DeadlinePool
from korgool.engine import Engine
from korgool.engine.levels import is_rating, ratings_of
from korgool.engine.perfect import PERFECT, PerfectPlayer, is_solved
from korgool.rules import GAMES, Position, Rules

MEMORY = 256 << 20
"""The most bytes for the solver's tables. They use 146 MiB: the next larger table would not fit."""
MOVE_SECONDS = 5.0
_JOB_SECONDS = 600.0
"""Most seconds of a job: nobody waits for the tables that are built meanwhile."""
"""Seconds for a move in a game without a clock, including the wait for the solver."""
_LEAST_SECONDS = 0.5
"""Seconds for a move that has used up its time waiting."""
_SEARCH_SECONDS, _SEARCH_SHARE = 1.0, 1 / 3
"""The most seconds reserved for the search that moves if the solver does not finish."""
_TABLE_STONES = 18
"""Stones of the table that is built in advance, 86 MB. Above it the first move beyond the book takes less than a
second."""
_KEPT_SECONDS = 900.0
_WEIGHTS = (8.0, 4.0, 1.0)
"""The shares of games with a clock, of other games and of analysis boards."""


@cache
def perfect_games() -> tuple[str, ...]:
    """The short names of the games that have perfect play from the start."""
    return tuple(name for name, rules in GAMES.items() if is_solved(rules))


def check_level(game: str, level: int, start: str | None = None) -> None:
    """Refuse a rating that the game does not have, and perfect play in unsolved games or from another start.

    Raises:
        ApiError: in these cases.
    """
    if level == PERFECT and (start is not None or game not in perfect_games()):
        raise ApiError(422, errors.NOT_SOLVED)
    ratings = ratings_of(GAMES[game])
    if is_rating(level) and level not in ratings:
        raise ApiError(422, errors.BAD_RATING, lowest=ratings[0], highest=ratings[-1], rating=level)


class PerfectPlay:
    """One thread with one solver for a game, created on the first request.

    Attributes:
        moves: how many moves were answered.
        proven: how many of them are proven to keep the value.
    """

    def __init__(self, engine_mib: int) -> None:
        self.moves = self.proven = 0
        self.waiting = 0  # requests not answered yet
        self._engine_mib = engine_mib
        self._thread = DeadlinePool("perfect", 1, _JOB_SECONDS)
        self._players: dict[str, tuple[PerfectPlayer, Engine]] = {}  # used by the thread only
        self.gate = Gate(1, _WEIGHTS, estimate=_LEAST_SECONDS)
        self._closing = threading.Event()
        self._drop: asyncio.TimerHandle | None = None

    async def move(
        self,
        positions: Sequence[Position],
        clock: tuple[int, int] | None,
        search: Search,
        caller: Caller,
        lane: int,
    ) -> int:
        """The hole number of a perfect move; if nothing is proven in time, the move of the strongest search.

        Arguments and errors are those of `EnginePool.move`.
        """
        asked = time.monotonic()
        loop = asyncio.get_running_loop()
        self.waiting += 1
        try:
            async with self.gate.turn(caller, lane):
                return await loop.run_in_executor(self._thread, self._choose, positions, clock, asked, search)
        finally:
            self.waiting -= 1
            self._rest(loop, positions[-1].rules)

    def _choose(
        self, positions: Sequence[Position], clock: tuple[int, int] | None, asked: float, search: Search
    ) -> int:
        player, engine = self._player(positions[-1].rules)
        try:
            if self._closing.is_set() or not search.begin(engine):
                raise CancelledSearchError
            waited = time.monotonic() - asked
            if clock is None:
                seconds = max(_LEAST_SECONDS, MOVE_SECONDS - waited)
            else:
                seconds = clock_seconds(positions[-1], clock[0] - round(1000 * waited), clock[1])
            exact = seconds - min(_SEARCH_SECONDS, seconds * _SEARCH_SHARE)
            move, proven = player.choose(
                positions[-1],
                history=positions[:-1],
                seconds=seconds,
                exact=exact,
                stopped=lambda: search.cancelled or self._closing.is_set(),
            )
        finally:
            search.end()
        if search.cancelled:
            raise CancelledSearchError
        self.moves += 1
        self.proven += proven
        return move

    def _player(self, rules: Rules) -> tuple[PerfectPlayer, Engine]:
        if rules.name not in self._players:
            engine = Engine(rules, table_mib=self._engine_mib, tables=None)
            # The other half of the cores is for games against levels.
            workers = max(1, (os.cpu_count() or 1) // 2)
            self._players[rules.name] = PerfectPlayer(engine, memory=MEMORY, workers=workers), engine
        return self._players[rules.name]

    def _rest(self, loop: asyncio.AbstractEventLoop, rules: Rules) -> None:
        """Build the table while nobody waits; drop everything after a long idle time."""
        if self._drop is not None:
            self._drop.cancel()
        if self._closing.is_set():
            return
        if not self.waiting:
            self._submit(self._prepare, rules)
        self._drop = loop.call_later(_KEPT_SECONDS, self._submit, self._players.clear)

    def _submit(self, work: Callable[..., object], *args: object) -> None:
        with suppress(RuntimeError):  # the room may have closed in the meantime
            self._thread.submit(work, *args)

    def _prepare(self, rules: Rules) -> None:
        player, _ = self._player(rules)
        player.prepare(_TABLE_STONES, lambda: self.waiting > 0 or self._closing.is_set())

    def close(self) -> None:
        """End the thread; its current work ends within about a second."""
        self._closing.set()
        self._thread.shutdown(cancel_futures=True)
