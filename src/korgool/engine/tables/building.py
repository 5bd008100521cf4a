"""Building tables: layer by layer, each file section by section, so that a killed build goes on where it was."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import compress
from pathlib import Path
from typing import IO

from korgool.engine.kernel import Memory
from korgool.engine.tables.files import file_name, game_folder, partial_name
from korgool.engine.tables.native import (
    GRAIN,
    HEADER_BYTES,
    MISSING,
    MOST_STONES,
    REFUSALS,
    SECTION_BYTES,
    UNREADABLE,
    TableError,
    native,
)
from korgool.engine.tables.probing import Tables, even_only
from korgool.rules import Rules

MEBIBYTE = 1 << 20
_PACKED_AT_ONCE = 1 << 20
_LEAST_RANGE = 1 << 14
_NO_ROW = bytes(256 * 8)


@dataclass(frozen=True, slots=True)
class FileStep:
    """One file to be made.

    Attributes:
        layer: stones on the board.
        tuz: how many tuz its positions have.
        positions: those of both sides to move.
        memory: bytes that are needed at once to work out its largest unit.
    """

    layer: int
    tuz: int
    positions: int
    memory: int


def plan(rules: Rules, stones: int, *, odd: bool = False, falling: bool = False) -> list[FileStep]:
    """The files that tables up to `stones` stones consist of, in the order of building.

    Args:
        rules: the game.
        stones: the largest number of stones on the board, 1 to 64, and not more than the game has.
        odd: where only even numbers of stones occur from the start (bestemshe), build the odd ones too; an odd
            `stones` there builds the odd ones in any case.
        falling: with each tuz build three stones less: all that positions without a tuz need.

    Raises:
        TableError: a number of stones that cannot be.
    """
    most = min(MOST_STONES, rules.total)
    if not 1 <= stones <= most:
        raise TableError(f"tables of {rules.title} hold positions of 1 to {most} stones, not {stones}")
    if falling and not rules.tuz_takes:
        raise TableError("with tuz_takes=no a tuz costs no stones, so all tables reach equally far")
    tables = Tables(rules)
    both = odd or stones % 2 or not even_only(rules)
    steps = []
    for layer in range(1 if both else 2, stones + 1, 1 if both else 2):
        # The most tuz first: with tuz_takes=no a new tuz leads into them with as many stones.
        for tuz in (2, 1, 0):
            if tables.units[tuz] and layer <= stones - (3 * tuz if falling else 0):
                memory = max(_work_bytes(tables, layer, unit) for unit in tables.units[tuz])
                steps.append(FileStep(layer, tuz, tables.count(layer, tuz), memory))
    return steps


def build(
    rules: Rules,
    stones: int,
    *,
    folder: Path | None = None,
    workers: int = 1,
    memory: int = 2048 * MEBIBYTE,
    odd: bool = False,
    falling: bool = False,
    executor: Executor | None = None,
    progress: Callable[[int], None] = lambda done: None,
    say: Callable[[str], None] = lambda line: None,
) -> Tables:
    """Build the tables up to `stones` stones, or what is missing of them, and open them.

    Every finished file bears its checksums and stands under its name only when it is whole. A build that was killed,
    or that found the disk full, goes on with the first section that is not finished.

    Args:
        rules: the game.
        stones: the largest number of stones on the board.
        folder: where; the user's own folder without it.
        workers: threads at work. The kernel runs outside Python's lock, so they are as good as processes, and they
            share the layer they work on without copying it.
        memory: bytes for the layer in work; the finished ones are mapped, and the system may drop them.
        odd, falling: see `plan`.
        executor: where the work runs, instead of threads of its own; it must share this process's memory.
        progress: called with the positions done so far.
        say: called with a line for each file, and for whatever is found and mended.

    Raises:
        TableError: `memory` or the disk does not suffice, another build is at work in the folder, or a file there is
            of another game or version.
        OSError: the folder cannot be written.
    """
    steps = plan(rules, stones, odd=odd, falling=falling)
    for step in steps:
        if step.memory > memory:
            raise TableError(
                f"{step.layer} stones of {rules.title} with {step.tuz} tuz need {_mebibytes(step.memory)} of memory, "
                f"{_mebibytes(memory)} are allowed; allow more, or build fewer stones"
            )
    place = game_folder(rules, folder)
    place.mkdir(parents=True, exist_ok=True)
    tables, done = Tables(rules), 0
    with _only_one(place), _threads(executor, workers) as pool:
        for step in steps:
            path = place / file_name(step.layer, step.tuz)
            if not _is_there(tables, path, step, say):
                maker = _Maker(tables, step, place, pool, workers, memory, say)
                maker.make(partial(_after, progress, done))
                tables.attach(path, step.layer, step.tuz)
                say(f"{path.name}: {step.positions} positions, {path.stat().st_size} bytes")
            done += step.positions
            progress(done)
    return tables


def _after(progress: Callable[[int], None], before: int, more: int) -> None:
    progress(before + more)


def _mebibytes(size: int) -> str:
    return f"{-(-size // MEBIBYTE)} MiB"


def _is_there(tables: Tables, path: Path, step: FileStep, say: Callable[[str], None]) -> bool:
    if not path.exists():
        return False
    code = tables.try_attach(path, step.layer, step.tuz)
    if code in UNREADABLE or code == 0:
        say(f"{path}: {REFUSALS.get(code, 'it holds another layer')}; it is built again")
        return False
    if code < 0:
        raise TableError(f"{path}: {REFUSALS[code]}; delete it, or choose another folder")
    return True


@contextmanager
def _only_one(place: Path) -> Iterator[None]:
    """Keep a second build out; the lock goes with the process, however it ends."""
    with (place / "lock").open("w") as lock:
        try:
            import fcntl
        except ImportError:  # Windows refuses to replace a file that is open, and so cannot mix two builds
            yield
            return
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise TableError(f"{place}: another build is at work here") from None
        yield


@contextmanager
def _threads(executor: Executor | None, workers: int) -> Iterator[Executor]:
    if executor is not None:
        yield executor
        return
    pool = ThreadPoolExecutor(workers)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _work_bytes(tables: Tables, layer: int, unit: int) -> int:
    """Memory to work a unit out: a byte for each position; where play may be endless two, and without tuz three."""
    lib = native()
    exact = lib.kg_table_exact(tables.address, unit)
    tuz = lib.kg_table_tuz(tables.address, unit)
    planes = 2 if exact and tuz else lib.kg_table_planes(tables.address, unit)
    return int(lib.kg_table_count(tables.address, layer, unit)) * planes * (1 if exact else 2 if tuz else 3)


class _Maker:
    """The making of one file."""

    def __init__(
        self,
        tables: Tables,
        step: FileStep,
        place: Path,
        pool: Executor,
        workers: int,
        memory: int,
        say: Callable[[str], None],
    ) -> None:
        self.tables, self.step, self.pool, self.workers, self.memory, self.say = (
            tables,
            step,
            pool,
            workers,
            memory,
            say,
        )
        self.lib, self.at = native(), tables.address
        self.target = place / file_name(step.layer, step.tuz)
        self.partial = place / partial_name(step.layer, step.tuz)

    def make(self, progress: Callable[[int], None]) -> None:
        """Go on with the partial file, or begin one, and give it its name when it is whole."""
        from korgool.atomic_files import put_over  # a program that only searches reads tables and writes none

        units = self.tables.units[self.step.tuz]
        try:
            with self._opened() as file:
                ready = self._ready(file)
                done = sum(self._positions(unit) for unit in units[:ready])
                progress(done)
                for unit, work in self._worked_out(units[ready:]):
                    self._write(file, unit, work)
                    done += self._positions(unit)
                    progress(done)
            from korgool.atomic_files import put_over  # here, because a start of the engine waits for imports

            put_over(self.partial, self.target)
        except OSError as error:
            if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
                raise TableError(
                    f"{self.partial}: {error.strerror}; make room and run the same command again, it goes on from here"
                ) from error
            raise

    def _positions(self, unit: int) -> int:
        count = int(self.lib.kg_table_count(self.at, self.step.layer, unit))
        return count * int(self.lib.kg_table_planes(self.at, unit))

    def _opened(self) -> IO[bytes]:
        with suppress(FileNotFoundError):
            return self.partial.open("r+b")
        return self.partial.open("w+b")

    def _header(self) -> bytes:
        buffer = ctypes.create_string_buffer(HEADER_BYTES)
        self.lib.kg_table_header(self.at, self.step.layer, self.step.tuz, buffer)
        return buffer.raw

    def _ready(self, file: IO[bytes]) -> int:
        """Number of finished sections; the file is cut behind them and stands at its end."""
        file.seek(0)
        header, ready, end = self._header(), 0, HEADER_BYTES
        if file.read(HEADER_BYTES) == header:
            for unit in self.tables.units[self.step.tuz]:
                taken = self._finished(file, unit, end)
                if taken < 0:
                    break
                ready, end = ready + 1, end + taken
            self.say(f"{self.partial.name}: {ready} of {len(self.tables.units[self.step.tuz])} parts were done before")
            file.truncate(end)
        else:
            file.seek(0)
            file.truncate(0)
            file.write(header)
        file.seek(end)
        return ready

    def _finished(self, file: IO[bytes], unit: int, start: int) -> int:
        """The bytes of the section that begins at `start`, or a number below 0 when it is not whole."""
        file.seek(start)
        head = file.read(SECTION_BYTES)
        if len(head) < SECTION_BYTES:
            return -1
        palette, data = (int.from_bytes(head[at : at + 8], "little") for at in (24, 32))
        size = os.fstat(file.fileno()).st_size
        if SECTION_BYTES + palette + data + GRAIN > size - start:
            return -1
        file.seek(start)
        section = file.read(SECTION_BYTES + palette + data + GRAIN)
        return int(self.lib.kg_table_check(self.at, self.step.layer, unit, section, len(section)))

    def _worked_out(self, units: list[int]) -> Iterator[tuple[int, tuple[Memory, int | None]]]:
        """Each unit with its bytes `low` and the address of `high`, None in an exact one, in their order."""
        if self.step.tuz == 0 or not all(self.lib.kg_table_exact(self.at, unit) for unit in units):
            for unit in units:
                yield unit, self._spread(unit)
            return
        # Units with a tuz are many and stand alone: each is one task, as many at once as memory allows.
        at_once = max(1, min(self.workers, self.memory // max(1, self.step.memory)))
        for start in range(0, len(units), at_once):
            batch = units[start : start + at_once]
            futures = [self.pool.submit(self._fill_all, unit) for unit in batch]
            for unit, future in zip(batch, futures, strict=True):
                yield unit, (future.result(), None)
            del futures

    def _fill_all(self, unit: int) -> Memory:
        work = Memory(_work_bytes(self.tables, self.step.layer, unit))
        self._known(self.lib.kg_tables_fill(self.at, self.step.layer, unit, 0, work.address))
        return work

    def _spread(self, unit: int) -> tuple[Memory, int | None]:
        """Work out one unit with all workers."""
        layer, lib = self.step.layer, self.lib
        work = Memory(_work_bytes(self.tables, layer, unit))
        if lib.kg_table_exact(self.at, unit):
            tasks = range(int(lib.kg_table_tasks(self.at, layer, unit)) - 1, -1, -1)  # the largest first
            fill = [self.pool.submit(lib.kg_tables_fill, self.at, layer, unit, task, work.address) for task in tasks]
            for filled in fill:
                self._known(filled.result())
            return work, None
        count = self._positions(unit)
        high, asked = work.address + count, None
        if lib.kg_table_tuz(self.at, unit) == 0:
            asked = high + count
            ctypes.memset(asked, 1, count)
        length = max(_LEAST_RANGE, -(-count // (16 * self.workers)))
        ranges = [(start, min(count, start + length)) for start in range(0, count, length)]

        def swept(asked: int | None) -> int:
            args = (self.at, layer, unit, work.address, high, asked)
            return sum([self._known(each.result()) for each in [self.pool.submit(sweep, *args, *r) for r in ranges]])

        sweep = lib.kg_tables_sweep
        # Only what was asked for, until nothing improves; then everything, which proves that nothing was forgotten.
        while asked and swept(asked):
            pass
        while swept(None):
            pass
        return work, high

    def _known(self, answer: int) -> int:
        if answer == MISSING:
            raise TableError(f"{self.target}: a lower layer that it needs is not there")
        return answer

    def _write(self, file: IO[bytes], unit: int, work: tuple[Memory, int | None]) -> None:
        """Write the section of a unit; its digest comes last."""
        lib, (memory, high), count = self.lib, work, self._positions(unit)
        counts = (ctypes.c_uint64 * 65536)()
        lib.kg_tables_count_pairs(memory.address, high, count, counts)
        # The most frequent first, so that the numbers are small ones: such a file compresses better.
        pairs = sorted(_pairs_in(counts, exact=high is None), key=lambda pair: -counts[pair])
        bits = max(1, (len(pairs) - 1).bit_length())
        codes = (ctypes.c_uint16 * 65536)()
        for code, pair in enumerate(pairs):
            codes[pair] = code
        palette = b"".join(pair.to_bytes(2, "little") for pair in pairs)
        section = ctypes.create_string_buffer(SECTION_BYTES)
        lib.kg_table_section(self.at, self.step.layer, unit, bits, len(pairs), section)
        palette_bytes, data_bytes = (int.from_bytes(section.raw[at : at + 8], "little") for at in (24, 32))
        digest = (ctypes.c_uint64 * 4)()
        lib.kg_digest_begin(digest)

        def put(piece: bytes) -> None:
            lib.kg_digest_add(digest, piece, len(piece))
            file.write(piece)

        put(section.raw)
        put(palette.ljust(palette_bytes, b"\0"))
        packed = ctypes.create_string_buffer(_PACKED_AT_ONCE // 8 * bits + 8)
        written = 0
        for start in range(0, count, _PACKED_AT_ONCE):
            part = min(_PACKED_AT_ONCE, count - start)
            size = lib.kg_tables_pack(
                memory.address + start, None if high is None else high + start, part, codes, bits, packed
            )
            piece = packed.raw[:size]
            written += size
            if start + part == count:
                piece = piece.ljust(size + data_bytes - written, b"\0")
            put(piece)
        file.write(lib.kg_digest_end(digest).to_bytes(8, "little").ljust(GRAIN, b"\0"))


def _pairs_in(counts: ctypes.Array[ctypes.c_uint64], *, exact: bool) -> list[int]:
    """The pairs that are there at all, in their order. Most sections are small: empty rows of 256 are passed over."""
    if exact:  # each value stands beside itself with the other sign
        return [pair for pair in (0, *range(511, 65536, 255)) if counts[pair]]
    raw = bytes(counts)
    rows = [row for row in range(0, 65536, 256) if not raw.startswith(_NO_ROW, 8 * row)]
    return [pair for row in rows for pair in compress(range(row, row + 256), counts[row : row + 256])]
