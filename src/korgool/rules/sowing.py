"""One sowing and its trace: every stone lifted, dropped, captured and swept.

`sow` is the whole of the movement rules of all four games. Pages, diagrams and speech are drawn from the trace, so that
nothing outside this file derives a rule again.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from korgool.rules.outcome import Outcome, Side

if TYPE_CHECKING:
    from korgool.rules.position import Position

Place: TypeAlias = tuple[Side, int | None]
"""Where a stone can lie: the side and its hole (0-based from the owner's left), or None for that side's store."""


@dataclass(frozen=True, slots=True)
class Drop:
    """One stone put down.

    Attributes:
        side: the side of the board on which it falls.
        hole: its hole, 0-based from the owner's left, or None for that side's store.
        tuz_owner: who takes the stone to his store, where the hole is a tuz.
    """

    side: Side
    hole: int | None
    tuz_owner: Side | None = None


@dataclass(frozen=True, slots=True)
class Sowing:
    """A ply from the lift to the position after it.

    Attributes:
        mover: who sows.
        hole: the hole it starts from, 0-based.
        lifted: stones taken from it.
        drops: every stone in the order of the hand; of a single stone too (WNG-TK §III).
        captured: the holes emptied into the mover's store, as (side, hole, stones).
        tuz: the hole of the opponent that became the mover's tuz, 0-based, or None.
        extra_turn: whether the mover goes on (WNG-M §III.1).
        after: the position reached, before any sweep.
        outcome: how the game ended, with what was swept, or None.
    """

    mover: Side
    hole: int
    lifted: int
    drops: tuple[Drop, ...]
    captured: tuple[tuple[Side, int, int], ...]
    tuz: int | None
    extra_turn: bool
    after: Position
    outcome: Outcome | None

    @property
    def number(self) -> int:
        """The move as people write it: the hole number, 1 to n."""
        return self.hole + 1

    @property
    def last(self) -> Drop:
        """Where the last stone fell."""
        return self.drops[-1]

    @property
    def taken(self) -> int:
        """Stones won by the last stone: a capture, or the three of a new tuz where they are taken."""
        return sum(stones for _, _, stones in self.captured)


@lru_cache(maxsize=64)
def _ring(holes: int, mover: Side, store: bool) -> tuple[Place, ...]:
    """The places in the order of sowing: the mover's row, his store where it is sown, the other row."""
    own: list[Place] = [(mover, hole) for hole in range(holes)]
    return (*own, *([(mover, None)] if store else []), *((mover.other, hole) for hole in range(holes)))


def sow(position: Position, hole: int) -> Sowing:
    """Sow from a hole of the player to move, 0-based, holding stones, in a game that has not ended.

    First stone back into its hole, a single one into the next (WNG-TK §III); nothing is skipped but the opponent's
    store; capture, tuz and castle by the last stone (WNG-TK §III, §IV; WNG-M §III.2, §III.3, §IV).
    """
    rules, mover, foe = position.rules, position.to_move, position.to_move.other
    holes, stores, tuz = [list(row) for row in position.holes], list(position.stores), list(position.tuz)
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
        elif side == foe and count == 3 and may_win(position, last):
            made = tuz[mover] = last
            captured = [(foe, last, count)] if rules.tuz_takes else []
        elif side == mover and count == 1 and rules.empty_capture and holes[foe][-1 - last]:
            captured = [(mover, last, 1), (foe, rules.holes - 1 - last, holes[foe][-1 - last])]
    for side, place, count in captured:
        holes[side][place] = 0
        stores[mover] += count

    extra = last is None and rules.extra_turn and (lifted > 1 or rules.extra_turn_single)
    after = position.following((tuple(holes[0]), tuple(holes[1])), (stores[0], stores[1]), (tuz[0], tuz[1]), extra)
    outcome = after.outcome()
    return Sowing(mover, hole, lifted, tuple(drops), tuple(captured), made, extra and not outcome, after, outcome)


def may_win(position: Position, hole: int) -> bool:
    """Whether the player to move may make the opponent's hole, 0-based, his tuz (WNG-TK §IV, WNG-M §IV)."""
    rules, mover = position.rules, position.to_move
    return (
        rules.tuz
        and position.tuz[mover] is None
        and (rules.tuz_last_hole or hole != rules.holes - 1)
        and (rules.tuz_same_number or hole != position.tuz[mover.other])
    )
