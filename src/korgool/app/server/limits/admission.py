"""Gates that admit a limited number of callers at a time; the others wait in a fair queue.

Everything runs on the event loop.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

from korgool.app.server.limits import Caller, FairQueue
from korgool.app.server.limits.deadline_pool import DeadlinePool

T = TypeVar("T")


class Admission:
    """The right of one caller to be inside a gate.

    Attributes:
        caller: who was admitted.
        lane: the lane they waited in.
        since: when, in seconds of `time.monotonic`.
    """

    def __init__(self, caller: Caller, lane: int) -> None:
        self.caller = caller
        self.lane = lane
        self.since = time.monotonic()
        self.left = False


class Gate:
    """Admits `slots` callers at once.

    Args:
        slots: how many may be inside; None for no limit.
        weights: the share of each lane while several lanes wait.
        estimate: seconds that a stay usually takes; it is charged at once and corrected at the end.
        crowded: called when somebody has to wait, and when somebody is admitted while others wait.
    """

    def __init__(
        self,
        slots: int | None,
        weights: Sequence[float] = (1.0,),
        *,
        estimate: float = 0.01,
        crowded: Callable[[], None] | None = None,
    ) -> None:
        self._free = slots
        self._queue: FairQueue[asyncio.Future[None]] = FairQueue(weights)
        self._estimate = estimate
        self._crowded = crowded

    def __len__(self) -> int:
        """The number of callers that wait."""
        return len(self._queue)

    def waits(self, lane: int) -> bool:
        """Return whether somebody waits in this lane or one before it."""
        return any(self._queue.waiting(before) for before in range(lane + 1))

    async def enter(self, caller: Caller, lane: int = 0) -> Admission:
        """Wait for a slot; the pass must be given back by `leave`."""
        if self._free is None or (self._free > 0 and not self._queue):
            return self._admitted(caller, lane)
        turn = asyncio.get_running_loop().create_future()
        self._queue.push(turn, caller, lane)
        if self._crowded is not None:
            self._crowded()
        try:
            await turn
        except asyncio.CancelledError:
            # Cancelled just after being admitted: the slot goes to the next caller.
            if turn.done() and not turn.cancelled():
                self._release()
            raise
        one = Admission(caller, lane)
        if self._crowded is not None and self._queue:
            asyncio.get_running_loop().call_soon(self._crowded)
        return one

    def _admitted(self, caller: Caller, lane: int) -> Admission:
        if self._free is not None:
            self._free -= 1
            self._queue.charge(caller, lane, self._estimate)
        return Admission(caller, lane)

    def leave(self, one: Admission) -> None:
        """Give a pass back; doing so twice has no effect."""
        if one.left or self._free is None:
            return
        one.left = True
        self._queue.charge(one.caller, one.lane, time.monotonic() - one.since - self._estimate)
        self._release()

    def _release(self) -> None:
        """Admit the next caller that still waits."""
        assert self._free is not None
        while self._queue:
            turn, caller, lane = self._queue.pop()
            if not turn.done():
                self._queue.charge(caller, lane, self._estimate)
                turn.set_result(None)
                return
        self._free += 1

    @asynccontextmanager
    async def turn(self, caller: Caller, lane: int = 0) -> AsyncIterator[Admission]:
        """Hold a pass for the duration of a `with` block."""
        one = await self.enter(caller, lane)
        try:
            yield one
        finally:
            self.leave(one)

    def close(self) -> None:
        """Cancel everybody who waits."""
        while self._queue:
            self._queue.pop()[0].cancel()


class ParserPool:
    """One thread that parses and replays what strangers send, so that the threads for the database stay free.

    Args:
        name: as the metrics and the health call it.
    """

    def __init__(self, name: str = "reading") -> None:
        self._thread = DeadlinePool(name, 1, 30.0)
        self._gate = Gate(1)

    async def run(self, caller: Caller, work: Callable[..., T], *args: object) -> T:
        """Run `work(*args)` when its turn comes, and return its result."""
        async with self._gate.turn(caller):
            return await asyncio.get_running_loop().run_in_executor(self._thread, work, *args)

    def close(self) -> None:
        """Cancel what waits."""
        self._gate.close()
        self._thread.shutdown(wait=False, cancel_futures=True)
