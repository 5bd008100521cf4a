"""A naive full-width solver of mangala, written apart from the solver: lists, recursion, nothing shared with it.

It does not import korgool. Stones are moved one by one, as the text of the rules says it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

Row = tuple[int, ...]


def rows(total: int, holes: int = 6) -> Iterator[Row]:
    """Every way to lay so many stones into a row."""
    if holes == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in rows(total - first, holes - 1):
            yield (first, *rest)


def sow(own: Row, other: Row, hole: int, single_again: bool = True) -> tuple[Row, Row, int, bool]:
    """Both rows, the stones gained, and whether the same player goes on."""
    board = [*own, 0, *other]
    hand = board[hole]
    board[hole] = 0
    at = hole
    if hand > 1:
        board[at] += 1
        left = hand - 1
    else:
        left = 1
    for _ in range(left):
        at = (at + 1) % 13
        board[at] += 1
    again = at == 6 and (hand > 1 or single_again)
    if at > 6 and board[at] % 2 == 0:
        board[6] += board[at]
        board[at] = 0
    elif at < 6 and board[at] == 1 and board[12 - at] > 0:
        board[6] += 1 + board[12 - at]
        board[at] = board[12 - at] = 0
    return tuple(board[:6]), tuple(board[7:]), board[6], again


class Naive:
    """Values by recursion over every move, with the values found kept.

    Args:
        emptied: whether the player whose side is empty gains the other side's stones; else they stay their side's.
        single_again: whether a single stone moved into the store gives another turn.
    """

    def __init__(self, emptied: bool = True, single_again: bool = True) -> None:
        self.emptied = emptied
        self.single_again = single_again
        self.value = cache(self._value)

    def moves(self, own: Row, other: Row) -> dict[int, int]:
        """What each hole, 1 to 6, is worth; none when the set is over."""
        if not any(own) or not any(other):
            return {}
        worth = {}
        for hole in range(6):
            if own[hole]:
                mine, his, gain, again = sow(own, other, hole, self.single_again)
                worth[hole + 1] = gain + (self.value(mine, his) if again else -self.value(his, mine))
        return worth

    def _value(self, own: Row, other: Row) -> int:
        if not any(own) or not any(other):
            left = sum(other) - sum(own)
            return left if self.emptied else -left
        return max(self.moves(own, other).values())
