"""The puzzles that come with the package: how many, how balanced, and right in a sample."""

from __future__ import annotations

from random import Random

import pytest

from korgool.engine import Tables
from korgool.rules import GAMES
from korgool.training.puzzle import read_puzzle, write_puzzles
from korgool.training.puzzle_checking import PuzzleChecker
from korgool.training.puzzle_selection import MOST_GREEDY, MOST_QUIET, greedy_chance
from korgool.training.puzzle_set import SHIPPED, PuzzleSet, shipped_set
from korgool.training.themes import themes_of

LEAST = {"toguz": 2000, "mangala": 900, "castle": 800, "bestemshe": 300}
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
    assert len(puzzles) >= LEAST[game]
    ratings = [puzzles.rating(at) for at in range(len(puzzles))]
    assert ratings == sorted(ratings)
    assert len({one.id for one in puzzles}) == len(puzzles)
    quiet = len(puzzles.of_theme("quiet"))
    assert quiet <= MOST_QUIET * len(puzzles) + 10
    sample = Random(1).sample(range(len(puzzles)), 120)
    assert sum(greedy_chance(puzzles[at]) for at in sample) <= (MOST_GREEDY + 0.12) * len(sample)


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
def test_every_puzzle_is_right(game: str) -> None:
    rules = GAMES[game]
    checker = PuzzleChecker(rules, Tables.shared(rules))
    assert [(one.id, checker.faults(one)) for one in of(game) if checker.faults(one)] == []
