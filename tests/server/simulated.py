"""The world around a server with simulated time: an event loop that jumps, a disk, and connections over a network.

Nothing waits here: where a loop would sleep, its time jumps to what comes next. The database is real, and what the
server gives to other threads is done in the thread of the loop, with an answer that comes a little later. So a schedule
follows from its seed alone, and minutes of a game take milliseconds.
"""

from __future__ import annotations

import asyncio
import json
import selectors
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from pathlib import Path
from random import Random
from typing import Any

from litestar.connection import WebSocket
from sqlalchemy import Engine

from korgool.app.server.core import wall_clock
from korgool.app.server.core.live_connection import ClientListener
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.file_ownership import FileOwnership
from korgool.app.server.storage.writer import Commit, StorageError
from korgool.app.server.transport.socket_inbox import SocketInbox

from .support import Json

EPOCH_MS = 1_700_000_000_000
"""The time of day at which every schedule begins."""
_PING_SECONDS = 5.0


class SimulatedLoop(asyncio.SelectorEventLoop):
    """A loop whose time jumps.

    Attributes:
        seconds: the time.
        random: what decides how long things take.
        errors: what was raised where nobody waited for it.
    """

    def __init__(self, random: Random) -> None:
        self.seconds = 0.0
        self.random = random
        self.errors: list[BaseException] = []
        super().__init__(_Jumps(self))
        self.set_exception_handler(lambda _, context: self.errors.append(context.get("exception") or _lost(context)))

    def time(self) -> float:
        return self.seconds

    def elapsed_ns(self) -> int:
        """What the clock of the server reads, instead of the computer's."""
        return EPOCH_MS * 1_000_000 + int(self.seconds * 1e9) - wall_clock._START

    def soon(self, seconds: float) -> float:
        """About so many seconds; 0 too."""
        return self.random.choice((0.0, self.random.expovariate(1 / seconds)))

    def run_in_executor(self, _: object, work: Callable[..., Any], *values: Any) -> asyncio.Future[Any]:  # type: ignore[override]
        """Do it in this thread, a little later; the answer comes a little later again."""
        found: asyncio.Future[Any] = self.create_future()

        def do() -> None:
            if found.done():
                return
            answer: Future[Any] = Future()
            try:
                answer.set_result(work(*values))
            except Exception as error:
                answer.set_exception(error)
            self.call_later(self.soon(0.002), _tell, answer, found)

        self.call_later(self.soon(0.002), do)
        return found


def _tell(answer: Future[Any], found: asyncio.Future[Any]) -> None:
    if found.done():
        return
    if error := answer.exception():
        found.set_exception(error)
    else:
        found.set_result(answer.result())


def _lost(context: dict[str, Any]) -> BaseException:
    return RuntimeError(context["message"])


class _Jumps(selectors.SelectSelector):
    def __init__(self, loop: SimulatedLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(0)
        if not ready and timeout is None:
            raise RuntimeError("everybody waits, and nothing will ever come")
        self._loop.seconds += max(0.0, timeout or 0.0) if not ready else 0.0
        return ready


class Disk(Storage):
    """A database on a disk that takes its time and is full now and then.

    Attributes:
        faults: how often a write fails, 0 to 1.
        dead: whether the process has been killed: nothing reaches the disk any more, and nobody hears of it.
    """

    def __init__(self, engine: Engine, ownership: FileOwnership, folder: Path | None) -> None:
        super().__init__(engine, ownership, folder)
        self.faults, self.dead = 0.0, False
        self.writer.submit = self._at_once  # type: ignore[method-assign]

    def _at_once(self, commit: Commit) -> Future[None]:
        """What the thread of the writer does, in this one."""
        written: Future[None] = Future()

        def tell(error: StorageError | None) -> None:
            if error is None:
                written.set_result(None)
            else:
                written.set_exception(error)

        if not self.dead:
            self.writer._write([(commit, tell)])
        return written

    async def write(self, commit: Commit) -> None:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, SimulatedLoop)
        await asyncio.sleep(loop.soon(0.004))
        if loop.random.random() < self.faults:
            raise StorageError("the disk is full")
        if self.dead:
            await loop.create_future()
        self.writer.submit(commit).result()
        await asyncio.sleep(loop.soon(0.004))

    def kill(self) -> None:
        """Let go of the database as a killed process does: without signing off."""
        self.dead = True
        self.ownership._epoch = 0
        self.close()


