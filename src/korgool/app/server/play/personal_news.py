"""Wakes those who wait for news of a person: their games, and challenges made to them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from korgool.app.server.cluster.bus import News
from korgool.app.server.core import errors
from korgool.app.server.core.errors import RateLimitError
from korgool.app.server.limits import Caller, ServiceLimits

LOOK_AGAIN = 5.0
"""Seconds after which somebody who waits looks into the database, in case another process has written to it."""


class WaitingPlaces:
    """The places in which callers wait for news; each session and each address has so many.

    Args:
        limits: how many.
    """

    def __init__(self, limits: ServiceLimits) -> None:
        self._limits = limits
        self._taken: Counter[tuple[str, str]] = Counter()

    @contextmanager
    def place(self, caller: Caller) -> Iterator[None]:
        """One of the places of a caller.

        Raises:
            RateLimitError: there is none left.
        """
        kept = [(("address", caller.address), self._limits.address_news)]
        if caller.session is not None:
            kept.append((("session", caller.session), self._limits.session_news))
        if any(most is not None and self._taken[key] >= most for key, most in kept):
            raise RateLimitError(errors.TOO_MANY_WAIT, LOOK_AGAIN)
        for key, _ in kept:
            self._taken[key] += 1
        try:
            yield
        finally:
            for key, _ in kept:
                self._taken[key] -= 1
                if not self._taken[key]:
                    del self._taken[key]


class PersonalNews:
    """Tells those who wait that something may have changed for a person. All methods run on the event loop.

    Args:
        news: news between processes; nothing rests on them, because whoever waits also looks by themselves.

    Attributes:
        closed: whether nobody shall wait any more.
    """

    def __init__(self, news: News) -> None:
        self._news = news
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self.closed = False

    def open(self) -> None:
        """Hear of what other processes write."""
        self._news.listen("waiting", lambda who, _: self._wake(who), self._waiting.__contains__)

    def close(self) -> None:
        """Let everybody who waits go; doing so twice has no effect."""
        self.closed = True
        for who in tuple(self._waiting):
            self._wake(who)

    def tell(self, *people: str, everywhere: bool = True) -> None:
        """Something has changed for these people, by their identities.

        Args:
            people: their identities; an empty one is nobody.
            everywhere: whether other processes are told too.
        """
        for who in filter(None, people):
            self._wake(who)
            if everywhere:
                self._news.tell("waiting", who)

    def _wake(self, who: str) -> None:
        for event in self._waiting.get(who, ()):
            event.set()

    @contextmanager
    def listening(self, who: str) -> Iterator[asyncio.Event]:
        """An event that is set whenever something may have changed for a person."""
        event = asyncio.Event()
        self._waiting.setdefault(who, set()).add(event)
        try:
            yield event
        finally:
            self._waiting[who].discard(event)
            if not self._waiting[who]:
                del self._waiting[who]
