"""The clocks of an arena game: seconds for the whole game, an increment, and a lag that is only counted."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from korgool.engine.timing import TimeLeft
from korgool.rules import Side

LONGEST = 1e6
"""Seconds that a clock holds at most, eleven days."""
_FORM = re.compile(r"(\d{1,7}(?:\.\d{1,4})?)(?:\+(\d{1,7}(?:\.\d{1,4})?))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Control:
    """Time control of a game, in seconds.

    Attributes:
        stock: for the whole game.
        increment: for every turn completed.
        lag: cost of every ply beside the time that its player takes, as over a network. It is not waited for: the
            clock is put forward, and to the player that is the same.

    Raises:
        ValueError: no time, or one below nothing or beyond `LONGEST`.
    """

    stock: float
    increment: float = 0.0
    lag: float = 0.0

    def __post_init__(self) -> None:
        for what, seconds in (("clock", self.stock), ("increment", self.increment), ("lag", self.lag)):
            if not (math.isfinite(seconds) and 0 <= seconds <= LONGEST):
                raise ValueError(f"a {what} has from 0 to {LONGEST:g} s, not {seconds:g}")
        if not self.stock:
            raise ValueError("a clock needs time on it")

    @classmethod
    def parse(cls, text: str, lag: float = 0.0) -> Control:
        """Read `SECONDS` or `SECONDS+INCREMENT`, such as `3`, `10+0.1`.

        Raises:
            ValueError: the text has another form or gives no time.
        """
        found = _FORM.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"a clock is SECONDS or SECONDS+INCREMENT, such as 3 or 10+0.1, not {text[:20]!a}")
        return cls(float(found[1]), float(found[2] or 0), lag)

    def start(self) -> Standing:
        """Start with both clocks full."""
        return Standing((self.stock, self.stock), self)


@dataclass(frozen=True, slots=True)
class Standing:
    """Both clocks between two plies.

    Attributes:
        left: seconds of White and of Black; 0 or less is a fallen flag.
        control: what was given.
    """

    left: tuple[float, float]
    control: Control

    def of(self, side: Side) -> TimeLeft:
        """The clock of a side as the engine's timing reads it."""
        return TimeLeft(self.left[side], increment=self.control.increment)

    def after(self, side: Side, seconds: float, turn_over: bool) -> Standing:
        """The clocks when a ply of that side has taken so long; what is gained comes at the end of the turn."""
        left = list(self.left)
        left[side] -= seconds + self.control.lag
        if turn_over and left[side] > 0:
            left[side] += self.control.increment
        return Standing((left[0], left[1]), self.control)
