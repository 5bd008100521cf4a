"""uvicorn's HTTP protocol with limits: no client can hold a connection for ever.

Only hooks of uvicorn's class that handle a single event are overridden; `tests/attacks` and
`tests/server/test_slow_clients.py` test every one of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from korgool.app.server.transport.connection_limiter import ServerConfig, later
from korgool.app.server.transport.websocket_protocol import LimitedWebSocket

_HEAD = 16 * 1024
"""The most bytes of a request's head."""
_SLOWEST = 500
"""Bytes a second that a client sends of a body, and takes of an answer, at least."""


class _Requests(h11.Connection):
    """Tracks when a request begins and ends, and refuses one that states its length in two ways."""

    def __init__(self, owner: LimitedHttp, most: int) -> None:
        super().__init__(h11.SERVER, most)
        self._owner = owner

    def next_event(self) -> Any:
        event = super().next_event()
        if isinstance(event, h11.Request):
            names = {name for name, _ in event.headers}
            if {b"content-length", b"transfer-encoding"} <= names:
                # A proxy in front of us may have used the other one (RFC 9112, section 6.3).
                raise h11.RemoteProtocolError("both Content-Length and Transfer-Encoding")
            self._owner.head_came()
        elif isinstance(event, h11.EndOfMessage):
            self._owner.body_came()
        return event


class LimitedHttp(H11Protocol):
    """HTTP/1.1 with time limits for heads, bodies and answers that the client does not receive."""

    address = ""

    def __init__(self, config: ServerConfig, *args: Any, **settings: Any) -> None:
        super().__init__(config, *args, **settings)
        self.limiter = config.limiter
        self.conn = _Requests(self, config.h11_max_incomplete_event_size or _HEAD)
        self._deadline: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None
        self._came = self._unsent = 0
        self._receiving = True
        self._held = b""
        self._site, self.app = self.app, self._answered

    async def _answered(self, scope: Any, receive: Any, send: Any) -> None:
        """Let the application answer. If the server ends and waits no longer, cut the connection: whether what was
        asked has been done is not known, so that no status would be true."""
        try:
            await self._site(scope, receive, send)
        except asyncio.CancelledError:
            self.cycle.disconnected = True  # uvicorn would write a traceback for each of them, or miss the answer
            self.drop()

    @property
    def idle(self) -> bool:
        """True if every complete request has been answered."""
        return self._receiving or self.cycle is None or self.cycle.response_complete

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Count the connection, or cut it if there are too many."""
        super().connection_made(cast(asyncio.Transport, transport))
        self.transport.set_write_buffer_limits(high=0)  # of an answer, not even a byte waits for ever
        self.address = self.limiter.key_of(self.client[0] if self.client else "")
        if self.limiter.admit(self):
            self._await_head()
        else:
            self.drop()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.limiter.forget(self)
        self._await(None)
        self._unstall()
        super().connection_lost(exc)

    def shutdown(self) -> None:
        """The server ends: a request that has come is answered, and nobody waits for the rest of one that has not."""
        self._read()
        now = self.transport.get_protocol()
        if isinstance(now, LimitedWebSocket):  # what has been read asks for a live connection
            now.shutdown()
        elif self._receiving and self.cycle is not None and not self.cycle.response_complete:
            self.drop()
        else:
            super().shutdown()

    def drop(self) -> None:
        """Cut the connection."""
        self.transport.abort()

    def data_received(self, data: bytes) -> None:
        """Accept data, and parse it when its turn comes."""
        self._expect_request()
        self._came += len(data)
        waits = bool(self._held)
        self._held += data
        if not waits:
            self.limiter.turns.take(self.address, self._read)
        if self._held:  # until its turn nothing more is read
            self.transport.pause_reading()

    def _expect_request(self) -> None:
        """The first byte after an answer begins a new request."""
        if self._deadline is None and self.cycle is not None and self.cycle.response_complete:
            self._receiving = True
            self._await_head()

    def _read(self) -> None:
        data, self._held = self._held, b""
        if not data or self.transport.is_closing():
            return
        if not self.flow.read_paused:
            self.transport.resume_reading()
        self._expect_request()  # the answer may have ended while the data waited
        super().data_received(data)

    def timeout_keep_alive_handler(self) -> None:
        """Close an idle connection, unless its next request has come and waits for its turn."""
        if not self._held:
            super().timeout_keep_alive_handler()

    def head_came(self) -> None:
        """The head of a request is complete."""
        self._receiving = True
        self._await_body()

    def body_came(self) -> None:
        """The request is complete; its answer has no time limit."""
        self._receiving = False
        self._await(None)

    def _await_head(self) -> None:
        self._await(self.limiter.limits.headers_seconds, self._look_for_head)

    def _look_for_head(self) -> None:
        """Cut the connection, unless nobody has read what came of the head: it waits for its turn."""
        if self._held:
            self._await_head()
        else:
            self.drop()

    def _await_body(self) -> None:
        self._came = 0
        self._await(self.limiter.limits.body_seconds, self._look_for_body)

    def _look_for_body(self) -> None:
        """Cut the connection, unless enough of the body has come since the last look, or nobody has read it."""
        unread = self._held or self.flow.read_paused
        if self._came < (self.limiter.limits.body_seconds or 0) * _SLOWEST and not unread:
            self.drop()
        else:
            self._await_body()

    def pause_writing(self) -> None:
        """The client has not taken all that was sent."""
        super().pause_writing()
        self._unsent = self.transport.get_write_buffer_size()
        self._stalled = later(self.limiter.limits.stalled_seconds, self._look_for_rest)

    def _look_for_rest(self) -> None:
        """Cut the connection, unless its client has taken enough of the answer since the last look."""
        seconds = self.limiter.limits.stalled_seconds or 0
        before, self._unsent = self._unsent, self.transport.get_write_buffer_size()
        if before - self._unsent < seconds * _SLOWEST:
            self.drop()
        else:
            self._stalled = later(seconds, self._look_for_rest)

    def resume_writing(self) -> None:
        """The client has taken everything."""
        self._unstall()
        super().resume_writing()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """The connection becomes a live one."""
        self._await(None)
        self._unstall()
        self.transport.set_write_buffer_limits()
        super().handle_websocket_upgrade(event)
        live = self.transport.get_protocol()
        if isinstance(live, LimitedWebSocket):
            live.address = self.address
            self.limiter.replace(self, live)

    def _await(self, seconds: float | None, end: Callable[[], None] | None = None) -> None:
        """Call `end`, which cuts the connection unless told otherwise, after `seconds`, unless this is called again."""
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = later(seconds, end or self.drop)

    def _unstall(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
