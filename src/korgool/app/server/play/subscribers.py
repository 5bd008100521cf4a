"""The subscribers of a running game, and whose device thinks for the engine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from functools import cached_property

from korgool.app.server.core import errors
from korgool.app.server.core.errors import RateLimitError
from korgool.app.server.core.live_connection import COME_AGAIN, REPLACED, TOO_SLOW, Outlet
from korgool.app.server.limits import Caller, ServiceLimits

_BEHIND = 200
"""Messages that a subscriber may lag behind before its connection is closed; the client then connects again."""
_WAIT = 30.0
"""Seconds after which a refused watcher may try again."""
NOBODY = Caller("")


class Subscriber:
    """One live connection. Where it has no outlet, its messages wait in a queue, and None ends it.

    Attributes:
        who: the identity of the person behind it, None for nobody known.
        reader: the same where somebody may only look, as with an account that is locked; names are written for them.
        caller: who is behind it as the limits count.
        plays: whether this person plays in the game; all others watch.
        thinks: whether the engine's moves may be asked of it.
        end: the close code and reason to use when the queue ends.
    """

    def __init__(
        self,
        who: str | None,
        caller: Caller = NOBODY,
        *,
        plays: bool = False,
        outlet: Outlet | None = None,
        reader: str | None = None,
    ) -> None:
        self.who = who
        self.reader = who if reader is None else reader
        self.caller = caller
        self.plays = plays
        self.thinks = False
        self.end = COME_AGAIN, "connect again"
        self._outlet = outlet

    @property
    def lag_ms(self) -> int:
        """Round-trip time in milliseconds; 0 where it is not measured."""
        return 0 if self._outlet is None else self._outlet.lag_ms()

    @property
    def silent_ms(self) -> int:
        """Milliseconds since something was heard; 0 where nobody measures it."""
        return 0 if self._outlet is None else self._outlet.silent_ms()

    @cached_property
    def queue(self) -> asyncio.Queue[bytes | None]:
        """The messages of a subscriber without an outlet."""
        return asyncio.Queue()

    def tell(self, message: bytes) -> bool:
        """Send a message; False if the subscriber is too far behind, which ends it."""
        if self._outlet is not None:
            told = self._outlet.push(message)
        else:
            told = self.queue.qsize() < _BEHIND
            if told:
                self.queue.put_nowait(message)
        if not told:
            self.close(TOO_SLOW, "too far behind; connect again")
        return told

    def close(self, code: int = COME_AGAIN, reason: str = "connect again") -> None:
        """End the connection."""
        if self._outlet is not None:
            self._outlet.shut(code, reason)
            return
        self.end = code, reason
        self.queue.put_nowait(None)


class Subscribers:
    """The subscribers of one game, in the order in which they came. Everything runs on the event loop."""

    def __init__(self) -> None:
        self._all: dict[Subscriber, None] = {}
        self._stirred: asyncio.Event | None = None

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Subscriber]:
        return iter(tuple(self._all))

    def join(self, subscriber: Subscriber, limits: ServiceLimits) -> None:
        """Add a subscriber. A player is always admitted, if necessary in place of the oldest of their own connections.

        Raises:
            RateLimitError: there are too many watchers already.
        """
        if not subscriber.plays:
            self._check_watchers(subscriber, limits)
        else:
            own = [other for other in self if other.plays and other.caller.session == subscriber.caller.session]
            if limits.player_sockets is not None and len(own) >= limits.player_sockets:
                own[0].close(REPLACED, "a newer page of yours follows this game")
                self.leave(own[0])
        self._all[subscriber] = None

    def _check_watchers(self, subscriber: Subscriber, limits: ServiceLimits) -> None:
        watchers = [other.caller.address for other in self if not other.plays]
        if (limits.watchers is not None and len(watchers) >= limits.watchers) or (
            limits.address_watchers is not None and watchers.count(subscriber.caller.address) >= limits.address_watchers
        ):
            raise RateLimitError(errors.TOO_MANY_SOCKETS, _WAIT)

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a subscriber."""
        self._all.pop(subscriber, None)
        self.stir()

    def tell(self, subscriber: Subscriber, message: bytes) -> None:
        """Send a message to one subscriber, and drop it if it is too far behind."""
        if not subscriber.tell(message):
            self.leave(subscriber)

    def dismiss(self) -> None:
        """Drop all subscribers; they must connect again."""
        for subscriber in self:
            subscriber.close()
        self._all.clear()
        self.stir()

    def stir(self) -> None:
        """Wake everyone who waits for something to happen."""
        stirred, self._stirred = self._stirred, None
        if stirred is not None:
            stirred.set()

    async def stirred(self, seconds: float) -> None:
        """Return when something has happened, or after `seconds`."""
        stirred = self._stirred = self._stirred or asyncio.Event()
        try:
            async with asyncio.timeout(seconds):
                await stirred.wait()
        except TimeoutError:
            return

    def offer(self, subscriber: Subscriber, thinks: bool) -> None:
        """Set whether a subscriber may be asked for the engine's moves; only a player of the game may offer that."""
        subscriber.thinks = thinks and subscriber.plays
        self.stir()

    async def ask(self, question: bytes, patience: float, answered: Callable[[], bool]) -> None:
        """Ask one of the subscribers that think for the engine, the newest first, and wait.

        Returns as soon as `answered()`, or when no subscriber offers to think any more. One that does not answer within
        `patience` seconds is not asked again until it offers again.
        """
        until = time.monotonic() + patience
        asked: Subscriber | None = None
        while not answered():
            willing = [subscriber for subscriber in self._all if subscriber.thinks]
            if not willing:
                return
            if asked not in willing:
                asked = willing[-1]
                self.tell(asked, question)
                continue  # sending may have dropped it
            left = until - time.monotonic()
            if left <= 0:
                asked.thinks = False
                return
            await self.stirred(left)
