"""Limits the rate of frames on a live connection."""

from __future__ import annotations

from korgool.app.server.limits import Caller, RateLimiter
from korgool.app.server.limits.token_bucket import Rate


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
