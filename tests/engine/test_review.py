"""What the review of a game says of its moves."""

from __future__ import annotations

from random import Random

import pytest

from korgool.engine.limits import Limits
from korgool.engine.review import (
    THRESHOLDS,
    Mark,
    SideSummary,
    expectation,
    expected_differences,
    judge_ply,
    review,
    summary,
)
from korgool.engine.search import Analysis, Engine, Line
from korgool.rules import MANGALA, TOGUZ_KORGOOL, Game, Side


def seen(move: int, win: float) -> Analysis:
    return Analysis((Line(move, 0.0, win, 0.0, 1 - win, False, 5, (move,)),), 1, 0.0)


@pytest.mark.parametrize(
    ("before", "after", "mark"),
    [(0.6, 0.56, None), (0.6, 0.55, Mark.INACCURACY), (0.6, 0.49, Mark.MISTAKE), (0.6, 0.3, Mark.BLUNDER)],
)
def test_a_mark_follows_the_points_given_away(before: float, after: float, mark: Mark | None) -> None:
    game = Game(TOGUZ_KORGOOL, (7,))
    start, then = game.positions
    judged = judge_ply(1, start, seen(9, before), 7, then, seen(1, 1 - after))
    assert judged.mark is mark
    assert judged.lost == pytest.approx(before - after)
    assert judged.better == ((9,) if mark else ())


def test_black_loses_from_his_own_view() -> None:
    game = Game(TOGUZ_KORGOOL, (7, 7))
    judged = judge_ply(2, game.positions[1], seen(3, 0.7), 7, game.positions[2], seen(1, 0.8))
    assert judged.side is Side.BLACK
    assert judged.lost == pytest.approx(0.5)


def test_the_engines_own_move_never_loses() -> None:
    game = Game(TOGUZ_KORGOOL, (7,))
    assert judge_ply(1, game.positions[0], seen(7, 0.9), 7, game.positions[1], seen(1, 0.9)).lost == 0


def test_a_finished_game_is_worth_what_it_gave() -> None:
    random, game = Random(3), Game(MANGALA)
    while game.outcome() is None:
        game.play(random.choice(game.position.legal_moves()))
    outcome = game.outcome()
    assert outcome is not None
    points = 0.5 if outcome.winner is None else float(outcome.winner is Side.WHITE)
    assert expectation(game.position, None) == points


def test_a_whole_game_is_reviewed_and_summed_up() -> None:
    random, game, engine = Random(5), Game(MANGALA), Engine(MANGALA)
    while game.outcome() is None:
        game.play(random.choice(game.position.legal_moves()))
    analyses = [
        engine.analyse(position, Limits(depth=6)) if position.legal_moves() else None for position in game.positions
    ]
    judged = review(game, analyses)
    assert [one.ply for one in judged] == list(range(1, len(game.moves) + 1))
    assert all(0 <= one.lost <= 1 for one in judged)
    assert any(one.mark for one in judged), "chance makes mistakes"
    for one in judged:
        assert one.side is game.positions[one.ply - 1].to_move
        assert (one.mark is None) == (one.lost < THRESHOLDS[-1][0])
    for side in Side:
        own = summary(judged, side)
        assert own.moves == sum(one.side is side for one in judged)
        assert sum(own.marks) == sum(one.side is side and one.mark is not None for one in judged)
    assert summary((), Side.WHITE) == SideSummary(0, 0.0, (0, 0, 0))


def test_the_differences_lead_to_that_of_the_result() -> None:
    """White reaches 82 far ahead; what still lies on the board then is nobody's (WNG-TK §V)."""
    game = Game(TOGUZ_KORGOOL, (9, 3, 5, 2, 9, 6, 6, 2, 1, 5, 9, 9, 2, 5, 5, 6, 4, 7, 6, 6, 9, 5, 9))
    engine = Engine(TOGUZ_KORGOOL, table_mib=8)
    values = []
    for position in game.positions[:-1]:
        found = engine.analyse(position, Limits(nodes=10_000)).lines[0].evaluation
        values.append(found if position.to_move is Side.WHITE else -found)
    assert values[-1] > 70  # all stones counted
    told = expected_differences(game, [*values, 0.0])
    assert told[-1] == 84 - 28 == max(told)
    assert told[-1] - told[-2] < 8
    assert told[:9] != values[:9]


def test_a_sweep_counts_all_stones() -> None:
    chance = Random(1)
    game = Game(MANGALA)
    while (legal := game.position.legal_moves()) and game.outcome() is None:
        game.play(chance.choice(legal))
    outcome = game.outcome()
    assert outcome is not None
    assert any(outcome.swept)
    values = [float(ply) for ply in range(len(game.positions))]
    assert expected_differences(game, values) == values
