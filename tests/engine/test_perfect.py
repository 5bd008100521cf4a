"""The perfect level keeps the exact value wherever the solver reaches, and plays on where it does not."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

from korgool.engine.perfect import PERFECT, PerfectPlayer, is_solved
from korgool.engine.search import Engine
from korgool.engine.solving import Solver
from korgool.rules import BESTEMSHE, GAMES, MANGALA, Game, Rules
from tests.patience import PATIENCE


def ending(rules: Rules, seed: int, stones: int) -> Game:
    random, game = Random(seed), Game(rules)
    while game.outcome() is None and sum(map(sum, game.position.holes)) > stones:
        game.play(random.choice(game.position.legal_moves()))
    return game


@pytest.mark.parametrize("seed", range(4))
def test_every_move_of_an_ending_keeps_the_value(seed: int) -> None:
    game, player, solver = ending(MANGALA, seed, 16), PerfectPlayer(Engine(MANGALA)), Solver(MANGALA)
    while game.outcome() is None:
        solution = solver.solve(game.position)
        move, proven = player.choose(game.position, history=game.positions[:-1], seconds=2 * PATIENCE)
        assert proven
        assert move in solution.best
        game.play(move)


def test_the_start_of_mangala_is_played_from_the_book() -> None:
    move, proven = PerfectPlayer(Engine(MANGALA)).choose(MANGALA.start(), seconds=0.5)
    assert (move, proven) == (5, True)


def test_where_nothing_is_exact_the_search_plays() -> None:
    move, proven = PerfectPlayer(Engine(BESTEMSHE)).choose(BESTEMSHE.start(), seconds=0.4)
    assert move in BESTEMSHE.start().legal_moves()
    assert not proven


def test_a_finished_game_has_no_move() -> None:
    game = ending(MANGALA, 1, 0)
    with pytest.raises(ValueError, match="over"):
        PerfectPlayer(Engine(MANGALA)).choose(game.position)


def test_who_does_not_wait_is_answered_at_once() -> None:
    game = Game(MANGALA, [4, 4, 1, 3, 5, 4])
    player, asked = PerfectPlayer(Engine(MANGALA), memory=256 << 20, workers=1), count(1)
    move, proven = player.choose(game.position, seconds=600, exact=600, stopped=lambda: next(asked) > 0)
    assert move in game.position.legal_moves()
    assert (proven, next(asked)) == (False, 2), "it was asked once"
    # The solver is none the worse for it.
    shorter = ending(MANGALA, 3, 14)
    assert player.choose(shorter.position, seconds=2 * PATIENCE)[1]


def test_a_table_is_made_ahead_as_far_as_memory_goes() -> None:
    player = PerfectPlayer(Engine(MANGALA), memory=16 << 20, workers=1)
    asked = count(1)
    assert not player.prepare(13, lambda: next(asked) > 3)
    assert player.prepare(26, lambda: False), "16 MiB hold a table of 13 stones"
    assert player.prepare(26, lambda: True), "nothing is left to make"
    assert PerfectPlayer(Engine(BESTEMSHE)).prepare(20, lambda: True), "no table is of use there"


def test_mangala_is_solved_under_both_options_and_no_other_game() -> None:
    assert [name for name, rules in GAMES.items() if is_solved(rules)] == ["mangala"]
    assert is_solved(MANGALA.with_option("sweep", "owner"))
    assert not is_solved(MANGALA.with_option("sweep", "nobody"))
    assert PERFECT == 9
