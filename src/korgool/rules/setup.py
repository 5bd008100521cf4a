"""A position as written down, not yet known to be playable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from korgool.rules.outcome import Side
from korgool.rules.position import Position
from korgool.rules.record import Rules


class PositionError(ValueError):
    """A position that cannot be: `reasons` holds every reason, the message joins them."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = tuple(reasons)


@dataclass(slots=True)
class Setup:
    """What somebody set up on a board or wrote in a file. `position` checks it; the fields are those of `Position`."""

    rules: Rules
    holes: tuple[Sequence[int], Sequence[int]]
    stores: tuple[int, int] = (0, 0)
    tuz: tuple[int | None, int | None] = (None, None)
    to_move: Side = Side.WHITE
    fullmove: int = 1

    def problems(self, *, lenient: bool = False) -> list[str]:
        """Every reason why this is no playable position; `lenient` forgives stones that do not add up."""
        rules, found = self.rules, []
        for side in Side:
            row, name = self.holes[side], side.name.capitalize()
            if len(row) != rules.holes:
                found.append(f"{name} has {len(row)} holes instead of {rules.holes}")
            found += [f"{name}'s hole {n} holds {stones} stones" for n, stones in enumerate(row, 1) if stones < 0]
            if self.stores[side] < 0:
                found.append(f"{name}'s store holds {self.stores[side]} stones")
            found += self._tuz_problems(side)
        if None not in self.tuz and self.tuz[0] == self.tuz[1] and not rules.tuz_same_number:
            found.append(f"both sides own a tuz with the number {(self.tuz[0] or 0) + 1}")
        if self.fullmove < 1:
            found.append(f"the move number is {self.fullmove}, it counts from 1")
        total = sum(self.holes[0]) + sum(self.holes[1]) + sum(self.stores)
        if lenient and not 0 <= total <= MOST_STONES:
            found.append(f"there are {total} stones, more than {MOST_STONES}")
        if not lenient and total != rules.total:
            found.append(f"there are {total} stones instead of {rules.total}")
        return found

    def _tuz_problems(self, owner: Side) -> list[str]:
        tuz, row = self.tuz[owner], self.holes[owner.other]
        if tuz is None:
            return []
        what = f"{owner.name.capitalize()}'s tuz in hole {tuz + 1}"
        if not self.rules.tuz:
            return [f"{what}: {self.rules.title} has no tuz"]
        if not 0 <= tuz < self.rules.holes:
            return [f"{what}: there is no such hole"]
        if tuz == self.rules.holes - 1 and not self.rules.tuz_last_hole:
            return [f"{what}: the last hole cannot be won"]
        if any(row[tuz : tuz + 1]) and self.rules.tuz_takes:
            return [f"{what} holds {row[tuz]} stones, a tuz is always empty"]
        return []

    def position(self, *, lenient: bool = False) -> Position:
        """The playable position.

        Raises:
            PositionError: with everything that `problems` finds.
        """
        problems = self.problems(lenient=lenient)
        if problems:
            raise PositionError(problems)
        rows = tuple(self.holes[0]), tuple(self.holes[1])
        return Position(self.rules, rows, self.stores, self.tuz, self.to_move, self.fullmove)


MOST_STONES = 255
"""Stones that a lenient position may hold: the kernel counts holes and stores in bytes."""
