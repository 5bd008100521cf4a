"""Drawn positions with few stones, and who can bring them to an end.

A position with its stores is drawn when neither side can win. Both sides are then sure of half of all stones, 81 in
toguz korgool, or endless play decides (see `cycles`). A side that is sure of half cannot lose; whether it can also
bring the game to an *end* is another question, which this module answers: the other side may be able to go round for
ever. The answers lie beside the tables, a file for each number of stones.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

from korgool.engine.kernel import Memory
from korgool.engine.tables.files import draws_file, game_folder
from korgool.engine.tables.native import GRAIN, HEADER_BYTES, MISSING, TableError, native
from korgool.engine.tables.probing import Tables, even_only
from korgool.rules import Position, Rules, Side

_RANGE = 1 << 18
_BATCH = 4096
_MAGIC = b"KRGOOLE\n"


_KINDS = ("positions", "drawn", "decided", "one_sided", "neither", "open")


class _Counts(ctypes.Structure):
    """The kernel's `kg_draws`."""

    _fields_ = [(name, ctypes.c_uint64) for name in _KINDS]


@dataclass(frozen=True, slots=True)
class DrawCounts:
    """Numbers of draws with one number of stones on the board.

    A position is a board with a content of the stores that leaves both sides below the goal, no tuz, and a move for the
    side to move. Colours are not told apart.

    Attributes:
        stones: on the board.
        positions: how many there are.
        drawn: those that neither side can win.
        decided: those of them that endless play decides: a side is not sure of half of all stones.
        one_sided: those in which both are sure of half, and only one can bring the game to an end.
        neither: those in which both are sure of half, and neither can bring the game to an end.
        open: those of the last two kinds in which neither side has its half in its store yet.
    """

    stones: int
    positions: int
    drawn: int
    decided: int
    one_sided: int
    neither: int
    open: int


@dataclass(frozen=True, slots=True)
class Ends:
    """Ability to bring a drawn game to an end without losing it.

    Attributes:
        mover: of the side to move.
        other: of the other side.
    """

    mover: bool
    other: bool


@dataclass(frozen=True, slots=True)
class RoundMove:
    """A move of the side that goes round, in a position with its stores.

    Attributes:
        position: where it is to move.
        move: hole, 1 to n.
    """

    position: Position
    move: int