class Link:
    """A connection of a page with the server. To the server it is what its own WebSockets are (`followers.Outlet`).

    What is sent arrives in order, late, or not at all where the network is cut; each end notices a cut by itself.

    Attributes:
        hear: what the page does with a message.
        since: the version from which it goes on, None for the state.
        left: set when the page knows that the connection has ended.
    """

    def __init__(self, loop: SimulatedLoop, hear: Callable[[Json], None], since: int | None) -> None:
        self._loop = loop
        self.hear = hear
        self.since = since
        self.left = asyncio.Event()
        self._way = loop.random.choice((0.005, 0.05, 0.05, 0.4))
        self._arrival = [loop.seconds, loop.seconds]
        self._cut_at: float | None = None
        self._ended = False
        self._received: asyncio.Queue[Json] | SocketInbox = asyncio.Queue()
        self._heard_at = loop.seconds
        self._lag = 0
        self._measure()

    def _measure(self) -> None:
        """A ping is answered when the page likes: no measured lag can be trusted."""
        if self._ended:
            return
        if self._cut_at is None:
            self._heard_at = self._loop.seconds
            self._lag = round(self._loop.random.choice((1_000, 1_000, 20_000)) * self._loop.random.random() * self._way)
        self._loop.call_later(_PING_SECONDS, self._measure)

    def _pass(self, way: int, arrive: Callable[..., object], *values: object) -> None:
        if self._cut_at is not None:
            return
        # A loop does not keep the order of what is due at the same time.
        arrival = max(self._arrival[way] + 1e-6, self._loop.seconds + self._loop.soon(self._way))
        self._arrival[way] = arrival
        self._loop.call_at(arrival, self._arrive, arrival, arrive, *values)

    def _arrive(self, arrival: float, arrive: Callable[..., object], *values: object) -> None:
        if self._cut_at is None or arrival < self._cut_at:
            arrive(*values)

    def cut(self) -> None:
        """Nothing arrives any more."""
        if self._cut_at is None:
            self._cut_at = self._loop.seconds
            self._loop.call_later(self._loop.soon(0.5), self.left.set)
            self._loop.call_later(self._loop.soon(5), self._end)

    # The page

    def send(self, said: Json) -> None:
        """Send a message to the server."""
        if not self.left.is_set():
            self._pass(0, self._take, {"type": "websocket.receive", "text": json.dumps(said)})

    def leave(self) -> None:
        """Close the connection; what is under way still arrives."""
        self._pass(0, self._end)
        self.left.set()

    # The server

    def listen(self, listener: ClientListener) -> None:
        """As the server's own connections do, with their inbox."""
        before = self._received
        assert isinstance(before, asyncio.Queue)
        self._received = SocketInbox(listener, self._carry)
        while not before.empty():
            self._received.put_nowait(before.get_nowait())

    def _carry(self) -> None:
        assert isinstance(self._received, SocketInbox)
        self._loop.create_task(self._received.deliver(self._received.get), name="server")

    def forget(self) -> None:
        """The server is no more: nobody listens."""
        self._received = asyncio.Queue()

    def open(self, serve: Callable[[Link], Awaitable[None]]) -> None:
        """Ask the server for a connection."""
        self._pass(0, lambda: self._loop.create_task(self._served(serve), name="server"))

    async def _served(self, serve: Callable[[Link], Awaitable[None]]) -> None:
        self._received.put_nowait({"type": "websocket.connect"})
        await serve(self)

    def socket(self, app: object) -> WebSocket[Any, Any, Any]:
        """The connection as the server's application has it."""
        scope = {"type": "websocket", "scheme": "ws", "headers": [], "litestar_app": app, "state": {"outlet": self}}
        return WebSocket(scope, receive=self._received.get, send=self._said)  # type: ignore[arg-type]

    def _take(self, message: Json) -> None:
        self._heard_at = self._loop.seconds
        if not self._ended:
            self._received.put_nowait(message)

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self._received.put_nowait({"type": "websocket.disconnect", "code": 1006, "reason": ""})

    async def _said(self, message: Any) -> None:
        if message["type"] == "websocket.close":
            self.shut(message["code"], message["reason"])
        else:
            self._pass(1, self._hear, {"kind": "open"})

    def _hear(self, message: Json) -> None:
        if not self.left.is_set():
            self.hear(message)

    def push(self, message: bytes) -> bool:
        if not self._ended:
            self._pass(1, self._hear, json.loads(message))
        return not self._ended

    def shut(self, code: int, reason: str) -> None:
        self._pass(1, self.left.set)
        self._end()

    def lag_ms(self) -> int:
        return self._lag

    def silent_ms(self) -> int:
        return round(1000 * (self._loop.seconds - self._heard_at))
