"""Endgame tables: `python benchmarks/tables.py [FOLDER]`, about two minutes on a free core.

`--workers` compares one worker with two and nothing else, on larger tables and in turn, three minutes on two free
cores. `--build GAME STONES` times one build, in processor seconds of its `--threads`, and says how far it was with
each file.

Rates are positions per second of processor time of all threads; a busy machine changes them little. Wall time, which
it changes a lot, is printed where workers are compared. The plain version passes over every position of a layer
until nothing changes, without an order and without asking whom a change concerns; it sows with the same kernel. Tables
that lie in FOLDER are used for the latency of lookups, else those built here.
"""

from __future__ import annotations

import argparse
import ctypes
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from random import Random

from korgool.engine.kernel import Memory, pack
from korgool.engine.tables import Tables, build, game_folder, plan, table_files
from korgool.engine.tables.native import native
from korgool.rules import GAMES, Rules

ROOT = Path(__file__).parents[1]
STONES = {"toguz": 7, "mangala": 15, "castle": 9, "bestemshe": 14}
LARGER = {"toguz": 8, "mangala": 18, "castle": 11, "bestemshe": 18}
ROUNDS, PROBES = 3, 200_000


def built(
    rules: Rules,
    stones: int,
    folder: Path,
    workers: int,
    *,
    memory: int = 2 << 30,
    say: Callable[[str], None] = lambda line: None,
) -> tuple[float, float]:
    """Processor and wall seconds of a build from nothing."""
    cpu, wall = time.process_time(), time.perf_counter()
    build(rules, stones, folder=folder, workers=workers, memory=memory, say=say)
    return time.process_time() - cpu, time.perf_counter() - wall


def plain_pass(tables: Tables, layer: int, unit: int) -> int:
    """Work a unit out by passing over all of it; answers the passes."""
    lib = native()
    tuz = lib.kg_table_tuz(tables.address, unit)
    planes = 2 if tuz and lib.kg_table_exact(tables.address, unit) else lib.kg_table_planes(tables.address, unit)
    count = int(lib.kg_table_count(tables.address, layer, unit)) * planes
    work, passes = Memory(2 * count), 1
    while lib.kg_tables_sweep(tables.address, layer, unit, work.address, work.address + count, None, 0, count):
        passes += 1
    return passes


def against_plain(rules: Rules, stones: int, folder: Path) -> str:
    """The largest layer by both."""
    tables = Tables.open(rules, folder, stones - 1)
    cpu, passes = time.process_time(), 0
    for units in tables.units:
        for unit in units:
            passes = max(passes, plain_pass(tables, stones, unit))
    plain = time.process_time() - cpu
    for layer, _, path in table_files(game_folder(rules, folder)):
        if layer == stones:
            path.unlink()
    cpu = time.process_time()
    build(rules, stones, folder=folder)
    # What opening the lower layers costs is no part of the comparison.
    ours = time.process_time() - cpu
    cpu = time.process_time()
    Tables.open(rules, folder, stones - 1)
    ours -= time.process_time() - cpu
    return f"plain {plain:7.2f} s in {passes:>3} passes, ours {ours:6.2f} s with writing: {plain / ours:5.1f} times"


def probing(folder: Path) -> ctypes.CDLL:
    """The loop in C, compiled here."""
    library = folder / "probe.so"
    source = str(ROOT / "benchmarks" / "tables_probe.c")
    subprocess.run(["gcc", "-std=c11", "-O3", "-fPIC", "-shared", source, "-o", str(library)], check=True)
    lib = ctypes.CDLL(str(library))
    for function in (lib.probe_all, lib.read_all):
        function.restype = ctypes.c_int64
        function.argtypes = ctypes.c_void_p, ctypes.c_char_p, ctypes.c_uint64
    return lib


def latency(rules: Rules, folder: Path, lib: ctypes.CDLL) -> str:
    """Nanoseconds of processor time for a lookup of a random position of the largest layers."""
    tables, random = Tables.open(rules, folder), Random(1)
    top = tables.stones
    positions = []
    for _ in range(PROBES):
        tuz = random.choice([each for each in range(3) if tables.units[each]])
        unit = random.choice(tables.boards[tuz])
        planes = native().kg_table_planes(tables.address, unit)
        count = int(native().kg_table_count(tables.address, top, unit)) * planes
        positions.append(pack(tables.position(top, unit, random.randrange(count))))
    data = b"".join(positions)
    times: dict[str, float] = {}
    for name in ("read_all", "probe_all"):
        rounds = []
        for _ in range(7):
            began = time.process_time_ns()
            getattr(lib, name)(tables.address, data, PROBES)
            rounds.append((time.process_time_ns() - began) / PROBES)
        times[name] = sorted(rounds)[3]
    size = sum(size for layer, _, size in tables.files if layer == top)
    return f"{top:>2} stones, {size:>11} bytes in the layer: {times['probe_all'] - times['read_all']:5.1f} ns a lookup"


