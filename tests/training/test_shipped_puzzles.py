"""The puzzles that come with the package: how many, how balanced, and right in a sample."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from korgool.engine import Tables
from korgool.engine.tables import build
from korgool.rules import GAMES
from korgool.training.puzzle import read_puzzle, write_puzzles
from korgool.training.puzzle_checking import PuzzleChecker
from korgool.training.puzzle_packing import PLANS, SEED
from korgool.training.puzzle_selection import MOST_GREEDY, MOST_QUIET, greedy_chance
from korgool.training.puzzle_set import SHIPPED, PuzzleSet, shipped_set
from korgool.training.themes import themes_of

COUNTS = {"toguz": 3000, "mangala": 1000, "castle": 1000, "bestemshe": 1000}
MOST_BYTES = 600_000


def of(game: str) -> PuzzleSet:
    puzzles = shipped_set(game)
    assert puzzles is not None
    return puzzles


def test_all_sets_together_are_small() -> None:
    assert {path.stem for path in SHIPPED.iterdir()} == set(GAMES)
    assert sum(path.stat().st_size for path in SHIPPED.iterdir()) <= MOST_BYTES


@pytest.mark.parametrize("game", GAMES)
def test_a_set_is_whole_and_balanced(game: str) -> None:
    puzzles = of(game)
    assert len(puzzles) == PLANS[game].puzzles == COUNTS[game]
    ratings = [puzzles.rating(at) for at in range(len(puzzles))]
    assert ratings == sorted(ratings)
    assert len({one.id for one in puzzles}) == len(puzzles)
    quiet = len(puzzles.of_theme("quiet"))
    assert quiet <= MOST_QUIET * len(puzzles) + 10
    sample = Random(1).sample(range(len(puzzles)), 300)
    assert sum(greedy_chance(puzzles[at]) for at in sample) <= (MOST_GREEDY + 0.06) * len(sample)
    sources = {puzzles[at].source.split(", ")[0] for at in sample}
    assert sources == {f"self-play {SEED}"}, "all of it comes from the documented command"


@pytest.mark.parametrize("game", GAMES)
def test_a_sample_is_right(game: str) -> None:
    puzzles, rules = of(game), GAMES[game]
    checker = PuzzleChecker(rules, Tables.shared(rules), nodes=60_000)
    for at in Random(2).sample(range(len(puzzles)), 3):
        puzzle = puzzles[at]
        (line,) = write_puzzles([puzzle])
        assert read_puzzle(line) == puzzle
        assert themes_of(puzzle) == puzzle.themes
        assert not [fault for fault in checker.faults(puzzle) if "better" in fault.reason], puzzle


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_every_puzzle_is_right(game: str, tmp_path: Path) -> None:
    rules, stones = GAMES[game], PLANS[game].stones
    tables = build(rules, stones, folder=tmp_path) if stones else Tables.shared(rules)
    checker = PuzzleChecker(rules, tables)
    assert [(one.id, checker.faults(one)) for one in of(game) if checker.faults(one)] == []
