"""Building tables: layer by layer, each file section by section, so that a killed build goes on where it was."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from korgool.clusters import Pool
from korgool.engine.kernel import Memory
from korgool.engine.tables.files import file_name, game_folder, partial_name
from korgool.engine.tables.native import (
    GRAIN,
    HEADER_BYTES,
    MOST_STONES,
    REFUSALS,
    SECTION_BYTES,
    UNREADABLE,
    TableError,
    native,
)
from korgool.engine.tables.probing import Tables, even_only
from korgool.engine.tables.sections import fill_all, known, positions_in, work_bytes, write_section
from korgool.rules import Rules

MEBIBYTE = 1 << 20
_LEAST_RANGE = 1 << 14


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
                memory = max(work_bytes(tables, layer, unit) for unit in tables.units[tuz])
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
    cluster: Pool | None = None,
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
        cluster: workers that share the folder; they work out units with a tuz, which need nothing but lower layers.
            The others stay here, because their parts need each other's bytes at every moment.
        progress: called with the positions done so far.
        say: called with a line for each file, and for whatever is found and mended.

    Raises:
        TableError: `memory` or the disk does not suffice, another build is at work in the folder, a file there is of
            another game or version, or a worker does not see it.
        ClusterError: the cluster is lost.
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
    remote = cluster is not None and cluster.remote
    from korgool.engine.tables.sections_away import marked  # here, because a start of the engine waits for imports

    with _only_one(place), _threads(workers) as pool, marked(place) if remote else nullcontext("") as mark:
        for step in steps:
            path = place / file_name(step.layer, step.tuz)
            if not _is_there(tables, path, step, say):
                maker = _Maker(tables, step, place, pool, workers, memory, say, cluster if remote else None, mark)
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
def _threads(workers: int) -> Iterator[Executor]:
    pool = ThreadPoolExecutor(workers)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


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
        cluster: Pool | None,
        mark: str,
    ) -> None:
        self.tables, self.step, self.place, self.cluster, self.mark = tables, step, place, cluster, mark
        self.pool, self.workers, self.memory, self.say = pool, workers, memory, say
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
                away = self.cluster if self._alone() else None
                left = units[ready:]
                for unit in self._here(file, left) if away is None else self._away(file, left, away):
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
        return positions_in(self.tables, self.step.layer, unit)

    def _alone(self) -> bool:
        """Return whether the units need nothing of each other, nor a unit its own other parts."""
        units = self.tables.units[self.step.tuz]
        return self.step.tuz > 0 and all(self.lib.kg_table_exact(self.at, unit) for unit in units)

    def _here(self, file: IO[bytes], units: list[int]) -> Iterator[int]:
        """Write the sections of units that are worked out in threads. Yields each when it is written."""
        for unit, work in self._worked_out(units):
            write_section(self.tables, self.step.layer, unit, work, file.write)
            yield unit

    def _away(self, file: IO[bytes], units: list[int], cluster: Pool) -> Iterator[int]:
        """Write the sections of units that a cluster works out. Yields each when it is written."""
        from korgool.engine.tables.sections_away import sections_away

        layer, tuz = self.step.layer, self.step.tuz
        found = sections_away(self.tables, self.place, self.mark, layer, tuz, units, cluster)
        for unit, path in zip(units, found, strict=True):
            section = path.read_bytes()
            if int(self.lib.kg_table_check(self.at, layer, unit, section, len(section))) != len(section):
                raise TableError(f"{path}: a worker has left something else than this section")
            file.write(section)
            path.unlink()
            yield unit

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
        if not self._alone():
            for unit in units:
                yield unit, self._spread(unit)
            return
        # Units with a tuz are many and stand alone: each is one task, as many at once as memory allows.
        at_once = max(1, min(self.workers, self.memory // max(1, self.step.memory)))
        for start in range(0, len(units), at_once):
            batch = units[start : start + at_once]
            futures = [self.pool.submit(fill_all, self.tables, self.step.layer, unit) for unit in batch]
            for unit, future in zip(batch, futures, strict=True):
                yield unit, (future.result(), None)
            del futures

    def _spread(self, unit: int) -> tuple[Memory, int | None]:
        """Work out one unit with all workers."""
        layer, lib = self.step.layer, self.lib
        work = Memory(work_bytes(self.tables, layer, unit))
        if lib.kg_table_exact(self.at, unit):
            tasks = range(int(lib.kg_table_tasks(self.at, layer, unit)) - 1, -1, -1)  # the largest first
            fill = [self.pool.submit(lib.kg_tables_fill, self.at, layer, unit, task, work.address) for task in tasks]
            for filled in fill:
                known(filled.result())
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
            return sum([known(each.result()) for each in [self.pool.submit(sweep, *args, *r) for r in ranges]])

        sweep = lib.kg_tables_sweep
        # Only what was asked for, until nothing improves; then everything, which proves that nothing was forgotten.
        while asked and swept(asked):
            pass
        while swept(None):
            pass
        return work, high