def compressed(rules: Rules, folder: Path) -> str:
    """What a general compressor would make of the largest file, in blocks of 4 KiB that can be unpacked alone."""
    _, _, path = max(table_files(game_folder(rules, folder)), key=lambda found: found[2].stat().st_size)
    data = path.read_bytes()[: 16 << 20]
    blocks = [zlib.compress(data[start : start + 4096], 6) for start in range(0, len(data), 4096)]
    began = time.process_time_ns()
    for block in blocks[:1000]:
        zlib.decompress(block)
    each = (time.process_time_ns() - began) / len(blocks[:1000])
    packed = sum(map(len, blocks))
    return f"{path.name}: {packed / len(data):.2f} of the size, {each / 1000:.0f} µs to unpack a block"


def one_against_two() -> None:
    """Seconds on the clock of one worker and of two, built in turn."""
    for name, stones in LARGER.items():
        rules = GAMES[name]
        clock: dict[int, list[float]] = {1: [], 2: []}
        cpu: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(ROUNDS):
            for workers in (1, 2):
                with tempfile.TemporaryDirectory() as scratch:
                    processor, wall = built(rules, stones, Path(scratch), workers)
                cpu[workers].append(processor)
                clock[workers].append(wall)
        one, two = (statistics.median(clock[workers]) for workers in (1, 2))
        print(f"{rules.title}, {stones} stones: {one / two:.2f} times sooner with two workers")
        for workers in (1, 2):
            times = ", ".join(f"{wall:.2f}" for wall in clock[workers])
            print(f"  {workers}: {times} s on the clock; {statistics.median(cpu[workers]):.2f} s of processor time")
        sys.stdout.flush()


def one_build(name: str, stones: int, memory: int, workers: int) -> None:
    """A whole build, file by file: what `docs/tables.md` lists."""
    rules, began = GAMES[name], time.process_time()

    def say(line: str) -> None:
        print(f"{time.process_time() - began:8.1f} s  {line}", flush=True)

    with tempfile.TemporaryDirectory() as scratch:
        cpu, wall = built(rules, stones, Path(scratch), workers, memory=memory, say=say)
        size = sum(path.stat().st_size for _, _, path in table_files(game_folder(rules, Path(scratch))))
    positions = sum(step.positions for step in plan(rules, stones))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(
        f"{rules.title}, {stones} stones: {positions:,} positions, {size:,} bytes, {cpu:.1f} s of processor time, "
        f"{wall:.1f} on the clock, at most {peak:,} MiB held, files that are mapped among them"
    )


def main() -> None:
    """Print everything, or what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--workers", action="store_true", help="only one worker against two")
    parser.add_argument("--build", nargs=2, metavar=("GAME", "STONES"), help="only this build")
    parser.add_argument("--memory", type=int, default=2048, help="MiB for the layer in work of --build")
    parser.add_argument("--threads", type=int, default=1, help="workers of --build")
    options = parser.parse_args()
    if options.workers:
        one_against_two()
    elif options.build:
        one_build(options.build[0], int(options.build[1]), options.memory << 20, options.threads)
    else:
        everything(options.folder)


def everything(folder: Path | None) -> None:
    """Each game in turn."""
    with tempfile.TemporaryDirectory() as scratch:
        lib = probing(Path(scratch))
        for name, stones in STONES.items():
            rules = GAMES[name]
            positions = sum(step.positions for step in plan(rules, stones))
            print(f"{rules.title}, {stones} stones, {positions} positions")
            for workers in (1, 2):
                cpu, wall = built(rules, stones, Path(scratch) / str(workers), workers)
                print(
                    f"  {workers} worker{'s' * (workers > 1)}: {positions / cpu:12,.0f} positions a CPU-second, "
                    f"{cpu:.2f} s of processor time, {wall:.2f} s on the clock",
                    flush=True,
                )
            one = Path(scratch) / "1"
            size = sum(path.stat().st_size for _, _, path in table_files(game_folder(rules, one)))
            print(f"  {size} bytes, {8 * size / positions:.2f} bits a position")
            print(f"  the last layer: {against_plain(rules, stones, one)}")
            used = folder if folder is not None and table_files(game_folder(rules, folder)) else one
            print(f"  {latency(rules, used, lib)}")
            print(f"  deflated: {compressed(rules, used)}", flush=True)


if __name__ == "__main__":
    main()
