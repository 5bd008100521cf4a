"""Ending of a game between people, with points of each player and the clause."""

from __future__ import annotations

from dataclasses import dataclass

from korgool.rules import Outcome, Side, Termination


@dataclass(frozen=True, slots=True)
class Ending:
    """The result of a game as the protocol has it.

    Attributes:
        half_points: points of White and Black in half points: 2 a win, 1 each a draw, both 0 where both were late.
        termination: why.
        stores: stones of White and Black, or None where none are recorded (late players).
        clause: the clause that ended the game.
        declared: whether people or the clock ended it, and not the board.
    """

    half_points: tuple[int, int]
    termination: Termination
    stores: tuple[int, int] | None
    clause: str
    declared: bool = True

    @classmethod
    def of(cls, outcome: Outcome, clause: str, *, declared: bool) -> Ending:
        """The ending that an outcome is."""
        points = (1, 1) if outcome.winner is None else ((2, 0), (0, 2))[outcome.winner]
        return cls(points, outcome.termination, outcome.stores, clause, declared)

    @property
    def winner(self) -> Side | None:
        """Winner; None for a draw and where both lost."""
        white, black = self.half_points
        return None if white == black else Side.WHITE if white > black else Side.BLACK

    @property
    def drawn(self) -> bool:
        """True for a draw."""
        return self.half_points == (1, 1)

    @property
    def both_lost(self) -> bool:
        """True if both players were late."""
        return self.half_points == (0, 0)

    @property
    def result(self) -> str:
        """`1-0`, `0-1`, `1/2-1/2`, or `0-0` where both lost."""
        return "1/2-1/2" if self.drawn else f"{self.half_points[0] // 2}-{self.half_points[1] // 2}"

    @property
    def result_text(self) -> str:
        """Such as `1 (82) - 0 (60)` (WNG-TK §IX), without stones where none are recorded: `1 - 0`."""
        white, black = (("0", "0.5", "1")[points] for points in self.half_points)
        if self.stores is None:
            return f"{white} - {black}"
        return f"{white} ({self.stores[0]}) - {black} ({self.stores[1]})"

    def outcome(self) -> Outcome:
        """The same for a game record.

        Raises:
            ValueError: both lost, which the outcome of a game cannot say.
        """
        if self.both_lost:
            raise ValueError("both players lost; the outcome of a game has no such result")
        return Outcome(self.winner, self.termination, self.stores or (0, 0))
