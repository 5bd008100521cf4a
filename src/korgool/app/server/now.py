"""The time of day, in milliseconds since 1970, which never runs backwards while a server lives."""

from __future__ import annotations

import time

_START = time.time_ns() - time.monotonic_ns()
_elapsed_ns = time.monotonic_ns
"""What measures the time; tests put a simulated clock here."""


def now_ms() -> int:
    """Now. Whoever sets the computer's clock changes nothing until the next start."""
    return (_START + _elapsed_ns()) // 1_000_000
