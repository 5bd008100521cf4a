"""Who wins bestemshe from its start: `python benchmarks/tables_bestemshe.py FOLDER`, with tables of 28 stones.

The engine's search above the tables that lie in FOLDER, ply by ply, until the winner is certain: some five minutes of
one core and 4 GiB of memory. `--proof` asks the proof-number search of `benchmarks/studies.py` whether the first
player gets 25 of the 50 stones, and follows its proof again with the rules in Python.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from studies import WORDS, Ending, compiled

from korgool.engine.limits import Limits
from korgool.engine.search import Analysis, Engine
from korgool.engine.tables import Tables
from korgool.rules import BESTEMSHE, Side


def proof(folder: Path, memory: int, nodes: int) -> None:
    """By the other search."""
    with tempfile.TemporaryDirectory() as scratch:
        lib = compiled(Path(scratch))
    ending, began = Ending(lib, BESTEMSHE.start(), 0, memory, folder), time.process_time()
    found, looked = ending.ask(25, nodes, 1.12)
    seconds = time.process_time() - began
    print(f"25 stones for the first player: {WORDS[found]}, {looked:,} positions, {seconds:.1f} s", flush=True)
    if found == 2:
        began = time.process_time()
        positions, rest = ending.check(Side.BLACK)
        print(f"{positions:,} positions checked, {rest:,} by tables, {time.process_time() - began:.1f} s")


def main() -> None:
    """Print what every depth finds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stones", type=int, default=28, help="use tables as far as that")
    parser.add_argument("--memory", type=int, default=4096, help="MiB of the search's table")
    parser.add_argument("--nodes", type=int, default=2_000_000_000)
    parser.add_argument("--proof", action="store_true", help="search for a proof, and follow it")
    options = parser.parse_args()
    if options.proof:
        proof(options.folder, options.memory << 20, options.nodes)
        return
    engine, tables = Engine(BESTEMSHE, table_mib=options.memory), Tables.open(BESTEMSHE, options.folder, options.stones)
    engine.use_tables(tables)
    print(f"tables of {tables.stones} stones", flush=True)
    began = time.process_time()

    def look(analysis: Analysis) -> None:
        line, seconds = analysis.lines[0], time.process_time() - began
        print(
            f"{line.depth:>3} plies, {analysis.nodes:>13,} nodes, {seconds:7.1f} s: hole {line.move}, "
            f"{line.evaluation:+.2f} stones, wins {line.win:.3f}, loses {line.loss:.3f}",
            flush=True,
        )
        if 1 in (line.win, line.draw, line.loss):
            engine.stop()

    engine.analyse(BESTEMSHE.start(), Limits(nodes=options.nodes), on_depth=look)


if __name__ == "__main__":
    main()
