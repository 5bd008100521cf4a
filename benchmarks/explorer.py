"""The explorer with many games: processor seconds of building it, its size, and the time of an answer.

The games are made by chance: a few moves are played often in the first twenty plies and every legal one afterwards, so
that a part of the positions is met in thousands of games and most of them in one. Answers are timed in the positions of
games drawn from the file, from the first to the last, each with the file's pages out of SQLite's own cache.

Usage: python benchmarks/explorer.py [--games N] [--asked N] [--folder FOLDER] [--json]
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from korgool import TOGUZ_KORGOOL, Game
from korgool.notation import Record
from korgool.training.explorer import open_explorer, writing

OPENING, LENGTH = 20, 70
"""Plies in which most players choose among few moves, and of a whole game."""


def games_by_chance(count: int, seed: int) -> Iterator[Record]:
    """Games, the same on every machine; every second has ratings and all have dates."""
    chance = random.Random(seed)
    for number in range(count):
        game = Game(TOGUZ_KORGOOL)
        while len(game.moves) < LENGTH and (moves := game.position.legal_moves()):
            usual = len(game.moves) < OPENING and chance.random() < 0.9
            game.play(moves[min(int(chance.expovariate(1.0)), len(moves) - 1)] if usual else chance.choice(moves))
        tags = {
            "White": f"White {number % 5000}",
            "Date": f"20{number % 26:02}.{number % 12 + 1:02}.{number % 28 + 1:02}",
        }
        if number % 2:
            tags |= {"WhiteElo": str(1000 + number % 1200), "BlackElo": str(1000 + number % 1100)}
        record = Record.of(game)
        yield Record(record.start, record.moves, record.result, tags, end=record.end)


def main() -> None:
    """Build, ask, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=5000)
    parser.add_argument("--asked", type=int, default=1000, help="positions asked for")
    parser.add_argument("--folder", type=Path, help="where the file is made; by default, a folder that is deleted")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=asked.folder) as folder:
        path = Path(folder, "games.explorer")
        building, plies, drawn = 0.0, 0, []
        chance = random.Random(2)
        with writing(path) as explorer:
            for number, record in enumerate(games_by_chance(asked.games, seed=1)):
                begun = time.process_time()
                explorer.add(record)
                building += time.process_time() - begun
                plies += len(record.moves)
                if number < 100 or chance.random() < 100 / asked.games:
                    drawn.append(record)
            begun = time.process_time()
        building += time.process_time() - begun
        positions = [position for record in drawn for position in record.positions]
        times = []
        for position in [TOGUZ_KORGOOL.start(), *chance.sample(positions, min(asked.asked, len(positions)))]:
            begun = time.process_time()
            with open_explorer(path) as opened:
                assert opened.ask(position).games
            times.append(1000 * (time.process_time() - begun))
        times[1:] = sorted(times[1:])
        figures = {
            "games": asked.games,
            "plies": plies,
            "building_cpu_s": round(building, 1),
            "cpu_us_a_ply": round(1e6 * building / plies, 1),
            "bytes_a_ply": round(path.stat().st_size / plies, 1),
            "start_ms": round(times[0], 2),
            "median_ms": round(times[len(times) // 2], 2),
            "p99_ms": round(times[-len(times) // 100], 2),
            "longest_ms": round(max(times), 2),
        }
    print(json.dumps(figures) if asked.json else "\n".join(f"{name:<16}{value:>12}" for name, value in figures.items()))


if __name__ == "__main__":
    main()
