"""Challenges: terms with an open seat, until a player accepts or declines, or the time is over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal, TypeAlias

from korgool.conduct.control import TimeControl
from korgool.conduct.lots import draw_lots
from korgool.live.refusals import Refused, RefusedKind
from korgool.live.terms import GameTerms, Manner, Seat, SeatKind, is_slow
from korgool.rules import Rules, Side

Choice: TypeAlias = Literal["white", "black", "random"]
_MINUTE_MS, _DAY_MS = 60_000, 86_400_000


class Way(StrEnum):
    """Way in which a challenge is delivered."""

    LINK = "link"
    """By its address, which the maker sends to the opponent."""
    LOBBY = "lobby"
    """In the list that everybody sees."""
    NAME = "name"
    """It is made to one player."""
    NONE = "none"
    """Not delivered: the game begins at once, against the engine or between two people at one device."""


def open_ms(way: Way, *, slow: bool) -> int:
    """Time for which a challenge stays open, in milliseconds; `slow` is a game with days for every turn."""
    if way is Way.LOBBY:
        return 14 * _DAY_MS if slow else 15 * _MINUTE_MS
    return {Way.LINK: 7 * _DAY_MS, Way.NAME: _DAY_MS}.get(way, 0)


ENGINE = "engine"
"""The engine's name in a lot."""


class ChallengeState(StrEnum):
    """State of a challenge."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class DeclineReason(StrEnum):
    """Reason for declining; a set phrase, so that it cannot carry a message."""

    LATER = "later"
    NOT_NOW = "not-now"
    OTHER_CLOCK = "other-clock"
    OTHER_GAME = "other-game"
    UNRATED = "unrated"


@dataclass(frozen=True, slots=True)
class Lot:
    """Lot that decides the sides and can be drawn again by anyone (WNG-TK §II): see `korgool.conduct.draw_lots`.

    Attributes:
        names: the identities in the order of the draw.
        seed: the seed.
    """

    names: tuple[str, str]
    seed: str

    def white(self) -> str:
        """Identity of the player who has White."""
        return draw_lots(self.names, self.seed).white


@dataclass(frozen=True, slots=True)
class Challenge:
    """An offer to play.

    Attributes:
        id: its address.
        maker: the identity of its maker.
        rules: the game.
        control: the time control, None for none.
        side: the side that the maker takes.
        manner: friendly, or as in a competition.
        start: text of the position to begin with, None for the usual one.
        rated: whether the result counts.
        delay_s: how many seconds later spectators see the game.
        way: the way in which it is delivered.
        to: the identity of the player who may accept it; empty for everyone who has the link or sees the lobby.
        expires: until when it is open, milliseconds since 1970.
        state: open, or how it was closed.
        by: the player who accepted or declined it.
        reason: why it was declined.
        game: the address of the game that came of it, the seed of the lot too, unknown before the acceptance.
    """

    id: str
    maker: str
    rules: Rules
    control: TimeControl | None
    side: Choice
    expires: int
    manner: Manner = Manner.FRIENDLY
    start: str | None = None
    rated: bool = False
    delay_s: int = 0
    way: Way = Way.LINK
    to: str = ""
    state: ChallengeState = ChallengeState.OPEN
    by: str = ""
    reason: DeclineReason | None = None
    game: str = ""

    def at(self, now: int) -> ChallengeState:
        """The challenge at a time: an open one expires by itself."""
        return ChallengeState.EXPIRED if self.state is ChallengeState.OPEN and now >= self.expires else self.state

    def accept(self, who: str, game: str, now: int) -> tuple[Challenge, GameTerms] | Refused:
        """Accept the open seat; the terms are those of the game at the address `game`."""
        refused = self.closed(now) or (Refused(RefusedKind.OWN_CHALLENGE) if who == self.maker else self._stranger(who))
        if refused is not None:
            return refused
        return self.begin(Seat(SeatKind.PERSON, who), game)

    def begin(self, other: Seat, game: str) -> tuple[Challenge, GameTerms]:
        """Fill the open seat without a check of who takes it: the engine, or the maker at one device."""
        taken = replace(self, state=ChallengeState.ACCEPTED, by=other.who, game=game)
        maker = Seat(SeatKind.PERSON, self.maker)
        seats = (maker, other) if taken._makers_side is Side.WHITE else (other, maker)
        terms = GameTerms(
            self.rules, seats, self.control, self.manner, start=self.start, rated=self.rated, delay_s=self.delay_s
        )
        return taken, terms

    @property
    def slow(self) -> bool:
        """True if every turn has days of its own."""
        return is_slow(self.control)

    @property
    def lot(self) -> Lot | None:
        """The lot that gave the sides of an accepted challenge; None where they were chosen, or one person has both."""
        if self.state is not ChallengeState.ACCEPTED or self.side != "random" or self.by == self.maker:
            return None
        return Lot((self.maker, self.by or ENGINE), self.game)

    def side_of(self, who: str) -> Side | None:
        """The side of one of the two players of an accepted challenge; None for others, and for one who has both."""
        if self.state is not ChallengeState.ACCEPTED or who not in (self.maker, self.by) or self.maker == self.by:
            return None
        return self._makers_side if who == self.maker else self._makers_side.other

    @property
    def _makers_side(self) -> Side:
        lot = self.lot
        black = self.side == "black" if lot is None else lot.white() != self.maker
        return Side.BLACK if black else Side.WHITE

    def decline(self, who: str, reason: DeclineReason | None, now: int) -> Challenge | Refused:
        """Decline in the name of the player it was made to. A link is declined by not accepting it."""
        refused = self.closed(now) or self._stranger(who)
        if refused is not None:
            return refused
        if not self.to:
            return Refused(RefusedKind.NOT_DECLINED)
        return replace(self, state=ChallengeState.DECLINED, by=who, reason=reason)

    def withdraw(self, who: str, now: int) -> Challenge | Refused:
        """The maker takes it back."""
        if who != self.maker:
            return Refused(RefusedKind.NOT_YOURS)
        return self.closed(now) or replace(self, state=ChallengeState.WITHDRAWN)

    def closed(self, now: int) -> Refused | None:
        """Return why the challenge is closed, or None while it is open."""
        kinds = {
            ChallengeState.ACCEPTED: RefusedKind.TAKEN,
            ChallengeState.DECLINED: RefusedKind.DECLINED,
            ChallengeState.WITHDRAWN: RefusedKind.WITHDRAWN,
            ChallengeState.EXPIRED: RefusedKind.EXPIRED,
        }
        kind = kinds.get(self.at(now))
        return None if kind is None else Refused(kind)

    def _stranger(self, who: str) -> Refused | None:
        return Refused(RefusedKind.NOT_FOR_YOU) if self.to and who != self.to else None
