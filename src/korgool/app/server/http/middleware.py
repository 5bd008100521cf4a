"""Middleware of all routes: HEAD is answered like GET without its body, texts are compressed, and a handshake that is
refused has a status and a reason.

Only texts made for one request are compressed here; static files are compressed in advance (`static.py`). Compressing a
small text takes less time than handing it to a thread; a large one must not block everybody else.
"""

from __future__ import annotations

import asyncio
import gzip
from typing import cast

import msgspec
from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import HttpMethod, ScopeType
from litestar.types import ASGIApp, HTTPResponseStartEvent, HTTPScope, Message, Receive, Scope, Send

from korgool.app.server.core.headers import with_security_headers
from korgool.app.server.core.live_connection import REFUSED
from korgool.app.server.http.site_names import Site

LEAST, MOST = 1000, 32 * 1024
"""The sizes in bytes from which a text is compressed, and from which that happens off the event loop."""
_LEVEL = 4
_KINDS = ("text/", "application/json")


def takes_gzip(accept_encoding: str) -> bool:
    """Return whether the header says that the client accepts gzip."""
    for part in accept_encoding.split(","):
        name, _, quality = part.partition(";")
        if name.strip().lower() == "gzip":
            return quality.replace(" ", "").rstrip("0") not in {"q=", "q=0."}
    return False


def wrap_application(app: ASGIApp) -> ASGIApp:
    """Wrap the application."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == ScopeType.WEBSOCKET:
            await app(scope, receive, _refusing(scope, send))
            return
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        bodiless, whole = scope["method"] == HttpMethod.HEAD, scope
        if bodiless:
            scope = cast("HTTPScope", {**scope, "method": HttpMethod.GET})
        packs = takes_gzip(Headers.from_scope(scope).get("accept-encoding", ""))
        start: HTTPResponseStartEvent | None = None

        async def pass_on(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                if message["status"] == 405:
                    _allow_head(MutableScopeHeaders.from_message(message))
                return
            if message["type"] == "http.response.body":
                body = message["body"]
                if start is not None:
                    headers = MutableScopeHeaders.from_message(start)
                    if not message["more_body"] and _packable(headers, body):
                        headers.extend_header_value("vary", "accept-encoding")
                        if packs:
                            body = await _packed(body)
                            headers["content-encoding"], headers["content-length"] = "gzip", str(len(body))
                    await send(start)
                    start = None
                message = {**message, "body": b"" if bodiless else body}
            await send(message)

        await app(scope, receive, pass_on)
        whole["path_template"] = scope.get("path_template", "")  # the log wants it

    return answer


def _allow_head(headers: MutableScopeHeaders) -> None:
    """Allow HEAD with GET (RFC 9110, section 10.2.1), which the framework does not do."""
    allowed = {name.strip() for name in headers.get("allow", "").split(",")}
    if "GET" in allowed:
        headers["allow"] = ", ".join(sorted(allowed | {"HEAD"}))


def _refusing(scope: Scope, send: Send) -> Send:
    """Send a closure before the handshake as an answer over HTTP, with the headers of all answers; the code of most
    holds the status."""
    able = "websocket.http.response" in (scope.get("extensions") or {})
    begun = False

    async def pass_on(message: Message) -> None:
        nonlocal begun
        if message["type"] == "websocket.close" and able and not begun:
            status = message["code"] - REFUSED
            body = msgspec.json.encode({"detail": message.get("reason") or ""})
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
            site: Site = scope["litestar_app"].state.site
            start = {
                "type": "websocket.http.response.start",
                "status": status if 400 <= status < 500 else 403,
                "headers": with_security_headers(headers, site.over_tls(scope["scheme"])),
            }
            await send(cast("Message", start))
            message = cast("Message", {"type": "websocket.http.response.body", "body": body})
        begun = True
        await send(message)

    return pass_on


def _packable(headers: MutableScopeHeaders, body: bytes) -> bool:
    text = headers.get("content-type", "").startswith(_KINDS)
    done = "content-encoding" in headers or "vary" in headers  # a static file, compressed already if at all
    return text and len(body) >= LEAST and not done


async def _packed(body: bytes) -> bytes:
    if len(body) <= MOST:
        return gzip.compress(body, _LEVEL, mtime=0)
    return await asyncio.to_thread(gzip.compress, body, _LEVEL, mtime=0)
