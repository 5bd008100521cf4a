"""Proves who wins bestemshe from its start, and by how much: `python benchmarks/tables_bestemshe.py FOLDER`.

The engine's search above the tables of 28 stones that lie in FOLDER, ply by ply, until the winner is certain: some five
minutes of one core and 4 GiB of memory. `--proof` asks the proof-number search of `benchmarks/studies.py` how many
stones the first player ends with, from the start and after each first move, and follows its proofs again with the rules
in Python; with tables of 36 stones (`--stones`) that takes seconds. `--sample N` compares N positions a layer, drawn at
random, with what the tables say of those that follow.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from random import Random

from studies import WORDS, Ending, compiled

from korgool.engine.limits import Limits
from korgool.engine.search import Analysis, Engine
from korgool.engine.tables import Bounds, Tables
from korgool.engine.tables.native import ENDLESS, native
from korgool.rules import BESTEMSHE, Position


def proof(folder: Path, stones: int, memory: int, nodes: int) -> None:
    """By the other search: the value of the start and of each first move, the stones of the first player."""
    with tempfile.TemporaryDirectory() as scratch:
        lib = compiled(Path(scratch))
    start = BESTEMSHE.start()
    ending = Ending(lib, start, 0, memory, folder, stones)
    all_looked = all_checked = 0
    for move in (None, *start.legal_moves()):
        position, first = start if move is None else start.play(move), move is None
        print("the start:" if first else f"hole {move} first:", flush=True)
        wanted, found = start.rules.goal - 1, {}
        while wanted not in found:
            began = time.process_time()
            answer, looked = ending.ask(wanted, nodes, 1.12, position)
            seconds, all_looked = time.process_time() - began, all_looked + looked
            print(f"  {wanted} stones: {WORDS[answer]}, {looked:,} positions, {seconds:.1f} s", flush=True)
            if not answer:
                break
            began = time.process_time()
            checked, rest = ending.check(answer == 1, position)
            seconds, all_checked = time.process_time() - began, all_checked + checked
            print(f"    {checked:,} positions checked, {rest:,} of them in tables, {seconds:.1f} s", flush=True)
            found[wanted] = answer
            wanted += 1 if answer == 1 else -1
    print(f"together {all_looked:,} positions, {all_checked:,} checked")


def sample(tables: Tables, count: int) -> None:
    """Whether both bounds are the best that a move leads to, which is what the building of a table leaves true."""
    random, played_out = Random(1), replace(BESTEMSHE, goal=0)

    def probe(position: Position) -> Bounds:
        found = tables.probe(position)
        if found is None:
            raise AssertionError(f"no table holds {position}")
        return found

    for layer in range(2, tables.stones + 1, 2):
        size, open_ = int(native().kg_table_count(tables.address, layer, 0)), 0
        for _ in range(count):
            position = tables.position(layer, 0, random.randrange(size))
            bounds = probe(position)
            before, lower, upper = position.stores[0] - position.stores[1], [-ENDLESS], [-ENDLESS]
            moves = replace(position, rules=played_out)
            for after in map(moves.play, moves.legal_moves()):
                ended = after.outcome()
                stores = after.stores if ended is None else ended.stores
                next_ = Bounds(0, 0) if ended is not None else probe(replace(after, rules=BESTEMSHE))
                gain = stores[0] - stores[1] - before
                lower.append(-ENDLESS if next_.upper is None else gain - next_.upper)
                upper.append(ENDLESS if next_.lower is None else gain - next_.lower)
            told = -ENDLESS if bounds.lower is None else bounds.lower, ENDLESS if bounds.upper is None else bounds.upper
            if moves.legal_moves() and told != (max(lower), max(upper)):
                raise AssertionError(f"{position}: {told}, but the moves lead to {max(lower), max(upper)}")
            open_ += not bounds.settled
        print(f"{layer} stones: {count:,} positions of {size:,} as their moves say, {open_:,} open", flush=True)


def main() -> None:
    """Print what every depth finds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--stones", type=int, default=28, help="use tables as far as that")
    parser.add_argument("--memory", type=int, default=4096, help="MiB of the search's table")
    parser.add_argument("--nodes", type=int, default=2_000_000_000)
    parser.add_argument("--proof", action="store_true", help="search for a proof, and follow it")
    parser.add_argument("--sample", type=int, default=0, help="only compare so many positions a layer")
    options = parser.parse_args()
    if options.proof:
        proof(options.folder, options.stones, options.memory << 20, options.nodes)
        return
    tables = Tables.open(BESTEMSHE, options.folder, options.stones)
    if options.sample:
        sample(tables, options.sample)
        return
    engine = Engine(BESTEMSHE, table_mib=options.memory)
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
