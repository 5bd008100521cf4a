"""Rate-limited logging, so that the log stays readable when thousands of clients cause the same line."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

_SECONDS = 1.0
_LOG = logging.getLogger(__name__)


class Calm(logging.Filter):
    """Passes one line of each kind a second; the next line says how many were left out.

    The kind of a line is its logger, its message before formatting, and the type of its exception.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._kinds: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether to write a line."""
        problem = record.exc_info[0] if record.exc_info else None
        kind = record.name, f"{record.msg}{problem}"
        now = self._now()
        last, left_out = self._kinds.get(kind, (-_SECONDS, 0))
        if now - last < _SECONDS:
            self._kinds[kind] = last, left_out + 1
            return False
        if len(self._kinds) > 1000:
            self._kinds.clear()
        self._kinds[kind] = now, 0
        if left_out:
            record.msg, record.args = f"{record.getMessage()} (and {left_out} more like it)", None
        return True


def calm_logs() -> None:
    """Write warnings and errors to stderr, one of each kind a second."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    handler.addFilter(Calm())
    logging.getLogger().addHandler(handler)


def handle_loop_problem(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report a lack of file descriptors in one line, and everything else as the event loop does."""
    problem = context.get("exception")
    if isinstance(problem, OSError) and "accept" in str(context.get("message")):
        _LOG.error("no connection can be accepted: %s", problem.strerror)
    else:
        loop.default_exception_handler(context)
