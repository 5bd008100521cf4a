"""A log that stays readable when thousands of clients provoke the same line."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from typing import Any

_SECONDS = 1.0
_LOG = logging.getLogger(__name__)


class Calm(logging.Filter):
    """Lets one line of a kind through each second, and says with the next one how many were left out.

    A kind is the logger, the text before its values are filled in, and the type of the exception.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._kinds: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a line is written."""
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
    """Write warnings and worse on stderr, one of a kind each second."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    handler.addFilter(Calm())
    logging.getLogger().addHandler(handler)


def handle_loop_problem(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Lack of file descriptors is told in one line; all else as the event loop does."""
    problem = context.get("exception")
    if isinstance(problem, OSError) and "accept" in str(context.get("message")):
        _LOG.error("no connection can be accepted: %s", problem.strerror)
    else:
        loop.default_exception_handler(context)
