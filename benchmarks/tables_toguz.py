"""Sums and a sampled check of large tables of toguz korgool: `python benchmarks/tables_toguz.py FOLDER`.

FOLDER is what `korgool tables build --folder` was given. Prints a line for each finished file: stones, number of tuz,
positions, bytes and SHA-256. With `--sample N`, N random positions of each file are compared with those that their
moves lead to by the rules in Python: both bounds, and the sure gains where there is no tuz. `--from` leaves out layers
with fewer stones. benchmarks/tables_toguz.txt is what it printed, with the processor seconds of the build.
"""

from __future__ import annotations

import argparse
import hashlib
from dataclasses import replace
from pathlib import Path
from random import Random

from korgool.engine.tables import Tables, game_folder, table_files
from korgool.engine.tables.native import ENDLESS
from korgool.rules import TOGUZ_KORGOOL, Position

PLAYED_OUT = replace(TOGUZ_KORGOOL, goal=0)


def bounds(tables: Tables, position: Position) -> tuple[int, int]:
    """Lower and upper of a position that goes on."""
    found = tables.probe(position)
    if found is None:
        raise AssertionError(f"no table holds {position}")
    return (-ENDLESS if found.lower is None else found.lower, ENDLESS if found.upper is None else found.upper)


def gains(tables: Tables, position: Position) -> tuple[int, int]:
    """What the side to move and the other are sure of; with a tuz the bounds say it."""
    sure = tables.sure_gains(position)
    if sure is None:
        stones, (lower, _) = sum(map(sum, position.holes)), bounds(tables, position)
        sure = (stones + lower) // 2, (stones - lower) // 2
    return sure


def check(tables: Tables, position: Position) -> None:
    """Compare a position, White to move with empty stores, with those that its moves lead to."""
    moves = replace(position, rules=PLAYED_OUT)
    lower, upper, own, other = [], [], [], []
    for after in map(moves.play, moves.legal_moves()):
        ended = after.outcome()
        stores = after.stores if ended is None else ended.stores
        next_ = replace(after, rules=TOGUZ_KORGOOL)
        low, high = (0, 0) if ended is not None else bounds(tables, next_)
        his, mine = (0, 0) if ended is not None else gains(tables, next_)
        gain = stores[0] - stores[1]
        lower.append(-ENDLESS if high == ENDLESS else gain - high)
        upper.append(ENDLESS if low == -ENDLESS else gain - low)
        own.append(stores[0] + mine)
        other.append(stores[1] + his)
    if not lower:
        return
    if bounds(tables, position) != (max(lower), max(upper)):
        raise AssertionError(f"{position}: {bounds(tables, position)}, but moves lead to {max(lower), max(upper)}")
    if gains(tables, position) != (max(own), min(other)):
        raise AssertionError(f"{position}: {gains(tables, position)} sure, but moves lead to {max(own), min(other)}")


def main() -> None:
    """Print the lines."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--from", dest="least", type=int, default=1)
    parser.add_argument("--sample", type=int, default=0, metavar="N")
    asked = parser.parse_args()
    tables, random = Tables.open(TOGUZ_KORGOOL, asked.folder), Random(1)
    for layer, tuz, path in table_files(game_folder(TOGUZ_KORGOOL, asked.folder)):
        if layer < asked.least:
            continue
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        size, positions = path.stat().st_size, tables.count(layer, tuz)
        print(f"{layer:2} {tuz} {positions:>13,} {size:>13,} {digest}", flush=True)
        units = tables.boards[tuz]
        for _ in range(asked.sample):
            unit = random.choice(units)
            check(tables, tables.position(layer, unit, random.randrange(positions // len(units))))
        if asked.sample:
            print(f"     {asked.sample} random positions as their moves say", flush=True)


if __name__ == "__main__":
    main()
