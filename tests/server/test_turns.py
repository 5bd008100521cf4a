"""Reading by turns: one request of each address in a few rounds of the loop, in order, and nobody is forgotten."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from typing import Any

import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st

from korgool.app.server.limits import ServiceLimits
from korgool.app.server.transport.connection_limiter import ROUNDS, ConnectionLimiter, RequestScheduler, ServerConfig
from korgool.app.server.transport.http_protocol import LimitedHttp
from korgool.app.server.transport.websocket_protocol import LimitedWebSocket
from tests.patience import PATIENCE
from tests.server.support import run_async


@given(st.lists(st.sampled_from("abc"), max_size=30))
def test_one_of_each_address_at_a_time_and_each_in_order(asked: list[str]) -> None:
    async def run() -> tuple[list[tuple[int, str, int]], int]:
        turns, done, now = RequestScheduler(), [], 0

        def work(address: str, number: int) -> Callable[[], None]:
            return lambda: done.append((now, address, number))

        for number, address in enumerate(asked):
            turns.take(address, work(address, number))
        while len(done) < len(asked) and now < 1000:
            now += 1
            await asyncio.sleep(0)
        return done, now

    done, _ = run_async(run())
    assert sorted(number for _, _, number in done) == list(range(len(asked)))
    for one in "abc":
        own = [(when, number) for when, address, number in done if address == one]
        assert own == sorted(own)
        assert [when for when, _ in own] == [ROUNDS * turn for turn in range(len(own))]  # from the first round on


def test_many_of_one_address_do_not_keep_another_waiting() -> None:
    async def run() -> list[str]:
        turns, done = RequestScheduler(), []
        for _ in range(100):
            turns.take("127.0.0.2", lambda: done.append("attacker"))
        await asyncio.sleep(0)
        turns.take("127.0.0.1", lambda: done.append("player"))
        return list(done)

    assert run_async(run())[-1] == "player"
    assert len(run_async(run())) <= 3


def test_a_proxy_stands_for_many() -> None:
    async def run() -> int:
        turns, done = RequestScheduler(), []
        for number in range(10):
            turns.take("", lambda number=number: done.append(number))  # type: ignore[misc]
        return len(done)

    assert run_async(run()) == 10


def test_one_that_fails_costs_the_others_nothing() -> None:
    async def run() -> tuple[list[str], list[str]]:
        told: list[str] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(str(context["exception"])))
        turns, done = RequestScheduler(), []

        def broken() -> None:
            raise ValueError("broken")

        turns.take("a", lambda: done.append("a"))
        turns.take("b", lambda: done.append("b"))
        turns.take("a", broken)
        turns.take("b", lambda: done.append("b again"))
        turns.take("a", lambda: done.append("a again"))
        for _ in range(5 * ROUNDS):
            await asyncio.sleep(0)
        return done, told

    done, told = run_async(run())
    assert done == ["a", "b", "b again", "a again"]
    assert told == ["broken"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has 127.0.0.2 ready")
def test_requests_that_come_at_once_are_answered_one_in_a_round() -> None:
    """Ten connections of one address; the other's request, read after them, waits for none but the first."""
    now = 0
    answered: list[tuple[str, int]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        answered.append((scope["client"][0], now))
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body"})

    async def count_rounds() -> None:
        nonlocal now
        while True:
            now += 1
            await asyncio.sleep(0)

    async def run() -> None:
        doors = ConnectionLimiter(ServiceLimits())
        server = uvicorn.Server(ServerConfig(app, doors, http=LimitedHttp, lifespan="off", log_config=None))
        listener = socket.create_server(("127.0.0.1", 0))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        addresses = ["127.0.0.2"] * 10 + ["127.0.0.1"]
        writers = [
            (await asyncio.open_connection(*listener.getsockname(), local_addr=(address, 0)))[1]
            for address in addresses
        ]
        while len(doors) < len(addresses):
            await asyncio.sleep(0.01)
        counting = asyncio.create_task(count_rounds())
        for writer in writers:
            writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        while len(answered) < len(addresses):
            await asyncio.sleep(0.01)
        counting.cancel()
        for writer in writers:
            writer.close()
        server.should_exit = True
        await serving

    run_async(run())
    crowd = [when for address, when in answered if address == "127.0.0.2"]
    assert len(set(crowd)) == len(crowd), f"several requests of one address in one round: {crowd}"
    assert [address for address, _ in answered].index("127.0.0.1") <= 2


@pytest.mark.parametrize(("asked", "status"), [("", b"200"), ("Connection: upgrade\r\nUpgrade: websocket\r\n", b"500")])
def test_a_server_that_ends_answers_what_waits_for_its_turn(
    asked: str, status: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A request among them may ask for a live connection."""

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
            await send({"type": "http.response.body"})
        else:
            await send({"type": "websocket.accept"})

    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"

    async def run() -> bytes:
        doors = ConnectionLimiter(ServiceLimits())
        monkeypatch.setattr(doors.turns, "take", lambda address, work: None)
        config = ServerConfig(app, doors, http=LimitedHttp, ws=LimitedWebSocket, lifespan="off", log_config=None)
        server = uvicorn.Server(config)
        listener = socket.create_server(("127.0.0.1", 0))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        reader, writer = await asyncio.open_connection(*listener.getsockname())
        writer.write(f"GET / HTTP/1.1\r\nHost: localhost\r\n{key}{asked}\r\n".encode())
        async with asyncio.timeout(PATIENCE):
            while not any(getattr(one, "_held", b"") for one in server.server_state.connections):
                await asyncio.sleep(0.01)
            server.should_exit = True
            await serving
            answer = await reader.read()
        writer.close()
        return answer

    assert run_async(run()).split()[1] == status
