"""The composed endings of `shared/data/endgame_studies.jsonl`: what can be proven about them, and the effort.

`python benchmarks/studies.py FILE` asks of each study whether White wins, and if not whether White draws, by the
proof-number search of `benchmarks/studies.c` above endgame tables held in memory. `--study N` asks of one, `--wanted S`
whether White ends with S stones of 162, `--stones N` fills the tables of the sets of tuz that can still come about as
far as that. `--check` follows each proof once more, with the rules in Python: for the side that claims the move that
the search proved, for the other all moves, down to ended games and tables. Times are processor seconds of one thread.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from korgool.engine.kernel import Kernel, Memory, library
from korgool.engine.search import Engine
from korgool.engine.tables import Tables
from korgool.engine.tables.native import native
from korgool.rules import TOGUZ_KORGOOL, Position, Setup, Side

ROOT = Path(__file__).parents[1]
RULES = TOGUZ_KORGOOL
WORDS = {0: "open", 1: "yes", 2: "no"}


@dataclass(frozen=True)
class Study:
    """A composed ending, White to move, and what the composer says that he reaches."""

    number: int
    goal: str
    position: Position


def studies(path: Path) -> list[Study]:
    """What stands in the file."""
    found = []
    for study in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        tuz = study["tuz_white"], study["tuz_black"]
        kazan = study["kazan"][0], study["kazan"][1]
        position = Setup(RULES, (study["white"], study["black"]), kazan, tuz).position()
        found.append(Study(study["study"], study["goal"], position))
    return found


def compiled(folder: Path) -> ctypes.CDLL:
    """The search, compiled here."""
    output = folder / "studies.so"
    source = str(ROOT / "benchmarks" / "studies.c")
    subprocess.run(["gcc", "-std=c11", "-O3", "-fPIC", "-shared", source, "-o", str(output)], check=True)
    lib = ctypes.CDLL(str(output))
    pointer, number, size = ctypes.c_void_p, ctypes.c_int32, ctypes.c_uint64
    for name, result, arguments in (
        ("study_bytes", size, ()),
        ("study_attach", None, (pointer, number, number, pointer, pointer, size)),
        ("study_unit", number, (pointer, number, number)),
        ("study_begin", None, (pointer, pointer, pointer, pointer, pointer, pointer, size)),
        ("study_question", None, (pointer, number, number, ctypes.c_double)),
        ("study_ask", number, (pointer, ctypes.c_char_p, number, pointer)),
        ("study_known", number, (pointer, ctypes.c_char_p, number)),
    ):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


class Ending:
    """Tables of what can come about from a position, and the search above them.

    Args:
        lib: the search.
        position: White is to move.
        stones: fill the tables as far as that, where a tuz stands.
        memory: bytes of the search's table.
        folder: endgame tables built before, which are used too.
        most: of these, those of no more stones.
    """

    def __init__(
        self,
        lib: ctypes.CDLL,
        position: Position,
        stones: int,
        memory: int,
        folder: Path | None,
        most: int | None = None,
    ) -> None:
        self.lib, self.position, rules = lib, position, position.rules
        self.kernel, self.engine = Kernel(rules), Engine(rules, table_mib=1)
        self.tables = Tables(rules) if folder is None else Tables.open(rules, folder, most)
        self.kept: list[Memory] = []
        for layer in range(1, stones + 1):
            for unit in self.units():
                if (layer, native().kg_table_tuz(self.tables.address, unit)) not in self.tables:
                    self.fill(layer, unit)
        clusters = 1
        while clusters * 2 * 64 <= memory:
            clusters *= 2
        self.table, self.proof = Memory(clusters * 64 + 64), Memory(lib.study_bytes())
        evaluate = ctypes.cast(library().kg_engine_evaluate, ctypes.c_void_p)
        address = (self.table.address + 63) // 64 * 64
        lib.study_begin(
            self.proof.address,
            self.kernel.address,
            self.tables.address,
            self.engine.address,
            evaluate,
            address,
            clusters,
        )

    def units(self) -> list[int]:
        """Those with a tuz that can still come about, those with two first."""
        if not self.position.rules.tuz:
            return []
        won, lost = ([tuz or 0] for tuz in self.position.tuz)
        won, lost = (each if each[0] else list(range(9)) for each in (won, lost))
        found = {self.lib.study_unit(self.tables.address, own, other) for own in won for other in lost}
        return sorted(found - {0, -1}, reverse=True)

    def fill(self, layer: int, unit: int) -> None:
        """One unit of one layer, a byte a position."""
        count = int(native().kg_table_count(self.tables.address, layer, unit))
        low, palette = Memory(2 * count + 8), Memory(512)
        if native().kg_tables_fill(self.tables.address, layer, unit, 0, low.address) < 0:
            raise AssertionError("a lower layer is missing")
        self.lib.study_attach(self.tables.address, layer, unit, low.address, palette.address, count)
        self.kept += [low, palette]

    def ask(self, wanted: int, nodes: int, steep: float, position: Position | None = None) -> tuple[int, int]:
        """Whether White ends with so many stones (1 yes, 2 no, 0 open), and the positions looked at.

        Endless play is a draw: enough where no more than half of the stones is wanted.

        Args:
            wanted: how many.
            nodes: the most positions.
            steep: the factor by which a stone of the evaluation makes a position harder or easier.
            position: where, instead of in the position that was given first.
        """
        self.wanted, total = wanted, self.position.rules.total
        self.lib.study_question(self.proof.address, wanted, total, math.sqrt(steep))
        return self.search(position or self.position, nodes)

    def search(self, position: Position, nodes: int) -> tuple[int, int]:
        """The question asked last, of any position, with all that was found for it before."""
        looked, packed = ctypes.c_uint64(nodes), self.kernel.pack(position)
        white = position.to_move is Side.WHITE
        found = self.lib.study_ask(self.proof.address, packed, white, ctypes.byref(looked))
        return int(found), looked.value

    def known(self, position: Position) -> int:
        """The same without a search."""
        return int(self.lib.study_known(self.proof.address, self.kernel.pack(position), position.to_move is Side.WHITE))

    def told(self, position: Position) -> bool | None:
        """Whether White ends with the stones asked for, where stores, the end of the game or the tables tell."""
        outcome, total = position.outcome(), position.rules.total
        white, black = position.stores if outcome is None else outcome.stores
        if outcome is not None or white >= self.wanted or black > total - self.wanted:
            return white >= self.wanted
        position = replace(position, rules=self.position.rules)
        least, sign = 2 * self.wanted - total, 1 if position.to_move is Side.WHITE else -1
        value = self.tables.value(position)
        if value is not None:
            return sign * value >= least
        result = self.tables.result(position)  # by how much is not known then
        if result is None or (result * sign < 0 and least < 0) or (result * sign > 0 and least > 2):
            return None
        return result * sign > 0

    def chosen(self, position: Position, claim: bool) -> Position:
        """Where the side to move goes to keep up what it claims about the question asked last."""
        after = [position.play(move) for move in position.legal_moves()]
        for search in (False, True):
            for each in after:
                if self.told(each) is claim:
                    return each
                if self.told(each) is None:
                    same = replace(each, rules=self.position.rules)
                    found = self.search(same, 1_000_000)[0] if search else self.known(same)
                    if found == (1 if claim else 2):
                        return each
        raise AssertionError(f"the proof has a hole: {position}")

    def check(self, claim: bool, position: Position | None = None) -> tuple[int, int]:
        """The positions of a proof, and how many of them rest on tables.

        Followed with the rules in Python, beyond their goal: the proven move for the side that claims, all moves for
        the other.

        Args:
            claim: that White ends with the stones asked for, or that he does not.
            position: as for `ask`.

        Raises:
            AssertionError: it does not hold, or not without going round.
        """
        claimant = Side.WHITE if claim else Side.BLACK
        done: set[tuple[object, ...]] = set()
        way: dict[tuple[object, ...], Iterator[Position]] = {}
        rest = 0

        def enter(position: Position) -> None:
            nonlocal rest
            key = (position.holes, position.stores, position.tuz, position.to_move)
            if key in way:
                raise AssertionError(f"the proof goes round: {position}")
            if key in done:
                return
            done.add(key)
            told = self.told(position)
            if told is (not claim):
                raise AssertionError(f"White has {self.wanted} stones or not, against the claim: {position}")
            if told is None:
                mine = position.to_move is claimant
                way[key] = iter([self.chosen(position, claim)] if mine else map(position.play, position.legal_moves()))
            else:
                same = replace(position, rules=self.position.rules)
                rest += position.outcome() is None and self.tables.probe(same) is not None

        enter(replace(position or self.position, rules=replace(self.position.rules, goal=0)))
        while way:
            key = next(reversed(way))
            following = next(way[key], None)
            if following is None:
                del way[key]
            else:
                enter(following)
        return len(done), rest


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--study", type=int)
    parser.add_argument("--stones", type=int, default=9)
    parser.add_argument("--nodes", type=int, default=20_000_000)
    parser.add_argument("--memory", type=int, default=1024, help="MiB of the search's table")
    parser.add_argument("--wanted", type=int, action="append", help="82 for a win, 81 for a draw")
    parser.add_argument("--folder", type=Path, help="of endgame tables built before")
    parser.add_argument("--steep", type=float, default=1.3, help="what a stone of the evaluation counts for")
    parser.add_argument("--check", action="store_true", help="follow the proof of a win again")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        lib = compiled(Path(scratch))
    for study in studies(options.file):
        if options.study not in (None, study.number):
            continue
        began = time.process_time()
        ending = Ending(lib, study.position, options.stones, options.memory << 20, options.folder)
        print(f"{study.number}, {study.goal}: tables {time.process_time() - began:.1f} s", flush=True)
        for wanted in options.wanted or (82, 81):
            began = time.process_time()
            found, nodes = ending.ask(wanted, options.nodes, options.steep)
            seconds = time.process_time() - began
            print(f"  {wanted} stones: {WORDS[found]}, {nodes:,} positions, {seconds:.1f} s", flush=True)
            if found and options.check:
                began = time.process_time()
                positions, rest = ending.check(claim=found == 1)
                seconds = time.process_time() - began
                print(f"  {positions:,} positions checked, {rest:,} of them in tables, {seconds:.1f} s", flush=True)
            if found == 1:
                break
    return 0


if __name__ == "__main__":
    sys.exit(main())
