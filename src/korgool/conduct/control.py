"""Time controls: what each player is given before the game and for every turn.

All times are whole milliseconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_MINUTE = 60_000
_FORM = re.compile(r"(\d{1,3})\+(\d{1,3})", re.ASCII)
LONGEST_MS = 10**11
"""Most time that a control gives at once: more than three years."""
MOST_COUNT = 1_000
"""Most periods, and most turns in a section."""


class ControlKind(StrEnum):
    """Kind of time control: how time is given beside the stock."""

    SUDDEN = "sudden"
    """Stock without increment, delay or periods."""
    FISCHER = "fischer"
    """An increment for every turn completed."""
    BRONSTEIN = "bronstein"
    """The time used for a turn is given back when it is completed, at most the delay."""
    DELAY = "delay"
    """The stock is touched only after the delay of each turn."""
    BYOYOMI = "byoyomi"
    """After the stock come periods; a turn (or `moves` turns) completed within a period makes it full again."""


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time control: the time that each player gets.

    Attributes:
        initial_ms: stock of each player, more than 0; under BYOYOMI 0 or more.
        increment_ms: FISCHER: added when a turn is completed.
        kind: how time is given beside the stock. FISCHER without increment is sudden death too.
        delay_ms: BRONSTEIN and DELAY: the delay of a turn. BYOYOMI: the length of a period.
        periods: BYOYOMI: how many periods. Otherwise, with `moves`: how many stocks are given in all, 0 without end.
        moves: moves in time: a player who has completed so many turns gets the stock once more. BYOYOMI: turns for
            which a period has to last, 0 and 1 for every single turn.

    Raises:
        ValueError: the numbers make no such control.
    """

    initial_ms: int
    increment_ms: int = 0
    kind: ControlKind = ControlKind.FISCHER
    delay_ms: int = 0
    periods: int = 0
    moves: int = 0

    def __post_init__(self) -> None:
        least = 0 if self.kind is ControlKind.BYOYOMI else 1
        if self.initial_ms < least or self.increment_ms < 0:
            raise ValueError(f"a clock needs time on it, not {self.initial_ms} ms with {self.increment_ms} ms a turn")
        for name, value, most in (
            ("stock", self.initial_ms, LONGEST_MS),
            ("increment", self.increment_ms, LONGEST_MS),
            ("delay", self.delay_ms, LONGEST_MS),
            ("number of periods", self.periods, MOST_COUNT),
            ("number of moves", self.moves, MOST_COUNT),
        ):
            if not 0 <= value <= most:
                raise ValueError(f"the {name} of a time control is from 0 to {most}, not {value}")
        if self.increment_ms and self.kind is not ControlKind.FISCHER:
            raise ValueError(f"an increment belongs to a fischer control, not to {self.kind}")
        delayed = self.kind in (ControlKind.BRONSTEIN, ControlKind.DELAY, ControlKind.BYOYOMI)
        if self.delay_ms and not delayed:
            raise ValueError(f"a delay belongs to bronstein, delay and byoyomi controls, not to {self.kind}")
        if self.kind is ControlKind.BYOYOMI and not (self.periods and self.delay_ms):
            raise ValueError("a byoyomi control needs periods, and their length as delay")
        if self.kind is not ControlKind.BYOYOMI and self.periods > 1 and not self.moves:
            raise ValueError("periods without moves belong to a byoyomi control")

    @property
    def overtime_ms(self) -> int:
        """Length of all byo-yomi periods together."""
        return self.periods * self.delay_ms if self.kind is ControlKind.BYOYOMI else 0

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read `MINUTES+SECONDS`, such as `10+5`: ten minutes, five seconds for every turn.

        Raises:
            ValueError: the text has another form or gives no time.
        """
        found = _FORM.fullmatch(text)
        if found is None or found[1].strip("0") == "":
            raise ValueError(f"a time control is minutes+seconds such as 10+5 or 30+0, not {text[:20]!r}")
        return cls(int(found[1]) * _MINUTE, int(found[2]) * 1000)

    def __str__(self) -> str:
        # Seven digits: as many as `read_control` takes.
        text = f"{self.initial_ms / _MINUTE:.7g}+{self.increment_ms / 1000:.7g}"
        if self.kind is ControlKind.BYOYOMI:
            text += f" byoyomi {self.periods}x{self.delay_ms / 1000:.7g}"
            return f"{text}/{self.moves}" if self.moves > 1 else text
        if self.delay_ms:
            text += f" {self.kind} {self.delay_ms / 1000:.7g}"
        if self.moves:
            text += f" {self.moves} moves" + (f" x{self.periods}" if self.periods else "")
        return text


HOUR = TimeControl(60 * _MINUTE, kind=ControlKind.SUDDEN)
"""An hour for each player, two for a game (WNG-TK §XI)."""
QUARTER = TimeControl(15 * _MINUTE, kind=ControlKind.SUDDEN)
"""A quarter of an hour for each player, half an hour for a round (WNG-M §II)."""
