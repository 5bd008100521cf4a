"""Time management: the clocks of people, turned into times for one search.

Pure functions of numbers; all times are seconds. `engine/pace.py` reads real clocks and calls `allot` for every move.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from korgool.engine.games import figures_of
from korgool.rules import Position

SHORTEST = 0.0002
"""Seconds that a search gets where nothing can be spared, or a ten-thousandth of what is left where that is less. The
first ply is always looked at, so that a legal move is found in no time at all."""
AIM = 0.7
"""Part of a move's share after which no further depth is begun: the depth that is running still has to end."""


@dataclass(frozen=True, slots=True)
class TimeLeft:
    """A player's clock at the start of a move, in seconds; times may be spent or overspent.

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
class Ahead:
    """Plies that the side to move has before it, the present one counted.

    Attributes:
        usual: as many as the mean game has.
        most: hardly any game has more.
    """

    usual: float
    most: float


@dataclass(frozen=True, slots=True)
class Overhead:
    """Seconds of a clock that a move costs beyond its search: reading the position, the answer's way, a busy machine.

    Attributes:
        each: of every move.
        worst: of one move now and then.
    """

    each: float
    worst: float


UNMEASURED = Overhead(0.1, 0.1)
"""Overhead assumed for an unknown clock: that of another program far away."""


@dataclass(frozen=True, slots=True)
class Allotment:
    """Seconds for one move.

    Attributes:
        aim: after so much no further depth is begun, unless the best move has just changed.
        most: after so much the search ends wherever it is.
    """

    aim: float
    most: float


def plies_ahead(position: Position) -> Ahead:
    """Plies that the side to move may have before it: fewer the fewer stones lie on the board.

    `python benchmarks/clocks.py lengths` counts them: the usual ones are the mean of games of the engine with itself,
    the most are two more than in any of some thousand games of the engine, of its weak levels, and of people. A game
    not known there is thought to be as long as toguz korgool, the longest.
    """
    twentieth = min(20, math.ceil(20 * sum(map(sum, position.holes)) / position.rules.total))
    figures = figures_of(position.rules)
    return Ahead(figures.usual_plies[twentieth], figures.most_plies[twentieth])


def allot(left: TimeLeft, ahead: Ahead, overhead: Overhead = UNMEASURED) -> Allotment:
    """Time for one move, so that no flag falls.

    Of the stock only that is shared out which even the longest game leaves when every move costs its overhead. Each
    move gets a part of the rest, so that the stock never runs dry however long the game is. The part is about twice
    what an even division would give: early moves get more than later ones, and half of the games are short.

    What is left may be nothing, or less, and no number may be too strange: the answer is then the least time. Otherwise
    `most` is at most what the flag allows less the worst overhead.

    Args:
        left: the clock.
        ahead: plies that the stock must last for; `plies_ahead` tells them.
        overhead: what each of them costs beyond its search.
    """
    stock, increment, delay = _sane(left.stock), _sane(left.increment), _sane(left.delay)
    period = _sane(left.period) if left.periods > 0 else 0.0
    each = _sane(overhead.each)
    worst = max(each, _sane(overhead.worst))
    usual, longest = max(1.0, 4 + _sane(ahead.usual) / 2), max(1.0, _sane(ahead.most))
    if left.moves > 0:
        usual, longest = min(usual, left.moves), min(longest, left.moves)
    # What each turn has for nothing, and what the stock gives beside; a period begins when the stock is spent.
    free = period / max(1, left.period_moves)
    flag = stock + free
    spread = stock
    if left.given_back:
        free += min(delay, stock)
        spread -= min(delay, stock)
    else:
        free += delay
        flag += delay
    least = min(SHORTEST, flag / 10_000)
    # What the longest game known takes beside, in which the worst may come twice; half as much for a game that is
    # longer still, where that is cheap.
    stall = max(0.0, worst - max(each, free))
    kept = longest * (max(0.0, each - free - increment) + least) + 2 * stall
    # Where each turn brings as much as a move usually costs, the first part is nothing, and a machine that stands still
    # at several moves in a row finds no reserve: the worst may come six times there, and may not have come yet.
    kept = max(kept + min(4 * stall, longest * min(each, free + increment)), min(1.0, min(5.0, longest) * increment))
    spare = max(0.0, spread - kept)
    if left.moves <= 0:
        spare -= min(kept / 2, spare / 8)
    share = spare / usual + max(0.0, free + 0.8 * increment - each)
    most = min(4 * share, flag - worst, max(spare / 4 + max(0.0, free - each), share))
    most = max(least, most)
    return Allotment(max(least, min(AIM * share, most)), most)


def think_seconds(position: Position, left: TimeLeft) -> float:
    """Time for one move when the search cannot be told an aim, in seconds: the whole share of `allot`."""
    time = allot(left, plies_ahead(position))
    return min(time.most, time.aim / AIM)


def _sane(seconds: float) -> float:
    return min(max(0.0, seconds), 1e9) if math.isfinite(seconds) else 0.0
