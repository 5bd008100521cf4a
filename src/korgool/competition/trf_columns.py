"""The columns of the tournament report file (TRF), and numbers and points written into them.

The columns are those of FIDE's TRF26 (handbook.fide.com/files/handbook/TRF26.pdf, in force from 1 September 2025); the
player lines are the same in TRF16. Columns count from 1, as the papers count them.
"""

from __future__ import annotations

from collections.abc import Iterable

from korgool.competition.errors import CompetitionError

FIRST_CELL, CELL = 92, 10
"""First column of the first round on a player line, and the width of a round."""


class TrfError(CompetitionError):
    """A line of a report file that cannot be read.

    Attributes:
        line: its number from 1.
        column: from 1, or 0 for the whole line.
    """

    def __init__(self, line: int, column: int, reason: str) -> None:
        self.line, self.column = line, column
        place = f"line {line}, column {column}" if column else f"line {line}"
        super().__init__(f"{place}: {reason}")


def points_field(half_points: int) -> str:
    """Half points in the four columns of points: ` 4.5`, `10.0`, `-0.5`."""
    sign = "-" if half_points < 0 else ""
    whole, half = divmod(abs(half_points), 2)
    return f"{f'{sign}{whole}.{5 * half}':>4}"


def cell_text(opponent: int, white: bool | None, result: str) -> str:
    """A round on a player line, ten columns wide; opponent 0 and no colour for a bye."""
    colour = "-" if white is None else "w" if white else "b"
    return f"  {opponent or '0000':>4} {colour} {result}"


def list_record(head: str, numbers: Iterable[int]) -> str:
    """A record that ends in a list of competitors, each in four columns after a blank."""
    return head + "".join(f" {number:>4}" for number in numbers)


def scoring_record(bye_points: int) -> str:
    """Record 162: what win, draw, loss, absence and the pairing-allocated bye are worth."""
    values = (("W", 2), ("D", 1), ("L", 0), ("A", 0), ("P", bye_points))
    return "162  " + "    ".join(f"{letter}{points_field(half_points)}" for letter, half_points in values)


def abnormal_record(half_points: int, number: int, competitors: Iterable[int]) -> str:
    """Record 299 that gives or takes points of players after a round; round 0 stands for all."""
    return list_record(f"299        {'':2}{points_field(half_points)}  {number:>3}", competitors)
