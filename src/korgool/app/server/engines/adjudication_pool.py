"""Proofs off the event loop, in a thread of their own, so that no engine's move waits for one.

The searches of games with a clock end by time and share the processor with this thread for some seconds at most.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Sequence
from contextlib import suppress

from korgool.app.server.engines.adjudication import Adjudication, Adjudicator
from korgool.app.server.engines.searches import BusyError, CancelledSearchError, Search
from korgool.app.server.limits import Caller
from korgool.app.server.limits.admission import Gate
from korgool.app.server.limits.deadline_pool import DeadlinePool
from korgool.rules import Position

_LOG = logging.getLogger(__name__)
PATIENCE = 15.0
"""The most seconds that a claim takes, the wait for the thread included."""
_KEPT_SECONDS = 900.0


class AdjudicationPool:
    """Answers what is proven about games, one question at a time; a session has no more than one open."""

    def __init__(self) -> None:
        self._prover = Adjudicator()
        self._thread = DeadlinePool("proof", 1, 4 * PATIENCE)
        self._gate = Gate(1, estimate=0.1)
        self._asking: set[str] = set()
        self._closing = threading.Event()
        self._drop: asyncio.TimerHandle | None = None

    @property
    def waiting(self) -> int:
        """Number of questions that wait."""
        return len(self._gate)

    def within_reach(self, position: Position) -> bool:
        """Return whether a claim makes sense in a position; microseconds, for the event loop."""
        return self._prover.within_reach(position)

    async def prove(self, positions: Sequence[Position], search: Search, caller: Caller) -> Adjudication | None:
        """The proven result of a game from here on, or None.

        Args:
            positions: all positions of the game, the present one last.
            search: a handle; cancel it when the game has changed.
            caller: who claims.

        Raises:
            BusyError: the session has another claim open, or others were not done in time.
            CancelledSearchError: it was cancelled, or the desk was closed while it ran.
        """
        if not self.within_reach(positions[-1]):
            return None
        key = caller.address if caller.session is None else f"session {caller.session}"
        if key in self._asking:
            raise BusyError
        self._asking.add(key)
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(PATIENCE), self._gate.turn(caller):
                proven = await loop.run_in_executor(self._thread, self._work, positions, search)
        except TimeoutError as error:
            search.cancel()
            raise BusyError from error
        except asyncio.CancelledError:
            search.cancel()
            raise
        finally:
            self._asking.discard(key)
            self._rest(loop)
        return proven

    def _work(self, positions: Sequence[Position], search: Search) -> Adjudication | None:
        def stopped() -> bool:
            return search.cancelled or self._closing.is_set()

        proven = None
        if not stopped():
            try:
                proven = self._prover.prove(positions, stopped)
            except (OSError, MemoryError):
                _LOG.exception("there is no memory for a proof")
                self._prover.forget()
        if stopped():
            raise CancelledSearchError
        return proven

    def _rest(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give the memory back after a long time without a claim."""
        if self._drop is not None:
            self._drop.cancel()
        if not self._closing.is_set():
            self._drop = loop.call_later(_KEPT_SECONDS, self._submit_forget)

    def _submit_forget(self) -> None:
        with suppress(RuntimeError):  # it may have closed in the meantime
            self._thread.submit(self._prover.forget)

    def cancel(self) -> None:
        """Cancel the waiting claims; call it on the event loop."""
        self._closing.set()
        if self._drop is not None:
            self._drop.cancel()
        self._gate.close()

    def close(self) -> None:
        """End the thread; its current work ends within about a second."""
        self._closing.set()
        self._thread.shutdown(cancel_futures=True)
