"""Drawn positions with few stones that a side cannot bring to an end, proven by the rules alone.

Two stones half a round apart can follow each other around the board for as long as one side likes, while the other has
its 81 and can do nothing about it. With `Rules.drawn_position` a player may claim such a draw. The proof lists all that
can follow, and works backwards from finished games; how many stones it reaches is part of the rule.
"""

from __future__ import annotations

from collections import deque
from functools import lru_cache

from korgool.rules.outcome import Side
from korgool.rules.position import Position

MOST_STONES = 4
"""Stones on the board up to which a position may be claimed."""


@lru_cache(maxsize=256)
def is_unending_draw(position: Position) -> bool:
    """Return whether neither side can win, and at least one cannot force the end of the game without losing it.

    False with more than `MOST_STONES` stones on the board, and where the game is over.
    """
    if position.outcome() is not None or sum(map(sum, position.holes)) > MOST_STONES:
        return False
    positions, before, moves = _all_that_can_follow(position)
    finished = [at.outcome() for at in positions]

    def forced(side: Side, good: tuple[Side | None, ...]) -> bool:
        """Return whether a side can force that the game ends with one of these winners."""
        there = [outcome is not None and outcome.winner in good for outcome in finished]
        left = moves.copy()
        waiting = deque(number for number, is_there in enumerate(there) if is_there)
        while waiting and not there[0]:
            for number in before[waiting.popleft()]:
                left[number] -= 1
                if not there[number] and (positions[number].to_move is side or left[number] == 0):
                    there[number] = True
                    waiting.append(number)
        return there[0]

    return not any(forced(side, (side,)) for side in Side) and not all(forced(side, (side, None)) for side in Side)


def _all_that_can_follow(start: Position) -> tuple[list[Position], list[list[int]], list[int]]:
    """The positions, the start first; the numbers of those that lead to each, by each move; the moves of each."""
    numbers, positions, before, moves = {start: 0}, [start], list[list[int]]([[]]), []
    for number, at in enumerate(positions):  # grows meanwhile
        legal = at.legal_moves() if at.outcome() is None else ()
        moves.append(len(legal))
        for move in legal:
            after = at.play(move)
            found = numbers.setdefault(after, len(positions))
            if found == len(positions):
                positions.append(after)
                before.append([])
            before[found].append(number)
    return positions, before, moves
