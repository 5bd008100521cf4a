"""Lines of play as people may see them."""

from __future__ import annotations

from collections.abc import Sequence

from korgool.rules import Position


def playable(position: Position, moves: Sequence[int]) -> tuple[int, ...]:
    """The part of a line of hole numbers up to the end of the game.

    The search evaluates as if every game were played out, so its lines may run past the stone that decides.
    """
    for ply, number in enumerate(moves):
        if number not in position.legal_moves():
            return tuple(moves[:ply])
        position = position.play(number)
    return tuple(moves)
