"""The time of day, in milliseconds since 1970, which never runs backwards while a server lives."""

from __future__ import annotations

import time

_START = time.time_ns() - time.monotonic_ns()


def now_ms() -> int:
    """Now. Whoever sets the computer's clock changes nothing until the next start."""
    return (_START + time.monotonic_ns()) // 1_000_000
