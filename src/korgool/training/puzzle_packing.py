"""Make the sets that come with the package: `python -m korgool.training.puzzle_packing FILE...`.

Each file is one of `korgool puzzles make`. Its puzzles are checked as `korgool puzzles check` does, with ten times the
nodes of their making and the user's tables; those with a fault are named and left out. `docs/puzzles.md` has the
commands that make the shipped sets.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import local

from korgool.atomic_files import replacing
from korgool.engine import Tables
from korgool.training.in_turn import in_turn
from korgool.training.puzzle import Puzzle, PuzzleError, read_puzzles
from korgool.training.puzzle_checking import PuzzleChecker
from korgool.training.puzzle_set import SHIPPED, SUFFIX, pack_set

JUDGE_NODES = 1_200_000
"""Nodes of the check for each move to find: ten times those by which a puzzle was confirmed."""
JUDGE_MIB = 64


def read_whole(path: Path) -> list[Puzzle]:
    """The puzzles of a file.

    Raises:
        PuzzleError: a line is none; the message names it.
    """
    found = []
    with path.open("rb") as stream:
        for number, puzzle in read_puzzles(stream):
            if isinstance(puzzle, PuzzleError):
                raise PuzzleError(f"{path}: line {number}: {puzzle}")
            found.append(puzzle)
    return found


def without_faults(puzzles: Iterable[Puzzle], workers: int, nodes: int = JUDGE_NODES) -> tuple[list[Puzzle], list[str]]:
    """The puzzles in which a check finds no fault, in their order, and what it finds in the others."""
    own = local()

    def faults(puzzle: Puzzle) -> list[str]:
        rules = puzzle.start.rules
        checkers: dict[str, PuzzleChecker] = own.__dict__.setdefault("checkers", {})
        if rules.name not in checkers:
            checkers[rules.name] = PuzzleChecker(rules, Tables.shared(rules), nodes=nodes, table_mib=JUDGE_MIB)
        return [f"{puzzle.id}: {fault}" for fault in checkers[rules.name].faults(puzzle)]

    good, told = [], []
    asked = list(puzzles)
    for puzzle, found in zip(asked, in_turn(faults, asked, workers), strict=True):
        told += found
        if not found:
            good.append(puzzle)
    return good, told


def main(words: Sequence[str]) -> None:
    """Pack files into a folder, a set for each game."""
    parser = argparse.ArgumentParser(prog="python -m korgool.training.puzzle_packing", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--folder", type=Path, default=SHIPPED)
    parser.add_argument("--threads", type=int, default=1)
    asked = parser.parse_args(words)
    try:
        puzzles = [puzzle for path in asked.files for puzzle in read_whole(path)]
    except (PuzzleError, OSError) as error:
        sys.exit(f"korgool: {error}")
    good, told = without_faults(puzzles, asked.threads)
    for line in told:
        print(line, file=sys.stderr)
    asked.folder.mkdir(exist_ok=True)
    for game in dict.fromkeys(puzzle.game for puzzle in good):
        chosen = [puzzle for puzzle in good if puzzle.game == game]
        content = pack_set(chosen)
        with replacing(asked.folder / f"{game}{SUFFIX}") as write:
            write(content)
        print(f"{game}: {len(chosen)} puzzles, {len(content)} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
