"""Connections of clients that are slow in the moments that matter, at the protocol itself."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from uvicorn.server import ServerState

from korgool.app.server.limits import ServiceLimits
from korgool.app.server.transport.connection_limiter import ConnectionLimiter, ServerConfig
from korgool.app.server.transport.http_protocol import LimitedHttp
from korgool.app.server.transport.websocket_protocol import LimitedWebSocket
from tests.patience import PATIENCE, in_time, until

from .support import run_async

ASK = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n"
)
GOODBYE = bytes.fromhex("88820000000003e8")
"""A close frame of a client: code 1000, masked with zeros (RFC 6455, section 5.5.1)."""
PING = bytes.fromhex("898000000000")
"""A ping of a client, without a payload (section 5.5.2)."""
SMALL = 4096
"""Bytes that the operating system is asked to keep of what is not yet taken; it keeps a little more."""


class Site:
    """One connection of a client to a server whose answers have so many bytes, and begin when `answering` is set."""

    def __init__(self, answer: int, stalled: float = PATIENCE, body: float = PATIENCE, ping: float = PATIENCE) -> None:
        self.doors = ConnectionLimiter(
            ServiceLimits(headers_seconds=PATIENCE, body_seconds=body, stalled_seconds=stalled)
        )
        self.answering = asyncio.Event()
        self.asked = self.come = 0
        self.refusing = False
        self._answer = answer
        self._config = ServerConfig(
            self._serve,
            self.doors,
            interface="asgi3",
            ws=LimitedWebSocket,
            ws_ping_interval=ping,
            ws_ping_timeout=ping,
            timeout_keep_alive=PATIENCE,
            log_config=None,
            access_log=False,
        )
        self.protocol: LimitedHttp
        self.live: LimitedWebSocket

    @asynccontextmanager
    async def client(self) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """Connect. A reader takes twice its limit and no more until it is read from."""
        listener, near = socket.socket(), socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)
        near.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        listener.bind(("127.0.0.1", 0))
        self._config.load()
        server = await asyncio.get_running_loop().create_server(self._begin, sock=listener)
        near.connect(listener.getsockname())
        reader, writer = await asyncio.open_connection(sock=near, limit=SMALL)
        try:
            await until(lambda: len(self.doors))
            yield reader, writer
        finally:
            writer.transport.abort()
            server.close()

    @property
    def held(self) -> bool:
        """Whether the server still holds the connection."""
        return len(self.doors) > 0

    @property
    def unsent(self) -> int:
        """Bytes that the operating system does not keep any more."""
        return self.protocol.transport.get_write_buffer_size()

    async def be_asked(self, writer: asyncio.StreamWriter) -> None:
        """A request of the client, until it is answered or the answer has to wait for the client."""
        before = self.asked
        writer.write(ASK)
        await until(lambda: self.asked > before and (self.unsent or self.protocol.idle))

    def _begin(self) -> LimitedHttp:
        self.protocol = LimitedHttp(config=self._config, server_state=ServerState(), app_state={})
        return self.protocol

    async def _serve(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            self.live = scope["state"]["outlet"]
            await receive()
            if self.refusing:
                await send({"type": "websocket.http.response.start", "status": 403, "headers": []})
                await send({"type": "websocket.http.response.body", "body": bytes(self._answer)})
            else:
                await send({"type": "websocket.accept"})
                await send({"type": "websocket.send", "bytes": bytes(self._answer)})
            self.asked += 1
            await self.answering.wait()
            return
        more = True
        while more:
            message = await receive()
            self.come += len(message.get("body", b""))
            more = message.get("more_body", False)
        self.asked += 1
        await self.answering.wait()
        length = (b"content-length", str(self._answer).encode())
        await send({"type": "http.response.start", "status": 200, "headers": [length]})
        await send({"type": "http.response.body", "body": bytes(self._answer)})


def test_a_request_begun_while_the_one_before_is_answered_is_not_held() -> None:
    """Its first bytes come before the answer is done, and their turn after it."""

    async def ask_and_begin() -> None:
        site = Site(answer=10)
        async with site.client() as (_, writer):
            writer.write(ASK)
            await until(lambda: site.asked)
            for _ in range(10):  # the turns that the request has taken are over
                await asyncio.sleep(0)
            site.doors.limits = replace(site.doors.limits, headers_seconds=0.3)
            site.doors.turns.take(site.protocol.address, lambda: None)  # another connection of the same address
            site.protocol.data_received(ASK[:9])
            site.answering.set()
            await until(lambda: not site.held)

    run_async(ask_and_begin())


@pytest.mark.parametrize("answer", [1_000, 30_000])
def test_the_last_bytes_of_an_answer_are_not_kept_for_ever(answer: int) -> None:
    """Less than what stops a server from writing on; the client takes nothing, and asks for nothing more."""

    async def take_nothing() -> None:
        site = Site(answer, stalled=0.3)
        site.answering.set()
        async with site.client() as (_, writer):
            while not site.unsent:
                await site.be_asked(writer)
            assert site.unsent < 65_536
            await until(lambda: not site.held)

    run_async(take_nothing())


POST = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\n"


@pytest.mark.parametrize("pieces", [1, 2])
@pytest.mark.parametrize(("before", "rest"), [(b"", ASK), (POST, b"1234"), (ASK, ASK)], ids=["head", "body", "next"])
@pytest.mark.parametrize("whole", [True, False])
def test_nobody_is_cut_off_because_the_server_has_not_read_yet(
    before: bytes, rest: bytes, pieces: int, whole: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request has come, and every limit passes before its turn; what is not whole after its turn is cut off."""

    async def wait() -> bytes:
        site, loop = Site(answer=10), asyncio.get_running_loop()
        site.answering.set()

        def pass_limits() -> None:
            passed = loop.time() + 2 * PATIENCE - time.monotonic()
            monkeypatch.setattr(loop, "time", lambda: time.monotonic() + passed)

        async with site.client() as (reader, writer):
            writer.write(before)
            await until(lambda: site.protocol.cycle or not before)
            if before == ASK:
                await reader.readuntil(bytes(10))
            site.doors.turns.take(site.protocol.address, lambda: None)  # another connection of the same address
            come = rest if whole else rest[:-1]
            cut = len(come) if pieces == 1 else 2
            site.protocol.data_received(come[:cut])
            writer.write(come[cut:])  # it stays in the system's buffer
            pass_limits()
            await until(lambda: not site.protocol._held)
            for _ in range(0 if whole else 100):
                await asyncio.sleep(0.01)
                pass_limits()
            return await in_time(reader.read(12))

    assert run_async(wait()) == (b"HTTP/1.1 200" if whole else b"")


