"""Exact values of mangala positions above the table, by null-window search with exact keys.

See `kernel/solve_search.c`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from korgool.engine.kernel import Memory
from korgool.engine.solving.mangala_table import MOST_STONES, MangalaTable
from korgool.engine.solving.native import solver_library
from korgool.rules import Position

SLICE = 1_000_000
"""Positions visited between two looks at the clock; about a second."""
LEAST_WORDS = 1 << 14


class StoppedError(Exception):
    """A search was told to stop before it knew; what it found stays in its table."""


class Searcher:
    """Searches above one table. Several searchers may share the memory of one, each used by one thread at a time.

    Args:
        table: the leaves; it may grow between two calls, not during one.
        memory: bytes for the transposition table, at most; a power of two of it is used.
        shared: another searcher whose transposition table is used instead.
    """

    def __init__(self, table: MangalaTable, memory: int = 64 << 20, *, shared: Searcher | None = None) -> None:
        self.table = table
        self._library = solver_library()
        if shared is None:
            self.words = LEAST_WORDS
            while self.words * 16 <= memory:
                self.words *= 2
            try:
                self._entries = Memory(self.words * 8)
            except OSError as error:
                raise MemoryError(f"there is no memory for {self.words * 8} bytes of search table") from error
        else:
            self.words, self._entries = shared.words, shared._entries
        self._memory = Memory(self._library.kg_searcher_bytes())
        self.address = self._memory.address
        self._library.kg_searcher_init(self.address, table.address, self._entries.address, self.words)
        self._bound, self._other_bound = ctypes.c_int32(), ctypes.c_int32()

    @property
    def nodes(self) -> int:
        """Positions visited above the table since the beginning."""
        return int(self._library.kg_searcher_nodes(self.address))

    def known(self, position: Position) -> tuple[int, int]:
        """Bounds of a value that are known without a search: those of the table, or what a search left behind."""
        packed = self.table.kernel.pack(position)
        self._library.kg_searcher_known(
            self.address, packed, ctypes.byref(self._bound), ctypes.byref(self._other_bound)
        )
        return self._bound.value, self._other_bound.value

    def test(self, position: Position, target: int, stopped: Callable[[], bool] | None = None) -> int:
        """A bound of the value that shows whether it reaches `target`: a lower bound then, else an upper one.

        Raises:
            StoppedError: `stopped` said so; it is asked every million positions.
            ValueError: there are more than 48 stones on the board, or it is of another game.
        """
        packed = self.table.kernel.pack(position)
        if sum(map(sum, position.holes)) > MOST_STONES:
            raise ValueError(f"the search knows positions of at most {MOST_STONES} stones")
        while not self._library.kg_searcher_test(self.address, packed, target, SLICE, ctypes.byref(self._bound)):
            if stopped is not None and stopped():
                raise StoppedError
        return self._bound.value

    def value(
        self,
        position: Position,
        *,
        guess: int | None = None,
        stopped: Callable[[], bool] | None = None,
        on_bounds: Callable[[int, int], object] | None = None,
    ) -> int:
        """The exact value: the difference of the stones still to be gained, for the side to move.

        Args:
            position: one of these rules, with at most 48 stones on the board.
            guess: where to begin; the linear estimate without it. A good guess saves work, a bad one costs it.
            stopped: see `test`.
            on_bounds: told the bounds after each test.

        Raises:
            StoppedError: `stopped` said so.
        """
        lower, upper = self.known(position)
        if guess is None:
            guess = round(self._library.kg_solve_estimate(self.table.kernel.pack(position)) / 16)
        while lower < upper:
            # The test that the guess makes likeliest to close one side; then from there towards the truth.
            target = max(lower + 1, min(upper, guess))
            bound = self.test(position, target, stopped)
            if bound >= target:
                lower, guess = bound, bound + 1
            else:
                upper, guess = bound, bound
            if on_bounds is not None:
                on_bounds(lower, upper)
        return lower
