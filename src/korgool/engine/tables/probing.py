"""Tables in memory: open a folder of them, ask for positions."""

from __future__ import annotations

import ctypes
import mmap
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import NoReturn

from korgool.engine.kernel import Kernel, Memory, pack, unpack
from korgool.engine.tables.files import SHIPPED, game_folder, table_files
from korgool.engine.tables.native import ENDLESS, REFUSALS, SHORT, TableError, native
from korgool.rules import Position, Rules, Side

_BATCH = 4096
_EXACT = 1
"""The kernel's `KG_TABLE_EXACT`."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of the side to move's further gain over the opponent under perfect play to the very end, in stones.

    Attributes:
        lower: the gain it can force when endless play is the worst for it; None when it cannot force an end at all.
        upper: the gain it can force when endless play is the best for it; None when the opponent cannot force an end.
    """

    lower: int | None
    upper: int | None

    @property
    def settled(self) -> bool:
        """True if endless play does not matter here."""
        return self.lower == self.upper is not None

    def final(self, stores: int) -> int:
        """The final store difference, endless play being a draw.

        Args:
            stores: the stones that the side to move has in its store more than the opponent.
        """
        if self.lower is not None and stores + self.lower > 0:
            return stores + self.lower
        return stores + self.upper if self.upper is not None and stores + self.upper < 0 else 0


