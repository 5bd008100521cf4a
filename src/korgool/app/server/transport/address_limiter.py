"""The outermost ASGI layer: limits requests by address, and shares the server fairly between addresses."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any

import msgspec

from korgool.app.server.core import errors
from korgool.app.server.core.headers import LANGUAGE_COOKIE, negotiate_language, with_security_headers
from korgool.app.server.limits import Caller, address_key
from korgool.app.server.limits.admission import Admission, Gate
from korgool.app.server.limits.caller import is_address
from korgool.app.server.transport.connection_limiter import ConnectionLimiter
from korgool.languages import translations

_LOG = logging.getLogger(__name__)
_WORK_SECONDS = 0.025
"""The most seconds a request keeps its slot: a longer one waits for something, and waiting costs nothing."""


class AddressLimiter:
    """An ASGI application around another one.

    Args:
        app: the application.
        limiter: the limits, and the counters.
        over_tls: whether people use the site over TLS, by the scheme of a request as it has come.
    """

    def __init__(self, app: Any, limiter: ConnectionLimiter, over_tls: Callable[[str], bool]) -> None:
        self._app = app
        self._over_tls = over_tls
        self._limiter = limiter
        self._gate = Gate(limiter.limits.running_requests, estimate=0.002)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on when it is its turn, or refuse it."""
        if scope["type"] not in {"http", "websocket"}:
            await self._app(scope, receive, send)
            return
        client = scope.get("client")
        if client and not is_address(client[0]):
            # Only a proxy's header can have put it there, and whoever may write it chooses whose limits count.
            _LOG.warning("a trusted proxy tells something else than the address of a client; see --trusted-proxy")
            await _refuse(scope, send, 400, errors.NO_ADDRESS, self._over_tls(scope["scheme"]))
            return
        caller = Caller(address_key(client[0]) if client else "")
        limits = ("address_requests", "address_handshakes") if scope["type"] == "websocket" else ("address_requests",)
        for limit in limits:
            wait = self._limiter.rate_limiter.spend(limit, caller.address)
            if wait:
                await _refuse(scope, send, 429, errors.TOO_MANY_REQUESTS, self._over_tls(scope["scheme"]), wait)
                return
        admission = await self._gate.enter(caller)
        timer = asyncio.get_running_loop().call_later(_WORK_SECONDS, self._leave, admission)
        try:
            await self._app(scope, receive, send)
        finally:
            timer.cancel()
            self._leave(admission)

    def _leave(self, admission: Admission) -> None:
        self._gate.leave(admission)


async def _refuse(scope: Any, send: Any, status: int, message: str, over_tls: bool, wait: float | None = None) -> None:
    """Answer a request or a handshake with a reason in the visitor's language, and perhaps the seconds to wait."""
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    language = negotiate_language(headers.get(b"accept-language"), _chosen(headers.get(b"cookie", "")))
    seconds = None if wait is None else max(1, math.ceil(wait))
    body = msgspec.json.encode({"detail": translations(language).gettext(message).format(seconds=seconds)})
    kind = "websocket.http.response" if scope["type"] == "websocket" else "http.response"
    if kind.startswith("websocket") and kind not in scope.get("extensions", {}):
        await send({"type": "websocket.close"})
        return
    reply_headers = [
        (b"content-type", b"application/json"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    if seconds is not None:
        reply_headers.append((b"retry-after", str(seconds).encode()))
    await send({"type": f"{kind}.start", "status": status, "headers": with_security_headers(reply_headers, over_tls)})
    await send({"type": f"{kind}.body", "body": body})


def _chosen(cookies: str) -> str | None:
    """The language that the visitor has chosen on a page."""
    if LANGUAGE_COOKIE not in cookies or len(cookies) > 4096:
        return None
    try:
        morsel = SimpleCookie(cookies).get(LANGUAGE_COOKIE)
    except CookieError:
        return None
    return None if morsel is None else morsel.value
