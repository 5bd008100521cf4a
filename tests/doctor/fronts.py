"""A proxy that ends TLS before a site, as on the internet, with a certificate that a test has made."""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.patience import PATIENCE


class Front:
    """Where a proxy listens, and what it stands before.

    Attributes:
        port: where it listens.
        behind: the port of the site.
    """

    def __init__(self) -> None:
        self.port = 0
        self.behind = 0

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """All bytes of one connection, both ways."""
        with suppress(OSError):
            inner, outer = await asyncio.open_connection("127.0.0.1", self.behind)
            await asyncio.gather(copied(reader, outer), copied(inner, writer))


async def copied(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
    """All bytes from one side until it has no more, or the other is gone."""
    with suppress(OSError):
        while data := await source.read(1 << 16):
            target.write(data)
            await target.drain()
    target.close()


@contextmanager
def front(certificate: tuple[Path, Path]) -> Iterator[Front]:
    """A proxy on a free port of 127.0.0.1, in a loop and a thread of its own."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    one, loop = Front(), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def begin() -> asyncio.Server:
        return await asyncio.start_server(one.pass_on, "127.0.0.1", 0, ssl=context)

    async def end() -> None:
        server.close()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        for task in rest:
            task.cancel()
        await asyncio.gather(*rest, return_exceptions=True)

    server = asyncio.run_coroutine_threadsafe(begin(), loop).result(PATIENCE)
    one.port = server.sockets[0].getsockname()[1]
    try:
        yield one
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop).result(PATIENCE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
