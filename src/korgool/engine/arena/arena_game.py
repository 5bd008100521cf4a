"""One game of the arena."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from korgool.engine.arena.clock import Control
from korgool.engine.arena.opponents import GRACE, Opponent, OpponentError
from korgool.engine.limits import Limits
from korgool.engine.tables import Tables
from korgool.rules import Game, Outcome, Position, Rules, Side, Termination

Adjudicate = Callable[[Position], int | None]
"""Adjudicates a position: 1 if the side to move wins, -1 if the other does, 0 for a draw; None where that is not known.

`Tables.result` is one, and `TableJudge` for games that are played in other processes.
"""
LONGEST = 2_000
"""Plies after which a game is drawn, so that a series always ends."""


class TableJudge:
    """Adjudicates by the endgame tables in use. Pickled, it goes on with those of the machine where it arrives.

    Args:
        rules: the game.

    Raises:
        TableError: the tables cannot be used.
    """

    def __init__(self, rules: Rules) -> None:
        self.rules, self.tables = rules, Tables.shared(rules)

    def __call__(self, position: Position) -> int | None:
        """The result for the side to move, None where it is not known."""
        return self.tables.result(position)

    def __reduce__(self) -> tuple[type[TableJudge], tuple[Rules]]:
        return TableJudge, (self.rules,)


@dataclass(frozen=True, slots=True)
class Played:
    """A finished game.

    Attributes:
        game: all plies, the opening among them.
        outcome: how it ended.
        adjudicated: whether a table ended it before the board did.
        fault: the fault of a player that ended the game, or empty.
        seconds: thinking time of White and Black.
        left: seconds on the clocks of White and Black at the end; None for a game without clocks.
    """

    game: Game
    outcome: Outcome
    adjudicated: bool = False
    fault: str = ""
    seconds: tuple[float, float] = (0.0, 0.0)
    left: tuple[float, float] | None = None

    def half_points(self, side: Side) -> int:
        """Half points of a side."""
        return 1 if self.outcome.winner is None else 2 if self.outcome.winner is side else 0


def play_game(
    rules: Rules,
    white: Opponent,
    black: Opponent,
    *,
    opening: Sequence[int] = (),
    limits: Limits,
    control: Control | None = None,
    adjudicate: Adjudicate | None = None,
    number: int = 0,
) -> Played:
    """Play a game to its end.

    The third occurrence of a position is a draw, as on an unattended server. A game that is adjudicated ends there, for
    a reason unknown to the rules, with the stores as they stand. Who crashes, plays what is not legal, or thinks longer
    than the time for a move and a second loses at once; so does, on a clock, whose flag falls, however many stones the
    other side has.
    """
    game, spent = Game(rules, opening), [0.0, 0.0]
    clock = None if control is None else control.start()
    players = (white, black)

    def ended(outcome: Outcome, **what: Any) -> Played:
        return Played(game, outcome, seconds=(spent[0], spent[1]), left=None if clock is None else clock.left, **what)

    for player in players:
        player.new_game(number)
    while game.outcome() is None:
        side = game.position.to_move
        if any(claim.reason == "threefold" for claim in game.claims()) or len(game.moves) >= LONGEST:
            game.conclude(None, Termination.REPETITION)
            break
        known = adjudicate(game.position) if adjudicate else None
        if known is not None:
            winner = (None, side, side.other)[known]
            return ended(game.conclude(winner, Termination.UNKNOWN), adjudicated=True)
        began = time.perf_counter()
        try:
            move = players[side].choose(game, limits, clock)
            took = time.perf_counter() - began
            spent[side] += took
            if limits.seconds is not None and took > limits.seconds + GRACE:
                raise OpponentError(f"{players[side].name} took {took:.1f} s for a move of {limits.seconds:g} s")
            if move not in game.position.legal_moves():
                raise OpponentError(f"{players[side].name} plays hole {move}, which is not legal")
        except OpponentError as error:
            return ended(game.conclude(side.other, Termination.FORFEIT), fault=str(error))
        if clock is not None:
            clock = clock.after(side, took, game.position.play(move).to_move is not side)
            if clock.left[side] <= 0:
                return ended(game.conclude(side.other, Termination.TIME))
        game.play(move)
    last = game.outcome()
    assert last is not None
    return ended(last)
