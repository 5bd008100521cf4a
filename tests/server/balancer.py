"""A balancer that knows nothing: every new connection goes to another one of the servers that are there."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import count


class Balancer:
    """Passes bytes on, within the event loop of the test.

    Attributes:
        servers: the ports of the servers; whoever kills one may leave it in, and connections go past it.
        port: its own.
    """

    def __init__(self) -> None:
        self.servers: list[int] = []
        self.port = 0
        self._turns = count()
        self._listening: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        self._listening = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._listening.sockets[0].getsockname()[1]

    async def close(self) -> None:
        assert self._listening is not None
        self._listening.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        turn = next(self._turns)
        for number in range(len(self.servers)):
            port = self.servers[(turn + number) % len(self.servers)]
            with suppress(OSError):
                behind = await asyncio.open_connection("127.0.0.1", port)
                for source, target in ((reader, behind[1]), (behind[0], writer)):
                    task = asyncio.create_task(_carry(source, target))
                    self._tasks.add(task)
                    task.add_done_callback(self._tasks.discard)
                return
        writer.close()


async def _carry(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while data := await source.read(65536):
            target.write(data)
            await target.drain()
    target.close()
