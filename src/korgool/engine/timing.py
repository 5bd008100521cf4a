"""How long to think: the clocks of people, turned into times for one search.

Pure functions of numbers; all times are seconds. Whoever reads a real clock calls `allot` at the start of a turn.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from korgool.rules import Position

RESERVE = 0.05
"""Seconds of the clock that are never planned with: the way to the clock."""
SHORTEST = 0.005
"""Seconds that a search by the clock gets at least; a legal move is found in them."""
_TURNS = 30
"""Turns that a clock is thought to have to last for, when the position is not known."""


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """A player's clock at the start of a turn, in seconds; times may be spent or overspent.

    Attributes:
        stock: until the flag falls, without the periods of byo-yomi.
        increment: gained when the turn is completed.
        delay: of the turn, that does not count.
        given_back: the delay runs from the stock and is given back when the turn is completed (Bronstein), so that
            the stock must hold meanwhile.
        moves: turns until the stock is filled up again; 0 when it must last for the whole game.
        period: length of a byo-yomi period, 0 for none. A turn completed within it makes it full again.
        periods: how many of them are left.
        period_moves: turns that one period has to last for.
    """

    stock: float
    increment: float = 0.0
    delay: float = 0.0
    given_back: bool = False
    moves: int = 0
    period: float = 0.0
    periods: int = 0
    period_moves: int = 1


@dataclass(frozen=True, slots=True)
class Allotment:
    """Seconds for one move.

    Attributes:
        aim: after so much no further depth is begun, unless the best move has just changed.
        most: after so much the search ends wherever it is.
    """

    aim: float
    most: float


def turns_ahead(position: Position) -> int:
    """Turns that the side to move may have before it: fewer the fewer stones lie on the board.

    About 50 at the start of toguz korgool and 12 with thirty stones left, as games of the engine with itself last.
    """
    return 5 + math.ceil(sum(map(sum, position.holes)) * 45 / 162)


def allot(left: TimeLeft, turns: int = _TURNS, reserve: float = RESERVE) -> Allotment:
    """Time for one move, so that no flag falls.

    What is left may be nothing, or less, and no number may be too strange: the answer is then `SHORTEST`. Otherwise
    `most` is at most what the flag allows less the reserve, or `SHORTEST` where that is less.

    Args:
        left: the clock.
        turns: turns that the stock must last for; `turns_ahead` guesses them.
        reserve: seconds never planned with.
    """
    stock, increment, reserve = _sane(left.stock), _sane(left.increment), _sane(reserve)
    delay, period = _sane(left.delay), _sane(left.period) if left.periods > 0 else 0.0
    turns = max(1, min(turns, left.moves) if left.moves > 0 else turns)
    # What each turn has for nothing, and what the stock gives beside; a period begins when the stock is spent.
    free = period / max(1, left.period_moves)
    flag = stock + free
    if left.given_back:
        free += min(delay, stock)
        spread = stock - min(delay, stock)
    else:
        free += delay
        flag += delay
        spread = stock
    share = spread / turns + free + 0.8 * increment
    most = max(SHORTEST, min(4 * share, flag - reserve, max(spread / 4 + free, share)))
    return Allotment(max(SHORTEST, min(0.7 * share, most)), most)


def _sane(seconds: float) -> float:
    return min(max(0.0, seconds), 1e9) if math.isfinite(seconds) else 0.0
