"""What two workers of a local cluster do in the time of one, and what a cluster costs: `python benchmarks/clusters.py`.

All kinds of work are done by one thread of this process, then by a cluster of one worker, then by one of two, and
must come to the same bytes. Beside the clock stand figures that other work on the machine does not touch as much:
the part of the time in which workers worked, and the processor time that the work took.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from statistics import mean
from typing import Any

from korgool.app.cli.analyse import _search_away
from korgool.clusters import Cluster, Pool, Threads, pool
from korgool.engine import Limits
from korgool.engine.arena import LevelOpponent, Series, level_openings, run_series
from korgool.engine.surroundings import EngineSurroundings
from korgool.engine.tables import build
from korgool.engine.training.generate import generate
from korgool.engine.training.samples import GenerationPlan
from korgool.rules import TOGUZ_KORGOOL, Position
from korgool.training.puzzle_making import SelfPlay, make_puzzles
from korgool.training.self_play import self_play_engine, self_play_game

Work = Callable[[Pool, int], Any]


def games(place: Pool, size: int) -> Any:
    return b"".join(generate(GenerationPlan(nodes=1000), 1, 200 * size, place))


def puzzles(place: Pool, size: int) -> Any:
    return [list(found) for found in make_puzzles([SelfPlay("toguz", 1, number) for number in range(12 * size)], place)]


@cache
def openings_of(size: int) -> list[tuple[int, ...]]:
    """Chosen once, before the clock runs: this is not work for a cluster."""
    return list(level_openings(TOGUZ_KORGOOL, 20 * size))


@cache
def positions_of(number: int) -> tuple[Position, ...]:
    """Positions of a game, the same."""
    return tuple(self_play_game(TOGUZ_KORGOOL, 1, number, self_play_engine(TOGUZ_KORGOOL)).positions)


def match(place: Pool, size: int) -> Any:
    make = partial(LevelOpponent, TOGUZ_KORGOOL, 4, seed=1), partial(LevelOpponent, TOGUZ_KORGOOL, 5, seed=2)
    return [
        played.game.moves
        for _, played, _ in run_series(Series(TOGUZ_KORGOOL, *make, openings_of(size), Limits()), place)
    ]


def analyses(place: Pool, size: int) -> Any:
    games = [positions_of(number) for number in range(size)]
    asked = [(position, game[:ply]) for game in games for ply, position in enumerate(game)]
    search = partial(_search_away, Limits(nodes=500_000), 1, True)
    return [(one.nodes, one.lines) for one in place.in_turn(search, asked) if one]


def tables(place: Pool, size: int) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        build(TOGUZ_KORGOOL, 6 + size, folder=Path(folder), cluster=place, workers=place.workers)
        return [path.read_bytes() for path in sorted(Path(folder).rglob("*.table"))]


@contextmanager
def measured(place: Pool) -> Iterator[list[float]]:
    """Seconds by the clock, seconds of work, and processor seconds of the workers and this process."""
    found: list[float] = []
    began, spent, cpu = time.perf_counter(), _spent(place), _processor(place)
    yield found
    found += [time.perf_counter() - began, _spent(place) - spent, _processor(place) - cpu]


def _spent(place: Pool) -> float:
    return place.spent if isinstance(place, Cluster | Threads) else 0.0


def _processor(place: Pool) -> float:
    there = place._client.run(time.process_time).values() if isinstance(place, Cluster) else ()
    return time.process_time() + sum(there)


def main() -> None:
    """Print a line for each kind of work."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--size", type=int, default=1, help="times as much work")
    parser.add_argument("--work", choices=["games", "puzzles", "match", "analyses", "tables"], nargs="*")
    asked = parser.parse_args()
    openings_of(asked.size)
    for number in range(asked.size):
        positions_of(number)
    chosen = [one for one in (games, puzzles, match, analyses, tables) if not asked.work or one.__name__ in asked.work]
    runs: dict[Work, list[list[float]]] = {work: [] for work in chosen}
    sums: dict[Work, set[str]] = {work: set() for work in chosen}
    for workers in (0, 1, 2):  # one after the other: a cluster that waits is work for the processors too
        began = time.perf_counter()
        with pool(workers, "local", EngineSurroundings()) if workers else pool(1) as place:
            if workers:
                started = time.perf_counter() - began
                with measured(place) as idle:
                    time.sleep(5)
                share = idle[2] / idle[0]
                print(f"a cluster of {workers} starts in {started:.1f} s; to wait takes {share:.1%} of a processor")
            for work in chosen:
                with measured(place) as run:
                    sums[work].add(hashlib.sha256(repr(work(place, asked.size)).encode()).hexdigest())
                runs[work].append(run)
    for work in chosen:
        assert len(sums[work]) == 1, f"{work.__name__}: not the same"
        (alone, _, bare), (one, busy_one, cpu_one), (two, busy_two, cpu_two) = runs[work]
        shares = busy_one / one, busy_two / two / 2
        clock = f"one thread {alone:5.1f} s, one worker {one:5.1f} s, two {two:5.1f} s: {one / two:.2f} times"
        busy = f"busy {shares[0]:.0%} and {shares[1]:.0%}: {2 * shares[1] / max(shares[0], 0.01):.2f} times"
        cpu = f"processor {bare:.1f}, {cpu_one:.1f}, {cpu_two:.1f} s"
        print(f"{work.__name__:9} {clock}; {busy}; {cpu}", flush=True)
    if match in runs:
        with ProcessPoolExecutor(2, get_context("spawn")) as apart:
            both = list(apart.map(_match_alone, [asked.size] * 2))
        print(f"two matches that know nothing of each other: {2 * runs[match][0][0] / mean(both):.2f} times one")


def _match_alone(size: int) -> float:
    """The seconds of a match in a process of its own: what the machine gives when nothing is shared but its memory."""
    openings_of(size)
    with pool(1) as place, measured(place) as run:
        match(place, size)
    return run[0]


if __name__ == "__main__":
    main()
