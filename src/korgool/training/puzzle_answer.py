"""An answer to a puzzle: what was tried for each move, what became of it, and the ratings after it."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from korgool.glicko import Glicko, updated
from korgool.training.puzzle import Puzzle

FIRST_RATING = 800.0
"""The rating of a solver before the first puzzle: that of somebody who has had the lessons."""
FIRST_DEVIATION = 150.0
"""The deviation of a puzzle that nobody has answered: its rating is measured with the engine, not with people."""
PUZZLE_PERIODS = 0.0
"""Rating periods between two answers to a puzzle: it stays as hard as it is, so its deviation only falls."""


class Mark(StrEnum):
    """The mark of a move to find; the value stands for it in a row of marks."""

    FIRST = "f"
    LATER = "l"
    SHOWN = "s"


def steps_of(puzzle: Puzzle) -> tuple[tuple[int, ...], ...]:
    """The accepted holes of each move that the solver has to find."""
    line = puzzle.sowings()
    return tuple(accepted for accepted, sowing in zip(puzzle.moves, line, strict=True) if sowing.mover is puzzle.solver)


def marks_of(puzzle: Puzzle, tries: Sequence[Sequence[int]]) -> str:
    """The row of marks that follows from what was tried.

    Args:
        puzzle: the puzzle.
        tries: for each move to find the holes that were tried, in turn. Where none was right the move counts as shown,
            and so does every move after it.

    Raises:
        ValueError: the puzzle has fewer moves.
    """
    steps = steps_of(puzzle)
    if len(tries) > len(steps):
        raise ValueError(f"the puzzle has {len(steps)} moves to find, not {len(tries)}")
    marks: list[Mark] = []
    for at, accepted in enumerate(steps):
        tried = tries[at] if at < len(tries) else ()
        if Mark.SHOWN in marks or not any(hole in accepted for hole in tried):
            marks.append(Mark.SHOWN)
        else:
            marks.append(Mark.FIRST if tried[0] in accepted else Mark.LATER)
    return "".join(marks)


def is_solved(marks: str) -> bool:
    """True if every move was found at the first try."""
    return bool(marks) and set(marks) == {Mark.FIRST.value}


def solves(puzzle: Puzzle, tries: Sequence[Sequence[int]]) -> bool:
    """True if what was tried finds every move of a puzzle at the first try; see `marks_of`."""
    try:
        return is_solved(marks_of(puzzle, tries))
    except ValueError:
        return False


def is_found(marks: str) -> bool:
    """True if every move was found, at whichever try."""
    return bool(marks) and Mark.SHOWN.value not in marks


def first_solver() -> Glicko:
    """The rating of somebody who has answered nothing."""
    return Glicko(FIRST_RATING)


def first_puzzle(rating: float) -> Glicko:
    """The rating of a puzzle that nobody has answered, by its rating from the engine."""
    return Glicko(float(rating), FIRST_DEVIATION)


def after_answer(solver: Glicko, puzzle: Glicko, solved: bool) -> tuple[Glicko, Glicko]:
    """The ratings of solver and puzzle after an answer.

    A solved puzzle is a win of the solver, everything else one of the puzzle.
    """
    points = float(solved)
    return (
        updated(solver, [(puzzle, points)]),
        updated(puzzle, [(solver, 1.0 - points)], periods=PUZZLE_PERIODS),
    )
