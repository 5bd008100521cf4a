"""The log: one record a line, as text or as JSON, with the time, the level and the request it belongs to.

A record says nothing secret: of a request it has the template of the path, never the path itself, in which the address
of a game or a link stands, and of who asks it has the kind. A game that fails is named by its address, since nobody
could find it otherwise: whoever has the address can watch the game like everybody else, and no more. Text of others
never begins a line of its own. Warnings and errors are limited to one of each kind a second, so that the log stays
readable when thousands of clients cause one.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections.abc import Callable
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Literal

_SECONDS = 1.0
_LOG = logging.getLogger(__name__)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
LEVELS = ("debug", "info", "warning", "error")
Form = Literal["text", "json"]
REQUEST: ContextVar[str] = ContextVar("korgool_request", default="-")
"""The id of the request that is being answered."""


class JsonFormatter(logging.Formatter):
    """A record as JSON: `time`, `level`, `logger`, `request`, `message` or the fields of a request, `exception`."""

    def fields(self, record: logging.LogRecord) -> dict[str, object]:
        """The fields of a record. One with `seen` is about a request that has been answered."""
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told: dict[str, object] = {
            "time": at.replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "request": REQUEST.get(),
        }
        seen: dict[str, object] | None = getattr(record, "seen", None)
        told |= {"message": record.getMessage()} if seen is None else seen
        if record.exc_info:
            told["exception"] = self.formatException(record.exc_info)
        return told

    def format(self, record: logging.LogRecord) -> str:
        """One line."""
        return json.dumps(self.fields(record), ensure_ascii=False, default=str).translate(_SEPARATORS)


_SEPARATORS = {code: f"\\u{code:04x}" for code in (*range(0x7F, 0xA0), 0x2028, 0x2029)}
"""Characters that JSON leaves as they are and some readers take for the end of a line."""


class TextFormatter(JsonFormatter):
    """A record as text: time, level, request, and the message or the request; each line of an exception is marked."""

    def format(self, record: logging.LogRecord) -> str:
        """One line, and one for each line of an exception."""
        told = self.fields(record)
        head = f"{told['time']} {record.levelname} {told['request']}"
        if "message" in told:
            words = f"{told['logger']}: {told['message']}"
        else:
            words = "{method} {path} {status} {ms} ms {who}".format_map(told)
        trace = str(told.get("exception", "")).splitlines()
        return "\n".join([_on_one_line(f"{head} {words}"), *(f"  | {_on_one_line(line)}" for line in trace)])


def _on_one_line(text: str) -> str:
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


class RepetitionFilter(logging.Filter):
    """Passes one warning or error of each kind a second; the next line says how many were left out.

    The kind of a line is its logger, its message before formatting, and the type of its exception.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._now = now
        self._kinds: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record is written."""
        if record.levelno < logging.WARNING:
            return True
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


def configure_logging(form: Form = "text", level: str = "warning") -> None:
    """Write the log to stderr.

    Args:
        form: as text, or as JSON.
        level: one of `LEVELS`; at `info` every request is told. Of the libraries, warnings and errors are told: what
            they tell below that has paths and values of statements in it.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(TextFormatter() if form == "text" else JsonFormatter())
    handler.addFilter(RepetitionFilter())
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(max(logging.WARNING, logging.getLevelName(level.upper())))
    logging.getLogger("korgool").setLevel(level.upper())


def handle_loop_problem(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Report a lack of file descriptors in one line, and everything else as the event loop does."""
    problem = context.get("exception")
    if isinstance(problem, OSError) and "accept" in str(context.get("message")):
        _LOG.error("no connection can be accepted: %s", problem.strerror)
    else:
        loop.default_exception_handler(context)
