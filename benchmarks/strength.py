"""Matches between two versions of the kernel: `python benchmarks/strength.py 994fea2 . --games 400 --nodes 20000`.

Each side is a git revision, `.` for the files as they stand, or a shared library; `.:-DNAME=1` adds compiler flags, and
`.@FILE` takes another network than the shipped one, `.@none` the hand-written evaluation. Both play in one thread, turn
by turn, from the same openings with sides exchanged, so that other load slows both alike. Openings are random plies
without a tuz that a search finds balanced. Limits are nodes or processor seconds a move; games are played to their end
on the board, or to a threefold repetition. `--elo0 0 --elo1 5` ends the match by a sequential test. The figures of
`strength.md` were measured like this.
"""

from __future__ import annotations

import argparse
import ctypes
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import log, log10, sqrt
from pathlib import Path
from random import Random
from threading import Thread

from korgool.engine.kernel import Memory, pack, rules_struct
from korgool.engine.kernel_layout import LimitsStruct, OutcomeStruct, ReportStruct
from korgool.rules import GAMES, Rules

ROOT = Path(__file__).parents[1]
FLAGS = ["-std=c11", "-O3", "-fPIC", "-shared", "-fvisibility=hidden"]
LONGEST = 500
"""Plies after which a game is a draw; only games that go round get there."""
LEVEL_STONES = 1.0
"""How far from 0 the evaluation of an opening may be, in stones."""


def build(what: str, folder: Path) -> Path:
    """The library of a revision, of the files as they stand, or itself, with the clock of this folder."""
    name, _, flags = what.partition("@")[0].partition(":")
    if name.endswith(".so"):
        return Path(name)
    sources = ROOT / "kernel"
    if name != ".":
        archive = subprocess.run(["git", "archive", name, "kernel"], cwd=ROOT, capture_output=True, check=True)
        target = folder / name.replace("/", "_")
        target.mkdir(exist_ok=True)
        subprocess.run(["tar", "x", "-C", str(target)], input=archive.stdout, check=True)
        sources = target / "kernel"
    output = folder / f"{len(list(folder.glob('*.so')))}.so"
    files = [str(path) for path in sorted(sources.glob("*.c")) if path.name != "platform.c"]
    clock = str(ROOT / "benchmarks" / "strength_clock.c")
    subprocess.run(["gcc", *FLAGS, *flags.split(), *files, clock, "-o", str(output)], check=True)
    return output