class Pace:
    """The time of the running loop passes only as it is told to: a machine that stands still slows nobody down."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        loop = asyncio.get_running_loop()
        self._now = loop.time()
        monkeypatch.setattr(loop, "time", lambda: self._now)

    async def passes(self, seconds: float) -> None:
        """Let so much time pass, and everything happen that is due."""
        self._now += seconds
        await asyncio.sleep(0)


@pytest.mark.parametrize(("piece", "served"), [(2_000, True), (10, False)])
def test_an_answer_may_be_taken_slowly_but_not_by_bytes(
    piece: int, served: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Much slower than the whole within the time, and a few bytes again and again."""
    answer = 200_000

    async def take_slowly() -> int:
        site = Site(answer, stalled=1)
        site.answering.set()
        async with site.client() as (reader, writer):
            pace = Pace(monkeypatch)
            writer.write(ASK)
            await reader.readuntil(b"\r\n\r\n")
            taken = 0
            while site.held and taken < answer:
                taken += len(await reader.read(piece))
                await pace.passes(0.03)
            return taken

    taken = run_async(take_slowly())
    assert taken == answer if served else taken < answer / 20


@pytest.mark.parametrize(("piece", "served"), [(2_000, True), (10, False)])
def test_a_body_may_come_slowly_but_not_by_bytes(piece: int, served: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture over a bad network, and somebody who only wants to stay."""
    body = 200_000

    async def send_slowly() -> bytes:
        site = Site(answer=10, body=1)
        site.answering.set()
        async with site.client() as (reader, writer):
            pace = Pace(monkeypatch)
            writer.write(f"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: {body}\r\n\r\n".encode())
            sent = 0
            while site.held and sent < body:
                writer.write(bytes(piece))
                sent += piece
                while site.held and site.come < sent:
                    await asyncio.sleep(0)
                await pace.passes(0.03)
            return await reader.read(12)

    try:
        assert run_async(send_slowly()) == (b"HTTP/1.1 200" if served else b"")
    except ConnectionError:
        assert not served


@pytest.mark.parametrize("end", ["by the client", "by the server", "refused"])
def test_a_live_connection_that_ends_is_not_held_by_what_nobody_takes(end: str) -> None:
    """What was sent before lies in the way of the last word."""

    async def take_nothing() -> None:
        site = Site(answer=40_000, ping=0.5)
        site.refusing = end == "refused"
        async with site.client() as (_, writer):
            writer.write(UPGRADE)
            await until(lambda: site.asked)
            if end == "by the client":
                writer.write(GOODBYE)
            else:
                site.answering.set()
            await until(lambda: not site.held)

    run_async(take_nothing())


def test_the_lag_of_who_does_not_answer_a_ping_grows() -> None:
    """In whole steps, so that who waits for its end need not look at every moment."""

    async def say_nothing() -> None:
        site = Site(answer=10)
        async with site.client() as (_, writer):
            writer.write(UPGRADE)
            await until(lambda: site.asked)
            assert site.live.lag_ms() == 0
            await until(site.live.lag_ms)
            first = site.live.lag_ms()
            await until(lambda: site.live.lag_ms() > first)
            assert (first % 500, site.live.lag_ms() % 500) == (0, 0)

    run_async(say_nothing())


def test_who_says_too_much_and_stays_is_cut_off() -> None:
    """They are told why, and go on as if they had not heard it."""

    async def say_too_much() -> None:
        site = Site(answer=10)
        async with site.client() as (_, writer):
            writer.write(UPGRADE)
            await until(lambda: site.asked)
            async with asyncio.timeout(PATIENCE):
                while site.held:
                    writer.write(100 * PING)
                    await asyncio.sleep(0.01)

    run_async(say_too_much())
