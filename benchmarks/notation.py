"""The speed of reading and writing game records, in games per CPU-second, each dialect as a ratio to the bare one.

Ratios of one run compare across machines; the absolute figures belong to the machine. Every game is replayed by the
readable rules and every checksum verified, so the ratio shows what the notation costs on top of the replay. `bare by
kernel` is what `korgool replay` does with the bare dialect: the native kernel replays, where it is built. `headers`
goes through the same file without its moves; its ratio is to reading that dialect.

Usage: python benchmarks/notation.py [--games N] [--rounds N] [--json]
"""

from __future__ import annotations

import argparse
import io
import json
import random
import time
from collections.abc import Callable

from korgool import TOGUZ_KORGOOL, Game
from korgool.notation import DIALECTS, Record, read_headers, read_records, svg_board, write_record


def random_games(count: int) -> list[Game]:
    """Games of random moves to their ends, the same on every machine."""
    chance, games = random.Random(1), []
    for _ in range(count):
        game = Game(TOGUZ_KORGOOL)
        while moves := game.position.legal_moves():
            game.play(chance.choice(moves))
        games.append(game)
    return games


def rate(work: Callable[[], object], count: int, rounds: int) -> float:
    """The best of some rounds, in items per CPU-second."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return count / best


def reader(data: bytes) -> Callable[[], object]:
    def work() -> int:
        read = 0
        for record in read_records(io.BytesIO(data)):
            assert record.error is None
            read += 1
        return read

    return work


def lister(data: bytes, count: int) -> Callable[[], object]:
    def work() -> None:
        assert sum(1 for _ in read_headers(io.BytesIO(data))) == count

    return work


def writer(records: list[Record], dialect: str) -> Callable[[], object]:
    return lambda: [write_record(record, dialect) for record in records]


def through_the_kernel(data: bytes) -> Callable[[], object] | None:
    """Reading as the command line does it, or None where the kernel is not built."""
    try:
        from korgool.app.cli.records import fast_replay
    except ImportError:
        return None
    replay = fast_replay()
    if replay is None:
        return None
    return lambda: sum(record.error is None for record in read_records(io.BytesIO(data), replay=replay))


def measure(count: int, rounds: int) -> dict[str, float]:
    games = random_games(count)
    records = [Record.of(game, White="White, Player", Black="Black, Player", Date="2026.09.01") for game in games]
    texts = {dialect: "".join(write_record(record, dialect) for record in records).encode() for dialect in DIALECTS}
    found = {f"read {dialect}": rate(reader(text), count, rounds) for dialect, text in texts.items()}
    for dialect, text in texts.items():
        found[f"headers {dialect}"] = rate(lister(text, count), count, rounds)
    kernel = through_the_kernel(texts["bare"])
    if kernel is not None:
        found["read bare by kernel"] = rate(kernel, count, rounds)
    for dialect in DIALECTS:
        found[f"write {dialect}"] = rate(writer(records, dialect), count, rounds)
    positions = [game.positions[len(game.moves) // 2] for game in games[:100]]
    found["svg boards"] = rate(lambda: [svg_board(position) for position in positions], len(positions), rounds)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0] if __doc__ else None)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    found = measure(options.games, options.rounds)
    ratios = {name: speed / found[_measured_by(name)] for name, speed in found.items()}
    if options.json:
        print(
            json.dumps(
                {
                    name: {"per_cpu_second": round(speed, 1), "ratio": round(ratios[name], 3)}
                    for name, speed in found.items()
                }
            )
        )
        return
    for name, speed in found.items():
        print(f"{name:<22}{speed:>12,.0f} a CPU-second{ratios[name]:>10.2f} x {_measured_by(name)}")


def _measured_by(name: str) -> str:
    kind, _, dialect = name.partition(" ")
    return f"read {dialect}" if kind == "headers" else "read bare"


if __name__ == "__main__":
    main()
