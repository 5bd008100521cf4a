"""A position: what lies where, who owns which tuz, and whose turn it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

from korgool.rules.outcome import Outcome, Side, Termination
from korgool.rules.record import Rules
from korgool.rules.sowing import Sowing, sow


@dataclass(frozen=True, slots=True)
class Position:
    """A playable position. It is frozen and hashable, and `play` returns the next one.

    Equality compares everything but the move number, which is what repetition needs: the same rules, holes, stores,
    tuz and side to move. Make one by `Rules.start`, `Position.parse` or `Setup.position`, which check it; the
    constructor trusts its caller.

    Attributes:
        rules: the game.
        holes: stones in the holes of White and of Black, each from its owner's left.
        stores: stones in the stores of White and of Black.
        tuz: the hole, 0-based, that White owns among Black's holes, and that Black owns among White's; or None.
        to_move: the side to move.
        fullmove: number of the turn of both, from 1; it rises after Black's turn.
    """

    rules: Rules
    holes: tuple[tuple[int, ...], tuple[int, ...]]
    stores: tuple[int, int] = (0, 0)
    tuz: tuple[int | None, int | None] = (None, None)
    to_move: Side = Side.WHITE
    fullmove: int = field(default=1, compare=False)

    drawing: ClassVar[Callable[[Position], str] | None] = None
    """How notebooks draw a position; the notation room, which may know rules but not the reverse, sets it."""

    def legal_moves(self) -> tuple[int, ...]:
        """The hole numbers, 1 to n, that the side to move may sow; none when the game is over."""
        if self.outcome() is not None:
            return ()
        return tuple(number for number, stones in enumerate(self.holes[self.to_move], 1) if stones)

    def sow(self, number: int) -> Sowing:
        """Sow hole `number`, 1 to n, and return the trace, whose `after` is the next position.

        Raises:
            ValueError: the game is over, or there is no such hole, or it is empty.
        """
        outcome = self.outcome()
        if outcome is not None:
            raise ValueError(f"the game is over: {outcome.result_text}, {outcome.termination}")
        if not 1 <= number <= self.rules.holes:
            raise ValueError(f"there is no hole {number}; holes are numbered 1 to {self.rules.holes}")
        if not self.holes[self.to_move][number - 1]:
            why = "it is a tuz" if self.tuz[self.to_move.other] == number - 1 else "it is empty"
            whose, moves = self.to_move.name.capitalize(), ", ".join(map(str, self.legal_moves()))
            raise ValueError(f"hole {number} of {whose} cannot be sown, {why}; possible are {moves}")
        return sow(self, number - 1)

    def play(self, number: int) -> Position:
        """The position after sowing hole `number`; raises as `sow` does."""
        return self.sow(number).after

    def outcome(self) -> Outcome | None:
        """How the board ends the game, or None while it goes on. Claims and offers are no matter of the board.

        The goal comes first, with nothing swept (WNG-TK §V: "the game is stopped"), then 81 each, then empty sides.
        """
        rules, stores = self.rules, self.stores
        if rules.goal:
            if max(stores) >= rules.goal:
                return Outcome(_larger(stores), Termination.MAJORITY, stores)
            if stores[0] == stores[1] and not any(map(any, self.holes)):
                return Outcome(None, Termination.EQUAL, stores)
        if rules.ending == "no_move":
            return None if any(self.holes[self.to_move]) else self._swept(Termination.NO_MOVE)
        return None if all(map(any, self.holes)) else self._swept(Termination.SIDE_EMPTY)

    def _swept(self, termination: Termination) -> Outcome:
        rest = sum(self.holes[0]), sum(self.holes[1])
        if self.rules.sweep == "nobody":
            rest = 0, 0
        elif self.rules.sweep == "emptied":
            rest = rest[1], rest[0]
        stores = self.stores[0] + rest[0], self.stores[1] + rest[1]
        return Outcome(_larger(stores), termination, stores, rest)

    def following(
        self,
        holes: tuple[tuple[int, ...], tuple[int, ...]],
        stores: tuple[int, int],
        tuz: tuple[int | None, int | None],
        same_side: bool,
    ) -> Position:
        """The position after a ply: these contents, the turn passed unless the mover goes on."""
        if same_side:
            return Position(self.rules, holes, stores, tuz, self.to_move, self.fullmove)
        return Position(self.rules, holes, stores, tuz, self.to_move.other, self.fullmove + self.to_move)

    @classmethod
    def parse(cls, text: str, rules: Rules | None = None, *, lenient: bool = False) -> Position:
        """Read position text such as `9S,…,9S/9S,…,9S 0 0 S 1`.

        Args:
            text: the position, see `korgool.rules.text`.
            rules: the game; by default toguz korgool for 9 holes, mangala for 6 (the castle rule if there is a
                tuz), bestemshe for 5.
            lenient: accept stones that do not add up.

        Raises:
            PositionError: every reason why the text is not a position.
        """
        from korgool.rules.text import parse_position

        return parse_position(text, rules, lenient=lenient)

    def __str__(self) -> str:
        """The position text; `Position.parse` reads it back equal."""
        from korgool.rules.text import format_position

        return format_position(self)

    def __repr__(self) -> str:
        known = {"toguz": "TOGUZ_KORGOOL", "mangala": "MANGALA", "castle": "MANGALA_CASTLE", "bestemshe": "BESTEMSHE"}
        from korgool.rules.record import GAMES

        rules = known[self.rules.name] if GAMES.get(self.rules.name) == self.rules else repr(self.rules)
        return f"Position.parse({str(self)!r}, {rules})"

    def _repr_svg_(self) -> str | None:
        draw = type(self).drawing
        return None if draw is None else draw(self)


def _larger(stores: tuple[int, int]) -> Side | None:
    if stores[0] == stores[1]:
        return None
    return Side.WHITE if stores[0] > stores[1] else Side.BLACK