class Side:
    """One library with one engine."""

    def __init__(self, path: Path, rules: Rules, table_mib: int, network: str = "", threads: int = 1) -> None:
        self.lib = lib = ctypes.CDLL(str(path))
        lib.kg_kernel_bytes.restype = lib.kg_engine_bytes.restype = ctypes.c_uint64
        self._kernel_memory = Memory(lib.kg_kernel_bytes())
        self.kernel = ctypes.c_void_p(self._kernel_memory.address)
        if lib.kg_kernel_init(self.kernel, ctypes.byref(rules_struct(rules))):
            raise ValueError(f"{path} cannot play {rules.title}")
        table = ctypes.c_uint64(table_mib << 20)
        self._memory = Memory(lib.kg_engine_bytes(table) + 64)
        self.engine = ctypes.c_void_p((self._memory.address + 63) // 64 * 64)
        lib.kg_engine_init(self.engine, self.kernel, table)
        self._memories, self._helpers = [self._memory], list[ctypes.c_void_p]()
        for _ in range(threads - 1):
            self._memories.append(Memory(lib.kg_engine_bytes(ctypes.c_uint64(0)) + 64))
            self._helpers.append(ctypes.c_void_p((self._memories[-1].address + 63) // 64 * 64))
            lib.kg_engine_init(self._helpers[-1], self.kernel, ctypes.c_uint64(0))
        self._network = None
        shipped = ROOT / "src" / "korgool" / "engine" / "networks" / f"{rules.name}.kgn"
        file = Path(network) if network else shipped
        if network != "none" and file.is_file() and hasattr(lib, "kg_engine_network"):
            data = file.read_bytes()
            self._network = Memory(len(data))
            ctypes.memmove(self._network.address, data, len(data))
            place = ctypes.c_void_p(self._network.address)
            for engine in (self.engine, *self._helpers):
                if lib.kg_engine_network(engine, place, ctypes.c_uint64(len(data))):
                    raise ValueError(f"{path} refuses the network {file}")
        self.report = ReportStruct()
        self.nodes, self.depths, self.moves = 0, 0, 0

    def new_game(self) -> None:
        self.lib.kg_engine_clear(self.engine)

    def search(self, history: list[tuple[bytes, int]], limits: LimitsStruct) -> tuple[int, int]:
        """The hole and the value for the last position of the history."""
        packed, side = history[-1]
        before = history[:-1]
        positions = b"".join(position for position, _ in before)
        sides = bytes(side for _, side in before)
        lib = self.lib
        start = packed, side, ctypes.byref(limits), positions, sides, len(before)
        lib.kg_engine_begin(self.engine, *start)
        threads = []
        for number, helper in enumerate(self._helpers, 1):
            lib.kg_engine_help(helper, self.engine, number)
            lib.kg_engine_begin(helper, *start)
            threads.append(Thread(target=lib.kg_engine_run, args=(helper,)))
            threads[-1].start()
        lib.kg_engine_run(self.engine)
        for thread, helper in zip(threads, self._helpers, strict=True):
            lib.kg_engine_stop(helper)
            thread.join()
        lib.kg_engine_report(self.engine, ctypes.byref(self.report))
        line = self.report.lines[0]
        self.nodes += self.report.nodes
        self.depths += line.depth
        self.moves += 1
        return line.move, line.value


class Board:
    """A game by the first side's rules."""

    def __init__(self, side: Side, rules: Rules) -> None:
        self._side, self._after = side, ctypes.create_string_buffer(24)
        self.history: list[tuple[bytes, int]] = [(pack(rules.start()), 0)]
        self.all = list(self.history)
        self.outcome = OutcomeStruct()

    def legal(self) -> list[int]:
        mask = self._side.lib.kg_legal(self._side.kernel, self.all[-1][0])
        return [hole for hole in range(9) if mask >> hole & 1]

    def play(self, hole: int) -> None:
        packed, side = self.all[-1]
        again = self._side.lib.kg_play(self._side.kernel, packed, hole, self._after)
        if again < 0:
            raise AssertionError(f"hole {hole} cannot be sown")
        entry = (self._after.raw, side if again else 1 - side)
        if sum(entry[0][18:20]) != sum(packed[18:20]):
            self.history = []
        self.history.append(entry)
        self.all.append(entry)

    def points(self) -> float | None:
        """What the starting side has, or None while the game goes on."""
        packed, side = self.all[-1]
        if self._side.lib.kg_outcome_of(self._side.kernel, packed, ctypes.byref(self.outcome)):
            winner = self.outcome.winner if side == 0 else -self.outcome.winner
            return 0.5 + winner / 2
        drawn = self.history.count(self.history[-1]) >= 3 or len(self.all) > LONGEST
        return 0.5 if drawn else None


def openings(side: Side, rules: Rules, seed: int) -> Iterator[list[int]]:
    """Level openings of 6 to 8 plies, without end and without repeating one."""
    random, seen = Random(seed), set[bytes]()
    limits = LimitsStruct(seconds=-1.0, nodes=30_000, lines=1)
    while True:
        board, moves = Board(side, rules), list[int]()
        for _ in range(random.randint(6, 8)):
            moves.append(random.choice(board.legal()))
            board.play(moves[-1])
            if board.points() is not None:
                break
        packed = board.all[-1][0]
        if board.points() is not None or any(packed[20:22]) or packed in seen:
            continue
        side.new_game()
        if abs(side.search(board.history, limits)[1]) <= LEVEL_STONES * 32:
            seen.add(packed)
            yield moves


@dataclass
class Score:
    """Pairs of games by the points of the second side in them, in half points 0 to 4."""

    pairs: list[int] = field(default_factory=lambda: [0] * 5)
    games: list[int] = field(default_factory=lambda: [0] * 3)

    def add(self, first: float, second: float) -> None:
        self.pairs[round(2 * (first + second))] += 1
        for points in (first, second):
            self.games[round(2 * points)] += 1

    def mean(self) -> tuple[float, float]:
        """Points a game and the variance of a pair's mean."""
        count = sum(self.pairs)
        mean = sum(at * n for at, n in enumerate(self.pairs)) / 4 / count
        return mean, max(1e-6, sum(n * (at / 4 - mean) ** 2 for at, n in enumerate(self.pairs)) / count)

    def likelihood(self, elo0: float, elo1: float) -> float:
        """Logarithm of the ratio of likelihoods, by the normal approximation over pairs."""
        mean, variance = self.mean()
        low, high = expected(elo0), expected(elo1)
        return sum(self.pairs) * (high - low) * (2 * mean - low - high) / (2 * variance)

    def __str__(self) -> str:
        mean, variance = self.mean()
        error = 1.96 * sqrt(variance / sum(self.pairs))
        low, elo, high = (elo_of(mean + shift) for shift in (-error, 0, error))
        lost, drawn, won = self.games
        return f"{won}-{drawn}-{lost}  {100 * mean:.1f} %  Elo {elo:+.0f} ({low:+.0f} to {high:+.0f})"


def expected(elo: float) -> float:
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(mean: float) -> float:
    mean = min(0.9995, max(0.0005, mean))
    return 400 * log10(mean / (1 - mean))


def play(
    sides: tuple[Side, Side], rules: Rules, opening: list[int], limits: tuple[LimitsStruct, LimitsStruct]
) -> float:
    """Points of the first of the sides, who starts."""
    board = Board(sides[0], rules)
    for side in sides:
        side.new_game()
    for hole in opening:
        board.play(hole)
    while (points := board.points()) is None:
        mover = board.all[-1][1]
        legal = board.legal()
        board.play(legal[0] if len(legal) == 1 else sides[mover].search(board.history, limits[mover])[0])
    return points


def match(arguments: argparse.Namespace, sides: tuple[Side, Side], judge: Side) -> Score:
    """The second side against the first, from openings found by a third engine, as what one learns there would help."""
    rules, score = GAMES[arguments.game], Score()
    factors = (1.0, arguments.factor)
    limits = [
        LimitsStruct(
            seconds=arguments.seconds * factor if arguments.seconds else -1.0,
            nodes=int((arguments.nodes or 0) * factor),
            depth=arguments.depth or 0,
            lines=1,
        )
        for factor in factors
    ]
    bound = log(0.95 / 0.05)
    for number, opening in enumerate(openings(judge, rules, arguments.seed), 1):
        straight = 1 - play(sides, rules, opening, (limits[0], limits[1]))
        turned = play(sides[::-1], rules, opening, (limits[1], limits[0]))
        score.add(straight, turned)
        done = 2 * number >= arguments.games
        if arguments.progress:
            print(f"{2 * number} games: {score}", flush=True)
        if arguments.elo1 is not None and number >= 20:
            done |= abs(score.likelihood(arguments.elo0, arguments.elo1)) >= bound
        if done:
            break
    return score


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--game", default="toguz", choices=GAMES)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--nodes", type=int)
    parser.add_argument("--seconds", type=float, help="processor seconds a move")
    parser.add_argument("--depth", type=int)
    parser.add_argument("--factor", type=float, default=1.0, help="limits of the second side, times those of the first")
    parser.add_argument("--threads", type=int, default=1, help="of the second side; the limits hold for its first")
    parser.add_argument("--table", type=int, default=16, help="MiB of each side")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--progress", action="store_true", help="tell the score after every pair")
    parser.add_argument("--elo0", type=float, default=0.0)
    parser.add_argument("--elo1", type=float, help="end by a sequential test, 5 %% error each way")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder, rules = Path(scratch), GAMES[arguments.game]
        first, second, judge = (
            Side(build(name, folder), rules, arguments.table, name.partition("@")[2], threads)
            for name, threads in ((arguments.first, 1), (arguments.second, arguments.threads), (arguments.first, 1))
        )
        score = match(arguments, (first, second), judge)
        print(f"{arguments.second} against {arguments.first}, {arguments.game}: {score}")
        if arguments.elo1 is not None:
            print(f"log likelihood ratio {score.likelihood(arguments.elo0, arguments.elo1):+.2f}")
        for name, side in ((arguments.first, first), (arguments.second, second)):
            moves = max(1, side.moves)
            print(f"  {name}: depth {side.depths / moves:.1f}, {side.nodes / moves:,.0f} nodes a move")
    return 0


if __name__ == "__main__":
    sys.exit(main())
