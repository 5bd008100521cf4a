"""Speed of the native kernel: `python benchmarks/kernel.py`, about half a minute.

Counts of sequences against a plain byte-array loop in C, built with the same compiler and flags, and against the Python
reference; nodes of the search; games replayed. Everything is measured in processor seconds of this process, the
candidates in turn so that a busy machine slows them alike; a row shows the median and the range of the rounds.
"""

from __future__ import annotations

import ctypes
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random

from korgool.engine.kernel import Kernel
from korgool.engine.limits import Limits
from korgool.engine.search import Engine
from korgool.rules import GAMES, TOGUZ_KORGOOL, Position, perft

ROOT = Path(__file__).parents[1]
FLAGS = ["-std=c11", "-O3", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra"]
ROUNDS = 7


def measured(function: Callable[[], int]) -> float:
    """Units of work, as the function answers, per processor second."""
    began = time.process_time()
    done = function()
    return done / (time.process_time() - began)


def interleaved(candidates: dict[str, Callable[[], int]], rounds: int = ROUNDS) -> dict[str, list[float]]:
    """All candidates in turn, after a first round that does not count."""
    for function in candidates.values():
        function()
    speeds: dict[str, list[float]] = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, function in candidates.items():
            speeds[name].append(measured(function))
    return speeds


def row(name: str, speeds: list[float], unit: str, remark: str = "") -> str:
    """A line of the table."""
    low, high = min(speeds), max(speeds)
    return f"{name:<44}{statistics.median(speeds):>16,.0f}  {low:>15,.0f} to {high:<15,.0f} {unit:<12} {remark}"


def ratio(over: list[float], under: list[float]) -> str:
    """The median of the ratios round by round, with their range."""
    ratios = [a / b for a, b in zip(over, under, strict=True)]
    return f"{statistics.median(ratios):.2f} times ({min(ratios):.2f} to {max(ratios):.2f})"


def plain_perft(folder: str) -> Callable[[int, int], int]:
    """The plain loop, compiled here."""
    output = Path(folder, "plain.so")
    command = ["gcc", *FLAGS, str(ROOT / "benchmarks" / "kernel_plain.c"), "-o", str(output)]
    subprocess.run(command, check=True)
    function = ctypes.CDLL(str(output)).plain_perft
    function.restype, function.argtypes = ctypes.c_uint64, (ctypes.c_int, ctypes.c_int)
    return lambda depth, counted: int(function(depth, counted))


def counts(folder: str) -> Iterator[str]:
    """Sequences of plies from the start of toguz korgool."""
    kernel, start = Kernel(TOGUZ_KORGOOL), TOGUZ_KORGOOL.start()
    plain = plain_perft(folder)
    if plain(6, 1) != kernel.perft(start, 6) or plain(6, 0) != kernel.perft(start, 6, bulk=False):
        raise AssertionError("the plain loop plays another game")
    for bulk, what in ((False, "last ply sown"), (True, "last ply counted")):
        depth = 8 if bulk else 7
        speeds = interleaved(
            {"kernel": partial(kernel.perft, start, depth, bulk), "plain": partial(plain, depth, int(bulk))}
        )
        against = ratio(speeds["kernel"], speeds["plain"])
        yield row(f"perft {depth}, {what}, kernel", speeds["kernel"], "leaves/s", against)
        yield row(f"perft {depth}, {what}, byte loop in C", speeds["plain"], "leaves/s")
    reference = [measured(lambda: perft(start, 4)) for _ in range(3)]
    same = [measured(lambda: sum(kernel.perft(start, 4) for _ in range(3000))) for _ in range(3)]
    yield row("perft 4, last ply counted, kernel from Python", same, "leaves/s", ratio(same, reference))
    yield row("perft 4, last ply counted, Python reference", reference, "leaves/s")


def searches() -> Iterator[str]:
    """The start of each game to a fixed number of nodes with an empty table."""
    for name, rules in GAMES.items():
        engine, start = Engine(rules), rules.start()

        def search(engine: Engine = engine, start: Position = start) -> int:
            engine.clear()
            return engine.analyse(start, Limits(nodes=10_000_000)).nodes

        yield row(f"search, {name}", interleaved({name: search}, 5)[name], "nodes/s")


def games() -> list[bytes]:
    """The real games where they are at hand, else random ones."""
    real = ROOT.parent / "shared" / "data" / "games_online.jsonl"
    if real.is_file():
        return [json.loads(line)["moves"].encode() for line in real.read_text(encoding="utf-8").splitlines()]
    random, found = Random(1), []
    for _ in range(500):
        position, moves = TOGUZ_KORGOOL.start(), bytearray()
        while legal := position.legal_moves():
            moves.append(48 + random.choice(legal))
            position = position.play(moves[-1] - 48)
        found.append(bytes(moves))
    return found


def replays() -> Iterator[str]:
    """The bare dialect, to Python objects."""
    lines = games()
    text, kernel = b"\n".join(lines * 20), Kernel(TOGUZ_KORGOOL)
    plies = sum(map(len, lines)) / len(lines)
    speeds = interleaved({"replay": lambda: sum(1 for _ in kernel.replay(text))})["replay"]
    yield row("replay of bare games", speeds, "games/s", f"{plies:.0f} plies each")


def main() -> int:
    print(f"{'':<44}{'median':>16}  {'range':>15}")
    with tempfile.TemporaryDirectory() as folder:
        for line in counts(folder):
            print(line)
    for lines in (searches(), replays()):
        for line in lines:
            print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
