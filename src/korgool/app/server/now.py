"""The time of day, in milliseconds since 1970, which never runs backwards while a server lives.

Where many processes on many hosts serve one site, it is the time of their database: each measures how far its own is
away (`storage/processes.py`) and tells it here.
"""

from __future__ import annotations

import time

_START = time.time_ns() - time.monotonic_ns()
_elapsed_ns = time.monotonic_ns
"""What measures the time; tests put a simulated clock here."""
_offset_ns = 0


def now_ms() -> int:
    """Now. Whoever sets the computer's clock changes nothing until the next start."""
    return (_START + _offset_ns + _elapsed_ns()) // 1_000_000


def own_ms() -> float:
    """Now by this computer alone."""
    return (_START + _elapsed_ns()) / 1_000_000


def go_by(ahead_ms: float) -> None:
    """From now on tell the time of somebody whose clock is so many milliseconds ahead of this computer's."""
    global _offset_ns  # noqa: PLW0603  there is one time in a process
    _offset_ns = round(1_000_000 * ahead_ms)


def ahead_ms() -> float:
    """How far the time that is told is ahead of this computer's."""
    return _offset_ns / 1_000_000
