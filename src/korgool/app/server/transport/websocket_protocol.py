"""uvicorn's WebSocket protocol with limits: frames are counted before parsing, and nobody waits for ever.

Only hooks of uvicorn's class that handle a single event are overridden; `tests/attacks` tests every one of them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, cast

from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import State

from korgool.app.server.core.live_connection import COME_AGAIN, TOO_MANY, ClientListener
from korgool.app.server.limits.rate_limiter import FrameLimiter
from korgool.app.server.transport.connection_limiter import ServerConfig, later
from korgool.app.server.transport.socket_inbox import SocketInbox

_LINGER = 1.0
"""Seconds for a client to receive its close frame before the connection is cut."""
_MOST_UNSENT = 256 * 1024
"""Bytes that may wait for a client of a live connection to read; one with more is cut off and connects again."""
_WAITING = 4
"""Messages of a live connection that may wait for the application while more are read."""
_FIRST_PING = 0.5
"""Seconds after which a new connection gets its first ping."""
_UNDER_WAY = 0.5
"""Seconds by which the lag of a client grows that does not answer a ping."""
_SLICE, _READ = 256, 1024
"""The most bytes of a live connection that are parsed, and that are read, in one round of the event loop."""


@lru_cache(maxsize=16)
def _framed(message: bytes) -> bytes:
    """A text message as it goes over the wire: the same bytes for everybody, since servers mask nothing."""
    return Frame(Opcode.TEXT, message).serialize(mask=False)


class LimitedWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket with counted frames; beyond the limit it is closed with a code and a reason."""

    address = ""
    idle = False

    def __init__(self, config: ServerConfig, *args: Any, **settings: Any) -> None:
        super().__init__(config, *args, **settings)
        self.limiter = config.limiter
        self.meter = FrameLimiter(self.limiter.rate_limiter)
        self._heard_at = self.loop.time()
        self._held = b""
        self._full = False
        self._stalled: asyncio.TimerHandle | None = None
        self._inbox: SocketInbox | None = None

    def drop(self) -> None:
        """Cut the connection."""
        self.transport.abort()

    def shutdown(self) -> None:
        """The server ends. Nothing more is read, but what the client has said is done and answered before the
        connection is closed, so that nobody has to wonder whether a move has come."""
        if self.close_sent or not self.handshake_complete:
            super().shutdown()
            return
        self._full, self._held = True, b""
        self.stop_keepalive()
        self.transport.pause_reading()
        if self._inbox is None:
            self._start_closing()
        else:
            self._inbox.finish(self._start_closing)

    def _start_closing(self) -> None:
        self._spawn(self._finish_closing())

    async def _finish_closing(self) -> None:
        """Ask the client to come again, and read its farewell: data left unread would take the answers before it from
        the client."""
        self.close_timeout = _LINGER
        await self._closed(COME_AGAIN, "the server stops; connect again")
        self._full = False
        self.transport.resume_reading()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Read in small pieces."""
        self.limiter.live += 1
        super().connection_made(transport)
        self._look_in(self.ping_interval)
        if hasattr(transport, "max_size"):
            transport.max_size = _READ

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self.limiter.live -= 1
        self.limiter.forget(self)
        self._full = True
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse a little now and the rest in later rounds of the loop, so that other connections are served in
        between."""
        self._heard_at = self.loop.time()
        if self._full:
            return
        self._held += data
        if len(self._held) == len(data):
            self._parse()

    def _parse(self) -> None:
        if self._full or self.transport.is_closing():
            self._held = b""
            return
        piece, self._held = self._held[:_SLICE], self._held[_SLICE:]
        if self.handshake_initiated:
            super().data_received(piece)
        else:
            super().data_received(piece + self._held)
            self._held = b""
        if self._held and not self._full:
            self.loop.call_soon(self._parse)

    def handle_connect(self, event: Request) -> None:
        """Pass the frame counter and the connection to the application, which knows whose it is."""
        super().handle_connect(event)
        if hasattr(self, "scope"):
            self.scope["state"]["meter"] = self.meter
            self.scope["state"]["outlet"] = self

    async def run_asgi(self) -> None:
        """Run the application. A connection for which it has named a listener goes on after it."""
        try:
            await self.app(self.scope, self.receive, self.send)
        except ClientDisconnected:
            pass
        except Exception:
            self.logger.exception("a live connection failed")
            self.send_500_response()
        else:
            if self._inbox is not None:
                return
        if self.close_timer is None:
            self.transport.close()

    def listen(self, listener: ClientListener) -> None:
        """Let `listener` hear what the client says from now on. The application may end, and what only the handshake
        needed is let go."""
        self._inbox = inbox = SocketInbox(listener, self._start_delivery)
        before, self.queue = self.queue, cast("asyncio.Queue[Any]", inbox)
        while not before.empty():
            inbox.put_nowait(cast("dict[str, Any]", before.get_nowait()))
        self.request.headers.clear()  # the parser keeps the request
        del self.scope, self.request, self.response

    def _start_delivery(self) -> None:
        self._spawn(self._deliver())

    async def _deliver(self) -> None:
        assert self._inbox is not None
        try:
            await self._inbox.deliver(self.receive)
        except Exception:
            self.logger.exception("a live connection failed")
            self.transport.close()

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        task = self.loop.create_task(work)
        task.add_done_callback(self.on_task_complete)
        self.tasks.add(task)

    def push(self, message: bytes) -> bool:
        """Send a text message at once, without a task or a queue for each connection.

        Returns:
            False if the connection has ended, or if too much waits for its client.
        """
        waiting = self.transport.get_write_buffer_size()
        if self.conn.state is not State.OPEN or self.transport.is_closing() or waiting > _MOST_UNSENT:
            return False
        self.transport.write(_framed(message))
        return True

    def shut(self, code: int, reason: str) -> None:
        """Close the connection in order."""
        self._spawn(self._closed(code, reason))

    async def _closed(self, code: int, reason: str) -> None:
        if self.close_sent:
            return
        with suppress(ClientDisconnected):  # the client was quicker
            await self.send({"type": "websocket.close", "code": code, "reason": reason})

    def lag_ms(self) -> int:
        """The way to the client and back, in milliseconds, as the last ping has measured it; 0 before the first.

        A ping that is under way for longer than that measures it too, in whole steps: who waits for the end of the lag
        of a silent client does not look again in every moment.
        """
        under_way = 0.0 if self.pending_ping_payload is None else self.loop.time() - self.ping_sent_at
        return round(1000 * max(self.last_ping_rtt, under_way // _UNDER_WAY * _UNDER_WAY))

    def silent_ms(self) -> int:
        """Milliseconds since the last byte of the client came."""
        return round(1000 * (self.loop.time() - self._heard_at))

    def schedule_ping(self) -> None:
        """The first ping comes soon, because it measures the way."""
        if self.ping_interval and not self.ping_sent_at:
            self._look_in(min(_FIRST_PING, self.ping_interval))
        else:
            super().schedule_ping()

    def _look_in(self, seconds: float | None) -> None:
        if self.ping_timer is not None:
            self.ping_timer.cancel()
        self.ping_timer = later(seconds, self.send_keepalive_ping)

    def send_keepalive_ping(self) -> None:
        """Ping. A connection that is being closed gets no ping but the time of one: then it is cut, whatever its client
        has not taken."""
        if self.close_sent or self.transport.is_closing():
            self.ping_timer = later(self.ping_interval, self.drop)
        elif self.handshake_complete:
            super().send_keepalive_ping()
        else:
            self._look_in(self.ping_interval)

    def handle_text(self, event: Frame) -> None:
        """Count, then go on."""
        if self._counted():
            super().handle_text(event)

    def handle_bytes(self, event: Frame) -> None:
        """Count, then go on."""
        if self._counted():
            super().handle_bytes(event)

    def handle_cont(self, event: Frame) -> None:
        """Count, then go on."""
        if self._counted():
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Count, then go on."""
        if self._counted():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """Count, then go on."""
        if self._counted():
            super().handle_pong(event)

    def send_receive_event_to_app(self) -> None:
        """Let a few messages wait for the application before reading stops: stopping and going on again for each one
        costs two system calls."""
        if self.curr_msg_data_type == "text" and not _is_text(self.frames):
            # uvicorn would end the connection too, and write a traceback into the log for whoever wants to fill it.
            self.frames = []
            if not self.close_sent:
                self.conn.send_close(CloseCode.INVALID_DATA)
                self.handle_parser_exception()
            return
        if self.queue.qsize() >= _WAITING:
            super().send_receive_event_to_app()
            return
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused

    def _counted(self) -> bool:
        """Count a frame and return whether it is allowed; if not, close the connection."""
        if self._full:
            return False
        refusal = self.meter.refuses()
        if refusal:
            self._shut(refusal)
        return not refusal

    def _shut(self, reason: str) -> None:
        """Close the connection because of too many messages."""
        if not self.close_sent:
            with suppress(InvalidState):  # the client has closed at the same moment
                self.conn.send_close(TOO_MANY, reason)
            self._leave(TOO_MANY, reason)
        self._linger()

    def handle_parser_exception(self) -> None:
        """Close the connection because of a broken frame; the library has made the close frame."""
        sent = self.conn.close_sent
        assert sent is not None
        self._leave(sent.code, sent.reason)
        self._linger()

    def _leave(self, code: int, reason: str) -> None:
        """Send the close frame, and tell the application."""
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.queue.put_nowait({"type": "websocket.disconnect", "code": code, "reason": reason})

    def _linger(self) -> None:
        """Leave further data unread in the operating system's buffer, where it costs nothing, and cut the connection
        in a moment: if it were closed at once, the data unread would take the reason from the client."""
        self._full = True
        self._held = b""
        self.stop_keepalive()
        if self.close_timer is not None:
            self.close_timer.cancel()
        self.close_timer = self.loop.call_later(_LINGER, self.drop)
        self.transport.pause_reading()

    async def receive(self) -> Any:
        """The application's next message; nothing more is read once the connection is over its limit."""
        message = await super().receive()
        if self._full and not self.transport.is_closing():
            self.transport.pause_reading()
        return message

    def keepalive_timeout(self) -> None:
        """The client does not answer: what is not sent by now is never sent."""
        super().keepalive_timeout()
        self.loop.call_later(_LINGER, self.drop)

    def pause_writing(self) -> None:
        """The client does not read fast enough."""
        super().pause_writing()
        self._stalled = later(self.limiter.limits.stalled_seconds, self.drop)

    def resume_writing(self) -> None:
        """The client has read on."""
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        super().resume_writing()


def _is_text(fragments: Sequence[bytes]) -> bool:
    try:
        b"".join(fragments).decode()
    except UnicodeDecodeError:
        return False
    return True
