"""The clock of a game as an immutable value; the caller passes the time, so every flag case is a plain test.

All times are whole milliseconds. `now` may count from any origin, as long as one origin serves one clock. A `now` that
lies before the last press counts as the time of that press: no time is ever given back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from korgool.conduct.control import ControlKind, TimeControl
from korgool.rules import Side

__all__ = ["Clock", "TimeControl"]


@dataclass(frozen=True, slots=True)
class Clock:
    """Two stocks of time, of which at most one runs (WNG-TK §VII).

    Attributes:
        control: the time control.
        stocks: milliseconds until the flag of White and of Black falls, at the time `since`; byo-yomi periods that are
            left are part of it. 0 is a fallen flag, and it stays down.
        running: the side whose time runs, or None while the clock stands still.
        since: when the running one was started; 0 while the clock stands still.
        used: milliseconds that White and Black have used in the present turn before `since`.
        turns: turns completed by White and Black: all of them, or under byo-yomi those in the present period.
        rests: until when the time of White and of Black stands still although it is their turn: it is no stock, so what
            a turn does not need of it is gone.
    """

    control: TimeControl
    stocks: tuple[int, int]
    running: Side | None = None
    since: int = 0
    used: tuple[int, int] = (0, 0)
    turns: tuple[int, int] = (0, 0)
    rests: tuple[int, int] = (0, 0)

    @classmethod
    def full(cls, control: TimeControl) -> Clock:
        """The clock before the game, both stocks full and standing still."""
        stock = control.initial_ms + control.overtime_ms
        return cls(control, (stock, stock))

    def start(self, side: Side, now: int) -> Clock:
        """Let the time of `side` run, the other's stand still. An extra turn needs no call: the same time runs on."""
        return replace(self.pause(now), running=side, since=self._later(now))

    def press(self, now: int) -> Clock:
        """Complete the turn of the running side: it gains what the control gives, and the other's time runs.

        A player whose flag has fallen completes no turn: the clock stops and the flag stays down. That is the clock of
        an unattended server; at a table `hand_over` is what the button does.

        Raises:
            ValueError: the clock stands still.
        """
        if self.running is not None and self.remaining(self.running, now) == 0:
            return self.pause(now)
        return self.hand_over(now)

    def hand_over(self, now: int) -> Clock:
        """Complete the turn as `press` does, but let the other's time run also when the own flag is down.

        The flag may have gone unnoticed (WNG-TK §VII: it has to be called). A fallen flag earns nothing.

        Raises:
            ValueError: the clock stands still.
        """
        side = self.running
        if side is None:
            raise ValueError("the clock stands still; start it before it is pressed")
        stopped = self.pause(now)
        stock, turns = stopped.stocks[side], stopped.turns[side]
        if stock:
            stock, turns = self.control_gives(side, stock, stopped.used[side])
        return Clock(
            self.control,
            (stock, stopped.stocks[1]) if side is Side.WHITE else (stopped.stocks[0], stock),
            side.other,
            self._later(now),
            (0, stopped.used[1]) if side is Side.WHITE else (stopped.used[0], 0),
            (turns, self.turns[1]) if side is Side.WHITE else (self.turns[0], turns),
            self.rests,
        )

    def control_gives(self, side: Side, stock: int, used: int) -> tuple[int, int]:
        """Stock and turns of `side` after a turn that used `used` milliseconds and left `stock`, more than 0."""
        control, turns = self.control, self.turns[side] + 1
        match control.kind:
            case ControlKind.FISCHER:
                stock += control.increment_ms
            case ControlKind.BRONSTEIN:
                stock += min(used, control.delay_ms)
            case ControlKind.BYOYOMI:
                return self._overtime(stock, used, turns)
        if control.moves and turns % control.moves == 0:
            sections = turns // control.moves
            if control.periods == 0 or sections < control.periods:
                stock += control.initial_ms
        return stock, turns

    def _overtime(self, stock: int, used: int, turns: int) -> tuple[int, int]:
        control = self.control
        length, all_periods = control.delay_ms, control.overtime_ms
        if stock > all_periods:
            return stock, 0
        left = -(-stock // length)
        if -(-(stock + used) // length) != left:
            turns = 1  # a new period began within this turn
        return (left * length, 0) if turns >= max(1, control.moves) else (stock, turns)

    def pause(self, now: int) -> Clock:
        """Stop both times."""
        side = self.running
        if side is None:
            return self if self.since == 0 else replace(self, since=0)
        (white, black), left = self.stocks, self.remaining(side, now)
        stocks = (left, black) if side is Side.WHITE else (white, left)
        passed = self._passed(now)
        used = (self.used[0] + passed, self.used[1]) if side is Side.WHITE else (self.used[0], self.used[1] + passed)
        return Clock(self.control, stocks, None, 0, used, self.turns, self.rests)

    def remaining(self, side: Side, now: int) -> int:
        """Milliseconds until the flag of `side` falls, never below 0; under byo-yomi with all its periods."""
        stock = self.stocks[side]
        if side is not self.running:
            return stock
        passed = self._passed(now)
        if self.control.kind is ControlKind.DELAY:
            before, delay = self.used[side], self.control.delay_ms
            passed = max(0, before + passed - delay) - max(0, before - delay)
        return max(0, stock - passed)

    def shown(self, side: Side, now: int) -> int:
        """Milliseconds on the dial of `side`: the rest of the stock, and then under byo-yomi of the present period."""
        left = self.remaining(side, now)
        overtime = self.control.overtime_ms
        if left > overtime or not overtime:
            return left - overtime
        return left and (left - 1) % self.control.delay_ms + 1

    def periods_left(self, side: Side, now: int) -> int:
        """Byo-yomi periods of `side` that are not used up, the present one included."""
        overtime = self.control.overtime_ms
        return -(-min(self.remaining(side, now), overtime) // self.control.delay_ms) if overtime else 0

    def restocked(self, side: Side, shown: int, now: int) -> Clock:
        """The same clock with `shown` milliseconds on the dial of `side`, running on if it runs."""
        overtime, left = self.control.overtime_ms, self.remaining(side, now)
        if not overtime or left > overtime or shown > self.control.delay_ms:
            stock = shown + overtime
        else:
            stock = max(0, self.periods_left(side, now) - 1) * self.control.delay_ms + shown
        other = self.remaining(side.other, now)
        return self.with_stocks((stock, other) if side is Side.WHITE else (other, stock), now)

    def with_stocks(self, stocks: tuple[int, int], now: int) -> Clock:
        """The same clock with these milliseconds until each flag falls, running on if it runs."""
        stopped = replace(self.pause(now), stocks=stocks)
        return stopped if self.running is None else stopped.start(self.running, self._later(now))

    def resting(self, side: Side, until: int, now: int) -> Clock:
        """The same clock on which the time of `side` stands still from now until `until`, instead of what held before.

        An `until` that is over lets it run at once. What has been used stays used.
        """
        rests = (until, self.rests[1]) if side is Side.WHITE else (self.rests[0], until)
        rested = replace(self.pause(now), rests=rests)
        return rested if self.running is None else rested.start(self.running, self._later(now))

    def flagged(self, now: int) -> Side | None:
        """The side whose time is used up, or None; White where both are, see `flags`."""
        return next((side for side in Side if self.remaining(side, now) == 0), None)

    def flags(self, now: int) -> tuple[bool, bool]:
        """Fallen flags of White and of Black. Both are down when the first to fall was not called."""
        return self.remaining(Side.WHITE, now) == 0, self.remaining(Side.BLACK, now) == 0

    def falls_at(self) -> int | None:
        """Time at which the running flag falls if nothing happens, or fell; None while the clock stands still."""
        side = self.running
        if side is None:
            return None
        delay = self.control.delay_ms if self.control.kind is ControlKind.DELAY else 0
        stock = self.stocks[side]
        return self._counts_from(side) + stock + (max(0, delay - self.used[side]) if stock else 0)

    def _counts_from(self, side: Side) -> int:
        return max(self.since, self.rests[side])

    def _passed(self, now: int) -> int:
        """Time that the running side has used since it was started."""
        return 0 if self.running is None else max(0, now - self._counts_from(self.running))

    def _later(self, now: int) -> int:
        return now if self.running is None else max(now, self.since)
