"""A game: a start and its plies, with what repetition allows to claim."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Self

from korgool.rules.outcome import Outcome, Side, Termination
from korgool.rules.position import TOGUZ_KORGOOL, Position, Rules, Sowing
from korgool.rules.unending import is_unending_draw


@dataclass(frozen=True, slots=True)
class DrawClaim:
    """A draw that a player may claim. The board does not end the game by it; a player or an unattended server does.

    Attributes:
        reason: `threefold`, `73` for recurrence within 73 moves of each player, or `drawn_position` for one that a side
            cannot bring to an end.
        clause: the clause it rests on.
        plies: after how many plies the position stood before, ascending, the present time not counted.
    """

    reason: Literal["threefold", "73", "drawn_position"]
    clause: str
    plies: tuple[int, ...]


class Game:
    """The plies of one game from a start, with undo, claims and the ending. Not thread-safe.

    The history stays outside `Position`, so that stepping through positions costs nothing for it. Games are equal when
    their starts are, their plies, and the endings that were declared; a copy goes its own way. A game changes, so it is
    no key of a dictionary.

    Args:
        start: a position, or the rules for their usual start.
        moves: the plies so far, hole numbers 1 to n.
        declared: the winner, or None, and the reason of an ending that the board does not show; see `conclude`.

    Raises:
        ValueError: on construction and `play`, a ply that the position does not allow, named by its number.
    """

    def __init__(
        self,
        start: Position | Rules = TOGUZ_KORGOOL,
        moves: Iterable[int | str] = (),
        declared: tuple[Side | None, Termination] | None = None,
    ) -> None:
        self.start = start.start() if isinstance(start, Rules) else start
        self._positions = [self.start]
        self._moves: list[int] = []
        self._declared: tuple[Side | None, Termination] | None = None
        for ply, hole in enumerate(moves, 1):
            try:
                self.play(hole)
            except ValueError as error:
                raise ValueError(f"ply {ply}: {error}") from error
        if declared is not None:
            self.conclude(*declared)

    def copy(self) -> Self:
        """Copy the game with its plies and ending, without playing them again."""
        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)
        made._positions, made._moves = self._positions.copy(), self._moves.copy()
        return made

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> Self:
        return self.copy()  # positions never change, so two games may share them

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.start, self._moves, self._declared) == (other.start, other._moves, other._declared)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def __repr__(self) -> str:
        usual = self.start == self.rules.start() and self.start.fullmove == 1
        parts = [self.rules.constant if usual else repr(self.start), repr(self.moves)]
        if self._declared is not None:
            parts.append(repr(self._declared))
        elif not self._moves:
            parts.pop()
        return f"Game({', '.join(parts)})"

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.start.rules

    @property
    def position(self) -> Position:
        """Position after the last ply."""
        return self._positions[-1]

    @property
    def positions(self) -> Sequence[Position]:
        """All positions from the start to the present, one more than plies."""
        return tuple(self._positions)

    @property
    def moves(self) -> Sequence[int]:
        """The plies so far as hole numbers, 1 to n."""
        return tuple(self._moves)

    def sow(self, hole: int | str) -> Sowing:
        """Play a hole, by its number, and return the trace of the ply."""
        if self._declared is not None:
            raise ValueError(f"the game is over: {self._declared[1]}")
        sowing = self.position.sow(hole)
        self._positions.append(sowing.after)
        self._moves.append(sowing.hole)
        return sowing

    def play(self, hole: int | str) -> Position:
        """Play a hole, by its number, and return the position after it."""
        return self.sow(hole).after

    def undo(self) -> int:
        """Take back the last ply, or the declared ending first, and return the hole number (0 for an ending).

        Raises:
            ValueError: nothing has been played.
        """
        if self._declared is not None:
            self._declared = None
            return 0
        if not self._moves:
            raise ValueError("nothing has been played that could be taken back")
        self._positions.pop()
        return self._moves.pop()

    def conclude(self, winner: Side | None, termination: Termination) -> Outcome:
        """End the game by a declaration, such as resignation, time or agreement. The stores stay as they are.

        Raises:
            ValueError: it is over already.
        """
        outcome = self.outcome()
        if outcome is not None:
            raise ValueError(f"the game is over: {outcome.result_text}, {outcome.termination}")
        self._declared = winner, termination
        return Outcome(winner, termination, self.position.stores)

    def outcome(self) -> Outcome | None:
        """The outcome, of the board or as declared, or None while the game goes on."""
        if self._declared is not None:
            return Outcome(*self._declared, self.position.stores)
        return self.position.outcome()

    def occurrences(self) -> tuple[int, ...]:
        """After how many plies the present position stood on the board, ascending, the present time last."""
        return self.stood(self.position)

    def stood(self, position: Position) -> tuple[int, ...]:
        """After how many plies a position stood on the board, ascending. Stores only grow, so few need be looked at."""
        found = []
        for ply in range(len(self._positions) - 1, -1, -1):
            known = self._positions[ply]
            if known.stores == position.stores:
                if known == position:
                    found.append(ply)
            elif sum(known.stores) < sum(position.stores):
                break
        return tuple(reversed(found))

    def claims(self) -> tuple[DrawClaim, ...]:
        """The draws that may be claimed now (WNG-TK §V, §X); empty when the game is over."""
        if self.outcome() is not None:
            return ()
        rules, found = self.rules, []
        *before, now = self.occurrences()
        if rules.threefold and len(before) + 1 >= rules.threefold:
            found.append(DrawClaim("threefold", "Rules.threefold", tuple(before)))
        recent = tuple(ply for ply in before if now - ply <= 2 * rules.recurrence)
        if recent:
            found.append(DrawClaim("73", "WNG-TK §V, §X", recent))
        if rules.drawn_position and is_unending_draw(self.position):
            found.append(DrawClaim("drawn_position", "WNG-TK §V, §X", ()))
        return tuple(found)
