"""A game between two seats as it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from korgool.conduct.claims import ClaimKind
from korgool.conduct.clock import Clock
from korgool.conduct.state import GameState
from korgool.live.lag import LagRule
from korgool.live.terms import GameTerms
from korgool.rules import Position, Side, Sowing
from korgool.rules.unending import is_unending_draw

if TYPE_CHECKING:
    from korgool.conduct.ending import Ending


_NEW = GameState()


@dataclass(frozen=True)
class OnlineGame:
    """A game at one version; `korgool.live.journal.happen` makes the next one. All times are milliseconds since 1970.

    Attributes:
        terms: the agreed terms.
        opened: when the game was made.
        version: how many events the journal has.
        at: when the last of them happened.
        board_version: the version of the last ply, take-back or ending: a move must have seen it.
        game: the game as the referee has it.
        joined: whether White and Black have been at the board.
        clocks: before each ply that stands, the clock as it was stopped for it; None without one.
        asks: the side that asks to take back, or None.
        declined: for White and Black, the `board_version` at which they were last refused a take-back; -1 for never.
        offered: how many plies of White and of Black stood when they last offered a draw without a move; -1 for never.
        quotas: what is left of the quotas of lag.
        aborted: whether the game ended without a result.
        ended: when it was over, or None.
        rematch_asked: the side that asks for a rematch, or None.
        rematch: the address of the rematch, empty for none.
        sown: after a move its sowing, so that it need not be computed again; None where it did not stand.
    """

    terms: GameTerms
    opened: int
    version: int = 0
    at: int = 0
    board_version: int = 0
    game: GameState = _NEW
    joined: tuple[bool, bool] = (False, False)
    clocks: tuple[Clock | None, ...] = ()
    asks: Side | None = None
    declined: tuple[int, int] = (-1, -1)
    offered: tuple[int, int] = (-1, -1)
    quotas: tuple[int, int] = (0, 0)
    aborted: bool = False
    ended: int | None = None
    rematch_asked: Side | None = None
    rematch: str = ""
    sown: Sowing | None = field(default=None, compare=False, repr=False)

    @classmethod
    def open(cls, terms: GameTerms, at: int) -> OnlineGame:
        """A game before its first event. Who plays the engine, or both sides, is at the board from the start."""
        quota = terms.lag_rule.most_ms
        there = not terms.between_people
        return cls(terms, at, at=at, joined=(there, there), quotas=(quota, quota))

    @property
    def begun(self) -> bool:
        """True if the first move may be made."""
        return self.game.terms is not None

    @property
    def over(self) -> bool:
        """True if nothing can be played any more."""
        return self.aborted or self.game.ending is not None

    @property
    def away(self) -> tuple[int, int]:
        """Until when White and Black are on vacation, in a slow game; a time that is over says nothing."""
        clock = self.game.clock
        return (0, 0) if clock is None else clock.rests

    @property
    def ending(self) -> Ending | None:
        """Ending of the game; None while it goes on, and where it was aborted."""
        return self.game.ending

    @property
    def plies(self) -> int:
        """Number of plies that stand."""
        return len(self.game.moves)

    @property
    def position(self) -> Position:
        """Position on the board."""
        return self.game.position if self.begun else self.terms.position()

    @property
    def to_move(self) -> Side:
        """Side to move."""
        return self.position.to_move

    @property
    def claims(self) -> tuple[ClaimKind, ...]:
        """Claims that are possible now: a draw by recurrence or by a drawn position, and in competition games a fourth
        offer where the side to move was offered one draw too many, and a no-show as long as a player has not come. A
        third repetition ends the game by itself."""
        if self.over or not self.begun:
            return ()
        found = []
        last = self._recurrence()
        if last is not None and last <= 2 * self.terms.rules.recurrence:
            found.append(ClaimKind.RECURRENCE)
        if self.terms.rules.drawn_position and is_unending_draw(self.position):
            found.append(ClaimKind.DRAWN_POSITION)
        if not self.terms.friendly:
            found += [ClaimKind.FOURTH_OFFER] if self.game.offers[self.to_move.other] > 3 else []
            found += [] if all(self.joined) else [ClaimKind.NO_SHOW]
        return tuple(found)

    def _recurrence(self) -> int | None:
        """Number of plies since the present position last stood on the board; None where it did not."""
        positions = self.game.positions
        present = positions[-1]
        for ply in range(len(positions) - 2, -1, -1):
            if positions[ply].stores != present.stores:  # stores only grow, so older positions differ too
                return None
            if positions[ply] == present:
                return self.plies - ply
        return None

    @property
    def lag_rule(self) -> LagRule:
        """Rule by which lag is compensated in this game."""
        return self.terms.lag_rule

    def turn_began(self, side: Side) -> int | None:
        """After how many plies the last turn of `side` began that has a ply; None where it has played none."""
        positions = self.game.positions
        for ply in range(self.plies - 1, -1, -1):
            if positions[ply].to_move is side and (ply == 0 or positions[ply - 1].to_move is not side):
                return ply
        return None

    def own_plies(self, side: Side) -> int:
        """Number of plies of `side` that stand."""
        return sum(position.to_move is side for position in self.game.positions[: self.plies])
