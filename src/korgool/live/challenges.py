"""A challenge: terms with an open seat, until somebody takes it, declines, or its time is over."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal, TypeAlias

from korgool.conduct.control import TimeControl
from korgool.conduct.lots import draw_lots
from korgool.live.refusals import Refused, RefusedKind
from korgool.live.terms import GameTerms, Manner, Seat, SeatKind
from korgool.rules import Rules, Side

Choice: TypeAlias = Literal["white", "black", "random"]


class ChallengeState(StrEnum):
    """What became of a challenge."""

    OPEN = "open"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    WITHDRAWN = "withdrawn"
    EXPIRED = "expired"


class DeclineReason(StrEnum):
    """Why somebody declines; a set phrase, so that nobody is told anything else."""

    LATER = "later"
    NOT_NOW = "not-now"
    OTHER_CLOCK = "other-clock"
    OTHER_GAME = "other-game"
    UNRATED = "unrated"


@dataclass(frozen=True, slots=True)
class Lot:
    """A lot for the sides, which anybody can draw again (WNG-TK §II): see `korgool.conduct.draw_lots`.

    Attributes:
        names: the identities in the order of the draw.
        seed: the seed.
    """

    names: tuple[str, str]
    seed: str

    def white(self) -> str:
        """Who plays White."""
        return draw_lots(self.names, self.seed).white


@dataclass(frozen=True, slots=True)
class Challenge:
    """An offer to play.

    Attributes:
        id: its address, the seed of its lot too.
        maker: the identity of who made it.
        rules: the game.
        control: the time control, None for none.
        side: the side that the maker takes.
        manner: friendly, or as in a competition.
        start: text of the position to begin with, None for the usual one.
        rated: whether the result counts.
        to: who may take it: the identity of a player, or empty for everybody who has the link or sees the lobby.
        listed: whether the lobby shows it.
        expires: until when it is open, milliseconds since 1970.
        state: what became of it.
        by: who took or declined it.
        reason: why it was declined.
        game: the address of the game that came of it.
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
    to: str = ""
    listed: bool = False
    state: ChallengeState = ChallengeState.OPEN
    by: str = ""
    reason: DeclineReason | None = None
    game: str = ""

    def at(self, now: int) -> ChallengeState:
        """What it is at a time: an open challenge expires by itself."""
        return ChallengeState.EXPIRED if self.state is ChallengeState.OPEN and now >= self.expires else self.state

    def accept(self, who: str, game: str, now: int) -> tuple[Challenge, GameTerms] | Refused:
        """Somebody takes the open seat; the terms are those of the game at the address `game`."""
        refused = self._refused(now) or self._stranger(who)
        if refused is not None:
            return refused
        if who == self.maker:
            return Refused(RefusedKind.OWN_CHALLENGE)
        white = Lot((self.maker, who), self.id).white() if self.side == "random" else ""
        maker = Side.WHITE if self.side == "white" or white == self.maker else Side.BLACK
        seats = [Seat(SeatKind.PERSON, who), Seat(SeatKind.PERSON, who)]
        seats[maker] = Seat(SeatKind.PERSON, self.maker)
        terms = GameTerms(
            self.rules, (seats[0], seats[1]), self.control, self.manner, start=self.start, rated=self.rated
        )
        return replace(self, state=ChallengeState.ACCEPTED, by=who, game=game), terms

    def decline(self, who: str, reason: DeclineReason | None, now: int) -> Challenge | Refused:
        """The player to whom it was made does not want it. A link is declined by not taking it."""
        refused = self._refused(now) or self._stranger(who)
        if refused is not None:
            return refused
        if not self.to:
            return Refused(RefusedKind.NOT_FOR_YOU)
        return replace(self, state=ChallengeState.DECLINED, by=who, reason=reason)

    def withdraw(self, who: str, now: int) -> Challenge | Refused:
        """The maker takes it back."""
        if who != self.maker:
            return Refused(RefusedKind.NOT_FOR_YOU)
        return self._refused(now) or replace(self, state=ChallengeState.WITHDRAWN)

    def _refused(self, now: int) -> Refused | None:
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
