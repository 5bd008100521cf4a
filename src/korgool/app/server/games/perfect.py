"""Perfect play for the games of this server: one solver for all of them, which answers one after the other.

What the shipped book knows is answered at once. Beyond it the solver searches above a table, which is made while nobody
waits, kept from move to move and from game to game, and dropped when no such move has been asked for a while.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import cache

from korgool.app.server import messages
from korgool.app.server.games.searches import CancelledSearchError, Search, clock_seconds
from korgool.app.server.limits import Caller
from korgool.app.server.limits.admission import Gate
from korgool.app.server.messages import RefusedError
from korgool.engine.levels import is_rating, ratings_of
from korgool.engine.perfect import PERFECT, PerfectPlayer, is_solved
from korgool.engine.search import Engine
from korgool.rules import GAMES, Position, Rules

MEMORY = 256 << 20
"""Bytes that the solver's tables may take. They take 146 MiB of it: the next larger table would not fit."""
MOVE_SECONDS = 5.0
"""Time of a move in a game without a clock; what it waits for the solver counts."""
_LEAST_SECONDS = 0.5
"""Time of a move that has waited as long as that."""
_SEARCH_SECONDS, _SEARCH_SHARE = 1.0, 1 / 3
"""What a move leaves, at most, for the search that plays where the solver has not come to an end."""
_TABLE_STONES = 18
"""Stones of the table that is made ahead, 86 MB. Above it the first move beyond the book takes no second."""
_KEPT_SECONDS = 900.0
_WEIGHTS = (8.0, 4.0, 1.0)
"""The share of games with a clock, of other games and of analysis boards."""


@cache
def perfect_games() -> tuple[str, ...]:
    """The games, by their short names, in which perfect play begins at the start."""
    return tuple(name for name, rules in GAMES.items() if is_solved(rules))


def check_level(game: str, level: int, start: str | None = None) -> None:
    """Refuse a rating that the game does not have, and perfect play where it is not solved, or from another start.

    Raises:
        RefusedError: as it says.
    """
    if level == PERFECT and (start is not None or game not in perfect_games()):
        raise RefusedError(422, messages.NOT_SOLVED)
    ratings = ratings_of(GAMES[game])
    if is_rating(level) and level not in ratings:
        raise RefusedError(422, messages.BAD_RATING, lowest=ratings[0], highest=ratings[-1], rating=level)


class PerfectDesk:
    """One thread with one solver for a game, made when it is first asked.

    Attributes:
        moves: how many moves were answered.
        proven: how many of them keep everything, as was proven.
    """

    def __init__(self, engine_mib: int) -> None:
        self.moves = self.proven = 0
        self.waiting = 0  # moves asked for and not answered yet
        self._engine_mib = engine_mib
        self._thread = ThreadPoolExecutor(1, "korgool-perfect")
        self._players: dict[str, tuple[PerfectPlayer, Engine]] = {}  # of the thread alone
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
        """The hole number that perfect play sows; where nothing is proven in time, what the strongest search plays.

        Arguments and errors are those of `EngineRoom.move`.
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
            engine = Engine(rules, table_mib=self._engine_mib)
            # The other half of the cores is for the games at levels.
            workers = max(1, (os.cpu_count() or 1) // 2)
            self._players[rules.name] = PerfectPlayer(engine, memory=MEMORY, workers=workers), engine
        return self._players[rules.name]

    def _rest(self, loop: asyncio.AbstractEventLoop, rules: Rules) -> None:
        """Use the time in which nobody waits; forget everything when it becomes long."""
        if self._drop is not None:
            self._drop.cancel()
        if self._closing.is_set():
            return
        if not self.waiting:
            self._submit(self._prepare, rules)
        self._drop = loop.call_later(_KEPT_SECONDS, self._submit, self._players.clear)

    def _submit(self, work: Callable[..., object], *args: object) -> None:
        with suppress(RuntimeError):  # the room may have closed meanwhile
            self._thread.submit(work, *args)

    def _prepare(self, rules: Rules) -> None:
        player, _ = self._player(rules)
        player.prepare(_TABLE_STONES, lambda: self.waiting > 0 or self._closing.is_set())

    def close(self) -> None:
        """End the thread; what it does ends within a second or so."""
        self._closing.set()
        self._thread.shutdown(cancel_futures=True)
