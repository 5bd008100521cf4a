"""Putting a clock right: faulty clocks, and games that began without one (WNG-TK §VII).

All times are whole milliseconds.
"""

from __future__ import annotations

from korgool.conduct.clock import Clock
from korgool.conduct.control import TimeControl
from korgool.rules import Side


def correct(clock: Clock, known: tuple[int | None, int | None], now: int) -> tuple[Clock, int]:
    """Correct the clock after a fault; return it with the time given to one player because the other lost as much.

    Both times known: they are set. One known: that dial is put right, and what it loses by it is given to the
    opponent too. Neither: what both have left is divided equally, an odd millisecond counting for both.

    Args:
        clock: the faulty clock; the new one runs on for the same side.
        known: what the dials of White and Black ought to show, or None where that is unknown.
        now: the time.
    """
    white, black = known
    if white is None and black is None:
        half = -(-(clock.remaining(Side.WHITE, now) + clock.remaining(Side.BLACK, now)) // 2)
        return clock.with_stocks((half, half), now), 0
    if white is not None and black is not None:
        return clock.restocked(Side.WHITE, white, now).restocked(Side.BLACK, black, now), 0
    side = Side.WHITE if white is not None else Side.BLACK
    before = clock.remaining(side, now)
    clock = clock.restocked(side, white if white is not None else black or 0, now)
    lost = max(0, before - clock.remaining(side, now))
    stocks = [clock.remaining(each, now) for each in Side]
    stocks[side.other] += lost
    return clock.with_stocks((stocks[0], stocks[1]), now), lost


def installed(control: TimeControl, elapsed: int, least: int) -> Clock:
    """The clock for a game that began without one `elapsed` milliseconds ago, standing still.

    Each player has the stock less half the time that passed, but never less than `least` milliseconds.
    """
    stock = max(least, control.initial_ms - elapsed // 2) + control.overtime_ms
    return Clock(control, (stock, stock))
