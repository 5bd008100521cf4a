"""Rates, counted by the generic cell rate algorithm (GCRA): a token bucket whose whole state is one time.

Libraries for this (`limits`, `throttled-py`, `aiolimiter`) keep their counts in stores behind locks or awaits and read
the clock themselves. Here every frame of a live connection is counted, so counting is a single comparison of two times,
and the caller passes in the time.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_TEXT = re.compile(r"(\d{1,9}) */ *(s|min|h)(?: *, *burst +(\d{1,9}))?")
_SECONDS = {"s": 1, "min": 60, "h": 3600}


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of actions per unit of time, with a burst for callers that have been idle.

    Attributes:
        count: how many become available again in each unit.
        unit: the unit of time: `s`, `min` or `h`.
        burst: how many are allowed at once.
    """

    count: int
    unit: str
    burst: int

    @classmethod
    def parse(cls, text: str) -> Rate:
        """Parse `10/s, burst 400` or `10/s`, whose burst is 10.

        Raises:
            ValueError: the text is not a rate.
        """
        found = _TEXT.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"{text[:40]!r} is no rate; write one like '10/s, burst 400' or '2/min'")
        count, burst = int(found[1]), int(found[3] or found[1])
        if count < 1 or burst < 1:
            raise ValueError(f"{text[:40]!r} allows nothing; the least are 1 and a burst of 1")
        return cls(count, found[2], burst)

    def __str__(self) -> str:
        return f"{self.count}/{self.unit}, burst {self.burst}"

    @property
    def interval(self) -> float:
        """Seconds after which one more becomes available."""
        return _SECONDS[self.unit] / self.count

    def spend(self, full_at: float, now: float, cost: float = 1.0) -> tuple[float, float]:
        """Take `cost` from a bucket.

        Args:
            full_at: when the bucket will be full again; any time in the past for a full one.
            now: seconds of the same clock.
            cost: how many are taken. More than the burst counts as the burst, so that nothing is refused for ever.

        Returns:
            When the bucket is full again now, and the seconds after which this much can be taken: 0 if it was taken.
        """
        start = max(full_at, now)
        after = start + min(cost, self.burst) * self.interval
        wait = after - now - self.burst * self.interval
        # A rounding error of a nanosecond must not refuse anybody.
        return (after, 0.0) if wait <= 1e-9 else (full_at, wait)
