"""What a live connection says reaches the one who listens, in order, with no task that waits in between."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import weakref
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from korgool.app.server.limits import OFF
from korgool.app.server.transport.connection_limiter import ConnectionLimiter, ServerConfig
from korgool.app.server.transport.http_protocol import LimitedHttp
from korgool.app.server.transport.socket_inbox import SocketInbox
from korgool.app.server.transport.websocket_protocol import LimitedWebSocket
from tests.patience import PATIENCE, in_time, until
from tests.server.support import run_async

GONE: dict[str, Any] = {"type": "websocket.disconnect", "code": 1005}


class Ear:
    """Hears everything, slowly; a message "fail" it cannot bear."""

    def __init__(self) -> None:
        self.heard: list[str | None] = []
        self.busy = False

    async def hear(self, text: str) -> None:
        assert not self.busy, "two at once"
        self.busy = True
        await asyncio.sleep(0)
        self.busy = False
        if text == "fail":
            raise RuntimeError("it cannot be borne")
        self.heard.append(text)

    def gone(self) -> None:
        assert not self.busy, "gone in the middle of a message"
        self.heard.append(None)


@given(st.lists(st.sampled_from(["message", "gone", "pause"]), max_size=20))
def test_everything_is_heard_once_in_order_until_the_client_has_gone(events: list[str]) -> None:
    async def run() -> tuple[list[str | None], int]:
        ear, begun = Ear(), list[asyncio.Task[None]]()

        def begin() -> None:
            assert all(task.done() for task in begun), "somebody carries already"
            begun.append(asyncio.create_task(carried()))

        async def carried() -> None:
            await inbox.deliver(inbox.get)

        inbox = SocketInbox(ear, begin)
        for number, event in enumerate(events):
            if event == "pause":
                for _ in range(50):
                    await asyncio.sleep(0)
                assert all(task.done() for task in begun), "a task that waits for nothing"
            else:
                inbox.put_nowait(GONE if event == "gone" else {"type": "websocket.receive", "text": str(number)})
        await asyncio.gather(*begun)
        return ear.heard, inbox.qsize()

    said: list[str | None] = [str(number) for number, event in enumerate(events) if event == "message"]
    if "gone" in events:
        end = events.index("gone")
        said = [text for text in said if text is not None and int(text) < end] + [None]
    assert run_async(run()) == (said, 0)


def test_one_who_is_stopped_in_the_middle_hears_that_the_client_has_gone() -> None:
    class Patient(Ear):
        async def hear(self, text: str) -> None:
            await asyncio.sleep(PATIENCE)

    async def run() -> list[str | None]:
        ear, begun = Patient(), list[asyncio.Task[None]]()
        inbox = SocketInbox(ear, lambda: begun.append(asyncio.create_task(carried())))

        async def carried() -> None:
            await inbox.deliver(inbox.get)

        inbox.put_nowait({"type": "websocket.receive", "text": "this takes long"})
        await asyncio.sleep(0)
        begun[0].cancel()
        with pytest.raises(asyncio.CancelledError):
            await begun[0]
        inbox.put_nowait(GONE)
        assert len(begun) == 1
        return ear.heard

    assert run_async(run()) == [None]


App = Callable[[Any, Any, Any], Awaitable[None]]


@asynccontextmanager
async def serving(app: App) -> AsyncIterator[tuple[uvicorn.Server, str]]:
    """A server in this process, with our protocols and no limits."""
    config = ServerConfig(
        app, ConnectionLimiter(OFF), http=LimitedHttp, ws=LimitedWebSocket, lifespan="off", log_config=None
    )
    server = uvicorn.Server(config)
    listener = socket.create_server(("127.0.0.1", 0))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        yield server, f"ws://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        server.should_exit = True
        await task


def listening(ear: Ear, *, before: Callable[[], Awaitable[None]] | None = None) -> App:
    """An application that accepts, lets the ear listen, and ends."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        if before is not None:
            await before()
        scope["state"]["outlet"].listen(ear)

    return app


def talk(ear: Ear, work: Callable[[uvicorn.Server, ClientConnection], Awaitable[None]], app: App | None = None) -> None:
    """Connect, and do something with the server and the connection."""

    async def run() -> None:
        async with serving(app or listening(ear)) as (server, url), connect(url) as client:
            await work(server, client)

    run_async(run())


def test_a_connection_that_says_nothing_has_no_task_and_keeps_nothing_of_its_handshake() -> None:
    kept = list[weakref.ref[Any]]()
    ear = Ear()
    listen = listening(ear)

    class Marker:
        """Something that only the handshake needs."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        scope["marker"] = marker = Marker()
        kept.append(weakref.ref(marker))
        await listen(scope, receive, send)

    async def work(server: uvicorn.Server, client: ClientConnection) -> None:
        await until(lambda: kept and not server.server_state.tasks)
        gc.collect()
        assert kept[0]() is None
        assert len(server.server_state.connections) == 1
        for number in range(3):  # and it goes on
            await client.send(str(number))
        await until(lambda: len(ear.heard) == 3 and not server.server_state.tasks)
        await (await client.ping())
        await client.close()
        await until(lambda: len(ear.heard) == 4 and not server.server_state.tasks)

    talk(ear, work, app)
    assert ear.heard == ["0", "1", "2", None]


def test_what_is_said_before_somebody_listens_is_heard_first() -> None:
    ear, ready = Ear(), asyncio.Event()

    async def work(server: uvicorn.Server, client: ClientConnection) -> None:
        for number in range(20):  # more than a connection may have waiting: the rest is not read yet
            await client.send(str(number))
        await asyncio.sleep(0.1)
        assert ear.heard == []
        ready.set()
        await until(lambda: len(ear.heard) == 20)

    async def wait() -> None:
        await ready.wait()

    talk(ear, work, listening(ear, before=wait))
    assert ear.heard == [*map(str, range(20)), None]


def test_one_who_goes_before_somebody_listens_has_gone() -> None:
    ear, ready = Ear(), asyncio.Event()

    async def work(server: uvicorn.Server, client: ClientConnection) -> None:
        await client.send("a last word")
        await client.close()
        ready.set()
        await until(lambda: None in ear.heard)

    async def wait() -> None:
        await ready.wait()

    talk(ear, work, listening(ear, before=wait))
    assert ear.heard == ["a last word", None]


def test_a_failure_is_logged_and_ends_the_connection_once(caplog: pytest.LogCaptureFixture) -> None:
    ear = Ear()

    async def work(server: uvicorn.Server, client: ClientConnection) -> None:
        for text in ("well", "fail", "after it"):
            await client.send(text)
        with pytest.raises(ConnectionClosed):
            await in_time(client.recv())
        await until(lambda: None in ear.heard and not server.server_state.tasks)

    with caplog.at_level(logging.ERROR):
        talk(ear, work)
    assert ear.heard == ["well", None]
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [RuntimeError]


def test_an_application_that_fails_before_ends_the_connection(caplog: pytest.LogCaptureFixture) -> None:
    ear = Ear()

    async def fail() -> None:
        raise RuntimeError("it does not find the game")

    async def work(server: uvicorn.Server, client: ClientConnection) -> None:
        with pytest.raises(ConnectionClosed):
            await in_time(client.recv())
        await until(lambda: not server.server_state.tasks)

    with caplog.at_level(logging.ERROR):
        talk(ear, work, listening(ear, before=fail))
    assert ear.heard == []
    assert [record.exc_info[0] for record in caplog.records if record.exc_info] == [RuntimeError]
