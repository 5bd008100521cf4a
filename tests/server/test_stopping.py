"""The end of a server: what is on its way to disk is acknowledged, clients come again, and a balancer is told first."""

from __future__ import annotations

import signal
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.frames import Close

from tests.patience import PATIENCE, eventually

from .support import Json, Live, Server, Visitor, running


@contextmanager
def slow_disk(folder: Path) -> Iterator[None]:
    """Nothing reaches the disk within this block: another program is writing."""
    with closing(sqlite3.connect(folder / "korgool.sqlite", isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        yield


def refuses_connections(server: Server) -> bool:
    where = urlsplit(server.url)
    try:
        socket.create_connection((where.hostname, where.port), timeout=PATIENCE).close()
    except ConnectionRefusedError:
        return True
    return False


def heard_out(live: Live) -> tuple[list[Json], Close | None]:
    """What a connection says until its end, and the end."""
    heard: list[Json] = []
    try:
        while True:
            heard.append(live.hear())
    except ConnectionClosed as closed:
        return heard, closed.rcvd


def test_moves_on_their_way_to_disk_are_acknowledged_before_the_end(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    server = Server(tmp_path)
    request.addfinalizer(server.process.kill)
    visitor = Visitor(server)
    spoken, posted = visitor.new_game(level=8), visitor.new_game(level=8)
    post = HTTPConnection(urlsplit(server.url).netloc, timeout=PATIENCE)
    cookies = "; ".join(f"{name}={value}" for name, value in visitor.client.cookies.items())
    headers = {"cookie": cookies, "x-csrftoken": visitor.token, "content-type": "application/json"}
    with visitor.live(spoken, 1) as live, visitor.live(spoken, 1) as silent, closing(post):
        with slow_disk(tmp_path):
            live.say("move", id="mine", hole=7, version=1)
            live.heard()
            post.request("POST", f"/api/games/{posted}/move", '{"hole": 7, "version": 1}', headers)
            assert visitor.state(posted)["moves"] == [], "requests of one address are read in order"
            server.process.send_signal(signal.SIGTERM)
            eventually(lambda: refuses_connections(server), "the end to begin")
        heard, farewell = heard_out(live)
        assert [message["version"] for message in heard if message.get("ack") == "mine"] == [2]
        assert farewell == Close(1012, "the server stops; connect again")
        assert heard_out(silent)[1] == farewell
        assert post.getresponse().status == 200
    assert server.process.wait(PATIENCE) == 0
    assert "Traceback" not in server.process.communicate()[1]
    with running(tmp_path) as again:
        visitor.move_to(again)
        assert [visitor.state(game)["moves"][0]["hole"] for game in (spoken, posted)] == [7, 7]


def test_a_balancer_is_told_before_the_end(tmp_path: Path) -> None:
    with running(tmp_path, None, "--drain", "3600") as server:
        visitor = Visitor(server)
        address = visitor.new_game()
        server.process.send_signal(signal.SIGTERM)
        health = f"{server.url}/healthz"
        eventually(lambda: httpx.get(health, timeout=PATIENCE).status_code == 503, "the health to be bad")
        assert httpx.get(health, timeout=PATIENCE).json()["detail"].startswith("The server is about to stop")
        assert visitor.send(address, "move", hole=7, version=1).status_code == 200
        visitor.new_game()
        server.process.send_signal(signal.SIGTERM)  # once more: at once, on a busy machine by force after a second
        assert server.process.wait(PATIENCE) in {0, 128 + signal.SIGTERM}


def test_the_end_comes_by_itself_after_the_drain(tmp_path: Path) -> None:
    with running(tmp_path, None, "--drain", "0.2") as server:
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(PATIENCE) == 0
