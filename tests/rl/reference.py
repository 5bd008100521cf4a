"""Random games by the readable rules, for environments to be held against."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from korgool.rules import Game, Outcome, Position, Rules, Side, Termination

FEW = {"toguz": 25, "mangala": 50, "castle": 40, "bestemshe": 40}
"""Games of each kind in the usual tests; on request there are 10,000."""
MANY = 10_000


def outcome_of(game: Game) -> Outcome | None:
    """Outcome of a game that nobody watches: the third occurrence of a position is a draw (RULES.md, repetition)."""
    outcome = game.outcome()
    if outcome is None and game.rules.threefold and len(game.occurrences()) >= game.rules.threefold:
        return Outcome(None, Termination.REPETITION, game.position.stores)
    return outcome


def reward(outcome: Outcome | None, mover: Side) -> float:
    if outcome is None or outcome.winner is None:
        return 0.0
    return 1.0 if outcome.winner is mover else -1.0


def random_plies(
    start: Position | Rules, random: Random, most: int
) -> Iterator[tuple[Side, int, Game, Outcome | None]]:
    """A random game ply by ply: who sowed which hole, the game after it, its outcome."""
    game, outcome = Game(start), None
    while outcome is None and len(game.moves) < most:
        mover = game.position.to_move
        hole = random.choice(game.position.legal_moves())
        game.play(hole)
        outcome = outcome_of(game)
        yield mover, hole, game, outcome
