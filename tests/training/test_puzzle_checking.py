"""The check of puzzles: what it says of answers, goals and gaps that are bent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from korgool.engine import Engine, Limits, Tables
from korgool.engine.levels import of_number, ratings_of
from korgool.rules import GAMES, Side
from korgool.training.puzzle import Puzzle, PuzzleError
from korgool.training.puzzle_checking import PuzzleChecker
from korgool.training.puzzle_rating import STEP, rating_of
from korgool.training.puzzle_search import PuzzleSearch
from korgool.training.puzzle_set import shipped_set
from tests.training.puzzles import CAPTURE

NODES = 60_000


def shipped(game: str, goal: str | None, proof: str, plies: int = 1) -> Iterator[Puzzle]:
    """Shipped puzzles with that goal and proof, and at least so many plies."""
    puzzles = shipped_set(game)
    assert puzzles is not None
    return (one for one in puzzles if goal in (None, one.goal) and one.proof == proof and len(one.moves) >= plies)


def can_be_played(puzzle: Puzzle) -> bool:
    try:
        return bool(puzzle.sowings())
    except PuzzleError:
        return False


def checker(game: str) -> PuzzleChecker:
    rules = GAMES[game]
    return PuzzleChecker(rules, Tables.shared(rules), nodes=NODES)


@pytest.mark.parametrize(("game", "proof"), [("mangala", "exact"), ("toguz", "search")])
def test_an_answer_that_throws_stones_away_is_a_fault(game: str, proof: str) -> None:
    check, search = checker(game), PuzzleSearch(GAMES[game], Tables.shared(GAMES[game]))
    for puzzle in shipped(game, None, proof, plies=3):
        first = puzzle.start.play(puzzle.moves[0][0])
        if first.to_move is puzzle.solver:
            continue
        values = search.exact_values(first)
        if values is None:
            lines = Engine(GAMES[game], table_mib=4).analyse(first, Limits(nodes=NODES), lines=9).lines
            values = {line.move: round(line.evaluation) for line in lines}
        worst = min(values, key=lambda move: values[move])
        bent = replace(puzzle, moves=(puzzle.moves[0], (worst,), *puzzle.moves[2:]))
        if max(values.values()) - values[worst] < 7 or not can_be_played(bent):
            continue
        assert not [fault for fault in check.faults(puzzle) if "answer" in fault.reason]
        told = [str(fault) for fault in check.faults(bent) if "answer" in fault.reason]
        assert told
        assert told[0].startswith(f"ply 2: the answer {worst} loses ")
        return
    pytest.fail("no puzzle has a bad answer")


def test_a_goal_that_is_not_the_task_is_a_fault() -> None:
    check = checker("toguz")

    def about_goal(puzzle: Puzzle) -> list[str]:
        return [fault.reason for fault in check.faults(puzzle) if "the goal is" in fault.reason]

    saving = next(shipped("toguz", "save", "search"))
    gaining = next(shipped("toguz", "stones", "search"))
    assert about_goal(saving) == about_goal(gaining) == []
    assert about_goal(replace(gaining, goal="win")) == ["the goal is to win, and that is not sure"]
    assert about_goal(replace(gaining, goal="save")) == ["the goal is to save the game, and another move does that too"]


def test_the_slack_of_a_check_is_asked() -> None:
    """A gap that is large enough for one check is too small for another."""
    rules = GAMES["toguz"]
    strict = PuzzleChecker(rules, Tables.shared(rules), nodes=NODES, slack=-1000)
    puzzle = next(shipped("toguz", "stones", "search"))
    assert any("stones worse" in fault.reason for fault in strict.faults(puzzle))
    assert not any("stones worse" in fault.reason for fault in checker("toguz").faults(puzzle))


def test_a_longer_line_is_never_easier_than_its_first_move() -> None:
    """Chances are multiplied, so the rating of the whole line is that of its first move or higher."""
    engine = Engine(CAPTURE.start.rules, table_mib=1, tables=None)
    longer = list(shipped("toguz", "stones", "search", plies=3))[:6]
    pairs = [(rating_of(replace(one, moves=one.moves[:1]), engine), rating_of(one, engine)) for one in longer]
    assert all(first <= whole for first, whole in pairs)
    assert any(first + STEP <= whole for first, whole in pairs)
    assert all(whole in ratings_of(CAPTURE.start.rules) for _, whole in pairs)
    assert of_number(pairs[0][1], CAPTURE.start.rules).nodes


def test_a_right_puzzle_has_no_fault_and_a_theme_is_named_once() -> None:
    check = checker("mangala")
    for puzzle in list(shipped("mangala", None, "exact"))[:3]:
        assert check.faults(puzzle) == []
        twice = replace(puzzle, themes=(*puzzle.themes, puzzle.themes[0]))
        assert [str(fault) for fault in check.faults(twice)] == ["a theme is named twice"]


def test_two_moves_are_enough_to_choose_from_and_one_is_not() -> None:
    search = PuzzleSearch(GAMES["mangala"], Tables.shared(GAMES["mangala"]))
    two = next(one for one in shipped("mangala", None, "exact") if len(one.start.legal_moves()) == 2)
    step = search.only_moves(two.start)
    assert step is not None
    assert (step.accepted, step.exact) == (two.moves[0], True)
    holes = ((3, 0, 0, 0, 0, 0), (0, 0, 0, 0, 0, 2))
    assert search.only_moves(replace(two.start, holes=holes, stores=(22, 21), to_move=Side.WHITE)) is None
