"""Counts of move sequences, by which implementations of the rules are compared."""

from __future__ import annotations

from korgool.rules.position import Position


def perft(position: Position, depth: int) -> int:
    """The number of sequences of exactly `depth` plies; a finished game has no children.

    The last ply is counted by the number of legal moves, without sowing it.
    """
    if depth <= 0:
        return 1
    moves = position.legal_moves()
    if depth == 1:
        return len(moves)
    return sum(perft(position.play(move), depth - 1) for move in moves)


def perft_divide(position: Position, depth: int) -> dict[int, int]:
    """`perft` split by the first move, as {hole number: count}."""
    return {move: perft(position.play(move), depth - 1) for move in position.legal_moves()} if depth > 0 else {}
