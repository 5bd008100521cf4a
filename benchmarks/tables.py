"""Endgame tables: `python benchmarks/tables.py [FOLDER]`, about two minutes on a free core.

Rates are positions per second of processor time of all threads; a busy machine changes them little. Wall time, which
it changes a lot, is printed where workers are compared. The plain version passes over every position of a layer
until nothing changes, without an order and without asking whom a change concerns; it sows with the same kernel. Tables
that lie in FOLDER are used for the latency of lookups, else those built here.
"""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path
from random import Random

from korgool.engine.kernel import Memory, pack
from korgool.engine.tables import Tables, build, game_folder, plan, table_files
from korgool.engine.tables.native import native
from korgool.rules import GAMES, Rules

ROOT = Path(__file__).parents[1]
STONES = {"toguz": 7, "mangala": 15, "castle": 9, "bestemshe": 14}
PROBES = 200_000


def built(rules: Rules, stones: int, folder: Path, workers: int) -> tuple[float, float]:
    """Processor and wall seconds of a build from nothing."""
    cpu, wall = time.process_time(), time.perf_counter()
    build(rules, stones, folder=folder, workers=workers)
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


def main(folder: Path | None) -> None:
    """Print everything."""
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
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
