"""What all searches of a server share: how they are cancelled, how long they may take, why they are refused."""

from __future__ import annotations

import threading

from korgool.engine.search import Engine
from korgool.engine.timing import TimeLeft, think_seconds
from korgool.rules import Position

_MOST_SECONDS = 3.0
"""No search on a clock takes longer, whatever the clock would allow: a visitor waits for it."""


def clock_seconds(position: Position, left_ms: int, increment_ms: int) -> float:
    """Seconds for a move when that many milliseconds are on the engine's clock."""
    return min(_MOST_SECONDS, think_seconds(position, TimeLeft(left_ms / 1000, increment_ms / 1000)))


class Search:
    """A search that waits or runs. `cancel` may be called from the event loop at any time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._engine: Engine | None = None
        self._cancelled = False

    @property
    def cancelled(self) -> bool:
        """Whether nobody needs the result any more."""
        return self._cancelled

    def cancel(self) -> None:
        """Nobody needs the result any more: end soon, with whatever was found."""
        with self._lock:
            self._cancelled = True
            if self._engine is not None:
                self._engine.stop()

    def hurry(self) -> None:
        """Others wait: end soon, with what was found; the result is needed all the same."""
        with self._lock:
            if self._engine is not None:
                self._engine.stop()

    def begin(self, engine: Engine) -> bool:
        """Say that the engine works for this search now; False if nobody needs it."""
        with self._lock:
            self._engine = engine
            return not self._cancelled

    def end(self) -> None:
        """The engine works for others from now on."""
        with self._lock:
            self._engine = None


class CancelledSearchError(Exception):
    """The search was cancelled before it came to a result."""


class BusyError(Exception):
    """Too many searches wait already."""
