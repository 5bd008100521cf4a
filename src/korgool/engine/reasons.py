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
    """Kind of reason. Up to `MISSES_TURN` in the order of the kernel's `KG_WHY_GOAL` and so on."""

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
    LOSES = "loses"
    ALLOWS_WIN = "allows_win"
    ALLOWS_TUZ = "allows_tuz"
    ALLOWS = "allows"
    FEEDS_OTHER = "feeds_other"
    MISSES_WIN = "misses_win"
    MISSES_TUZ = "misses_tuz"
    MISSES = "misses"
    MISSES_TURN = "misses_turn"
    ONLY = "only"
    SURE_WIN = "sure_win"
    SURE_DRAW = "sure_draw"
    BEST_BY = "best_by"


_TOLD = tuple(ReasonKind)
_WEIGHT = {ReasonKind.ONLY: 700, ReasonKind.SURE_WIN: 600, ReasonKind.SURE_DRAW: 400}


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason for or against a move.

    Attributes:
        kind: what it says.
        weight: how much it says, for the order; about two for each stone that changes its owner.
        stones: how many it is about, 0 where it is about none.
        left: of `REDUCES`, the stones that the opponent can capture now; else 0.
        hole: the hole it is about, a number from 1 on; 0 where it is about none.
    """

    kind: ReasonKind
    weight: int
    stones: int = 0
    left: int = 0
    hole: int = 0


def reasons(position: Position, move: int, line: Sequence[int] = ()) -> tuple[Reason, ...]:
    """Reasons for a move, the heaviest first.

    Args:
        position: one that is not over.
        move: a hole number.
        line: the moves expected after it, hole numbers; what cannot be played of them is not looked at.

    Raises:
        ValueError: the move cannot be played.
    """
    found, kernel = (ReasonStruct * MAX_REASONS)(), _kernel(position.rules)
    after = bytes(number - 1 if 0 < number < 256 else 255 for number in line)
    count = kernel.library.kg_reasons(kernel.address, kernel.pack(position), move - 1, after, len(after), found)
    return _read(position, move, found, count)


def faults(position: Position, move: int, better: int) -> tuple[Reason, ...]:
    """Reasons against a move where a better one could be played, the heaviest first; none that hold for both.

    Raises:
        ValueError: one of them cannot be played.
    """
    found, kernel = (ReasonStruct * MAX_REASONS)(), _kernel(position.rules)
    position.sow(better)
    count = kernel.library.kg_faults(kernel.address, kernel.pack(position), move - 1, better - 1, found)
    return _read(position, move, found, count)


def explain(position: Position, lines: Sequence[Line], at: int = 0) -> tuple[Reason, ...]:
    """Reasons for the first move of a line that a search found, by sowing and by the values, the heaviest first.

    Args:
        position: what was searched.
        lines: the lines found, the best one first.
        at: which of them.
    """
    line, only = lines[at], len(position.legal_moves()) == 1
    told = list(reasons(position, line.move, line.pv[1:]))
    over = position.play(line.move).outcome() is not None
    if only:
        told.append(Reason(ReasonKind.ONLY, _WEIGHT[ReasonKind.ONLY]))
    elif not over and line.win == 1:
        told.append(Reason(ReasonKind.SURE_WIN, _WEIGHT[ReasonKind.SURE_WIN]))
    elif not over and line.exact and line.draw == 1:
        told.append(Reason(ReasonKind.SURE_DRAW, _WEIGHT[ReasonKind.SURE_DRAW]))
    # Where a result is certain, stones count no more.
    certain = over or any(1 in (one.win, one.draw, one.loss) for one in lines[:2])
    if at == 0 and len(lines) > 1 and not certain:
        stones = floor(line.evaluation - lines[1].evaluation)
        if stones > 0:
            told.append(Reason(ReasonKind.BEST_BY, stones, stones))
    return tuple(sorted(told, key=lambda reason: -reason.weight))


@lru_cache(maxsize=16)
def _kernel(rules: Rules) -> Kernel:
    return Kernel(rules)


def _read(position: Position, move: int, found: ctypes.Array[ReasonStruct], count: int) -> tuple[Reason, ...]:
    if count < 0:
        position.sow(move)  # says why
    return tuple(Reason(_TOLD[one.kind - 1], one.weight, one.stones, one.left, one.hole) for one in found[:count])
