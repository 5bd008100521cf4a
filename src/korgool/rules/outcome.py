"""Sides, the ways a game can end, and the outcome that names who and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Side(IntEnum):
    """One of the two players: White sits South and starts (WIKI §3)."""

    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> Side:
        """Side of the opponent."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    def __repr__(self) -> str:
        return f"Side.{self.name}"  # can be pasted back, with whatever holds it


class Termination(StrEnum):
    """Reason why a game ended. The first five follow from the board, the others are declared by people or the clock."""

    MAJORITY = "majority"
    """A store holds the goal, 82 in toguz korgool (WNG-TK §V)."""
    NO_MOVE = "no_move"
    """The player to move has no stone on their side (WNG-TK §V)."""
    EQUAL = "equal"
    """All stones are in the stores, 81 each (WNG-TK §V)."""
    SIDE_EMPTY = "side_empty"
    """One side of the board is empty (WNG-M §III.4, §IV)."""
    RESIGNATION = "resignation"
    TIME = "time"
    AGREEMENT = "agreement"
    REPETITION = "repetition"
    FORFEIT = "forfeit"
    UNKNOWN = "unknown"
    """A record gives a result and no reason for it."""

    def __repr__(self) -> str:
        return f"Termination.{self.name}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a game: the winner and the termination.

    Attributes:
        winner: the winning side, or None for a draw.
        termination: the reason.
        stores: stones in the stores of White and Black, after the sweep where the ending has one.
        swept: stones that the sweep gave to White and to Black, already counted in `stores`.
    """

    winner: Side | None
    termination: Termination
    stores: tuple[int, int]
    swept: tuple[int, int] = (0, 0)

    @property
    def result(self) -> str:
        """Result as `1-0`, `0-1` or `1/2-1/2`."""
        return "1/2-1/2" if self.winner is None else ("1-0", "0-1")[self.winner]

    @property
    def result_text(self) -> str:
        """The result as the scoresheet has it, such as `1 (82) - 0 (60)` (WNG-TK §IX)."""
        white, black = ("0.5", "0.5") if self.winner is None else (("1", "0"), ("0", "1"))[self.winner]
        return f"{white} ({self.stores[0]}) - {black} ({self.stores[1]})"
