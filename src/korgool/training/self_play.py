"""Games that levels of the engine play with each other, as people of several strengths do; a seed decides each."""

from __future__ import annotations

from random import Random

from korgool.engine import Engine
from korgool.engine.levels import choose
from korgool.rules import Game, Rules

LEVELS = (3, 4, 5, 6)
"""Those that take part, drawn for each side of each game: players of about 850 to 1,550."""
OPENING_PLIES = 2
"""Plies by lot at the beginning of a game."""
LONGEST_GAME = 400


def self_play_game(rules: Rules, seed: int, number: int, engine: Engine) -> Game:
    """Play the game with that number; seed and number decide it, in every process and on every platform.

    Args:
        rules: the game.
        seed: names the series.
        number: of the game in the series, from 0.
        engine: plays both sides; it uses no tables and has a small memory. What it remembers is forgotten.
    """
    random = Random(f"{rules.name} {seed} {number}")
    levels = [random.choice(LEVELS) for _ in range(2)]
    game = Game(rules)
    while (moves := game.position.legal_moves()) and len(game.moves) < LONGEST_GAME:
        if len(game.moves) < OPENING_PLIES:
            game.play(random.choice(moves))
        else:
            game.play(choose(engine, game.position, levels[game.position.to_move], random=random).move)
    return game


def self_play_engine(rules: Rules) -> Engine:
    """The engine for `self_play_game`, which depends on nothing that a user has built."""
    return Engine(rules, table_mib=1, tables=None)
