"""The table of mangala positions with few stones on the board, in memory.

Positions are valued layer by layer, each a forward loop: the game has no cycles. See `kernel/solve.h`.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from korgool.engine.kernel import Kernel, Memory
from korgool.engine.solving.native import solver_library
from korgool.rules import Position, Rules, Side

MOST_TABLE_STONES = 26
"""`KG_TABLE_STONES`: a table of more stones would take 5.4 GB for the next one."""

MOST_STONES = 48
"""Stones on the board beyond which positions have no number; a game of mangala has no more."""


class NotAcyclicError(ValueError):
    """These rules allow endless play, or are not mangala: the forward loop would value nothing."""


def played_out(rules: Rules) -> Rules:
    """The rules without a goal that stops the game early: what is solved is the final store difference."""
    return replace(rules, goal=0)


def refusal(rules: Rules) -> str | None:
    """Reason why a game cannot be valued by a forward loop, or None where it can be."""
    if rules.holes != 6 or rules.tuz:
        return f"{rules.title} is not played on six holes without castles"
    if not rules.store_sown:
        return "without the rule store_sown a sowing can lead back to an earlier position"
    return None


class MangalaTable:
    """Exact values of all positions with at most `stones` stones on the board, a byte each; it can grow.

    A value is the difference of the stones that both sides still gain, the side to move first.

    Args:
        rules: mangala with any options under which it has no cycles; a goal is played over.
        capacity: stones of the largest table that there is address space for; memory is taken as it is filled.

    Raises:
        NotAcyclicError: see `refusal`.
        ValueError: a capacity beyond what the numbering holds.
        MemoryError: the system gives no address space for that.
    """

    def __init__(self, rules: Rules, capacity: int = 24) -> None:
        why = refusal(rules)
        if why is not None:
            raise NotAcyclicError(why)
        if not 0 <= capacity <= MOST_TABLE_STONES:
            raise ValueError(f"a table holds positions of 0 to {MOST_TABLE_STONES} stones, not {capacity}")
        self.rules = rules
        self.capacity = capacity
        self.stones = -1
        self.kernel = Kernel(played_out(rules))
        self._library = solver_library()
        self._solver = Memory(self._library.kg_solver_bytes())
        self.address = self._solver.address
        if self._library.kg_solver_init(self.address, self.kernel.address):
            raise NotAcyclicError(f"the solver does not know {rules.title} with these options")
        try:
            self.memory = Memory(bytes_of(capacity))
        except OSError as error:
            raise MemoryError(f"there is no memory for a table of {bytes_of(capacity)} bytes") from error

    def grow(
        self,
        stones: int,
        *,
        workers: int = 1,
        on_part: Callable[[int], object] | None = None,
        stopped: Callable[[], bool] | None = None,
    ) -> bool:
        """Value all layers up to `stones` that are not valued yet.

        Args:
            stones: at most the capacity.
            workers: threads; the interpreter lock is free while they work.
            on_part: told the number of entries valued, in this call, after each part.
            stopped: asked between parts; True ends the work.

        Returns:
            Whether it was finished. What is finished counts in any case, and `stones` tells the whole layers.
        """
        if stones > self.capacity:
            raise ValueError(f"this table has room for {self.capacity} stones, not {stones}")
        done = 0
        with ThreadPoolExecutor(max(1, workers)) as pool:
            for layer in range(self.stones + 1, stones + 1):
                # The largest parts first, so that no worker ends up alone with one of them.
                parts = range(self._library.kg_table_parts(layer) - 1, -1, -1)

                def fill(part: int, layer: int = layer) -> int:
                    if stopped is not None and stopped():
                        return -1
                    self._library.kg_table_fill(self.address, self.memory.address, layer, part)
                    return int(self._library.kg_table_part_entries(layer, part))

                whole = True
                for entries in pool.map(fill, parts):
                    whole &= entries >= 0
                    done += max(0, entries)
                    if on_part is not None:
                        on_part(done)
                if not whole:
                    return False
                self.stones = layer
                self._library.kg_solver_attach(self.address, self.memory.address, layer)
        return True

    def value(self, position: Position) -> int:
        """The exact value of a position, in stones still to be gained, for its side to move.

        Raises:
            ValueError: it has more stones on the board than the table, or is of another game.
        """
        packed = self.kernel.pack(position)
        board = sum(map(sum, position.holes))
        if board > self.stones:
            raise ValueError(f"the table holds positions of at most {self.stones} stones, this one has {board}")
        return self.at(self._library.kg_table_index(self.address, packed))

    def at(self, index: int) -> int:
        """The value at a place of the table."""
        return ctypes.c_int8.from_address(self.memory.address + index).value

    def key(self, position: Position) -> int:
        """The number of a position, stores apart, among all with at most 48 stones on the board; below 2^50.

        Raises:
            ValueError: it has more stones on the board, or is of another game.
        """
        packed = self.kernel.pack(position)
        if sum(map(sum, position.holes)) > MOST_STONES:
            raise ValueError(f"only positions of at most {MOST_STONES} stones are numbered")
        return int(self._library.kg_solve_key(self.address, packed))

    def position_of(self, key: int) -> Position:
        """The position of a number, with empty stores and White to move."""
        data = ctypes.create_string_buffer(24)
        self._library.kg_solve_position(self.address, key, data)
        return self._bare(data.raw)

    def position_at(self, index: int) -> Position:
        """The position, with empty stores and White to move, whose value stands at a place."""
        data = ctypes.create_string_buffer(24)
        self._library.kg_table_position(self.address, index, data)
        return self._bare(data.raw)

    def _bare(self, raw: bytes) -> Position:
        return Position(self.rules, (tuple(raw[:6]), tuple(raw[8:14])), (0, 0), (None, None), Side.WHITE)


def bytes_of(stones: int) -> int:
    """Bytes of a table up to so many stones: one for each position."""
    return int(solver_library().kg_table_bytes(stones))
