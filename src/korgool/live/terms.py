"""Terms of a game, agreed before the first move: the rules, the clock, the manner of play, and the seats."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property, lru_cache

from korgool.conduct.control import ControlKind, TimeControl
from korgool.conduct.control_text import read_control
from korgool.live.lag import LagRule, lag_rule
from korgool.rules import Position, PositionError, Rules, Side

DAY_MS = 86_400_000
MOST_DAYS = 14
"""Longest time for a turn of a slow game, in days."""
MOST_DELAY_S = 3_600
"""Longest delay for spectators, in seconds."""
_DAYS = re.compile(r"([1-9]|1[0-4])d", re.ASCII)


class Manner(StrEnum):
    """By which rules people treat each other; the rules of the board are the same."""

    FRIENDLY = "friendly"
    """Offers at any time, take-backs by consent, more time, claims against a player who has gone."""
    COMPETITION = "competition"
    """The rule text to the letter (WNG-TK §V, §VII, §X)."""


class SeatKind(StrEnum):
    """Kind of player at a seat."""

    PERSON = "person"
    ENGINE = "engine"


@dataclass(frozen=True, slots=True)
class Seat:
    """One side of a game.

    Attributes:
        kind: a person or the engine.
        who: the identity of the person, opaque here; empty for the engine.
        strength: the strength of the engine as the engine room numbers it; 0 for a person.
    """

    kind: SeatKind
    who: str = ""
    strength: int = 0

    def __post_init__(self) -> None:
        if (self.kind is SeatKind.PERSON) is not bool(self.who):
            raise ValueError("a person has an identity, and the engine has none")


@dataclass(frozen=True)
class GameTerms:
    """Terms of a game, agreed before the first move.

    Attributes:
        rules: the game.
        seats: the players of White and Black. One person at both seats plays with a friend at one device, or alone.
        control: the time control, None for a game without a clock. A slow game has `slow_control`.
        manner: friendly, or as in a competition.
        start: text of the position to begin with, None for the usual one.
        rated: whether the result counts for ratings.
        delay_s: how many seconds later spectators see what happens.

    Raises:
        ValueError: the terms contradict each other, no text states the control, or the position cannot be a start.
    """

    rules: Rules
    seats: tuple[Seat, Seat]
    control: TimeControl | None = None
    manner: Manner = Manner.FRIENDLY
    start: str | None = None
    rated: bool = False
    delay_s: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.delay_s <= MOST_DELAY_S:
            raise ValueError(f"spectators see a game 0 to {MOST_DELAY_S} seconds later, not {self.delay_s}")
        if self.manner is Manner.COMPETITION and not self.live:
            raise ValueError("a game by the rules of a competition has a clock, and not days for every turn")
        if self.rated and self.start is not None:
            raise ValueError("a rated game begins from the usual position")
        if self.rated and self.seats[0].who == self.seats[1].who:
            raise ValueError("a rated game has two people")
        write_clock(self.control)  # the journal keeps its text
        if self.position().outcome() is not None:
            raise ValueError("the start position is one in which the game is over")

    def position(self) -> Position:
        """The position that the game begins with."""
        try:
            return self.rules.start() if self.start is None else Position.parse(self.start, self.rules)
        except PositionError as error:
            raise ValueError(f"start position: {error}") from error

    @cached_property
    def slow(self) -> bool:
        """True if every turn has days of its own."""
        return is_slow(self.control)

    @cached_property
    def live(self) -> bool:
        """True if a clock runs for both players in real time."""
        return self.control is not None and not self.slow

    @cached_property
    def friendly(self) -> bool:
        """True if take-backs, more time and claims against an absent opponent are possible."""
        return self.manner is Manner.FRIENDLY

    def swapped(self) -> GameTerms:
        """The terms of a rematch: the seats exchanged, all else as it was."""
        return replace(self, seats=(self.seats[1], self.seats[0]))

    @cached_property
    def between_people(self) -> bool:
        """True if two people play at two devices, so that one may wait for the other."""
        white, black = self.seats
        return white.kind is black.kind is SeatKind.PERSON and white.who != black.who

    def sides(self, who: str) -> tuple[Side, ...]:
        """The sides that a person plays: none, one, or both at one device."""
        if not who:
            return ()
        white, black = self.seats[0].who == who, self.seats[1].who == who
        return (*((Side.WHITE,) if white else ()), *((Side.BLACK,) if black else ()))

    def by_engine(self, side: Side) -> bool:
        """Return whether the engine plays this side."""
        return self._engines[side]

    @cached_property
    def _engines(self) -> tuple[bool, bool]:
        return self.seats[0].kind is SeatKind.ENGINE, self.seats[1].kind is SeatKind.ENGINE

    @cached_property
    def lag_rule(self) -> LagRule:
        """Rule by which lag is compensated."""
        return lag_rule(None if self.slow else self.control)


def is_slow(control: TimeControl | None) -> bool:
    """Return whether a control gives every turn days of its own, as `slow_control` does."""
    if control is None or control.kind is not ControlKind.BYOYOMI:
        return False
    return not control.initial_ms and control.delay_ms >= DAY_MS


def slow_control(days: int) -> TimeControl:
    """So many days for every turn, afresh: a byo-yomi of one period without a stock.

    Raises:
        ValueError: not 1 to 14 days.
    """
    if not 1 <= days <= MOST_DAYS:
        raise ValueError(f"a turn of a slow game has 1 to {MOST_DAYS} days, not {days}")
    return TimeControl(0, kind=ControlKind.BYOYOMI, delay_ms=days * DAY_MS, periods=1)


@lru_cache(maxsize=256)
def read_clock(text: str) -> TimeControl | None:
    """Parse a time control: `none`, `1d` to `14d`, or a text such as `10+5` or `10+0 byoyomi 3x30`.

    Raises:
        ValueError: the text has none of these forms.
    """
    if text == "none":
        return None
    found = _DAYS.fullmatch(text)
    if found is not None:
        return slow_control(int(found[1]))
    try:
        return read_control(text)
    except ValueError as error:
        raise ValueError(f"{error}; or none, or 1d to {MOST_DAYS}d") from None


@lru_cache(maxsize=256)
def write_clock(control: TimeControl | None) -> str:
    """Format a control as the text that `read_clock` parses.

    Raises:
        ValueError: no text states this control exactly. A stock is a whole number of thousandths of a minute, so two
            seconds are none.
    """
    text = _clock_text(control)
    try:
        told = read_clock(text)
    except ValueError:
        told = None
    if control is not None and told != _plain(control):
        raise ValueError(f"no text states the time control {text}: no more than four digits and thousandths are read")
    return text


def _plain(control: TimeControl) -> TimeControl:
    """The same control without what gives nothing: no increment, no delay, or one turn for a period."""
    nothing = control.kind is ControlKind.SUDDEN
    nothing |= control.kind in (ControlKind.BRONSTEIN, ControlKind.DELAY) and not control.delay_ms
    if control.kind is ControlKind.BYOYOMI:
        return replace(control, moves=control.moves if control.moves > 1 else 0)
    kind = ControlKind.FISCHER if nothing else control.kind
    return replace(control, kind=kind, periods=control.periods if control.moves else 0)


def _clock_text(control: TimeControl | None) -> str:
    if control is None:
        return "none"
    if control.kind is ControlKind.BYOYOMI and not control.initial_ms and control.periods == 1:
        days, rest = divmod(control.delay_ms, DAY_MS)
        if not rest and days <= MOST_DAYS:
            return f"{days}d"
    return str(control)
