"""Perfect play in use: a move that keeps the value, a line of such moves, and a verdict on every move of a game."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from korgool.engine.solving.solver import BeyondLimitsError, Perfect, Progress, Solver
from korgool.rules import Game, Position


@dataclass(frozen=True, slots=True)
class Verdict:
    """Exact judgement of a move.

    Attributes:
        ply: its number in the game, from 1.
        move: the hole number.
        difference: the final difference, for the side that moved, that perfect play of both would have led to; None
            where that is not known within the limits.
        given: stones of the final difference that the move gave away: 0 for a move that kept everything; None where
            it is not known.
    """

    ply: int
    move: int
    difference: int | None
    given: int | None

    @property
    def kept(self) -> bool | None:
        """True if the move kept the value; None where it is not known."""
        return None if self.given is None else self.given == 0


def perfect_move(
    position: Position, solver: Solver, *, seconds: float | None = None, on_progress: Progress | None = None
) -> Perfect | None:
    """Moves of a position that keep its value, or None where the limits allow to prove none.

    Args:
        position: one that is not over.
        solver: for its rules; one solver for a whole game saves work.
        seconds: the most time to think.
        on_progress: told now and then what is done; what it raises ends the work.

    Raises:
        ValueError: the game is over there, or it is of another game.
    """
    if not position.legal_moves():
        raise ValueError("the game is over, there is nothing to choose")
    try:
        return solver.perfect(position, seconds=seconds, on_progress=on_progress)
    except BeyondLimitsError:
        return None


def optimal_line(position: Position, solver: Solver, *, seconds: float | None = None) -> tuple[int, ...]:
    """Moves of perfect play by both sides to the end of the game: of equal ones the lowest hole.

    Where endless play is best, the line ends when a position comes again.

    Raises:
        BeyondLimitsError: the time does not suffice for the whole line.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    line: list[int] = []
    seen = {position}
    while position.legal_moves():
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        move = solver.solve(position, seconds=left).best[0]
        line.append(move)
        position = position.play(move)
        if position in seen:
            break
        seen.add(position)
    return tuple(line)


def judge(
    start: Position, moves: Sequence[int], solver: Solver, *, seconds: float | None = None
) -> tuple[Verdict, ...]:
    """Judge every move of a game: the value that it kept or gave away.

    Moves in the book are judged at once; the rest begins at the end of the game, where values are cheap, and goes back
    as far as the limits allow.

    Args:
        start: where the game began.
        moves: hole numbers, as in `Game.moves`.
        solver: for the rules of the game.
        seconds: the most time for the whole game; no bound without it.

    Raises:
        ValueError: a move that cannot be played, named by its ply.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    positions = Game(start, moves).positions
    values: list[int | None] = [None] * len(positions)
    for at, position in enumerate(positions):
        with suppress(BeyondLimitsError):
            values[at] = solver.difference(position, seconds=0)
    for at in range(len(positions) - 1, -1, -1):
        if values[at] is not None:
            continue
        left = None if deadline is None else deadline - time.monotonic()
        if left is not None and left <= 0:
            break
        try:
            values[at] = solver.difference(positions[at], seconds=left)
        except BeyondLimitsError:
            continue  # an earlier position may still be easier
    verdicts = []
    for ply, move in enumerate(moves, 1):
        before, after = values[ply - 1], values[ply]
        if after is not None and positions[ply].to_move is not positions[ply - 1].to_move:
            after = -after
        given = None if before is None or after is None else before - after
        verdicts.append(Verdict(ply, move, before, given))
    return tuple(verdicts)
