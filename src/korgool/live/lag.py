"""Compensation of lag: the time that a move was under way is given back, within a quota.

The server measures the lag itself; a client cannot lengthen it by what it says. A quota starts full, every compensated
ply draws on it, and every completed turn fills it up a little. So over any number of turns a player is given at most
`most_ms` and `gain_ms` for every turn, and a single ply never more than it took or than the lag that was measured. The
opponent pays nothing for it: their time runs from when the server has the move.
"""

from __future__ import annotations

from dataclasses import dataclass

from korgool.conduct.control import TimeControl

_USUAL_TURNS = 40


@dataclass(frozen=True, slots=True)
class LagRule:
    """Limits of the compensation of lag under a time control.

    Attributes:
        most_ms: the largest quota, with which a game begins.
        gain_ms: the gain of the quota with every completed turn.
    """

    most_ms: int
    gain_ms: int

    def give(self, quota: int, lag: int, took: int) -> int:
        """Milliseconds given back for a turn that took `took` and came with `lag`."""
        return max(0, min(quota, lag, took))

    def after(self, quota: int, given: int, *, passes: bool = True) -> int:
        """The quota after a ply for which `given` was given back; `passes` where the turn is complete with it."""
        return min(self.most_ms, quota - given + (self.gain_ms if passes else 0))


_SLOWER, _FAST, _FASTEST = LagRule(7_000, 1_000), LagRule(3_000, 500), LagRule(1_000, 200)
NO_LAG = LagRule(0, 0)
"""A game without a clock, or with days for every turn."""


def lag_rule(control: TimeControl | None) -> LagRule:
    """The rule of a live control: by what each player has for 40 turns, from 3 minutes, from 1 minute, or less."""
    if control is None:
        return NO_LAG
    each = control.initial_ms + control.overtime_ms + _USUAL_TURNS * (control.increment_ms + control.delay_ms)
    return _SLOWER if each >= 180_000 else _FAST if each >= 60_000 else _FASTEST
