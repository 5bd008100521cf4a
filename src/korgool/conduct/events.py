"""Events of a game as values: the actor, the action and the time.

`read_event` in `korgool.conduct.reading` makes them from the lines of a log.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, TypeAlias

from korgool.conduct.claims import ClaimKind
from korgool.conduct.control import TimeControl
from korgool.rules import TOGUZ_KORGOOL, Rules, Side


class By(StrEnum):
    """Actor of an event. Players are called by their side in the present game or set."""

    WHITE = "white"
    BLACK = "black"
    REFEREE = "referee"

    @property
    def side(self) -> Side | None:
        """The side of a player, None for the referee."""
        return _SIDES.get(self)


_SIDES = {By.WHITE: Side.WHITE, By.BLACK: Side.BLACK}

Reason: TypeAlias = Literal["conversation", "record", "disrespect", "obstruction", "rules"]


@dataclass(frozen=True, slots=True)
class Options:
    """Regulations of an event on points that the rules leave open.

    Attributes:
        automatic_flags: a flag that falls ends the game at once, as on a server; otherwise it has to be called.
        both_flags: two fallen flags are a draw unless a store holds more than half of the stones (WNG-TK §V), or the
            stores are compared (§VII).
        late_ms: how long after the start a player may come at the latest; None for half the stock and 30 seconds.
        sets: sets of a match, 1 for a single game.
        set_clock: whether every set has a clock of its own; otherwise one clock serves the match (WNG-M §II gives a
            quarter of an hour for a round).
        warnings: warnings that White and Black bring from earlier games of the event.
    """

    automatic_flags: bool = False
    both_flags: Literal["draw", "compare"] = "draw"
    late_ms: int | None = None
    sets: int = 1
    set_clock: bool = False
    warnings: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Lots:
    """Draw lots for the sides, before the start."""

    players: tuple[str, str]
    seed: str


@dataclass(frozen=True, slots=True)
class Start:
    """The set time has come: White's clock starts (WNG-TK §VII).

    Attributes:
        rules: the game.
        control: the time control, None for the usual one of the game.
        clocks: whether there is a clock from the start.
        position: text of a position to start from, None for the usual one.
        options: what the regulations say.
    """

    rules: Rules = TOGUZ_KORGOOL
    control: TimeControl | None = None
    clocks: bool = True
    position: str | None = None
    options: Options = field(default_factory=Options)


@dataclass(frozen=True, slots=True)
class Arrive:
    """A player comes to the board; `player` where the referee notes it."""

    player: Side | None = None


@dataclass(frozen=True, slots=True)
class Leave:
    """A player leaves the hall; `player` where the referee notes it."""

    player: Side | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """A player lifts and sows hole `hole`, 1 to n; the move is complete when the clock is pressed."""

    hole: int


@dataclass(frozen=True, slots=True)
class Press:
    """A player presses the clock, or the referee does it for `player`, who forgot it."""

    player: Side | None = None


@dataclass(frozen=True, slots=True)
class Offer:
    """A player offers a draw."""


@dataclass(frozen=True, slots=True)
class Accept:
    """A player accepts the offered draw."""


@dataclass(frozen=True, slots=True)
class Decline:
    """A player declines the offered draw."""


@dataclass(frozen=True, slots=True)
class Resign:
    """A player resigns."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A player or the referee claims what a rule grants; for the referee `player` names the flag or the absentee."""

    reason: ClaimKind
    player: Side | None = None


@dataclass(frozen=True, slots=True)
class Flag:
    """The flag of `player` is called; without `player` the opponent's, or for the referee whichever is down."""

    player: Side | None = None


@dataclass(frozen=True, slots=True)
class Warn:
    """The referee warns a player; `clause` says which rule was broken."""

    player: Side
    reason: Reason
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Pause:
    """The referee stops both clocks."""


@dataclass(frozen=True, slots=True)
class Resume:
    """The clock that ran runs again."""


@dataclass(frozen=True, slots=True)
class ClockFault:
    """A player reports that the clock is faulty and the referee replaces it.

    Attributes:
        white: milliseconds that White's dial ought to show, None where that is unknown.
        black: the same of Black.
        request: the player who asked for it, where the referee enters it.
    """

    white: int | None = None
    black: int | None = None
    request: Side | None = None


@dataclass(frozen=True, slots=True)
class SetClock:
    """A clock is set in a game that began without one."""


@dataclass(frozen=True, slots=True)
class Spill:
    """A player spills stones; `player` where the referee notes it."""

    player: Side | None = None


@dataclass(frozen=True, slots=True)
class Restore:
    """The referee corrects the position from the record.

    Attributes:
        position: the position as text.
        white: milliseconds that White's dial shall show, None to leave it, by the event's rule on time.
        black: the same of Black.
    """

    position: str
    white: int | None = None
    black: int | None = None


@dataclass(frozen=True, slots=True)
class Sign:
    """A player signs the result, or the referee accepts the record; `result` is what was written, if given."""

    result: str | None = None


@dataclass(frozen=True, slots=True)
class NextSet:
    """The next set of a match begins."""


Action: TypeAlias = (
    Lots
    | Start
    | Arrive
    | Leave
    | Move
    | Press
    | Offer
    | Accept
    | Decline
    | Resign
    | Claim
    | Flag
    | Warn
    | Pause
    | Resume
    | ClockFault
    | SetClock
    | Spill
    | Restore
    | Sign
    | NextSet
)


@dataclass(frozen=True, slots=True)
class Event:
    """One line of the log of a game.

    Attributes:
        at: milliseconds from any origin, 0 or more, never less than in the line before.
        by: who does it.
        action: what is done.
    """

    at: int
    by: By
    action: Action
