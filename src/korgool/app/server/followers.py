"""Who follows a running game, and whose device thinks for the engine."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator

from korgool.rules import Side

_BEHIND = 200
"""Messages that a follower may lag behind before its connection is closed, to be healed by a new one."""


class Follower:
    """One live connection: a queue of encoded messages; None ends it.

    Attributes:
        viewer: the side of the visitor behind it, None for one who watches.
        thinks: whether the engine's moves may be asked of it.
    """

    def __init__(self, viewer: Side | None) -> None:
        self.viewer = viewer
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue()
        self.thinks = False

    def tell(self, message: bytes) -> bool:
        """Queue a message; False if the follower is too far behind."""
        if self.queue.qsize() >= _BEHIND:
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

    def join(self, follower: Follower) -> None:
        """One more."""
        self._all[follower] = None

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
