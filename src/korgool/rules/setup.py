"""A position as written down, not yet known to be playable."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass

from korgool.rules.outcome import Side
from korgool.rules.position import Position, Rules, usual_rules
from korgool.rules.problems import PositionError, Problem, position_problems
from korgool.rules.text import parse_position


@dataclass(slots=True)
class Setup:
    """Setup of a board, made by hand or from a file. `position` checks it; the fields are those of `Position`."""

    rules: Rules
    holes: tuple[Sequence[int], Sequence[int]]
    stores: tuple[int, int] = (0, 0)
    tuz: tuple[int | None, int | None] = (None, None)
    to_move: Side = Side.WHITE
    fullmove: int = 1

    def __copy__(self) -> Setup:
        return deepcopy(self)  # stones put on the copy are not put here

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None) -> Setup:
        """Read position text without asking whether the position can be played; see `Position.parse`.

        Raises:
            PositionError: every place where the text has not the form of a position.
        """
        written = parse_position(text)
        return cls(rules or usual_rules(written), *written)

    def problems(self, *, lenient: bool = False) -> list[Problem]:
        """Every reason why this is no playable position; `lenient` forgives stones that do not add up."""
        return position_problems(self.rules, self.holes, self.stores, self.tuz, self.fullmove, lenient=lenient)

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
