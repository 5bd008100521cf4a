"""Claims of a player, and the spelling of the texts that name them. Every other module takes the spelling here."""

from __future__ import annotations

from enum import Enum
from typing import Literal, TypeAlias

LogClaim: TypeAlias = Literal["threefold", "73", "drawn_position", "flag", "fourth_offer", "no_show"]
OnlineClaim: TypeAlias = Literal["repetition", "drawn-position", "time", "fourth-offer", "no-show", "gone", "proof"]


class ClaimKind(Enum):
    """A kind of claim. The spellings differ because files and programs of all versions hold them.

    Attributes:
        log: in the log of a referee, in rulings, and for draws in `korgool.DrawClaim.reason`; None for a claim that
            only games over a network know.
        online: in commands, events and journals of games over a network; None for a claim that they do not know,
            because they end by themselves then.
        listed: in the list of open claims that the state of a game over a network holds; None where it is never listed.
    """

    THREEFOLD = ("threefold", None, None)
    """A draw: the position has occurred often enough (`Rules.threefold`)."""
    RECURRENCE = ("73", "repetition", "73")
    """A draw: the position recurs within `Rules.recurrence` moves of each player (WNG-TK §V, §X)."""
    DRAWN_POSITION = ("drawn_position", "drawn-position", "drawn-position")
    """A draw: the position is drawn and a side cannot bring it to an end (`Rules.drawn_position`)."""
    FLAG = ("flag", "time", "time")
    """The opponent's flag has fallen (WNG-TK §VII)."""
    FOURTH_OFFER = ("fourth_offer", "fourth-offer", "fourth-offer")
    """The opponent has offered more draws than three (WNG-TK §X)."""
    NO_SHOW = ("no_show", "no-show", "no-show")
    """The opponent has not come in time (WNG-TK §V)."""
    GONE = (None, "gone", None)
    """The opponent has left a friendly game against the clock."""
    PROOF = (None, "proof", None)
    """The result of a friendly game is proven, and the opponent does not play on."""

    def __init__(self, log: LogClaim | None, online: OnlineClaim | None, listed: str | None) -> None:
        self.log: LogClaim | None = log
        self.online: OnlineClaim | None = online
        self.listed: str | None = listed


BY_LOG: dict[str, ClaimKind] = {kind.log: kind for kind in ClaimKind if kind.log is not None}
BY_ONLINE: dict[str, ClaimKind] = {kind.online: kind for kind in ClaimKind if kind.online is not None}
