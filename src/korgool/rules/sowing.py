"""How stones move: one sowing of any of the four games, stone by stone.

`sow` is the whole of the movement rules. Pages, diagrams and speech are drawn from the trace that it makes, so nothing
outside this file derives a rule again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from korgool.rules.choices import Choices
from korgool.rules.outcome import Side

Place: TypeAlias = tuple[Side, int | None]
"""Where a stone can lie: the side and its hole (0-based from the owner's left), or None for that side's store."""


@dataclass(frozen=True, slots=True)
class Drop:
    """One stone put down.

    Attributes:
        side: the side of the board on which it falls.
        hole: its hole, 0-based from the owner's left, or None for that side's store.
        tuz_owner: the side whose store takes the stone, where the hole is a tuz.
    """

    side: Side
    hole: int | None
    tuz_owner: Side | None = None


class Sown(NamedTuple):
    """What `sow` did; `Sowing` has the same names."""

    lifted: int
    drops: tuple[Drop, ...]
    captured: tuple[tuple[Side, int, int], ...]
    tuz: int | None
    extra_turn: bool


@lru_cache(maxsize=64)
def _ring(holes: int, mover: Side, store: bool) -> tuple[Place, ...]:
    """The places in the order of sowing: the mover's row, the mover's store where it is sown, the other row."""
    own: list[Place] = [(mover, hole) for hole in range(holes)]
    return (*own, *([(mover, None)] if store else []), *((mover.other, hole) for hole in range(holes)))


def sow(
    rules: Choices, holes: list[list[int]], stores: list[int], tuz: list[int | None], mover: Side, hole: int
) -> Sown:
    """Sow from a hole of the mover, 0-based, holding stones, in a game that has not ended. The lists are changed.

    First stone back into its hole, a single one into the next (WNG-TK §III); nothing is skipped but the opponent's
    store; capture, tuz and castle by the last stone (WNG-TK §III, §IV; WNG-M §III.2, §III.3, §IV).
    """
    foe = mover.other
    ring = _ring(rules.holes, mover, rules.store_sown)
    lifted, holes[mover][hole] = holes[mover][hole], 0
    first = hole + 1 if lifted == 1 else hole
    drops = []
    for step in range(first, first + lifted):
        side, place = ring[step % len(ring)]
        owner = side.other if place is not None and tuz[side.other] == place else None
        drops.append(Drop(side, place, owner))
        if place is None or owner is not None:
            stores[side if owner is None else owner] += 1
        else:
            holes[side][place] += 1

    captured: list[tuple[Side, int, int]] = []
    made: int | None = None
    side, last = drops[-1].side, drops[-1].hole
    if last is not None and drops[-1].tuz_owner is None:
        count = holes[side][last]
        if side == foe and count % 2 == 0:
            captured = [(foe, last, count)]
        elif side == foe and count == 3 and may_win(rules, tuz, mover, last):
            made = tuz[mover] = last
            captured = [(foe, last, count)] if rules.tuz_takes else []
        elif side == mover and count == 1 and rules.empty_capture and holes[foe][-1 - last]:
            captured = [(mover, last, 1), (foe, rules.holes - 1 - last, holes[foe][-1 - last])]
    for side, place, count in captured:
        holes[side][place] = 0
        stores[mover] += count
    extra = last is None and rules.extra_turn and (lifted > 1 or rules.extra_turn_single)
    return Sown(lifted, tuple(drops), tuple(captured), made, extra)


def may_win(rules: Choices, tuz: list[int | None], mover: Side, hole: int) -> bool:
    """Whether the mover may make the opponent's hole, 0-based, a tuz (WNG-TK §IV, WNG-M §IV)."""
    return (
        rules.tuz
        and tuz[mover] is None
        and (rules.tuz_last_hole or hole != rules.holes - 1)
        and (rules.tuz_same_number or hole != tuz[mover.other])
    )
