"""The perfect level keeps the exact value wherever the solver reaches, and plays on where it does not."""

from __future__ import annotations

from random import Random

import pytest

from korgool.engine.perfect import PerfectPlayer
from korgool.engine.search import Engine
from korgool.engine.solving import Solver
from korgool.rules import BESTEMSHE, MANGALA, Game, Rules


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
        move, proven = player.choose(game.position, history=game.positions[:-1], seconds=4)
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
