"""Makes the opening book of mangala: `python benchmarks/solve_book.py --sweep emptied --plies 8`.

All positions within `--whole` plies of the start get their exact values; beyond them, as far as `--plies`, those that
can arise when one side, whichever it is, plays the book's perfect move and the other plays anything, as long as there
are `--least` stones on the board. The table takes 1.25 GB, the search as much as `--memory` says.

Results are saved at once in a file beside the book, `.notes`; the same command continues from there.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock, local
from typing import TypeAlias

from korgool.engine.solving.book import Book
from korgool.engine.solving.mangala_table import MangalaTable
from korgool.engine.solving.search import Searcher
from korgool.rules import MANGALA, Position, Rules, Side

FOLDER = Path(__file__).parents[1] / "src" / "korgool" / "engine" / "solving"
Layer: TypeAlias = dict[tuple[int, Side], Position]
"""Positions by their number and the side that plays perfectly."""


class Maker:
    """Values of positions, searched by several threads above one table, or remembered."""

    def __init__(self, searcher: Searcher, notes: Path, workers: int) -> None:
        self.searcher = searcher
        self._own, self._lock, self._workers = local(), Lock(), workers
        self._searchers: list[Searcher] = []
        self.values: dict[int, int] = {}
        self._moves: dict[int, int] = {}
        if notes.exists():
            for line in notes.read_text(encoding="ascii").splitlines():
                if line.endswith((".", "!")):  # else it was cut short
                    key, said = map(int, line[:-1].split())
                    (self.values if line.endswith(".") else self._moves)[key] = said
        self._notes = notes.open("a", encoding="ascii")

    @property
    def nodes(self) -> int:
        return sum(searcher.nodes for searcher in self._searchers)

    def key(self, position: Position) -> int:
        return self.searcher.table.key(position)

    def keep(self, position: Position, value: int) -> None:
        key = self.key(position)
        with self._lock:
            if key not in self.values:
                self.values[key] = value
                self._note(f"{key} {value}.")

    def _note(self, line: str) -> None:
        self._notes.write(line + "\n")
        self._notes.flush()

    def _mine(self) -> Searcher:
        """The searcher of this thread."""
        if not hasattr(self._own, "searcher"):
            self._own.searcher = Searcher(self.searcher.table, shared=self.searcher)
            self._searchers.append(self._own.searcher)
        searcher: Searcher = self._own.searcher
        return searcher

    def _each(self, work: Callable[[Position], Position | int], positions: Iterable[Position]) -> None:
        positions = {self.key(position): position for position in positions}.values()
        with ThreadPoolExecutor(self._workers) as pool:
            for _ in pool.map(work, positions):
                pass

    def value(self, position: Position) -> int:
        key = self.key(position)
        if key not in self.values:
            self.keep(position, self._mine().value(position))
        return self.values[key]

    def whole(self, layer: Layer) -> Layer:
        """Values all positions; answers all that follow."""
        self._each(self.value, layer.values())
        following: Layer = {}
        for (_, side), position in layer.items():
            for move in position.legal_moves():
                child = position.play(move)
                if child.legal_moves():
                    following[self.key(child), side] = child
        return following

    def perfect(self, position: Position) -> Position:
        """Where a move leads that keeps the value: of several the one that gains most, then the first."""
        key = self.key(position)
        if key not in self._moves:
            move = self._best(position)
            with self._lock:
                self._moves[key] = move
                self._note(f"{key} {move}!")
        return position.play(self._moves[key])

    def _best(self, position: Position) -> int:
        value, mover = self.value(position), position.to_move
        children = {move: position.play(move) for move in position.legal_moves()}
        for move, child in sorted(children.items(), key=lambda item: -item[1].stores[mover]):
            wanted = value - (child.stores[mover] - position.stores[mover])
            outcome = child.outcome()
            if outcome is not None:
                ahead = position.stores[mover] - position.stores[mover.other]
                if outcome.stores[mover] - outcome.stores[mover.other] == value + ahead:
                    return move
            elif child.to_move is mover:
                if self._tested(child, wanted) >= wanted:
                    self.keep(child, wanted)
                    return move
            elif self._tested(child, 1 - wanted) <= -wanted:
                self.keep(child, -wanted)
                return move
        raise AssertionError(f"no move of {position} keeps its value {value}")

    def _tested(self, position: Position, target: int) -> int:
        known = self.values.get(self.key(position))
        return self._mine().test(position, target) if known is None else known

    def tree(self, layer: Layer, least: int) -> Layer:
        """Values all positions that have stones enough; answers what follows by perfect or by any moves."""
        layer = {key: position for key, position in layer.items() if sum(map(sum, position.holes)) >= least}
        self._each(self.perfect, (position for (_, side), position in layer.items() if position.to_move is side))
        following: Layer = {}
        for (_, side), position in layer.items():
            if position.to_move is side:
                children = [self.perfect(position)]
            else:
                children = [position.play(move) for move in position.legal_moves()]
            for child in children:
                if child.legal_moves():
                    following[self.key(child), side] = child
        return following


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sweep", choices=["emptied", "owner"], default="emptied")
    parser.add_argument("--whole", type=int, default=2)
    parser.add_argument("--plies", type=int, default=8)
    parser.add_argument("--least", type=int, default=36)
    parser.add_argument("--stones", type=int, default=24)
    parser.add_argument("--memory", type=int, default=1024, help="MiB for the search")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("-o", "--output", type=Path)
    options = parser.parse_args()
    rules: Rules = MANGALA.with_option("sweep", options.sweep).with_option("goal", "0")
    table = MangalaTable(rules, options.stones)
    table.grow(options.stones, workers=options.workers)
    output = options.output or FOLDER / f"mangala-{options.sweep}.book"
    maker = Maker(Searcher(table, options.memory << 20), output.with_suffix(".notes"), options.workers)
    start = rules.start()
    layer: Layer = {(maker.key(start), side): start for side in Side}
    whole = dict(layer)
    for ply in range(options.plies + 1):
        began = time.process_time()
        if ply <= options.whole:
            whole = maker.whole(whole)
        layer = maker.tree(layer, options.least)
        text = Book(rules, maker.values).text()
        output.write_text(text, encoding="ascii")  # after each ply, as the next takes longer than all before
        print(
            f"ply {ply}: {len(maker.values)} positions, {len(text)} bytes, {maker.nodes:,} visited, "
            f"{time.process_time() - began:.0f} of {time.process_time():.0f} s; next {len(layer)}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
