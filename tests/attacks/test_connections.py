"""Connections that are held and say nothing, and requests whose length is told in two ways."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path

import pytest

from tests.attacks.attackers import Line, Loot, Stranger, half_open
from tests.attacks.conftest import Limited, within
from tests.patience import in_time, until
from tests.server.support import Server, Visitor

HEAD = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
BODY = b"POST /api/analysis/line HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40\r\n\r\n{"


def test_others_come_in_while_one_address_holds_all_it_can(serve: Limited) -> None:
    """256 file descriptors, 300 connections that begin a request: the log stays short, and nobody is locked out."""
    server = serve(descriptors=256)
    visitor = Visitor(server)

    def come() -> list[int]:
        return [Visitor(server).client.get("/healthz").status_code for _ in range(5)]

    async def attacked() -> list[int]:
        flood = asyncio.create_task(half_open(server.url, "", Loot(), count=300))
        try:
            await asyncio.sleep(1)
            return await asyncio.to_thread(
                lambda: [Visitor(server).client.get("/healthz").status_code for _ in range(5)]
            )
        finally:
            flood.cancel()

    assert within(attacked) == [200] * 5
    assert visitor.client.get("/healthz").status_code == 200
    told = server.stop()
    assert len(told) < 2000, told[:2000]


async def dropped(url: str, *pieces: bytes, pause: float = 0.2) -> bytes:
    """What the server says until it goes away."""
    line = Line(url)
    await line.open()
    assert line.reader is not None
    try:
        for piece in pieces:
            await line.say(piece)
            await asyncio.sleep(pause)
        return await in_time(line.reader.read(), 20)
    except ConnectionError:
        return b""
    finally:
        line.close()


@pytest.fixture(scope="module")
def hasty(serve: Limited) -> Server:
    """A server that waits for nothing longer than a second; tests wait for less than twice the usual limits."""
    return serve(headers_seconds=1, body_seconds=1, idle_seconds=1, stalled_seconds=1, ping_seconds=1)


def test_what_does_not_come_whole_is_cut_off(hasty: Server) -> None:
    """Nothing at all, a head or a body that stops, one that trickles, and a second request that never ends."""
    whole = HEAD + b"\r\n"
    kinds: list[list[bytes]] = [
        [],
        [b"G"],
        [HEAD],
        [bytes([letter]) for letter in HEAD[:12]],
        [BODY],
        [BODY, b" ", b" ", b" "],
        [whole],
        [whole, HEAD[:9]],
    ]

    async def all_of_them() -> list[bytes]:
        return await asyncio.gather(*(dropped(hasty.url, *pieces) for pieces in kinds))

    answers = [said.count(b"HTTP/1.1 200") for said in within(all_of_them)]
    assert answers == [whole in pieces for pieces in kinds]


def test_who_does_not_read_is_cut_off(hasty: Server) -> None:
    """Answers that nobody takes: the connection goes, its file descriptor with it."""

    async def ask_and_never_read() -> None:
        line = Line(hasty.url)
        await line.open()
        assert line.writer is not None
        near = line.writer.get_extra_info("sockname")[1]
        ask = b"GET /static/openings/toguz.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
        line.writer.transport.pause_reading()  # type: ignore[attr-defined]
        for _ in range(200):
            line.writer.write(ask)
        assert held(near, line.port)  # our own end
        async with asyncio.timeout(20):
            await until(lambda: not held(line.port, near))
        line.close()

    within(ask_and_never_read)


def held(port: int, other: int) -> bool:
    """Whether a process of this machine holds the end at `port` of a connection with `other`, or is still to take it.

    A count of the server's open files would not tell: it opens a database when it first needs it, and keeps it open.
    An end that was let go stays in the table without an inode while the system delivers what is left.
    """
    asked, established = "03", "01"
    for table in Path("/proc/net").glob("tcp*"):
        for row in table.read_text().splitlines()[1:]:
            _, near, far, state, *_, inode = row.split()[:10]
            if (int(near[-4:], 16), int(far[-4:], 16)) == (port, other):
                return inode != "0" or state in {asked, established}
    return False


def test_a_live_connection_that_answers_no_ping_is_closed(hasty: Server) -> None:
    game = Visitor(hasty).new_game()

    async def keep_quiet() -> bytes:
        stranger = Stranger(hasty.url)
        assert await stranger.follow(game) == 101
        assert stranger.reader is not None
        try:
            return await in_time(stranger.reader.read(), 30)
        finally:
            stranger.close()

    assert b"keepalive ping timeout" in within(keep_quiet)


def test_an_idle_connection_makes_room_for_a_new_one_of_the_same_address(serve: Limited) -> None:
    server = serve(address_connections=3)

    async def come() -> list[int]:
        lines = [Line(server.url) for _ in range(8)]
        try:
            return [(await line.ask("GET", "/healthz")).status for line in lines]
        finally:
            for line in lines:
                line.close()

    assert within(come) == [200] * 8


def test_a_length_told_in_two_ways_is_refused(hasty: Server) -> None:
    """RFC 9112, section 6.3: a proxy that believed the other one would take the rest for the next request."""
    lengths = "Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"
    for told in ("".join(lengths), "".join(reversed(lengths))):
        request = f"POST /api/analysis/line HTTP/1.1\r\nHost: localhost\r\n{told}\r\n0\r\n\r\n"
        sent = request.encode() + HEAD + b"\r\n"
        said = within(partial(dropped, hasty.url, sent))
        assert said.startswith(b"HTTP/1.1 400 ")
        assert b"connection: close" in said
        assert said.count(b"HTTP/1.1") == 1
