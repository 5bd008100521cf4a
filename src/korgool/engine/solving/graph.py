"""Exact endings of any game, by listing every position that can follow. Endless play is valued as what it is.

A position has a lower and an upper value: the stones that its side to move still gains over the other when endless play
counts as lost, or as won, without measure. `settled` turns them and the stores into the value of the game. See
`kernel/solve_graph.h`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace

from korgool.engine.kernel import Kernel, Memory
from korgool.engine.solving.mangala_table import played_out
from korgool.engine.solving.native import solver_library
from korgool.engine.tables import Tables
from korgool.rules import Position, Rules

ENDLESS = 1000
"""`KG_ENDLESS`: a lower value of minus this, or an upper one of this, tells that the side cannot force an end."""
MOVES = 5
"""Room for moves of a position, on the average: few stones leave few holes to sow from."""
_FIRST = 50_000
_GROWTH = 6
_SLICE = 200_000


def settled(lower: int, upper: int, stores: int) -> int:
    """The value of a game from its two values and the difference of the stores, all for the side to move.

    Endless play is a draw and counts 0. A side that can force an end above that does it, and so does the other.
    """
    return max(lower + stores, min(0, upper + stores))


class Graph:
    """All positions that can follow from some, valued.

    Args:
        rules: any game of the family; a goal is played over.
        memory: bytes it may take.
        tables: endgame tables of the same rules: what they hold is not listed further.
    """

    def __init__(self, rules: Rules, memory: int, tables: Tables | None = None) -> None:
        self.rules = rules
        self.kernel = Kernel(played_out(rules))
        self._memory = memory
        self._tables = tables
        self._library = solver_library()
        self._held: Memory | None = None
        self._lower, self._upper = ctypes.c_int32(), ctypes.c_int32()

    @property
    def positions(self) -> int:
        """Number of positions listed."""
        return int(self._library.kg_graph_positions(self._held.address)) if self._held else 0

    @property
    def endless(self) -> int:
        """In how many of them endless play can matter: their two values differ."""
        return int(self._library.kg_graph_endless(self._held.address)) if self._held else 0

    @property
    def passes(self) -> int:
        """Number of passes over a layer until nothing changed."""
        return int(self._library.kg_graph_passes(self._held.address)) if self._held else 0

    def value(
        self,
        position: Position,
        *,
        stopped: Callable[[], bool] | None = None,
        on_positions: Callable[[int], object] | None = None,
    ) -> bool:
        """List and value all that follows from a position.

        Args:
            position: where to begin.
            stopped: asked every moment; True ends the work.
            on_positions: told how many positions are listed so far.

        Returns:
            Whether it was finished, and neither stopped nor out of memory.
        """
        # The next ones too: where a table knows the position itself, nothing behind it is listed for it.
        position = replace(position, rules=self.kernel.rules)
        following = (position.play(move) for move in position.legal_moves())
        packed = [self.kernel.pack(listed) for listed in (position, *following)]
        capacity = _FIRST
        most = self._most()
        while True:
            capacity = min(capacity, most)
            if capacity < 1:
                return False
            listed = self._list(packed, capacity, stopped, on_positions)
            if listed is None:
                return False
            if listed:
                break
            if capacity == most:
                return False
            capacity *= _GROWTH
        assert self._held is not None
        while not self._library.kg_graph_value(self._held.address):
            if stopped is not None and stopped():
                return False
        return True

    def bounds(self, position: Position) -> tuple[int, int] | None:
        """The lower and the upper value of a listed position, or None for another one."""
        packed = self.kernel.pack(position)
        if self._held is None or not self._library.kg_graph_bounds(
            self._held.address, packed, ctypes.byref(self._lower), ctypes.byref(self._upper)
        ):
            return None
        return self._lower.value, self._upper.value

    def _most(self) -> int:
        """The largest number of positions that the memory holds."""
        low, high = 0, 1 << 31
        while low < high:
            middle = (low + high + 1) // 2
            if self._library.kg_graph_bytes(middle, middle * MOVES) <= self._memory:
                low = middle
            else:
                high = middle - 1
        return low

    def _list(
        self,
        packed: list[bytes],
        capacity: int,
        stopped: Callable[[], bool] | None,
        on_positions: Callable[[int], object] | None,
    ) -> bool | None:
        """List all positions; return False if there is no room for them, None when it was stopped."""
        self._held = None  # given back before more is taken
        self._held = Memory(self._library.kg_graph_bytes(capacity, capacity * MOVES))
        address = self._held.address
        self._library.kg_graph_init(address, self.kernel.address, capacity, capacity * MOVES)
        self._library.kg_graph_tables(address, None if self._tables is None else self._tables.address)
        if not all(self._library.kg_graph_add(address, data) for data in packed):
            return False
        while (done := self._library.kg_graph_explore(address, _SLICE)) == 0:
            if on_positions is not None:
                on_positions(self.positions)
            if stopped is not None and stopped():
                return None
        return bool(done > 0)
