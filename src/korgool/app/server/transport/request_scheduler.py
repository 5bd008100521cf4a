"""Addresses take turns: within a few rounds of the event loop, one request of each address is parsed, in order.

Without this, thirty simultaneous requests of one address would be parsed and answered in one go while everybody else
waits.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

Work = Callable[[], None]
ROUNDS = 3
"""Rounds of the loop from one turn of an address to its next. If nobody else has anything to do, they take no time;
otherwise the requests of others, which pass through several rounds each, meet a crowd's request in only one of them."""


class RequestScheduler:
    """Decides whose work is done now, and whose in a later round of the loop."""

    def __init__(self) -> None:
        self._waiting: dict[str, deque[Work]] = {}
        self._served: set[str] = set()
        """The addresses that have had their turn in these rounds."""

    def take(self, address: str, work: Work) -> None:
        """Do the work now, or when it is this address's turn. An empty address stands for many and never waits."""
        if not address:
            work()
        elif address in self._served or address in self._waiting:
            self._waiting.setdefault(address, deque()).append(work)
        else:
            self._serve(address, work)

    def _serve(self, address: str, work: Work) -> None:
        if not self._served:
            self._wait(ROUNDS)
        self._served.add(address)
        work()

    def _wait(self, rounds: int) -> None:
        if rounds:
            asyncio.get_running_loop().call_soon(self._wait, rounds - 1)
        else:
            self._next_turns()

    def _next_turns(self) -> None:
        self._served.clear()
        for address, queue in list(self._waiting.items()):
            work = queue.popleft()
            if not queue:
                del self._waiting[address]
            try:
                self._serve(address, work)
            except Exception as error:
                asyncio.get_running_loop().call_exception_handler({"message": "reading failed", "exception": error})
