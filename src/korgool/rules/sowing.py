"""Movement of stones: one sowing of any of the four games, stone by stone.

`sow` is the whole of the movement rules. Pages, diagrams and speech are drawn from the trace that it makes, so nothing
outside this file derives a rule again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from korgool.rules.choices import Choices
from korgool.rules.outcome import Side

Place: TypeAlias = tuple[Side, int]
"""Place of a stone: a side and the number of its hole, 1 to n from the owner's left, or 0 for its store."""


@dataclass(frozen=True, slots=True)
class Drop:
    """One stone put down.

    Attributes:
        side: the side of the board on which it falls.
        hole: the number of its hole, 1 to n from the owner's left, or 0 for that side's store.
        tuz_owner: the side whose store takes the stone, where the hole is a tuz.
    """

    side: Side
    hole: int
    tuz_owner: Side | None = None


class Sown(NamedTuple):
    """Trace of `sow`; `Sowing` has the same names."""

    lifted: int
    drops: tuple[Drop, ...]
    captured: tuple[tuple[Side, int, int], ...]
    tuz: int | None
    extra_turn: bool


class _Stop(NamedTuple):
    """A place that a sowing passes, with what it is to drop a stone there."""

    side: Side
    other: Side
    hole: int
    drop: Drop
    fed: Drop
    """The drop where the hole is the other side's tuz."""


@lru_cache(maxsize=64)
def _ring(holes: int, mover: Side, store: bool) -> tuple[_Stop, ...]:
    """The places in the order of sowing: the mover's row, the mover's store where it is sown, the other row."""
    numbers = range(1, holes + 1)
    foe = mover.other
    places = [(mover, hole) for hole in numbers] + [(mover, 0)] * store + [(foe, hole) for hole in numbers]
    return tuple(_Stop(side, side.other, hole, Drop(side, hole), Drop(side, hole, side.other)) for side, hole in places)


def sow(rules: Choices, rows: list[list[int]], tuz: list[int | None], mover: Side, hole: int) -> Sown:
    """Sow from a hole of the mover that holds stones, in a game that has not ended.

    First stone back into its hole, a single one into the next (WNG-TK §III); nothing is skipped but the opponent's
    store; capture, tuz and castle by the last stone (WNG-TK §III, §IV; WNG-M §III.2, §III.3, §IV).

    Args:
        rules: the game.
        rows: for White and Black, the store and after it the holes, so that a hole's number is its place. Changed.
        tuz: the number of the hole that White and that Black owns on the other side. Changed.
        mover: who sows.
        hole: the number of the hole.
    """
    foe = mover.other
    ring = _ring(rules.holes, mover, rules.store_sown)
    lifted, rows[mover][hole] = rows[mover][hole], 0
    first = hole if lifted == 1 else hole - 1
    drops = []
    for step in range(first, first + lifted):
        side, other, place, drop, fed = ring[step % len(ring)]
        if place and tuz[other] == place:
            rows[other][0] += 1
            drops.append(fed)
        else:
            rows[side][place] += 1
            drops.append(drop)

    captured: tuple[tuple[Side, int, int], ...] = ()
    made: int | None = None
    side, last = drops[-1].side, drops[-1].hole
    if last and drops[-1].tuz_owner is None:
        count, opposite = rows[side][last], rules.holes + 1 - last
        if side == foe and count % 2 == 0:
            captured = ((foe, last, count),)
        elif side == foe and count == 3 and may_win(rules, tuz, mover, last):
            made = tuz[mover] = last
            captured = ((foe, last, count),) if rules.tuz_takes else ()
        elif side == mover and count == 1 and rules.empty_capture and rows[foe][opposite]:
            captured = ((mover, last, 1), (foe, opposite, rows[foe][opposite]))
    for side, place, count in captured:
        rows[side][place] = 0
        rows[mover][0] += count
    extra = not last and rules.extra_turn and (lifted > 1 or rules.extra_turn_single)
    return Sown(lifted, tuple(drops), captured, made, extra)


def may_win(rules: Choices, tuz: list[int | None], mover: Side, hole: int) -> bool:
    """Return whether the mover may make the opponent's hole of that number a tuz (WNG-TK §IV, WNG-M §IV)."""
    return (
        rules.tuz
        and tuz[mover] is None
        and (rules.tuz_last_hole or hole != rules.holes)
        and (rules.tuz_same_number or hole != tuz[mover.other])
    )
