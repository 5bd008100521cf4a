"""Several server processes over one PostgreSQL database, as halls within one process of the test."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from korgool.app.server.cluster.bus_choice import news_of
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.play.game_registry import GameRegistry
from korgool.app.server.storage.database import Storage
from tests.patience import until

from .support import run_async

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


@asynccontextmanager
async def hall_over(url: str, bus: str | None = None) -> AsyncIterator[GameRegistry]:
    """The hall of one process."""
    settings = ServerSettings(database=url, bus=bus)
    storage = Storage.open(settings)
    game_registry = GameRegistry(storage, settings, news_of(storage, settings))
    try:
        await game_registry.open()
        yield game_registry
    finally:
        await game_registry.close()
        storage.close()


def together(url: str, test: Callable[[GameRegistry, GameRegistry], Awaitable[None]], bus: str | None = None) -> None:
    """Run a test in two halls that know of each other."""

    async def run() -> None:
        async with AsyncExitStack() as stack:
            one, two = [await stack.enter_async_context(hall_over(url, bus)) for _ in range(2)]
            assert one.storage.processes is not None
            one.storage.processes.beat()
            await until(lambda: all(len(alive(game_registry)) >= 2 for game_registry in (one, two)))
            if bus != "off":
                await until(lambda: one.news.connected and two.news.connected)
            await test(one, two)

    run_async(run())


def alive(game_registry: GameRegistry) -> frozenset[str]:
    """The processes that a hall knows."""
    assert game_registry.storage.processes is not None
    return game_registry.storage.processes.alive
