"""The outermost ASGI layer: gives every request an id, and tells the log and the counts what became of it."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any

from korgool.app.server.core.counters import Histogram
from korgool.app.server.core.logs import REQUEST
from korgool.app.server.limits.caller import Network, trusted

_LOG = logging.getLogger(__name__)
_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_HEADER = b"x-request-id"
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
UNMATCHED = "unmatched"
"""Stands for the template of a path at which there is nothing, or of a request that was refused before it was read."""
OPENED, GONE = 101, 499
"""The status of a live connection that has begun, and of a request whose connection has ended before it had an answer:
its client has gone, or the server has ended."""


class RequestTracing:
    """An ASGI application around another one.

    Args:
        app: the application.
        proxies: the networks of proxies whose ids of requests are taken over.

    Attributes:
        requests: how many there were, by method, template of the path, and status.
        seconds: how long they took, by template; of a live connection only its beginning.
    """

    def __init__(self, app: Any, proxies: Sequence[Network] = ()) -> None:
        self._app = app
        self._proxies = tuple(proxies)
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.seconds: dict[str, Histogram] = {}

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, _unless_forced(send))
            return
        began, status = time.perf_counter(), 0
        name = self._id(scope)
        REQUEST.set(name)

        async def noted(message: Any) -> None:
            nonlocal status
            kind = message["type"]
            if kind.endswith("response.start"):
                status = message["status"]
                message = {**message, "headers": [*message["headers"], (_HEADER, name.encode())]}
            elif kind == "websocket.accept":
                status = OPENED
            elif kind == "websocket.close" and not status:
                status = 403
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except Exception:
            status = status or 500
            raise
        finally:
            self._note(scope, status or GONE, time.perf_counter() - began)

    def _id(self, scope: Any) -> str:
        """The id that a trusted proxy has given, or a new one."""
        client = scope.get("client")
        if client and trusted(client[0], self._proxies):
            given = next((value for key, value in scope["headers"] if key == _HEADER), b"")
            if _ID.fullmatch(given):
                return str(given, "ascii")
        return secrets.token_hex(8)

    def _note(self, scope: Any, status: int, seconds: float) -> None:
        method = scope.get("method", "GET")
        method = method if method in _METHODS else "OTHER"
        path = scope.get("path_template") or UNMATCHED
        self.requests[method, path, status] += 1
        if path not in self.seconds:
            self.seconds[path] = Histogram()
        self.seconds[path].add(seconds)
        if _LOG.isEnabledFor(logging.INFO):
            who = scope.get("state", {}).get("who", "-")
            ms = round(1000 * seconds, 1)
            seen = {"method": method, "path": path, "status": status, "ms": ms, "who": who}
            _LOG.info("answered", extra={"seen": seen})


def _unless_forced(send: Any) -> Any:
    """Leave out what the framework tells of a life that a second signal has cut off: that is no failure, and it tells
    it by a traceback."""

    async def pass_on(message: Any) -> None:
        task = asyncio.current_task()
        if message["type"] == "lifespan.shutdown.failed" and task is not None and task.cancelling():
            message = {**message, "message": ""}
        await send(message)

    return pass_on
