"""Rate limits by session and by address, and of the frames of one live connection."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable

from korgool.app.server.limits.caller import Caller
from korgool.app.server.limits.service_limits import ServiceLimits
from korgool.app.server.limits.token_bucket import Rate

_SWEEP = 10_000
"""The most buckets of one limit before the full ones are forgotten."""


class RateLimiter:
    """The buckets of every limit and key. Not thread-safe.

    Args:
        limits: the rates.
        now: returns the seconds of a monotonic clock.

    Attributes:
        refused: how many actions were refused, by limit.
    """

    def __init__(self, limits: ServiceLimits, now: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self.now = now
        self.refused: Counter[str] = Counter()
        self._full_at: dict[str, dict[str, float]] = {}
        self._sweep_at: dict[str, int] = {}

    def spend(self, limit: str, key: str, cost: float = 1.0) -> float:
        """Count an action.

        Args:
            limit: the name of a rate in `ServiceLimits`.
            key: the owner of the bucket.
            cost: how many are spent.

        Returns:
            0, or the seconds to wait if it is refused; a refused action does not count.
        """
        full_at, wait = self._look(limit, key, cost)
        if full_at is not None:
            buckets = self._full_at.setdefault(limit, {})
            buckets[key] = full_at
            if len(buckets) > self._sweep_at.get(limit, _SWEEP):
                self._sweep(limit, self.now())
        return wait

    def refuses(self, limit: str, key: str) -> float:
        """The seconds to wait if an action would be refused, or 0; if it would not be, it does not count yet."""
        return self._look(limit, key, 1.0)[1]

    def _look(self, limit: str, key: str, cost: float) -> tuple[float | None, float]:
        """Return when the bucket is full again after an action, None without a limit, and the seconds to wait."""
        rate: Rate | None = getattr(self.limits, limit)
        if rate is None:
            return None, 0.0
        now = self.now()
        full_at, wait = rate.spend(self._full_at.get(limit, {}).get(key, now), now, cost)
        if wait:
            self.refused[limit] += 1
        return full_at, wait

    def spend_both(self, limits: tuple[str, str], caller: Caller, cost: float = 1.0) -> float:
        """Count an action for a caller's session, if it has one, and for its address; like `spend`.

        If the session's limit refuses the action, it does not count for the address.
        """
        wait = 0.0 if caller.session is None else self.spend(limits[0], caller.session, cost)
        return wait or self.spend(limits[1], caller.address, cost)

    def _sweep(self, limit: str, now: float) -> None:
        """Forget full buckets, which carry no information. If many are not full, the next sweep waits for more."""
        kept = {key: full_at for key, full_at in self._full_at[limit].items() if full_at > now}
        self._full_at[limit] = kept
        self._sweep_at[limit] = max(_SWEEP, 2 * len(kept))

    def __len__(self) -> int:
        return sum(map(len, self._full_at.values()))


class FrameLimiter:
    """Counts the frames of one live connection, for itself, its session and its address.

    Until `admit` says whose it is, the limits of a watcher apply.
    """

    def __init__(self, rate_limiter: RateLimiter) -> None:
        self._rate_limiter = rate_limiter
        self._caller: Caller | None = None
        self._limit = "watcher_messages"
        self._rate: Rate | None = rate_limiter.limits.watcher_messages
        self._full_at = 0.0

    def admit(self, caller: Caller, *, player: bool) -> None:
        """Set whose connection it is."""
        self._caller = caller
        self._limit = "player_messages" if player else "watcher_messages"
        self._rate = self._rate_limiter.limits.player_messages if player else self._rate_limiter.limits.watcher_messages

    def refuses(self) -> str:
        """Count one frame; return the reason if it is one too many, otherwise None."""
        if self._rate is not None:
            self._full_at, wait = self._rate.spend(self._full_at, self._rate_limiter.now())
            if wait:
                self._rate_limiter.refused[self._limit] += 1
                return f"too many messages: this connection may send {self._rate}"
        if self._caller is None:
            return ""
        wait = self._rate_limiter.spend_both(("session_messages", "address_messages"), self._caller)
        return "too many messages from this session or address" if wait else ""
