"""Verdicts on games, perfect moves, optimal lines."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from korgool.engine.solving import Solver, judge, optimal_line, perfect_move
from korgool.rules import BESTEMSHE, MANGALA, Game, Rules

from .naive_mangala import Naive
from .positions import laid, played


def ended_difference(game: Game) -> int:
    outcome = game.outcome()
    assert outcome is not None
    mover = game.start.to_move
    return outcome.stores[mover] - outcome.stores[mover.other]


@pytest.mark.parametrize("rules", [MANGALA, MANGALA.with_option("sweep", "owner")], ids=["emptied", "owner"])
def test_an_optimal_line_ends_as_it_was_promised(rules: Rules) -> None:
    solver, random = Solver(rules, memory=32 << 20), Random(12)
    for _ in range(10):
        position = played(rules, 16, random)
        game = Game(position, optimal_line(position, solver))
        assert ended_difference(game) == solver.solve(position).difference


def page_line(sweep: str) -> tuple[Rules, list[int]]:
    """The line that the page about the solution prints."""
    text = (Path(__file__).parents[2] / "docs" / "solved.md").read_text(encoding="utf-8")
    found = re.search(rf"^- `{sweep}`: (.*?), and\s+\d", text, re.MULTILINE | re.DOTALL)
    assert found is not None
    moves = re.sub(r"\d+\.\s", "", found[1])
    return MANGALA.with_option("sweep", sweep), [int(move) for move in re.findall(r"\d", moves)]


@pytest.mark.parametrize(("sweep", "difference"), [("emptied", 0), ("owner", 2)])
def test_the_line_of_the_page_ends_as_the_book_says(sweep: str, difference: int) -> None:
    rules, moves = page_line(sweep)
    game = Game(rules, moves)
    assert ended_difference(game) == difference
    assert Solver(rules, memory=32 << 20).solve(rules.start()).difference == difference


@pytest.mark.long
@pytest.mark.parametrize("sweep", ["emptied", "owner"])
def test_every_move_of_the_line_of_the_page_keeps_everything(sweep: str) -> None:
    rules, moves = page_line(sweep)
    verdicts = judge(rules.start(), moves, Solver(rules, memory=2 << 30, workers=2))
    assert [verdict.given for verdict in verdicts] == [0] * len(moves)


def test_nobody_gains_by_another_move_than_a_perfect_one() -> None:
    solver, random, naive = Solver(MANGALA, memory=32 << 20), Random(13), Naive()
    for _ in range(15):
        position = laid(MANGALA, 8, random)
        if not position.legal_moves():
            continue
        solution = perfect_move(position, solver)
        assert solution is not None
        worth = naive.moves(position.holes[position.to_move], position.holes[position.to_move.other])
        assert set(solution.best) == {move for move, value in worth.items() if value == max(worth.values())}


def test_verdicts_add_up_to_the_result() -> None:
    """What both gave away is the way from the value of the start to the result."""
    solver, random = Solver(MANGALA, memory=32 << 20), Random(14)
    for _ in range(8):
        start = played(MANGALA, 18, random)
        game = Game(start)
        while game.position.legal_moves():
            game.play(random.choice(game.position.legal_moves()))
        verdicts = judge(start, game.moves, solver)
        assert [verdict.ply for verdict in verdicts] == list(range(1, len(game.moves) + 1))
        value = solver.solve(start).difference
        for verdict, position in zip(verdicts, game.positions[:-1], strict=True):
            assert verdict.given is not None
            assert verdict.given >= 0
            assert verdict.kept is (verdict.given == 0)
            assert verdict.given == verdict.difference - solver.solve(position).moves[verdict.move]  # type: ignore[operator]
            value += -verdict.given if position.to_move is start.to_move else verdict.given
        assert value == ended_difference(game)


def test_beyond_the_limits_nothing_is_said() -> None:
    solver = Solver(BESTEMSHE, memory=16 << 20)
    assert perfect_move(BESTEMSHE.start(), solver, seconds=0.01) is None
    (verdict,) = judge(BESTEMSHE.start(), [1], solver, seconds=0.01)
    assert (verdict.ply, verdict.move, verdict.difference, verdict.given, verdict.kept) == (1, 1, None, None, None)


def test_a_finished_game_has_no_perfect_move() -> None:
    solver = Solver(MANGALA, memory=32 << 20)
    position = played(MANGALA, 6, Random(15))
    line = optimal_line(position, solver)
    with pytest.raises(ValueError, match="the game is over"):
        perfect_move(Game(position, line).position, solver)
    with pytest.raises(ValueError, match="ply 1"):
        judge(position, [9], solver)


@pytest.mark.parametrize("rules", [MANGALA, MANGALA.with_option("sweep", "owner")], ids=["emptied", "owner"])
def test_perfect_moves_are_those_that_keep_the_value(rules: Rules) -> None:
    """Without the book and above small tables, where moves are tested and not valued."""
    random = Random(22)
    plain, tested = (Solver(rules, memory=16 << 20, book=False) for _ in range(2))
    for _ in range(12):
        position = played(rules, random.randint(16, 24), random)
        solution, perfect = plain.solve(position), tested.perfect(position)
        assert perfect.difference == solution.difference
        assert perfect.best
        assert set(perfect.best) <= set(solution.best)
