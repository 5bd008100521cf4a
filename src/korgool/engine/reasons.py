"""Reasons for and against a move, in facts of the sport: captures, wins, prevented moves, threats.

The kernel finds the facts by sowing (`kernel/reasons.c`), here and in the browser alike; what the values of a search
say is added here. `docs/reasons.md` has the vocabulary: what each kind means and when it is said.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import floor

from korgool.engine.kernel import Kernel
from korgool.engine.kernel_layout import MAX_REASONS, ReasonStruct
from korgool.engine.search import Line
from korgool.rules import Position, Rules


class ReasonKind(StrEnum):
    """Kind of reason. Up to `BEHIND` in the order of the kernel's `KG_WHY_GOAL` and so on."""

    GOAL = "goal"
    WINS = "wins"
    DRAWS = "draws"
    STARVES = "starves"
    SWEEPS = "sweeps"
    TUZ = "tuz"
    CAPTURES = "captures"
    OPPOSITE = "opposite"
    TURN = "turn"
    FOLLOWS = "follows"
    FEEDS = "feeds"
    STOPS_WIN = "stops_win"
    STOPS_TUZ = "stops_tuz"
    SAVES = "saves"
    REDUCES = "reduces"
    THREATENS_WIN = "threatens_win"
    THREATENS_TUZ = "threatens_tuz"
    THREATENS = "threatens"
    SURE = "sure"
    FORCES = "forces"
    HOME = "home"
    PREPARES = "prepares"
    PREPARES_TUZ = "prepares_tuz"
    LATER = "later"
    LATER_TUZ = "later_tuz"
    TEMPO = "tempo"
    STARVING = "starving"
    AVOIDS_WIN = "avoids_win"
    AVOIDS_TUZ = "avoids_tuz"
    AVOIDS = "avoids"
    AHEAD = "ahead"
    LOSES = "loses"
    ALLOWS_WIN = "allows_win"
    ALLOWS_TUZ = "allows_tuz"
    ALLOWS = "allows"
    FEEDS_OTHER = "feeds_other"
    MISSES_WIN = "misses_win"
    MISSES_TUZ = "misses_tuz"
    MISSES = "misses"
    MISSES_TURN = "misses_turn"
    ALLOWS_LATER = "allows_later"
    ALLOWS_TUZ_LATER = "allows_tuz_later"
    MISSES_LATER = "misses_later"
    MISSES_TUZ_LATER = "misses_tuz_later"
    RUNS_OUT = "runs_out"
    GIVES_MOVES = "gives_moves"
    STARVED = "starved"
    BEHIND = "behind"
    ONLY = "only"
    SURE_WIN = "sure_win"
    SURE_DRAW = "sure_draw"
    BEST_BY = "best_by"
    AS_GOOD = "as_good"


_TOLD = tuple(ReasonKind)
_WEIGHT = {ReasonKind.ONLY: 700, ReasonKind.SURE_WIN: 600, ReasonKind.SURE_DRAW: 400}
_AS_GOOD = 0.5
"""A move that is expected to be worth fewer stones less than this is as good."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for or against a move.

    Attributes:
        kind: what it says.
        weight: how much it says, for the order; about two for each stone that changes its owner. Of a reason that
            another move has too, but less of it, only what it says more.
        stones: how many it is about, 0 where it is about none.
        left: of `REDUCES`, the stones that the opponent can capture now; of reasons that count moves, those of the
            opponent; else 0.
        hole: the hole it is about, a number from 1 on; 0 where it is about none.
        shared: whether it holds as well for the move that this one was compared to.
        line: the holes sown before it happens, the move itself or the other one first; empty where nothing is.
    """

    kind: ReasonKind
    weight: int
    stones: int = 0
    left: int = 0
    hole: int = 0
    shared: bool = False
    line: tuple[int, ...] = ()


