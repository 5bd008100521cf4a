"""Sheets together: the two of a game as the referee receives them, and those of a player over a match of sets."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from korgool.conduct.scoresheet import Sheet, SheetError, parse
from korgool.rules import Match, Position, Rules, Side


@dataclass(frozen=True, slots=True)
class SheetPair:
    """The two sheets of one game or set, as the referee receives them: its protocol.

    Attributes:
        white: White's sheet.
        black: Black's sheet.
    """

    white: Sheet
    black: Sheet

    def __post_init__(self) -> None:
        if (self.white.owner, self.black.owner) != (Side.WHITE, Side.BLACK):
            raise ValueError("a pair is White's sheet and Black's sheet, in this order")
        if self.white.start != self.black.start or self.white.number != self.black.number:
            raise ValueError("the two sheets of a pair are of the same game and set")

    @classmethod
    def of(cls, game: Position | Rules, number: int = 1) -> SheetPair:
        """Two empty sheets for a game."""
        return cls(Sheet.of(Side.WHITE, game, number), Sheet.of(Side.BLACK, game, number))

    def sheet(self, side: Side) -> Sheet:
        """The sheet of a side."""
        return self.white if side is Side.WHITE else self.black

    def with_sheet(self, sheet: Sheet) -> SheetPair:
        """The pair with the sheet of one side replaced."""
        return replace(self, **{sheet.owner.name.lower(): sheet})

    def open_points(self, present: Iterable[Side] = tuple(Side)) -> tuple[SheetError, ...]:
        """Reasons why the referee cannot accept the protocol yet; empty when it can be accepted (WNG-TK §II, §X).

        Args:
            present: the players who stand before the referee; a drawn game needs both (WNG-TK §X).
        """
        found: list[SheetError] = []
        for sheet in (self.white, self.black):
            name = sheet.owner.name.capitalize()
            if not sheet.finished:
                found.append(SheetError(f"the game is not over on {name}'s sheet", "WNG-TK §II"))
            if sheet.result is None:
                found.append(SheetError(f"{name}'s sheet has no result", "WNG-TK §II"))
            for side in Side:
                if side not in sheet.signatures:
                    found.append(SheetError(f"{side.name.capitalize()} has not signed {name}'s sheet", "WNG-TK §II"))
        results = [None if sheet.result is None else parse(sheet.result) for sheet in (self.white, self.black)]
        if None not in results and results[0] != results[1]:
            found.append(
                SheetError(
                    f"the sheets give different results: White's {self.white.result}, Black's {self.black.result}",
                    "WNG-TK §IX",
                )
            )
        drawn = any(result is not None and result[0] == "1/2-1/2" for result in results)
        for side in Side:
            if drawn and side not in set(present):
                found.append(SheetError(f"the game is drawn and {side.name.capitalize()} is not present", "WNG-TK §X"))
        return tuple(found)

    def accept(self, present: Iterable[Side] = tuple(Side)) -> str:
        """Accept the protocol and return its result, such as `1 (82) - 0 (60)`.

        Raises:
            SheetError: something is open; the first of `open_points`.
        """
        for refusal in self.open_points(present):
            raise refusal
        assert self.white.result is not None  # an open point otherwise
        return self.white.result


@dataclass(frozen=True, slots=True)
class Booklet:
    """The sheets of one player in a match of several sets, one sheet a set (WNG-M §III.4).

    Attributes:
        player: 0 for the player who has White in the first set, 1 for the other.
        match: the match: its rules and how many sets it has.
        sheets: the sheets of the sets begun, in order.
    """

    player: int
    match: Match
    sheets: tuple[Sheet, ...] = ()

    def begin(self) -> Booklet:
        """Open the sheet of the next set; the starter alternates, so the player changes sides.

        Raises:
            SheetError: the sheet before is not signed by both, or all sets have begun.
        """
        if self.sheets and not self.sheets[-1].signed:
            raise SheetError(f"set {len(self.sheets)} is not signed by both players", "WNG-TK §II")
        number = len(self.sheets) + 1
        if number > self.match.sets:
            raise SheetError(f"the match has {self.match.sets} sets, and all have begun", "WNG-M §III.4")
        sheet = Sheet.of(self.match.side_of(self.player, number), self.match.rules, number)
        return replace(self, sheets=(*self.sheets, sheet))

    @property
    def sheet(self) -> Sheet:
        """The sheet of the present set.

        Raises:
            SheetError: no set has begun.
        """
        if not self.sheets:
            raise SheetError("no set has begun", "WNG-M §III.4")
        return self.sheets[-1]

    def with_sheet(self, sheet: Sheet) -> Booklet:
        """The booklet with the present sheet replaced by its next value."""
        if (sheet.number, sheet.owner) != (self.sheet.number, self.sheet.owner):
            raise SheetError(
                f"the sheet is of set {sheet.number}, the present set is {self.sheet.number}", "WNG-TK §VI"
            )
        return replace(self, sheets=(*self.sheets[:-1], sheet))
