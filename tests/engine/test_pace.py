"""What a session learns from its own clock: the true cost of a move, and nothing from a clock that was set by hand."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from korgool.engine.pace import Pace
from korgool.engine.timing import UNMEASURED, Overhead, TimeLeft, allot, plies_ahead
from korgool.rules import MANGALA, TOGUZ_KORGOOL, Game, Rules


def turns(pace: Pace, count: int, lag: float, stock: float = 100.0, increment: float = 0.0) -> tuple[Game, float]:
    """So many own moves of a game in which each costs `lag` beyond its search; the game, and what is on the clock."""
    game = Game(TOGUZ_KORGOOL)
    for _ in range(count):
        time = pace.plan(game, TimeLeft(stock, increment))
        move = game.position.legal_moves()[0]
        pace.answered(move, time.aim)
        stock += increment - time.aim - lag
        game.play(move)
        game.play(game.position.legal_moves()[0])
    return game, stock


def test_nothing_is_known_at_first() -> None:
    assert Pace().overhead() == UNMEASURED
    assert Pace().overhead(0.03) == Overhead(0.03, 0.03)
    assert Pace().overhead(0.002).each == 0.002


@pytest.mark.parametrize("lag", [0.0, 0.005, 0.3])
@pytest.mark.parametrize("increment", [0.0, 1.0])
def test_the_overhead_is_measured(lag: float, increment: float) -> None:
    pace = Pace()
    turns(pace, 10, lag, increment=increment)
    assert pace.overhead().each == pytest.approx(lag, abs=1e-6)
    assert pace.overhead(0.5) == Overhead(0.5, 0.5)  # the option is the least


def test_it_is_known_in_the_next_game_and_changes_with_the_way() -> None:
    pace = Pace()
    turns(pace, 10, 0.2)
    pace.leave()
    assert pace.overhead().each == pytest.approx(0.2)
    turns(pace, 40, 0.01, stock=1000.0)
    assert 0.01 < pace.overhead().each < 0.1


def test_one_measure_is_doubled_and_the_worst_remembered() -> None:
    pace = Pace()
    game, stock = turns(pace, 1, 0.1)
    pace.plan(game, TimeLeft(stock))
    assert pace.overhead().each == pytest.approx(0.2)
    game, stock = turns(pace, 1, 1.9)
    pace.plan(game, TimeLeft(stock))
    turns(pace, 9, 0.1)
    assert pace.overhead().worst == pytest.approx(1.9)
    assert pace.overhead().each == pytest.approx(0.1)  # so much once is no rule
    game, stock = turns(pace, 1, 0.9)
    pace.plan(game, TimeLeft(stock))
    assert 0.15 < pace.overhead().each < 0.4


@pytest.mark.parametrize(
    "clock",
    [
        TimeLeft(400),  # time was added
        TimeLeft(40),  # or taken away
        TimeLeft(99, delay=3),
        TimeLeft(99, moves=20),
        TimeLeft(0, period=5, periods=1),
    ],
)
def test_a_clock_that_was_set_tells_nothing(clock: TimeLeft) -> None:
    pace = Pace()
    game, _ = turns(pace, 1, 0.0)
    pace.plan(game, clock)
    assert pace.overhead() == UNMEASURED


def test_another_game_another_move_or_a_move_in_between_tells_nothing() -> None:
    pace = Pace()
    _, stock = turns(pace, 1, 0.1)
    pace.plan(Game(TOGUZ_KORGOOL, [1, 1]), TimeLeft(stock))  # equal, but not the game that was played
    assert pace.overhead() == UNMEASURED
    game = Game(TOGUZ_KORGOOL)
    pace.plan(game, TimeLeft(10))
    pace.answered(3, 0.0)
    for move in (4, 1):  # not the answer
        game.play(move)
    pace.plan(game, TimeLeft(9))
    pace.answered(2, 0.0)
    for move in (2, 9, 3, 8):  # a move that was not asked for
        game.play(move)
    pace.plan(game, TimeLeft(8))
    assert pace.overhead() == UNMEASURED


def test_the_plies_of_an_extra_turn_share_what_the_turn_has() -> None:
    """In mangala: the delay runs once a turn."""
    game, moves = before_a_long_turn()
    pace, used = Pace(), 0.0
    for move in moves:
        time = pace.plan(game, TimeLeft(0.0, delay=3.0))
        assert time.most > 0.05
        pace.answered(move, time.most)
        used += time.most + UNMEASURED.each
        game.play(move)
    assert len(moves) > 3
    assert used < 3


def before_a_long_turn() -> tuple[Game, list[int]]:
    """A game of mangala, and the moves of a turn of several plies in it."""
    random, game, turn = Random(1), Game(MANGALA), list[int]()
    while len(turn) < 4:
        if game.outcome() is not None:
            game, turn = Game(MANGALA), []
        side, moves = game.position.to_move, game.position.legal_moves()
        move = next((move for move in moves if game.position.play(move).to_move is side), random.choice(moves))
        game.play(move)
        turn = [*turn, move] if game.position.to_move is side else []
    return Game(MANGALA, game.moves[: -len(turn)]), turn


def test_what_is_measured_keeps_the_flag_up() -> None:
    """Ten seconds at 50 ms a move: what allots with the first guess goes on too boldly or too timidly."""
    game = Game(TOGUZ_KORGOOL)
    known, stock = Pace(), 10.0
    _, left = turns(known, 20, 0.05, stock)
    assert allot(TimeLeft(left), plies_ahead(game.position), known.overhead()).most > 0.005
    assert allot(TimeLeft(left), plies_ahead(game.position), UNMEASURED).most < 0.001


def measured(
    before: TimeLeft, after: TimeLeft, *, searched: float = 0.0, plies: tuple[int, ...] = (1, 1), rules: Rules = MANGALA
) -> Overhead:
    """What is known after one move, played with the others of `plies`, has cost what lies between two clocks."""
    game, pace = Game(rules), Pace()
    pace.plan(game, before)
    pace.answered(plies[0], searched)
    for move in plies:
        game.play(move)
    pace.plan(game, after)
    return pace.overhead()


@pytest.mark.parametrize(("cost", "known"), [(-0.0078125, 0.0), (5.0, 10.0), (5.0078125, None), (-0.015625, None)])
def test_a_cost_within_reason_is_believed(cost: float, known: float | None) -> None:
    found = measured(TimeLeft(64.0), TimeLeft(64.0 - cost), plies=(7, 1), rules=TOGUZ_KORGOOL)
    assert found == (UNMEASURED if known is None else Overhead(known, max(known, 0.02)))


def test_time_beyond_what_was_planned_is_a_cost() -> None:
    game, pace = Game(TOGUZ_KORGOOL), Pace()
    planned = pace.plan(game, TimeLeft(64.0)).most
    pace.answered(7, planned + 1)
    for move in (7, 1):
        game.play(move)
    pace.plan(game, TimeLeft(64.0 - planned - 1))
    assert pace.overhead().each == pytest.approx(2.0)


@pytest.mark.parametrize("change", [{"delay": 1}, {"period": 1}, {"moves": 1}], ids=str)
@pytest.mark.parametrize("when", [0, 1])
def test_a_clock_that_gives_time_back_tells_nothing_before_or_after(change: dict[str, Any], when: int) -> None:
    clocks = [TimeLeft(64.0), TimeLeft(63.0)]
    clocks[when] = replace(clocks[when], **change)
    assert measured(*clocks, plies=(7, 1), rules=TOGUZ_KORGOOL) == UNMEASURED


def test_the_increment_comes_when_the_turn_is_over() -> None:
    """In mangala the fourth hole gives another turn at the start: the same side moves on without an increment."""
    assert measured(TimeLeft(64.0, 2.0), TimeLeft(63.5, 2.0), plies=(4,)).each == pytest.approx(1.0)
    assert measured(TimeLeft(64.0, 2.0), TimeLeft(65.5, 2.0), plies=(1, 1)).each == pytest.approx(1.0)


def test_without_an_answer_or_a_move_nothing_is_told() -> None:
    game, pace = Game(TOGUZ_KORGOOL), Pace()
    for stock in (64.0, 63.0):
        pace.plan(game, TimeLeft(stock))
        pace.answered(7, 0.0)
    for move in (7, 1):
        game.play(move)
    pace.leave()
    pace.answered(7, 0.0)
    pace.plan(game, TimeLeft(62.0))
    for move in (game.position.legal_moves()[0],):
        game.play(move)
    game.play(game.position.legal_moves()[0])
    pace.plan(game, TimeLeft(61.0))
    assert pace.overhead() == UNMEASURED


def test_what_a_turn_has_is_halved_for_its_first_ply() -> None:
    game, cost = Game(MANGALA), Overhead(0.01, 0.02)
    for clock, half in (
        (TimeLeft(60.0, moves=10), TimeLeft(60.0, moves=20)),
        (TimeLeft(60.0, delay=4.0), TimeLeft(60.0, delay=2.0)),
        (TimeLeft(0.0, period=9.0, periods=2), TimeLeft(0.0, period=4.5, periods=2)),
    ):
        found = Pace().plan(game, clock, cost.each)
        assert found == allot(half, plies_ahead(game.position), cost)


def test_what_the_first_plies_used_is_not_there_for_the_next() -> None:
    pace, game = Pace(), Game(MANGALA)
    pace.plan(game, TimeLeft(0.0, period=9.0, periods=2), 0.25)
    pace.answered(4, 2.75)
    game.play(4)
    found = pace.plan(game, TimeLeft(0.0, period=9.0, periods=2), 0.25)
    assert found == allot(TimeLeft(0.0, period=3.0, periods=2), plies_ahead(game.position), Overhead(0.25, 0.25))
    pace.answered(game.position.legal_moves()[0], 50.0)
    again = pace.plan(game, TimeLeft(0.0, delay=0.5), 0.25)
    assert again.most < 0.25