class Draws:
    """Answers for all positions up to a number of stones, packed in memory; threads may share them."""

    def __init__(self, tables: Tables) -> None:
        reason = refusal(tables.rules)
        if reason is not None:
            raise TableError(reason)
        self.tables = tables
        self._packed: dict[int, bytearray] = {}
        self._lower = (ctypes.c_void_p * 65)()

    @property
    def stones(self) -> int:
        """The largest number of stones of which the answers are there."""
        return max(self._packed, default=0)

    @classmethod
    def build(
        cls,
        tables: Tables,
        stones: int,
        *,
        folder: Path | None = None,
        workers: int = 1,
        progress: Callable[[int], None] = lambda done: None,
    ) -> Draws:
        """Read the answers up to `stones` stones from their files, and work out and write what is missing.

        Args:
            tables: with the positions without a tuz up to so many stones, and all that they lead to.
            stones: on the board.
            folder: of the tables; the user's own without it.
            workers: threads at work.
            progress: called with the positions done so far.

        Raises:
            TableError: the rules have no such question, a table is missing, or a file cannot be written.
            OSError: the folder cannot be written.
        """
        draws, place, done = cls(tables), game_folder(tables.rules, folder), 0
        for layer in draws.layers(stones):
            if (layer, 0) not in tables:
                raise TableError(
                    f"there is no table of {tables.rules.title} with {layer} stones and no tuz; build it first"
                )
            path = place / draws_file(layer)
            packed = draws._read(path, layer) if path.exists() else None
            if packed is None:
                packed = draws._worked_out(layer, workers)
                draws._write(path, layer, packed)
            draws._keep(layer, packed)
            done += tables.count(layer, 0)
            progress(done)
        return draws

    def layers(self, stones: int) -> list[int]:
        """Numbers of stones up to `stones` that games from the start can have on the board."""
        step = 2 if even_only(self.tables.rules) and (1, 0) not in self.tables else 1
        return list(range(step, stones + 1, step))

    def _keep(self, layer: int, packed: bytes) -> None:
        kept = self._packed[layer] = bytearray(packed)
        self._lower[layer] = ctypes.addressof((ctypes.c_char * len(kept)).from_buffer(kept))

    def _size(self, layer: int) -> int:
        grains = -(-self.tables.count(layer, 0) // 4 // GRAIN) + 1
        return grains * GRAIN

    def _header(self, layer: int) -> bytes:
        buffer = ctypes.create_string_buffer(HEADER_BYTES)
        native().kg_table_header(self.tables.address, layer, 0, buffer)
        return _MAGIC + buffer.raw[len(_MAGIC) :]

    def _read(self, path: Path, layer: int) -> bytes | None:
        """The packed answers of a file, or None where it is damaged and must be made again."""
        raw = path.read_bytes()
        if not raw.startswith(self._header(layer)):
            if raw[:8] == _MAGIC and len(raw) > HEADER_BYTES:
                raise TableError(f"{path}: it belongs to another game, other options or another version; delete it")
            return None
        packed = raw[HEADER_BYTES:-GRAIN]
        whole = len(packed) == self._size(layer) and raw[-GRAIN:] == _digest(packed)
        return packed if whole else None

    def _write(self, path: Path, layer: int, packed: bytes) -> None:
        from korgool.atomic_files import replacing

        with replacing(path) as write:
            write(self._header(layer) + packed + _digest(packed))

    def _worked_out(self, layer: int, workers: int) -> bytes:
        lib, tables, count = native(), self.tables, self.tables.count(layer, 0)
        memory = Memory(2 * count)
        marks, asked = memory.address, memory.address + count
        ctypes.memset(asked, 1, count)
        ranges = [(start, min(count, start + _RANGE)) for start in range(0, count, _RANGE)]
        with ThreadPoolExecutor(workers) as pool:

            def swept(only: int | None) -> int:
                args = (tables.address, layer, self._lower, marks, only)
                changed = list(pool.map(lambda part: int(lib.kg_tables_force(*args, *part)), ranges))
                if MISSING in changed:
                    raise TableError(f"a table with fewer than {layer} stones that is needed is not there")
                return sum(changed)

            while swept(asked):
                pass
            while swept(None):  # proves that nothing was forgotten
                pass
        lib.kg_tables_pack_marks(marks, count, marks)
        return ctypes.string_at(marks, -(-count // 4)).ljust(self._size(layer), b"\0")

    def ends(self, position: Position) -> Ends | None:
        """Ability of both sides to end a drawn position in which both are sure of half; None where it is not known.

        Raises:
            ValueError: it is not a position of this game.
        """
        stones = sum(map(sum, position.holes))
        if stones not in self._packed or position.tuz != (None, None):
            return None
        mark = int(native().kg_tables_mark(self.tables.address, self._lower, self.tables.kernel.pack(position)))
        return Ends(bool(mark & 1), bool(mark & 2))

    def counts(self, layer: int) -> DrawCounts:
        """Counts of one layer."""
        counts = _Counts()
        native().kg_tables_count_draws(self.tables.address, layer, self._lower[layer], ctypes.byref(counts))
        return DrawCounts(layer, *(int(getattr(counts, name)) for name in _KINDS))

    def positions(self, layer: int, *, open_only: bool = False) -> Iterator[Position]:
        """The drawn positions that one side, or both, cannot bring to an end: White to move, with their stores.

        Args:
            layer: stones on the board.
            open_only: only those in which neither side has its half in its store yet.
        """
        lib, start, indices = native(), ctypes.c_uint64(0), (ctypes.c_uint64 * _BATCH)()
        args = (self.tables.address, layer, self._lower[layer], int(open_only))
        while size := lib.kg_tables_list_draws(*args, ctypes.byref(start), indices, _BATCH):
            for index in indices[:size]:
                position = self.tables.position(layer, 0, index)
                sure = self.tables.sure_gains(position)
                assert sure is not None
                half = self.tables.rules.goal - 1
                yield replace(position, stores=(half - sure[Side.WHITE], half - sure[Side.BLACK]))

    def way_round(self, position: Position, side: Side) -> list[RoundMove]:
        """Moves with which a side goes round for ever in a drawn position that the other cannot bring to an end.

        A proof: wherever the other goes from a position after one of these moves, one of them follows again, so no
        game ends. Moves with which the other gives up its half are left out; it loses by them.

        Raises:
            ValueError: the other side can bring the position to an end, or it is not known whether it is drawn.
        """
        if not self._goes_round(position, side):
            raise ValueError("the other side can bring this position to an end, or it is not a known draw")
        found, seen, waiting = list[RoundMove](), {position}, [position]
        for at in waiting:  # grows meanwhile
            kept = [(move, after) for move in at.legal_moves() if self._goes_round(after := at.play(move), side)]
            if at.to_move is side:
                kept = kept[:1]
                found.append(RoundMove(at, kept[0][0]))
            for _, after in kept:
                if after not in seen:
                    seen.add(after)
                    waiting.append(after)
        return found

    def _goes_round(self, position: Position, side: Side) -> bool:
        ends = None if position.outcome() is not None else self.ends(position)
        if ends is None or (ends.mover if position.to_move is not side else ends.other):
            return False
        sure = self.tables.sure_gains(position)
        assert sure is not None
        mover, half = position.to_move, self.tables.rules.goal - 1
        return all(position.stores[one] + gain == half for one, gain in zip((mover, mover.other), sure, strict=True))


def refusal(rules: Rules) -> str | None:
    """Reason why there are no such draws by these rules, or None."""
    if rules.goal and rules.total == 2 * (rules.goal - 1) and not rules.store_sown and rules.tuz_takes:
        return None
    return (
        f"{rules.title} by these rules has no such draws: they need endless play, and a goal of half the stones and one"
    )


def _digest(packed: bytes) -> bytes:
    lib, state = native(), (ctypes.c_uint64 * 4)()
    lib.kg_digest_begin(state)
    lib.kg_digest_add(state, packed, len(packed))
    return int(lib.kg_digest_end(state)).to_bytes(8, "little").ljust(GRAIN, b"\0")
