"""What the review of a game says of its moves."""

from __future__ import annotations

from random import Random

import pytest

from korgool.engine.limits import Limits
from korgool.engine.review import (
    THRESHOLDS,
    Mark,
    ReviewedPly,
    SideSummary,
    accuracy,
    expectation,
    expected_differences,
    judge_ply,
    move_accuracy,
    review,
    summary,
    until_goal,
)
from korgool.engine.search import Analysis, Engine, Line
from korgool.rules import MANGALA, TOGUZ_KORGOOL, Game, Side


def seen(move: int, win: float, *others: tuple[int, float], stones: float = 0.0) -> Analysis:
    """A line for each move and chance of a win; the best is worth so many stones, the next one less."""
    lines = [
        Line(hole, stones - rank, chance, 0.0, 1 - chance, False, 5, (hole,))
        for rank, (hole, chance) in enumerate([(move, win), *others])
    ]
    return Analysis(tuple(lines), 1, 0.0)


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


def test_the_accuracy_of_a_move_falls_with_what_it_gave_away() -> None:
    assert [round(move_accuracy(lost)) for lost in (0, 0.05, 0.1, 0.2, 0.5, 1)] == [100, 80, 64, 40, 9, 0]


def test_stones_are_lost_as_the_graph_falls() -> None:
    game = Game(TOGUZ_KORGOOL, (7, 7))
    start, then, later = game.positions
    white = judge_ply(1, start, seen(9, 0.6, stones=4), 7, then, seen(1, 0.9, stones=3)).stones
    assert white == pytest.approx(until_goal(4, start) - until_goal(-3, then))
    black = judge_ply(2, then, seen(3, 0.7, stones=2), 7, later, seen(1, 0.8, stones=6)).stones
    assert black == pytest.approx(until_goal(6, later) - until_goal(-2, then))
    assert 6 < white < black < 8.1
    assert judge_ply(1, start, seen(7, 0.6, stones=4), 7, then, seen(1, 0.9, stones=3)).stones == 0


def test_a_move_that_the_search_before_it_saw_is_judged_by_that_alone() -> None:
    game = Game(TOGUZ_KORGOOL, (7,))
    start, then = game.positions
    judged = judge_ply(1, start, seen(9, 0.6, (7, 0.48), stones=5), 7, then, seen(1, 1.0, stones=30))
    assert (judged.lost, judged.stones) == pytest.approx((0.12, until_goal(5, start) - until_goal(4, start)))


@pytest.mark.parametrize(
    ("before", "after", "weight"),
    [(0.5, 0.5, 1), (0.99, 0.99, 0.25), (0.99, 0.7, 1), (0.99, 0.01, 1), (0.01, 0.01, 0.25), (0.03, 0.0, 1)],
)
def test_a_move_of_a_decided_game_counts_a_quarter(before: float, after: float, weight: float) -> None:
    game = Game(TOGUZ_KORGOOL, (7,))
    judged = judge_ply(1, game.positions[0], seen(9, before), 7, game.positions[1], seen(1, 1 - after))
    assert judged.weight == weight


def test_a_move_without_an_alternative_says_nothing() -> None:
    random, game = Random(1), Game(MANGALA)
    while len(game.position.legal_moves()) != 1 or game.position.sow(game.position.legal_moves()[0]).outcome:
        if game.outcome() is not None:
            game = Game(MANGALA)
        game.play(random.choice(game.position.legal_moves()))
    before, (only,) = game.position, game.position.legal_moves()
    judged = judge_ply(1, before, seen(only, 0.6), only, before.play(only), seen(1, 0.5))
    assert judged.weight == 0
    assert accuracy([judged]) is None


def test_the_accuracy_of_a_player_is_the_weighted_mean() -> None:
    def ply(lost: float, weight: float) -> ReviewedPly:
        return ReviewedPly(1, Side.WHITE, 1, 2, lost, None, weight=weight)

    judged = [ply(0.1, 1), ply(0, 1), ply(0.2, 0.25), ply(1, 0)]
    expected = (move_accuracy(0.1) + 100 + move_accuracy(0.2) / 4) / 2.25
    assert accuracy(judged) == summary(judged, Side.WHITE).accuracy == pytest.approx(expected)
    assert summary(judged, Side.BLACK).accuracy is None


def test_a_good_move_is_the_only_one_and_no_plain_capture() -> None:
    """At the start all holes but the first take ten stones."""
    start, quiet, taking = TOGUZ_KORGOOL.start(), TOGUZ_KORGOOL.start().play(1), TOGUZ_KORGOOL.start().play(7)
    for second, good in ((0.5, True), (0.51, False)):
        judged = judge_ply(1, start, seen(1, 0.6, (7, second)), 1, quiet, seen(1, 0.4))
        assert (judged.good, judged.sign) == (good, "!" if good else "")
    assert not judge_ply(1, start, seen(1, 0.6), 1, quiet, seen(1, 0.4)).good
    assert not judge_ply(1, start, seen(7, 0.6, (1, 0.3)), 7, taking, seen(1, 0.4)).good
    assert not judge_ply(1, start, seen(1, 0.6, (7, 0.3)), 7, taking, seen(1, 0.4)).good
    assert summary([judge_ply(1, start, seen(1, 0.6, (7, 0.3)), 1, quiet, seen(1, 0.4))], Side.WHITE).good == 1