def reasons(position: Position, move: int, line: Sequence[int] = (), other: Sequence[int] = ()) -> tuple[Reason, ...]:
    """Reasons for a move: the heaviest that does not hold as well for another one, then the others by weight.

    Args:
        position: one that is not over.
        move: a hole number.
        line: the moves expected after it, hole numbers; what cannot be played of them is not looked at.
        other: another move and those expected after it; empty where there is none to compare with.

    Raises:
        ValueError: a move cannot be played.
    """
    found, kernel = (ReasonStruct * MAX_REASONS)(), _kernel(position.rules)
    own, theirs = _holes((move, *line)), _holes(other)
    if other:
        position.sow(other[0])
    count = kernel.library.kg_reasons(kernel.address, kernel.pack(position), own, len(own), theirs, len(theirs), found)
    return _read(position, move, found, count)


def faults(
    position: Position, move: int, better: int, line: Sequence[int] = (), better_line: Sequence[int] = ()
) -> tuple[Reason, ...]:
    """Reasons against a move where a better one could be played, the heaviest first; none that hold for both.

    Args:
        position: one that is not over.
        move: the hole number of the move.
        better: that of the better one.
        line: the moves expected after the move.
        better_line: those expected after the better one.

    Raises:
        ValueError: one of them cannot be played.
    """
    found, kernel = (ReasonStruct * MAX_REASONS)(), _kernel(position.rules)
    position.sow(better)
    own, theirs = _holes((move, *line)), _holes((better, *better_line))
    count = kernel.library.kg_faults(kernel.address, kernel.pack(position), own, len(own), theirs, len(theirs), found)
    return _read(position, move, found, count)


def explain(position: Position, lines: Sequence[Line], at: int = 0) -> tuple[Reason, ...]:
    """Reasons for the first move of a line that a search found, by sowing and by the values.

    The best move is compared to the second best, and any other to the best. What holds for both does not come first.

    Args:
        position: what was searched.
        lines: the lines found, the best one first.
        at: which of them.
    """
    line, only = lines[at], len(position.legal_moves()) == 1
    other = lines[0] if at else lines[1] if len(lines) > 1 else None
    told = list(reasons(position, line.move, line.pv[1:], other.pv if other else ()))
    over = position.play(line.move).outcome() is not None
    if only:
        told.append(Reason(ReasonKind.ONLY, _WEIGHT[ReasonKind.ONLY]))
    elif not over and line.win == 1:
        shared = other is not None and other.win == 1
        told.append(Reason(ReasonKind.SURE_WIN, _WEIGHT[ReasonKind.SURE_WIN], shared=shared))
    elif not over and line.exact and line.draw == 1:
        shared = other is not None and other.exact and other.draw == 1
        told.append(Reason(ReasonKind.SURE_DRAW, _WEIGHT[ReasonKind.SURE_DRAW], shared=shared))
    # Where a result is certain, stones count no more.
    certain = over or any(1 in (one.win, one.draw, one.loss) for one in lines[:2])
    if at == 0 and other and not certain:
        gap = line.evaluation - other.evaluation
        if gap >= 1:
            told.append(Reason(ReasonKind.BEST_BY, floor(gap), floor(gap)))
        elif gap < _AS_GOOD:
            told.append(Reason(ReasonKind.AS_GOOD, 0, hole=other.move))
    told.sort(key=lambda reason: (reason.kind is ReasonKind.HOME, -reason.weight))
    first = min(told, key=_rank, default=None)
    return tuple(sorted(told, key=lambda reason: reason is not first))


_BY_VALUE = {ReasonKind.BEST_BY, ReasonKind.AS_GOOD}


def _rank(reason: Reason) -> int:
    """First what only this move does, then how it compares by value, what both do, and that all stones stay at home."""
    if reason.kind is ReasonKind.HOME:
        return 3
    return 2 if reason.shared else int(reason.kind in _BY_VALUE)


def _holes(numbers: Sequence[int]) -> bytes:
    return bytes(number - 1 if 0 < number < 256 else 255 for number in numbers)


@lru_cache(maxsize=16)
def _kernel(rules: Rules) -> Kernel:
    return Kernel(rules)


def _read(position: Position, move: int, found: ctypes.Array[ReasonStruct], count: int) -> tuple[Reason, ...]:
    if count < 0:
        position.sow(move)  # says why
    return tuple(
        Reason(
            _TOLD[one.kind - 1],
            one.weight,
            one.stones,
            one.left,
            one.hole,
            bool(one.shared),
            tuple(filter(None, one.line)),
        )
        for one in found[:count]
    )
