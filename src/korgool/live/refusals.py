"""Reasons for refusing a command: a kind for programs and translations, and a sentence in English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from korgool.conduct.ruling import Ruling


class RefusedKind(StrEnum):
    """Every refusal there is; the arguments of its sentence stand in braces."""

    OVER = "the game is over"
    NOT_OVER = "the game is not over yet"
    NOT_BEGUN = "the game has not begun; it begins when both players are there"
    NOT_YOUR_TURN = "it is not your turn"
    MOVED_ON = "the game has moved on"
    NO_HOLE = "there is no hole {hole}; the holes are 1 to {holes}"
    EMPTY_HOLE = "hole {hole} is empty"
    TUZ_HOLE = "hole {hole} is the opponent's tuz"
    OFFER_ALONE = "a draw is offered together with a move"
    OFFER_STANDS = "your offer stands already"
    OFFER_TOO_SOON = "a draw can be offered again after your next move"
    NO_OFFER = "no draw is on offer"
    NO_TAKEBACKS = "no move is taken back in this game"
    NOTHING_TO_TAKE_BACK = "nothing has been played that could be taken back"
    TAKEBACK_STANDS = "you have asked already"
    TAKEBACK_DECLINED = "the opponent has declined; play on"
    NO_TAKEBACK = "nobody asks to take back"
    NO_MORE_TIME = "no time is given in this game"
    TIME_IS_FULL = "the opponent has as much time as a clock may show"
    NO_VACATION = "a vacation belongs to games of two people with days for every turn"
    VACATION_TOO_LONG = "a vacation is {days} days at most"
    ALREADY_AWAY = "you are away already; end this vacation first"
    NO_DAYS_LEFT = "you have {days} days of vacation left"
    TOO_LATE_TO_ABORT = "the game has begun in earnest; it can be resigned"
    NOT_IN_COMPETITION = "this is not possible in a game by the rules of a competition"
    ONLY_IN_COMPETITION = "this exists in games by the rules of a competition only"
    NOT_GONE = "the opponent was there {seconds} s ago; the game can be claimed after {limit} s"
    NEVER_GONE = "this game cannot be claimed because the opponent has left"
    NO_CLOCK = "the game has no clock"
    NOT_THEIR_TURN = "it is your turn, so make a move"
    NOT_PROVEN = "the result of this position is not proven"
    PROVEN_LOST = "this position is proven lost for you"
    PLAYS_ON = "the opponent plays on; a proven result can be claimed when the opponent is gone or lets the time run"
    OWN_CHALLENGE = "this is your own challenge; send its link to somebody"
    NOT_FOR_YOU = "this challenge is made to somebody else"
    NOT_DECLINED = "this challenge is open to everybody and cannot be declined"
    NOT_YOURS = "only the player who made this challenge can withdraw it"
    TAKEN = "somebody has accepted this challenge already"
    DECLINED = "this challenge was declined"
    WITHDRAWN = "this challenge was withdrawn"
    EXPIRED = "this challenge is too old"
    RULED = "{reason}"
    """The referee refuses or denies it; the clause is that of the referee."""


STALE = frozenset(
    {
        RefusedKind.OVER,
        RefusedKind.MOVED_ON,
        RefusedKind.ALREADY_AWAY,
        RefusedKind.TAKEN,
        RefusedKind.DECLINED,
        RefusedKind.WITHDRAWN,
        RefusedKind.EXPIRED,
    }
)
"""Refusals of a sender who has not seen the latest events (HTTP 409); the others are 422, and 403 for strangers."""
_STRANGERS = frozenset({RefusedKind.NOT_FOR_YOU, RefusedKind.NOT_DECLINED, RefusedKind.NOT_YOURS})


@dataclass(frozen=True, slots=True)
class Refused:
    """Refusal of a command; the game stays as it was.

    Attributes:
        kind: the reason.
        arguments: values for its sentence.
        clause: the clause it rests on, or None where the rules do not settle it.
        ruling: the denial of the referee, for its sentence in other languages; None where the referee did not rule.
    """

    kind: RefusedKind
    arguments: Mapping[str, str | int] = field(default_factory=dict)
    clause: str | None = None
    ruling: Ruling | None = None

    @property
    def status(self) -> int:
        """The status of HTTP that says the same."""
        return 409 if self.kind in STALE else 403 if self.kind in _STRANGERS else 422

    def __str__(self) -> str:
        return self.kind.value.format(**self.arguments)
