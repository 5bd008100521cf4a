"""Cancelling, time limits and errors of all searches of a server."""

from __future__ import annotations

import threading
from collections.abc import Callable

from korgool.engine import Engine
from korgool.engine.timing import TimeLeft, think_seconds
from korgool.rules import Position

_MOST_SECONDS = 3.0
"""The most seconds of a search in a game with a clock, whatever the clock allows: a visitor is waiting."""


def clock_seconds(position: Position, left_ms: int, increment_ms: int) -> float:
    """Seconds for a move, given the milliseconds on the engine's clock."""
    return min(_MOST_SECONDS, think_seconds(position, TimeLeft(left_ms / 1000, increment_ms / 1000)))


class Search:
    """A search that waits or runs. `cancel` may be called on the event loop at any time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._stopped = threading.Event()
        self._cancelled = False
        self.on_cancel: Callable[[], object] | None = None
        """Called by `cancel`; for a search that runs elsewhere."""

    @property
    def cancelled(self) -> bool:
        """True if nobody needs the result any more."""
        return self._cancelled

    def cancel(self) -> None:
        """Cancel the search, because nobody needs the result any more: it ends soon, with whatever was found."""
        self._cancelled = True
        self.hurry()
        if self.on_cancel is not None:
            self.on_cancel()

    def hurry(self) -> None:
        """End the search soon, also before its engine has begun, because others wait; its result so far is used."""
        self._stopped.set()
        with self._lock:
            if self._engine is not None:
                self._engine.stop()

    def begin(self, engine: Engine) -> bool:
        """Note that the engine now works on this search; return False if it was cancelled."""
        with self._lock:
            self._engine = engine
            engine.stopped = self._stopped
            return not self._cancelled

    def end(self) -> None:
        """Note that the engine now works for others."""
        with self._lock:
            if self._engine is not None:
                self._engine.stopped = None
            self._engine = None


class CancelledSearchError(Exception):
    """The search was cancelled before it had a result."""


class BusyError(Exception):
    """Too many searches are waiting."""
