"""The end of a server: what is on its way to disk is acknowledged, clients come again, and a balancer is told first."""

from __future__ import annotations

import array
import fcntl
import signal
import socket
import sqlite3
import termios
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection, RemoteDisconnected
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


def arrived(connection: socket.socket) -> bool:
    """Whether the machine at the other end has all that was sent, read or not."""
    waiting = array.array("i", [-1])
    fcntl.ioctl(connection, termios.TIOCOUTQ, waiting)
    return waiting[0] == 0


class Post:
    """A connection over which a visitor makes a move, without waiting for the answer."""

    def __init__(self, visitor: Visitor, server: Server) -> None:
        self.connection = HTTPConnection(urlsplit(server.url).netloc, timeout=PATIENCE)
        cookies = "; ".join(f"{name}={value}" for name, value in visitor.client.cookies.items())
        self.headers = {"cookie": cookies, "x-csrftoken": visitor.token, "content-type": "application/json"}

    def close(self) -> None:
        self.connection.close()

    def use(self) -> None:
        """Ask for something else, so that the server knows the connection."""
        self.connection.request("GET", "/healthz")
        assert self.connection.getresponse().read()

    def send(self, game: str) -> None:
        """Returns when the move is at the server's machine, whether the server has read it or not."""
        self.connection.request("POST", f"/api/games/{game}/move", '{"hole": 7, "version": 1}', self.headers)
        eventually(lambda: arrived(self.connection.sock), "the request to arrive")

    def status(self) -> int:
        """Of the answer."""
        return self.connection.getresponse().status


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
    with (
        visitor.live(spoken, 1) as live,
        visitor.live(spoken, 1) as silent,
        closing(Post(visitor, server)) as post,
    ):
        with slow_disk(tmp_path):
            live.say("move", id="mine", hole=7, version=1)
            live.heard()
            post.send(posted)
            assert visitor.state(posted)["moves"] == []
            server.process.send_signal(signal.SIGTERM)
            eventually(lambda: refuses_connections(server), "the end to begin")
        heard, farewell = heard_out(live)
        assert [message["version"] for message in heard if message.get("ack") == "mine"] == [2]
        assert farewell == Close(1012, "the server stops; connect again")
        assert heard_out(silent)[1] == farewell
        assert post.status() == 200
    assert server.process.wait(PATIENCE) == 0
    assert "Traceback" not in server.process.communicate()[1]
    with running(tmp_path) as again:
        visitor.move_to(again)
        assert [visitor.state(game)["moves"][0]["hole"] for game in (spoken, posted)] == [7, 7]


def test_what_came_before_the_end_is_read_and_answered(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """The server does not run while the requests and the signal come, so that it finds everything at once."""
    server = Server(tmp_path)
    request.addfinalizer(server.process.kill)
    visitor = Visitor(server)
    games = [visitor.new_game(level=8) for _ in range(42)]
    with visitor.live(games[0], 1) as live, ExitStack() as end:
        posts = [end.enter_context(closing(Post(visitor, server))) for _ in games[1:]]
        posts[0].use()
        server.process.send_signal(signal.SIGSTOP)
        time.sleep(0.2)  # the server looks for signals every tenth of a second; its next look is due before all else
        live.say("move", id="mine", hole=7, version=1)
        eventually(lambda: arrived(live.connection.socket), "the message to arrive")
        for post, game in zip(posts, games[1:], strict=True):
            post.send(game)
        server.process.send_signal(signal.SIGTERM)
        server.process.send_signal(signal.SIGCONT)
        assert [message["version"] for message in heard_out(live)[0] if message.get("ack") == "mine"] == [2]
        assert [post.status() for post in posts] == [200] * len(posts)
    assert server.process.wait(PATIENCE) == 0
    assert "Traceback" not in server.process.communicate()[1]


@pytest.mark.parametrize("again", [False, True], ids=["one signal", "two signals"])
def test_an_end_that_waits_no_longer_says_so_in_one_line(
    tmp_path: Path, request: pytest.FixtureRequest, again: bool
) -> None:
    """A request and a live connection wait for the disk, and somebody does not take their answers, beyond the grace or
    until a second signal."""
    server = Server(tmp_path)
    request.addfinalizer(server.process.kill)
    visitor = Visitor(server)
    spoken, posted = visitor.new_game(level=8), visitor.new_game(level=8)
    where = urlsplit(server.url)
    with (
        visitor.live(spoken, 1) as live,
        closing(Post(visitor, server)) as post,
        socket.create_connection((where.hostname, where.port)) as reader,
    ):
        with slow_disk(tmp_path):
            reader.sendall(f"GET /analysis HTTP/1.1\r\nHost: {where.netloc}\r\n\r\n".encode() * 400)
            live.say("move", id="mine", hole=7, version=1)
            live.heard()
            post.send(posted)
            assert visitor.state(posted)["moves"] == []
            server.process.send_signal(signal.SIGTERM)
            eventually(lambda: refuses_connections(server), "the end to begin")
            if again:
                server.process.send_signal(signal.SIGTERM)
            with pytest.raises((ConnectionError, RemoteDisconnected)):
                post.status()
        assert server.process.wait(PATIENCE) in ({0, 128 + signal.SIGTERM} if again else {0})
    said = server.process.communicate()[1].splitlines()[1:]
    assert len(said) == (0 if again else 1), said
    assert again or "graceful shutdown exceeded" in said[0]
    with running(tmp_path) as afterwards:
        visitor.move_to(afterwards)
        assert [move["hole"] for move in visitor.state(posted)["moves"]][:1] in ([], [7])


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
