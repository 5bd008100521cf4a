"""Time to each depth from the start, two versions in turn: `python benchmarks/depth.py 994fea2 . --most 20`.

Sides are named as in `strength.py`; both search with the settings they play with, each depth from an empty table. A
depth is what the version itself calls so: reduced and pruned lines are shorter. Times are processor seconds of one
thread, the median of three rounds that take turns.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from strength import Board, Side, build

from korgool.engine.kernel_layout import LimitsStruct
from korgool.rules import GAMES

ROUNDS = 3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--game", default="toguz", choices=GAMES)
    parser.add_argument("--least", type=int, default=10)
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=60.0, help="a side that needs longer goes no deeper")
    parser.add_argument("--table", type=int, default=16, help="MiB of each side")
    arguments = parser.parse_args()
    rules, names = GAMES[arguments.game], (arguments.first, arguments.second)
    with tempfile.TemporaryDirectory() as scratch:
        sides = [Side(build(name, Path(scratch)), rules, arguments.table, name.partition("@")[2]) for name in names]
        running = [True, True]
        print(f"{'depth':>5}" + "".join(f"{name:>36}" for name in names))
        for depth in range(arguments.least, arguments.most + 1, 2):
            limits = LimitsStruct(seconds=arguments.seconds, depth=depth, lines=1)
            spent: list[list[float]] = [[], []]
            nodes = [0, 0]
            for _ in range(ROUNDS):
                for number, side in enumerate(sides):
                    if running[number]:
                        side.new_game()
                        side.search(Board(side, rules).history, limits)
                        seconds, reached = side.report.seconds, side.report.lines[0].depth
                        spent[number].append(seconds)
                        nodes[number] = side.report.nodes
                        running[number] = reached == depth and seconds < arguments.seconds
            row = f"{depth:>5}"
            for number in range(2):
                cell = (
                    f"{statistics.median(spent[number]):.3f} s {nodes[number]:>15,} nodes" if running[number] else "–"
                )
                row += f"{cell:>36}"
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
