"""Who follows a running game, and whose device thinks for the engine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

from korgool.app.server import messages
from korgool.app.server.close_codes import COME_AGAIN, REPLACED, TOO_SLOW
from korgool.app.server.limits import Caller, ServiceLimits
from korgool.app.server.messages import TooManyError
from korgool.rules import Side

_BEHIND = 200
"""Messages that a follower may lag behind before its connection is closed, to be healed by a new one."""
_WAIT = 30.0
"""Seconds after which somebody may try again for whom there was no room to watch."""
NOBODY = Caller("")


class Follower:
    """One live connection: a queue of encoded messages; None ends it.

    Attributes:
        viewer: the side of the visitor behind it, None for one who watches.
        caller: who is behind it.
        thinks: whether the engine's moves may be asked of it.
        end: close code and reason for when the queue ends.
    """

    def __init__(self, viewer: Side | None, caller: Caller = NOBODY) -> None:
        self.viewer = viewer
        self.caller = caller
        self.end = COME_AGAIN, "connect again"
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.thinks = False

    def tell(self, message: bytes) -> bool:
        """Queue a message; False if the follower is too far behind."""
        if self.queue.qsize() >= _BEHIND:
            self.end = TOO_SLOW, "too far behind; connect again"
            self.queue.put_nowait(None)
            return False
        self.queue.put_nowait(message)
        return True


class Followers:
    """All of one game, in the order in which they came. Everything runs on the event loop."""

    def __init__(self) -> None:
        self._all: dict[Follower, None] = {}
        self._stirred = asyncio.Event()

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Follower]:
        return iter(tuple(self._all))

    def join(self, follower: Follower, limits: ServiceLimits) -> None:
        """One more. A player always comes in, if need be in the place of the oldest of their own connections.

        Raises:
            TooManyError: too many watch already.
        """
        if follower.viewer is None:
            self._check_watchers(follower, limits)
        else:
            own = [
                other for other in self if other.viewer is not None and other.caller.session == follower.caller.session
            ]
            if limits.player_sockets is not None and len(own) >= limits.player_sockets:
                own[0].end = REPLACED, "a newer page of yours follows this game"
                own[0].queue.put_nowait(None)
                self.leave(own[0])
        self._all[follower] = None

    def _check_watchers(self, follower: Follower, limits: ServiceLimits) -> None:
        watchers = [other.caller.address for other in self if other.viewer is None]
        if (limits.watchers is not None and len(watchers) >= limits.watchers) or (
            limits.address_watchers is not None and watchers.count(follower.caller.address) >= limits.address_watchers
        ):
            raise TooManyError(messages.TOO_MANY_SOCKETS, _WAIT)

    def leave(self, follower: Follower) -> None:
        """One less."""
        self._all.pop(follower, None)
        self.stir()

    def tell(self, follower: Follower, message: bytes) -> None:
        """Tell one; who is too far behind is let go."""
        if not follower.tell(message):
            self.leave(follower)

    def dismiss(self) -> None:
        """All must come again."""
        for follower in self:
            follower.queue.put_nowait(None)
        self._all.clear()
        self.stir()

    def stir(self) -> None:
        """Wake everyone who waits for something to happen."""
        self._stirred.set()
        self._stirred = asyncio.Event()

    async def stirred(self, seconds: float) -> None:
        """Return when something has happened, after `seconds` at the latest."""
        try:
            await asyncio.wait_for(self._stirred.wait(), seconds)
        except TimeoutError:
            return

    def offer(self, follower: Follower, thinks: bool) -> None:
        """Say whether the engine's moves may be asked of a follower; only of one who plays the game."""
        follower.thinks = thinks and follower.viewer is not None
        self.stir()

    async def ask(self, question: bytes, patience: float, answered: Callable[[], bool]) -> None:
        """Ask one of those who think for the engine, the newest first, and wait.

        Returns as soon as `answered()`, or when nobody thinks any more: who does not answer within `patience` seconds
        is not asked again before offering to think anew.
        """
        until = time.monotonic() + patience
        asked: Follower | None = None
        while not answered():
            willing = [follower for follower in self._all if follower.thinks]
            if not willing:
                return
            if asked not in willing:
                asked = willing[-1]
                self.tell(asked, question)
                continue  # telling may have let go of it
            left = until - time.monotonic()
            if left <= 0:
                asked.thinks = False
                return
            await self.stirred(left)
