"""The time of day, in milliseconds since 1970, which never runs backwards while a server lives.

While a computer sleeps, or a virtual machine stands still, what measures the time may stand still with it, and the
computer's clock is ahead of it afterwards. `catch_up` goes by that clock again; whoever calls it charges the difference
to nobody. A clock that is behind changes nothing.

Where many processes on many hosts serve one site, it is the time of their database: each measures how far its own is
away (`storage/server_processes.py`) and tells it here.
"""

from __future__ import annotations

import time

_START = time.time_ns() - time.monotonic_ns()
_elapsed_ns = time.monotonic_ns
_wall_ns = time.time_ns
"""Sources of elapsed time and of the computer's clock; tests put simulated ones here."""
_LEAP_NS = 2_000_000_000
"""Lead of the computer's clock that counts as a leap: a smaller one is a gradual correction."""
_offset_ns = 0


def now_ms() -> int:
    """Now. It follows the computer's clock only where that is ahead, and somebody calls `catch_up`."""
    return (_START + _offset_ns + _elapsed_ns()) // 1_000_000


def own_ms() -> float:
    """Now by this computer alone."""
    return (_START + _elapsed_ns()) / 1_000_000


def catch_up() -> None:
    """Go by the computer's clock again if it is well ahead: this computer has slept, or somebody has set it."""
    global _START  # noqa: PLW0603  there is one time in a process
    ahead = _wall_ns() - _START - _elapsed_ns()
    if ahead > _LEAP_NS:
        _START += ahead


def go_by(ahead_ms: float) -> None:
    """From now on tell the time of somebody whose clock is so many milliseconds ahead of this computer's."""
    global _offset_ns  # noqa: PLW0603  there is one time in a process
    _offset_ns = round(1_000_000 * ahead_ms)


def ahead_ms() -> float:
    """Milliseconds by which `now_ms` is ahead of this computer."""
    return _offset_ns / 1_000_000
