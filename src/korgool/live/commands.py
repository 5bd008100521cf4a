"""Commands of a player. Their identity has been checked before: a command only names the side."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from korgool.conduct.claims import ClaimKind
from korgool.rules import Side


@dataclass(frozen=True, slots=True)
class Join:
    """The player is at the board for the first time."""

    side: Side


@dataclass(frozen=True, slots=True)
class MakeMove:
    """Sow a hole.

    Attributes:
        side: who sows.
        hole: its number, 1 to n.
        version: the version of the game that the player has seen.
        offer: whether a draw is offered with it (WNG-TK §X).
        device: of an engine's move, whether the opponent's device has found it.
    """

    side: Side
    hole: int
    version: int
    offer: bool = False
    device: bool = False


@dataclass(frozen=True, slots=True)
class OfferDraw:
    """Offer a draw without a move."""

    side: Side


@dataclass(frozen=True, slots=True)
class AcceptDraw:
    """Accept the offered draw."""

    side: Side


@dataclass(frozen=True, slots=True)
class DeclineDraw:
    """Decline the offered draw; a move does so without a word."""

    side: Side


@dataclass(frozen=True, slots=True)
class AskTakeback:
    """Ask to take back the player's last turn, with all that came after it."""

    side: Side


@dataclass(frozen=True, slots=True)
class AcceptTakeback:
    """Let the opponent take back."""

    side: Side


@dataclass(frozen=True, slots=True)
class DeclineTakeback:
    """Do not let the opponent take back."""

    side: Side


@dataclass(frozen=True, slots=True)
class AddTime:
    """Give the opponent more time."""

    side: Side


@dataclass(frozen=True, slots=True)
class TakeVacation:
    """Be away until `until`, milliseconds since 1970, in a slow game; a time that is over ends a vacation.

    How many days of vacation a person has is for the caller to know (`korgool.live.vacations`).
    """

    side: Side
    until: int


@dataclass(frozen=True, slots=True)
class ResignGame:
    """Resign the game."""

    side: Side


@dataclass(frozen=True, slots=True)
class AbortGame:
    """End a game that has hardly begun, without a result."""

    side: Side


@dataclass(frozen=True, slots=True)
class ClaimEnd:
    """Demand the end of the game by a rule."""

    side: Side
    what: ClaimKind


@dataclass(frozen=True, slots=True)
class AskRematch:
    """Ask to play again with the sides exchanged, when the game is over; the only command that is possible then.

    Attributes:
        side: who asks.
        game: the address that the new game gets if this makes it.
    """

    side: Side
    game: str


Command: TypeAlias = (
    Join
    | MakeMove
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | AskTakeback
    | AcceptTakeback
    | DeclineTakeback
    | AddTime
    | TakeVacation
    | ResignGame
    | AbortGame
    | ClaimEnd
    | AskRematch
)
