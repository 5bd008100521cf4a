"""Makes the opening book of mangala: `python benchmarks/solve_book.py --sweep emptied --plies 1`.

Every position that can arise within so many plies of the start gets its exact value. The table takes 1.25 GB, the
search 1 GB more; one ply takes three minutes of a processor, each further one some times as long. The book of this
package is made so, once for each `--sweep`.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from korgool.engine.solving.book import Book
from korgool.engine.solving.search import Searcher
from korgool.engine.solving.table import MangalaTable
from korgool.rules import MANGALA, Rules

FOLDER = Path(__file__).parents[1] / "src" / "korgool" / "engine" / "solving"


def values_near_start(rules: Rules, searcher: Searcher, plies: int) -> Iterator[dict[int, int]]:
    """After each ply the values of all positions within so many plies of the start, by their numbers."""
    table, values = searcher.table, dict[int, int]()
    layer = {table.key(rules.start()): rules.start()}
    for ply in range(plies + 1):
        following = {}
        for key, position in layer.items():
            if key not in values:
                values[key] = searcher.value(position)
            for move in position.legal_moves():
                child = position.play(move)
                if child.legal_moves():
                    following[table.key(child)] = child
        print(f"ply {ply}: {len(values)} positions, {searcher.nodes:,} visited, {time.process_time():.0f} s")
        layer = following
        yield values


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sweep", choices=["emptied", "owner"], default="emptied")
    parser.add_argument("--plies", type=int, default=1)
    parser.add_argument("--stones", type=int, default=24)
    parser.add_argument("--memory", type=int, default=1024, help="MiB for the search")
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    rules = MANGALA.with_option("sweep", options.sweep)
    table = MangalaTable(rules, options.stones)
    table.grow(options.stones, workers=2)
    output = options.output or FOLDER / f"mangala-{options.sweep}.book"
    for values in values_near_start(rules, Searcher(table, options.memory << 20), options.plies):
        text = Book(rules, values).text()
        output.write_text(text, encoding="ascii")  # after each ply, as the next takes longer than all before
        print(f"{output}: {len(values)} positions, {len(text)} bytes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
