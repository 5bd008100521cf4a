"""Games between people in browsers: a server in this process that seats two of them without an invitation."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import uvicorn

from korgool.app.server.application import create_app
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.play.game_registry import GameRegistry
from korgool.live import GameTerms, Manner, Seat, SeatKind, read_clock
from korgool.rules import GAMES
from tests.page.table import Table
from tests.patience import PATIENCE, RETRIES

T = TypeVar("T")


class House:
    """A server in a thread of this process."""

    def __init__(self, data: Path, **settings: Any) -> None:
        self.app = create_app(ServerSettings(data=data, **settings))
        loops: list[asyncio.AbstractEventLoop] = []
        self.app.on_startup.append(lambda: loops.append(asyncio.get_running_loop()))
        self._server = uvicorn.Server(uvicorn.Config(self.app, port=0, log_level="error"))
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        until = time.monotonic() + PATIENCE
        while not self._server.started:
            assert time.monotonic() < until, "the server does not start"
            time.sleep(0.05)
        self._loop = loops[0]
        self.address = f"http://127.0.0.1:{self._server.servers[0].sockets[0].getsockname()[1]}"

    @property
    def game_registry(self) -> GameRegistry:
        """Its games; use them within `run`."""
        game_registry: GameRegistry = self.app.state.game_registry
        return game_registry

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do something within the server."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    def stop(self) -> None:
        """End it; pages should not look at it any more."""
        self._server.should_exit = True
        self._thread.join(PATIENCE)

    def seat(
        self,
        white: Table,
        black: Table,
        game: str = "toguz",
        clock: str = "none",
        manner: Manner = Manner.FRIENDLY,
        start: str | None = None,
        delay: int = 0,
    ) -> str:
        """A game between the visitors at two tables; at one and the same table it is shared. Returns its address."""
        seats = tuple(Seat(SeatKind.PERSON, self.name_of(table)) for table in (white, black))
        terms = GameTerms(GAMES[game], (seats[0], seats[1]), read_clock(clock), manner, start, delay_s=delay)
        return f"{self.address}/games/{self.run(self.game_registry.create(terms))}"

    def name_of(self, table: Table) -> str:
        """The identity of the visitor at a table."""
        table.page.request.get(f"{self.address}/", max_retries=RETRIES)
        cookies = table.page.context.cookies(self.address)
        return next(one["value"] for one in cookies if one["name"].startswith("korgool_")).partition(".")[0]


@contextmanager
def house(data: Path, **settings: Any) -> Iterator[House]:
    """A server for the time of a test."""
    made = House(data, **settings)
    try:
        yield made
    finally:
        made.stop()


def sit(table: Table, url: str, speed: str = "off") -> None:
    """Open a game's page."""
    page = table.page
    page.add_init_script(
        "if (origin !== 'null' && localStorage.getItem('korgool.speed') === null) "
        f"localStorage.setItem('korgool.speed', {speed!r});"
    )
    page.goto(url)
    table.ready()


def leave(*tables: Table) -> None:
    """Close the pages, so that none of them misses a server that stops."""
    for table in tables:
        table.page.close()
