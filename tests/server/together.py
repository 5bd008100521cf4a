"""Several server processes over one PostgreSQL database, as halls within one process of the test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from korgool.app.server.games.running_games import Hall
from korgool.app.server.settings import ServerSettings
from korgool.app.server.storage.chosen_bus import news_of
from korgool.app.server.storage.database import Storage
from tests.patience import until

from .support import run_async

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def hall_over(url: str, bus: str | None = None) -> AsyncIterator[Hall]:
    """The hall of one process."""
    settings = ServerSettings(database=url, bus=bus)
    storage = Storage.open(settings)
    hall = Hall(storage, settings, news_of(storage, settings))
    try:
        await hall.open()
        yield hall
    finally:
        await hall.close()
        storage.close()


def together(url: str, test: Callable[[Hall, Hall], Awaitable[None]], bus: str | None = None) -> None:
    """Run a test in two halls that know of each other."""

    async def run() -> None:
        async with AsyncExitStack() as stack:
            one, two = [await stack.enter_async_context(hall_over(url, bus)) for _ in range(2)]
            assert one.storage.processes is not None
            one.storage.processes.beat()
            await until(lambda: all(len(alive(hall)) >= 2 for hall in (one, two)))
            if bus != "off":
                await until(lambda: one.news.connected and two.news.connected)
            await test(one, two)

    run_async(run())


def alive(hall: Hall) -> frozenset[str]:
    """The processes that a hall knows."""
    assert hall.storage.processes is not None
    return hall.storage.processes.alive
