"""Clients that wish the server ill, from an address of their own; each is bounded by the caller's time.

They speak HTTP/1.1 and WebSocket over plain sockets, so that they can say what no library would say.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import re
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

from tests.patience import in_time

ADDRESS = "127.0.0.2"
"""Where attackers come from; honest players come from 127.0.0.1."""
_OVER = 5.0
"""Seconds that a process of attackers has for its end."""


@dataclass(slots=True)
class Loot:
    """What attackers have met.

    Attributes:
        statuses: how often each HTTP status was answered.
        closed: how often each WebSocket close code was sent by the server.
        dropped: connections that the server closed without a word.
    """

    statuses: dict[int, int] = field(default_factory=dict)
    closed: dict[int, int] = field(default_factory=dict)
    dropped: int = 0

    def met(self, status: int) -> None:
        """One more answer."""
        self.statuses[status] = self.statuses.get(status, 0) + 1


@dataclass(slots=True)
class Answer:
    """An HTTP answer."""

    status: int
    headers: dict[str, str]
    cookies: list[str]
    body: bytes


class Line:
    """One connection from the attackers' address."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.host, self.port = str(parts.hostname), int(parts.port or 80)
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def open(self, source: str = ADDRESS) -> None:
        """Connect."""
        connecting = asyncio.open_connection(self.host, self.port, local_addr=(source, 0))
        self.reader, self.writer = await in_time(connecting)

    def close(self) -> None:
        """Go away without a word."""
        if self.writer is not None:
            self.writer.transport.abort()
        self.reader = self.writer = None

    async def say(self, data: bytes) -> None:
        """Send bytes."""
        assert self.writer is not None
        self.writer.write(data)
        await self.writer.drain()

    async def ask(self, method: str, path: str, body: bytes = b"", /, **headers: str) -> Answer:
        """One request and its answer; connects where there is no connection."""
        if self.writer is None:
            await self.open()
        lines = [f"{method} {path} HTTP/1.1", f"Host: {self.host}:{self.port}", f"Content-Length: {len(body)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        await self.say("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
        return await in_time(self.answer())

    async def answer(self) -> Answer:
        """The next answer."""
        assert self.reader is not None
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers: dict[str, str] = {}
        cookies = []
        for line in head[1:]:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                cookies.append(value.partition(";")[0])
            headers[name.lower()] = value
        body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        if headers.get("connection", "").lower() == "close":
            self.close()
        return Answer(int(head[0].split()[1]), headers, cookies, body)


class Stranger(Line):
    """A client with cookies."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.cookies: dict[str, str] = {}
        self.token = ""

    async def send(self, method: str, path: str, body: bytes = b"", **headers: str) -> Answer:
        """A request with the cookies at hand."""
        if self.cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = await self.ask(method, path, body, **headers)
        self.cookies.update(cookie.partition("=")[::2] for cookie in answer.cookies)
        return answer

    async def arrive(self) -> None:
        """Load the first page, for the token against forged requests."""
        page = await self.send("GET", "/")
        found = re.search(rb'name="_csrf_token" value="([^"]+)"', page.body)
        self.token = found.group(1).decode() if found else ""

    async def start(self, *, level: int = 8, side: str = "black", clock: str = "none") -> Answer:
        """Start a game."""
        fields = {"_csrf_token": self.token, "game": "toguz", "side": side, "level": level, "clock": clock}
        form = urlencode(fields).encode()
        return await self.send("POST", "/games", form, Content_Type="application/x-www-form-urlencoded")

    async def follow(self, game: str) -> int:
        """Upgrade to a live connection; returns the status of the answer."""
        key = base64.b64encode(os.urandom(16)).decode()
        upgrade = {"Upgrade": "websocket", "Sec_WebSocket_Version": "13", "Sec_WebSocket_Key": key}
        if self.cookies:
            upgrade["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = await self.ask("GET", f"/api/games/{game}/live", b"", Connection="Upgrade", **upgrade)
        return answer.status


def frame(payload: bytes, opcode: int = 1) -> bytes:
    """A masked frame; the mask is zero."""
    length = bytes([0x80 | len(payload)]) if len(payload) < 126 else b"\xfe" + len(payload).to_bytes(2, "big")
    return bytes([0x80 | opcode]) + length + b"\0\0\0\0" + payload


async def closing(reader: asyncio.StreamReader) -> tuple[int, str]:
    """Read frames of the server up to its close frame: code and reason; 1006 where it just went."""
    with suppress(asyncio.IncompleteReadError, ConnectionError):
        while True:
            first, length = await reader.readexactly(2)
            if length >= 126:
                length = int.from_bytes(await reader.readexactly(2 if length == 126 else 8), "big")
            payload = await reader.readexactly(length)
            if first & 15 == 8:
                return int.from_bytes(payload[:2], "big"), payload[2:].decode()
    return 1006, ""


async def until_closed(line: Line, burst: bytes) -> int:
    """Say the same as fast as it can be said, until the server closes the live connection; the code."""
    assert line.reader is not None

    async def flood() -> None:
        with suppress(OSError):
            while True:
                await line.say(burst)
                await asyncio.sleep(0)

    flooding = asyncio.create_task(flood())
    try:
        return (await closing(line.reader))[0]
    finally:
        flooding.cancel()


Attack = Callable[[str, str, Loot], Awaitable[None]]
"""An attack on a server's URL and a game of an honest player; it goes on until it is cancelled."""


async def messages(url: str, game: str, loot: Loot, *, sockets: int = 16) -> None:
    """Live connections that send messages as fast as they can, and come back when they are closed."""
    burst = frame(json.dumps({"thinks": False}).encode()) * 500

    async def flood() -> None:
        while True:
            stranger = Stranger(url)
            try:
                loot.met(status := await stranger.follow(game))
                if status != 101:
                    await asyncio.sleep(0.1)
                    continue
                code = await until_closed(stranger, burst)
                loot.closed[code] = loot.closed.get(code, 0) + 1
            except (OSError, asyncio.IncompleteReadError, TimeoutError):
                loot.dropped += 1
                await asyncio.sleep(0.05)
            finally:
                stranger.close()

    await asyncio.gather(*(flood() for _ in range(sockets)))


async def half_open(
    url: str, game: str, loot: Loot, *, count: int = 1030, head: bytes = b"GET / HTTP/1.1\r\nHos"
) -> None:
    """Connections that begin a request and never end it."""

    async def hold() -> None:
        while True:
            line = Line(url)
            try:
                await line.open()
                await line.say(head)
                assert line.reader is not None
                await line.reader.read()
                loot.dropped += 1
            except (OSError, TimeoutError):
                loot.dropped += 1
            finally:
                line.close()
            await asyncio.sleep(0.2)

    await asyncio.gather(*(hold() for _ in range(count)))


async def bodies(url: str, game: str, loot: Loot) -> None:
    """Requests whose body never comes."""
    head = b"POST /api/analysis/line HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n{"
    await half_open(url, game, loot, count=300, head=head)


async def games(url: str, game: str, loot: Loot, *, count: int = 60, visitors: int = 8, look: bool = False) -> None:
    """Visitors without cookies, each with a new game at the highest level; `look` opens the games' pages too."""
    left = iter(range(count))

    async def visit() -> None:
        for _ in left:
            stranger = Stranger(url)
            with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                await stranger.arrive()
                answer = await stranger.start()
                loot.met(answer.status)
                if look and answer.status == 303:
                    await stranger.send("GET", answer.headers["location"])
            stranger.close()

    await asyncio.gather(*(visit() for _ in range(visitors)))
    await asyncio.Event().wait()


async def watched_games(url: str, game: str, loot: Loot) -> None:
    """As `games`, but each game's page is opened."""
    await games(url, game, loot, look=True)


async def boards(url: str, game: str, loot: Loot, *, at_once: int = 32) -> None:
    """Moves of the highest level for analysis boards."""
    body = json.dumps({"game": "toguz", "moves": [], "level": 8}).encode()
    await _repeat(url, loot, at_once, "POST", "/api/analysis/move", body)


async def lines(url: str, game: str, loot: Loot, *, at_once: int = 32) -> None:
    """Long lines to be replayed for analysis boards."""
    from korgool.rules import MANGALA

    position, moves = MANGALA.start(), []
    while position.outcome() is None:
        moves.append(min(position.legal_moves(), key=lambda hole: position.sow(hole).taken))
        position = position.play(moves[-1])
    body = json.dumps({"game": "mangala", "moves": moves[:1000]}).encode()
    await _repeat(url, loot, at_once, "POST", "/api/analysis/line", body)


async def pages(url: str, game: str, loot: Loot, *, at_once: int = 32) -> None:
    """The first page, over and over."""
    await _repeat(url, loot, at_once, "GET", "/", b"")


async def reconnects(url: str, game: str, loot: Loot, *, at_once: int = 16) -> None:
    """Connections that come and go."""

    async def come_and_go() -> None:
        while True:
            line = Line(url)
            try:
                await line.open()
            except (OSError, TimeoutError):
                loot.dropped += 1
            line.close()
            await asyncio.sleep(0)

    await asyncio.gather(*(come_and_go() for _ in range(at_once)))


async def watchers(url: str, game: str, loot: Loot, *, count: int = 300) -> None:
    """Strangers who watch the honest player's game."""

    async def watch() -> None:
        while True:
            stranger = Stranger(url)
            try:
                loot.met(status := await stranger.follow(game))
                if status == 101:
                    assert stranger.reader is not None
                    code = (await closing(stranger.reader))[0]
                    loot.closed[code] = loot.closed.get(code, 0) + 1
            except (OSError, asyncio.IncompleteReadError, TimeoutError):
                loot.dropped += 1
            finally:
                stranger.close()
            await asyncio.sleep(0.5)

    await asyncio.gather(*(watch() for _ in range(count)))


async def _repeat(url: str, loot: Loot, at_once: int, method: str, path: str, body: bytes) -> None:
    async def go_on() -> None:
        line = Line(url)
        while True:
            try:
                answer = await line.ask(method, path, body, Content_Type="application/json", Accept="*/*")
                loot.met(answer.status)
            except (OSError, asyncio.IncompleteReadError, TimeoutError):
                loot.dropped += 1
                line.close()
                await asyncio.sleep(0.05)

    await asyncio.gather(*(go_on() for _ in range(at_once)))


ATTACKS: dict[str, Attack] = {
    "messages": messages,
    "half-open": half_open,
    "bodies": bodies,
    "games": games,
    "watched games": watched_games,
    "boards": boards,
    "lines": lines,
    "pages": pages,
    "reconnects": reconnects,
    "watchers": watchers,
}


def every_attack() -> dict[str, Attack]:
    """All attacks by name, those on the doors between people too."""
    from tests.attacks import people

    return ATTACKS | people.ATTACKS


async def attack(name: str, url: str, game: str, seconds: float) -> Loot:
    """Let an attack go on for some seconds."""
    loot = Loot()
    with suppress(TimeoutError):
        await in_time(every_attack()[name](url, game, loot), seconds)
    return loot


if __name__ == "__main__":
    import sys

    seconds = float(sys.argv[4])
    # However busy the attackers are with each other, they end.
    threading.Timer(seconds + _OVER, os._exit, (1,)).start()
    print(asyncio.run(attack(sys.argv[1], sys.argv[2], sys.argv[3], seconds)), flush=True)
    os._exit(0)