class Tables:
    """The tables of one game, mapped into memory; threads may share them.

    Args:
        rules: the game. What is said at its start, its goal and its rule of repetition do not matter.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.kernel = Kernel(rules)
        self._native = native()
        self._memory = Memory(self._native.kg_tables_bytes())
        self.address = self._memory.address
        """Of the `kg_tables`, for the kernel. It is valid as long as this object lives."""
        self._native.kg_tables_init(self.address, self.kernel.address)
        self._maps: dict[tuple[int, int], tuple[mmap.mmap, object]] = {}
        self.units: list[list[int]] = [[], [], []]
        """The kernel's numbers of the sets of tuz, by how many tuz they have."""
        unit = 0
        while (tuz := self._native.kg_table_tuz(self.address, unit)) >= 0:
            self.units[tuz].append(unit)
            unit += 1
        self.boards = [self.units[0][:1], *self.units[1:]]
        """The same without the unit of gains, which says something else of positions that have a number already."""

    def __repr__(self) -> str:
        size = sum(size for *_, size in self.files)
        return f"<Tables of {self.rules.title} up to {self.stones} stones, {len(self._maps)} files, {size:,} bytes>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("tables are files in memory and not copied or pickled: share them, or open them where needed")

    @classmethod
    def open(cls, rules: Rules, folder: Path | None = None, most: int | None = None) -> Tables:
        """The tables that lie in a folder; without a folder there are none, and every question is answered by None.

        Args:
            rules: the game.
            folder: where `korgool tables build` put them; the user's own folder without it.
            most: leave out layers with more stones.

        Raises:
            TableError: a file is damaged, or of another game or version. Nothing is used of it.
        """
        tables = cls(rules)
        for layer, tuz, path in table_files(game_folder(rules, folder)):
            if most is None or layer <= most:
                tables.attach(path, layer, tuz)
        return tables

    @classmethod
    def usual(cls, rules: Rules, most: int | None = None) -> Tables:
        """Tables that the user has built for a game, or else the small ones that the package ships.

        Args and errors are those of `open`.
        """
        tables = cls.open(rules, most=most)
        return tables if tables.files else cls.open(rules, SHIPPED, most)

    @classmethod
    def shared(cls, rules: Rules) -> Tables:
        """As `usual`, but opened once in a process as long as the files stay the same: testing large ones takes time.

        Nothing may be attached to them.
        """
        user, shipped = game_folder(rules), game_folder(rules, SHIPPED)
        found = tuple(
            (path, path.stat().st_size, path.stat().st_mtime_ns)
            for folder in (user, shipped)
            for *_, path in table_files(folder)
        )
        with _OPENING:
            known = _SHARED.get(rules)
            if known is None or known[0] != found:
                known = _SHARED[rules] = found, cls.usual(rules)
            return known[1]

    def attach(self, path: Path, layer: int, tuz: int) -> None:
        """Map one file. All its checksums are tested first.

        Raises:
            TableError: it is not the table of this game, layer and number of tuz, whole and unaltered.
        """
        code = self.try_attach(path, layer, tuz)
        if code in REFUSALS:
            raise TableError(f"{path}: {REFUSALS[code]}; delete it and build it again")
        if code != layer:
            raise TableError(f"{path}: the name says {layer} stones and {tuz} tuz, the file something else")

    def try_attach(self, path: Path, layer: int, tuz: int) -> int:
        """As `attach`; answers the layer, 0 for another layer or number of tuz, or the number of the refusal."""
        with path.open("rb") as file:
            size = file.seek(0, 2)
            if size == 0:
                return SHORT
            # Copy on write, though nothing is written: ctypes tells the address of writable memory only.
            mapped = mmap.mmap(file.fileno(), size, access=mmap.ACCESS_COPY)
        view = (ctypes.c_char * size).from_buffer(mapped)
        if size >= 24 and mapped[12:20] != bytes((layer, 0, 0, 0, tuz, 0, 0, 0)) and mapped[:8] == b"KRGOOLT\n":
            expected = Tables(self.rules)  # what else is wrong with it is told first
            code = int(expected._native.kg_tables_attach(expected.address, ctypes.addressof(view), size))
            return min(code, 0)
        code = int(self._native.kg_tables_attach(self.address, ctypes.addressof(view), size))
        if code > 0:
            self._maps[layer, tuz] = mapped, view
        return code

    @property
    def files(self) -> list[tuple[int, int, int]]:
        """Attached files, as (layer, number of tuz, bytes)."""
        return sorted((layer, tuz, len(mapped)) for (layer, tuz), (mapped, _) in self._maps.items())

    def __contains__(self, file: tuple[int, int]) -> bool:
        """Return whether the file of a layer and a number of tuz is attached."""
        return file in self._maps

    def has(self, layer: int, tuz: int) -> bool:
        """Return whether all positions with that many stones on the board and that many tuz can be looked up."""
        return layer == 0 or not self.units[tuz] or (layer, tuz) in self._maps

    @property
    def stones(self) -> int:
        """The largest number of stones on the board up to which every position can be looked up.

        Where stones leave the board in even numbers only, odd numbers are not asked for unless they are there.
        """
        layer = 0
        step = 2 if even_only(self.rules) and not self.has(1, 0) else 1
        while all(self.has(layer + step, tuz) for tuz in range(3)):
            layer += step
        return layer

    def probe(self, position: Position) -> Bounds | None:
        """The bounds of a position of this game, or None where no table holds it. Its stores do not matter.

        Raises:
            ValueError: it is not a position of this game.
        """
        return self.look(self.kernel.pack(position))

    def look(self, data: bytes) -> Bounds | None:
        """As `probe`, of the 24 bytes of a `kg_position`, which are not checked."""
        lower, upper = ctypes.c_int32(), ctypes.c_int32()
        if not self._native.kg_tables_look(self.address, data, ctypes.byref(lower), ctypes.byref(upper)):
            return None
        low, high = lower.value, upper.value
        return Bounds(None if low == -ENDLESS else low, None if high == ENDLESS else high)

    def sure_gains(self, position: Position) -> tuple[int, int] | None:
        """The stones that the side to move, and the opponent, can be sure to gain sooner or later; sweeps count.

        They are kept where play may be endless in a game with a goal: toguz korgool and bestemshe, without a tuz.

        Raises:
            ValueError: it is not a position of this game.
        """
        own, other = ctypes.c_int32(), ctypes.c_int32()
        data = self.kernel.pack(position)
        if not self._native.kg_tables_sure(self.address, data, ctypes.byref(own), ctypes.byref(other)):
            return None
        return own.value, other.value

    def _final(self, position: Position) -> tuple[int, int]:
        difference = ctypes.c_int32()
        data = self.kernel.pack(position)
        known = int(self._native.kg_tables_final(self.address, data, ctypes.byref(difference)))
        return known, difference.value

    def value(self, position: Position) -> int | None:
        """The final store difference for the side to move, as `korgool solve` gives it; None where no table knows.

        Both play perfectly to the very end, beyond the goal too; endless play is a draw, which counts 0. Where one
        side surely reaches the goal and the other could then go on for ever there is no such number, and the answer is
        None too; `result` tells who wins. What stood on the board before is not asked.

        Raises:
            ValueError: it is not a position of this game.
        """
        known, difference = self._final(position)
        return difference if known == _EXACT else None

    def result(self, position: Position) -> int | None:
        """Result of a game that goes on: 1 if the side to move wins, -1 the other, 0 a draw; None where no table knows.

        Raises:
            ValueError: it is not a position of this game.
        """
        known, difference = self._final(position)
        return (difference > 0) - (difference < 0) if known else None

    def moves(self, position: Position) -> dict[int, int]:
        """The final store difference for the side to move after each of its moves that the tables know."""
        values = {}
        for number in position.legal_moves():
            after = position.play(number)
            value = self.value(after)
            if value is not None:
                values[number] = value if after.to_move is position.to_move else -value
        return values

    def position(self, layer: int, unit: int, index: int) -> Position:
        """The position that stands at an index of a unit, White to move, with empty stores."""
        buffer = ctypes.create_string_buffer(24)
        self._native.kg_tables_position(self.address, layer, unit, index, buffer)
        return unpack(buffer.raw, self.rules, Side.WHITE)

    def count(self, layer: int, tuz: int) -> int:
        """Positions of a layer with that many tuz, as the tables count them: those of both sides to move."""
        planes = self._native.kg_table_planes
        return sum(
            int(self._native.kg_table_count(self.address, layer, unit)) * int(planes(self.address, unit))
            for unit in self.boards[tuz]
        )

    def unsettled(self, layer: int, tuz: int) -> Iterator[tuple[Position, Bounds]]:
        """The positions of an attached layer in which endless play matters, White to move, with empty stores."""
        for unit, index in self._unsettled(layer, tuz):
            position = self.position(layer, unit, index)
            bounds = self.look(pack(position))
            if bounds is not None:
                yield position, bounds

    def count_unsettled(self, layer: int, tuz: int) -> int:
        """Number of positions that are not settled."""
        return sum(1 for _ in self._unsettled(layer, tuz))

    def _unsettled(self, layer: int, tuz: int) -> Iterator[tuple[int, int]]:
        for unit in self.boards[tuz]:
            start, indices = ctypes.c_uint64(0), (ctypes.c_uint64 * _BATCH)()
            while count := self._native.kg_tables_unsettled(
                self.address, layer, unit, ctypes.byref(start), indices, _BATCH
            ):
                for index in indices[:count]:
                    yield unit, index


_OPENING = Lock()
_SHARED: dict[Rules, tuple[tuple[tuple[Path, int, int], ...], Tables]] = {}
"""Tables that `Tables.shared` has opened, with the files that were there."""


def even_only(rules: Rules) -> bool:
    """Return whether captures take an even number of stones and nothing else leaves the board, as in bestemshe."""
    return not (rules.tuz or rules.store_sown or rules.empty_capture)
