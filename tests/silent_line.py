"""A line that falls silent: a proxy that goes on taking bytes, in one direction or both, and closes nothing.

So do phones that leave a network, and routers that have forgotten a connection. What a browser or a program makes of it
is tried with `silent_line`; connections that are cut are a lesser evil.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar
from urllib.parse import urlsplit

from tests.patience import PATIENCE

T = TypeVar("T")

UP, DOWN = "up", "down"
"""From the client to the server, and back."""


class SilentLine:
    """A proxy before a server.

    A connection on which bytes were swallowed stays silent in that direction for good, as the bytes that follow make no
    sense without them; connections that are made after `speak` work. With `hold` nothing is swallowed: it arrives
    with `speak`, as after an interruption that TCP bridges.

    Attributes:
        address: what stands in the place of the server's address.
    """

    def __init__(self, target: str) -> None:
        self._to = urlsplit(target)
        self._silent: frozenset[str] = frozenset()
        self._holds = False
        self._spoken = asyncio.Event()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()
        self._server = self._do(asyncio.start_server(self._pass, "127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    def fall_silent(self, *ways: str, hold: bool = False) -> None:
        """Let nothing through any more, in these directions; in both where none is named."""
        self._do(self._set(frozenset(ways or (UP, DOWN)), hold))

    def speak(self) -> None:
        """Let everything through again."""
        self._do(self._set(frozenset(), False))

    def stop(self) -> None:
        """End it, and all connections."""
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(PATIENCE)
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    async def _set(self, silent: frozenset[str], hold: bool) -> None:
        self._silent, self._holds = silent, hold
        self._spoken.set()
        self._spoken = asyncio.Event()

    async def _end(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection(self._to.hostname, self._to.port)
        except OSError:
            writer.transport.abort()
            return
        try:
            await asyncio.gather(self._pump(UP, reader, back), self._pump(DOWN, there, writer))
        except asyncio.CancelledError:
            pass  # at the end; asyncio of Python 3.11 complains of connections that are cancelled
        finally:
            for one in (writer, back):
                one.transport.abort()

    async def _pump(self, way: str, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        dead = False
        with suppress(OSError):
            while data := await source.read(65_536):
                while way in self._silent and self._holds:
                    await self._spoken.wait()
                dead = dead or way in self._silent
                if not dead:
                    sink.write(data)
                    await sink.drain()
        # An end is told by the other side only where it would have come through.
        while dead or way in self._silent:
            await self._spoken.wait()
        with suppress(OSError):
            sink.write_eof()


@contextmanager
def silent_line(target: str) -> Iterator[SilentLine]:
    """A proxy before the server at an address."""
    line = SilentLine(target)
    try:
        yield line
    finally:
        line.stop()
