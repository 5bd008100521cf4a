"""Answers to puzzles: marks by the tries, both ratings, and the row of days that forgives one."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from korgool.glicko import Glicko
from korgool.training.puzzle import Puzzle
from korgool.training.puzzle_answer import (
    FIRST_DEVIATION,
    after_answer,
    first_puzzle,
    first_solver,
    is_found,
    is_solved,
    marks_of,
    solves,
    steps_of,
)
from korgool.training.puzzle_days import streak_of
from korgool.training.puzzle_set import shipped_set
from tests.training.puzzles import AGAIN, CAPTURE, EMPTY


def longest(game: str) -> Puzzle:
    puzzles = shipped_set(game)
    assert puzzles is not None
    return max(puzzles, key=lambda one: len(steps_of(one)))


def test_marks_follow_from_what_was_tried() -> None:
    assert steps_of(CAPTURE) == ((1,),)
    tried: list[list[list[int]]] = [[[1]], [[3, 1]], [[3, 4]], [[]], []]
    assert [marks_of(CAPTURE, tries) for tries in tried] == ["f", "l", "s", "s", "s"]
    assert marks_of(EMPTY, [[6]]) == marks_of(EMPTY, [[2]]) == "f"  # two moves are as good
    assert marks_of(CAPTURE, [[1, 3]]) == "f"  # what follows the right one is not read
    with pytest.raises(ValueError, match="1 moves to find, not 2"):
        marks_of(CAPTURE, [[1], [1]])
    assert [solves(CAPTURE, tries) for tries in (*tried, [[1], [1]])] == [True, False, False, False, False, False]


def test_after_a_move_that_was_shown_nothing_was_found() -> None:
    puzzle = longest("toguz")
    right = [[accepted[0]] for accepted in steps_of(puzzle)]
    assert len(right) > 2
    assert marks_of(puzzle, right) == "f" * len(right)
    assert marks_of(puzzle, [right[0], [0], *right[2:]]) == "f" + "s" * (len(right) - 1)
    assert marks_of(puzzle, right[:1]) == "f" + "s" * (len(right) - 1)
    assert [is_solved(marks) for marks in ("ff", "fl", "fs", "")] == [True, False, False, False]
    assert [is_found(marks) for marks in ("ff", "fl", "fs", "")] == [True, True, False, False]


def test_the_plies_of_an_extra_turn_are_moves_to_find() -> None:
    own = [sowing for sowing in AGAIN.sowings() if sowing.mover is AGAIN.solver]
    assert len(steps_of(AGAIN)) == len(own)


@given(st.lists(st.lists(st.integers(1, 9), max_size=4), max_size=5))
def test_a_row_has_a_mark_for_each_move_and_nothing_after_one_that_was_shown(tries: list[list[int]]) -> None:
    puzzle = longest("toguz")
    steps = steps_of(puzzle)
    if len(tries) > len(steps):
        return
    marks = marks_of(puzzle, tries)
    assert len(marks) == len(steps)
    assert set(marks.partition("s")[2]) <= {"s"}


def test_both_ratings_move_and_a_puzzle_grows_surer() -> None:
    solver, puzzle = first_solver(), first_puzzle(800)
    assert puzzle == Glicko(800.0, FIRST_DEVIATION)
    won, beaten = after_answer(solver, puzzle, True)
    lost, unbeaten = after_answer(solver, puzzle, False)
    assert won.rating > 800 > lost.rating
    assert beaten.rating < 800 < unbeaten.rating
    assert won.rating - 800 > 800 - beaten.rating  # the solver was less sure
    for _ in range(200):
        before = puzzle.deviation
        _, puzzle = after_answer(Glicko(900.0, 80.0), puzzle, True)
        assert puzzle.deviation < before
    assert puzzle.deviation < 50


def test_a_row_of_days_forgives_one_day_a_week() -> None:
    today = date(2026, 11, 29)

    def november(*days: int) -> list[date]:
        return [date(2026, 11, day) for day in days]

    assert streak_of(november(29), today) == 1
    assert streak_of([], today) == 0
    assert streak_of(november(28), today) == 1  # today is not over
    assert streak_of(november(27), today) == 1  # yesterday is forgiven
    assert streak_of(november(26), today) == 0
    assert streak_of(november(29, 27, 25), today) == 2  # two in a week
    assert streak_of(november(29, 27, 26, 25, 24, 23, 22, 20, 19), today) == 9
    assert streak_of([today - timedelta(days=back) for back in range(900)], today) == 400
