"""The solver's speed: `python benchmarks/solve.py`, two minutes or so; `--stones 20` for a larger table.

`--workers` compares one worker with two and nothing else: with 18 stones one minute on two free cores.

Positions valued a processor second by the table's forward loop and by a plain version (recursion over byte rows with a
table of the same numbering, `benchmarks/solve_plain.c`), one worker against two, the search above the table, the
latency of a probe, the listing of endings. Candidates run in turn; a row shows the median and the range of the rounds.
"""

from __future__ import annotations

import argparse
import ctypes
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import TypeVar

from korgool.engine.solving.graph import Graph
from korgool.engine.solving.mangala_table import MangalaTable, bytes_of
from korgool.engine.solving.search import Searcher
from korgool.rules import BESTEMSHE, MANGALA, MANGALA_CASTLE, TOGUZ_KORGOOL, Position, Rules

ROOT = Path(__file__).parents[1]
FLAGS = ["-std=c11", "-O3", "-fPIC", "-shared"]
ROUNDS = 5
Name = TypeVar("Name")


def rates(candidates: dict[Name, Callable[[], int]], clock: Callable[[], float]) -> dict[Name, list[float]]:
    """Units of work a second of a clock, the candidates in turn."""
    found: dict[Name, list[float]] = {name: [] for name in candidates}
    for _ in range(ROUNDS):
        for name, work in candidates.items():
            began = clock()
            found[name].append(work() / (clock() - began))
    return found


def row(name: str, found: list[float], unit: str) -> str:
    """A line of the report."""
    return f"{name:<48}{statistics.median(found):>14,.0f}  {min(found):>13,.0f} to {max(found):<13,.0f} {unit}"


def forward(stones: int, workers: int) -> int:
    """A whole table; answers its entries."""
    table = MangalaTable(MANGALA, stones)
    table.grow(stones, workers=workers)
    return bytes_of(stones)


def plain(folder: str) -> Callable[[int, ctypes.Array[ctypes.c_int8]], int]:
    """The plain version, compiled here."""
    output = Path(folder, "plain.so")
    subprocess.run(["gcc", *FLAGS, str(ROOT / "benchmarks" / "solve_plain.c"), "-o", str(output)], check=True)
    function = ctypes.CDLL(str(output)).plain_table
    function.restype, function.argtypes = ctypes.c_uint64, (ctypes.c_int, ctypes.c_void_p)
    return lambda stones, memory: int(function(stones, memory))


def played(rules: Rules, stones: int, random: Random) -> Position:
    """Where a random game first has at most so many stones on the board."""
    while True:
        position = rules.with_option("goal", "0").start()
        while sum(map(sum, position.holes)) > stones and position.legal_moves():
            position = position.play(random.choice(position.legal_moves()))
        if position.legal_moves():
            return position


def probes(table: MangalaTable, count: int) -> int:
    """Reads of random places, from Python's side only to bound them: see the row below it."""
    random, size = Random(2), bytes_of(table.stones)
    for _ in range(count):
        table.at(random.randrange(size))
    return count


def searched(table: MangalaTable, stones: int) -> int:
    """Positions visited for the values of a few."""
    random, searcher = Random(3), Searcher(table, 128 << 20)
    for _ in range(4):
        searcher.value(played(MANGALA, stones, random))
    return searcher.nodes


def listed(rules: Rules, stones: int) -> int:
    """Positions of an ending listed and valued."""
    graph = Graph(rules, 1 << 30)
    if not graph.value(played(rules, stones, Random(4))):
        raise AssertionError("the ending does not fit")
    return graph.positions


def against_two(stones: int) -> None:
    """One worker against two."""
    found = rates({workers: partial(forward, stones, workers) for workers in (1, 2)}, time.perf_counter)
    for workers, values in found.items():
        print(row(f"table of {stones} stones, workers: {workers}", values, "positions a second of the clock"))
    one, two = (statistics.median(values) for values in found.values())
    print(f"{'':48}{two / one:14.2f}  times")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--stones", type=int, default=14)
    parser.add_argument("--workers", action="store_true", help="only one worker against two")
    options = parser.parse_args()
    stones = options.stones
    if options.workers:
        against_two(stones)
        return 0
    table = MangalaTable(MANGALA, max(18, stones))
    table.grow(max(18, stones))
    with tempfile.TemporaryDirectory() as folder:
        run_plain = plain(folder)
        memory = (ctypes.c_int8 * bytes_of(stones))()
        run_plain(stones, memory)
        if bytes(memory) != ctypes.string_at(table.memory.address, bytes_of(stones)):
            raise AssertionError("the plain version finds other values")
        found = rates(
            {
                f"table of {stones} stones, forward loop": lambda: forward(stones, 1),
                f"table of {stones} stones, plain": lambda: run_plain(stones, memory),
            },
            time.process_time,
        )
    for name, values in found.items():
        print(row(name, values, "positions a CPU-second"))
    first, second = (statistics.median(values) for values in found.values())
    print(f"{'':48}{first / second:14.1f}  times")
    against_two(stones)
    for name, values in rates(
        {
            f"search from 34 stones above {table.stones}": lambda: searched(table, 34),
            "table reads from Python": lambda: probes(table, 200_000),
            "listing, bestemshe, 14 stones": lambda: listed(BESTEMSHE, 14),
            "listing, castle, 14 stones": lambda: listed(MANGALA_CASTLE, 14),
            "listing, toguz, 9 stones": lambda: listed(TOGUZ_KORGOOL, 9),
        },
        time.process_time,
    ).items():
        print(row(name, values, "a CPU-second"))
    print(f"bytes a position: 1 in the table; {bytes_of(24):,} bytes for 24 stones, {bytes_of(20):,} for 20")
    return 0


if __name__ == "__main__":
    sys.exit(main())
