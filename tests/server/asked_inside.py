"""The application within this process: requests without a server, a port or a wait."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx
from litestar import Litestar

from korgool.app.server.application import create_app
from korgool.app.server.core.settings import ServerSettings

T = TypeVar("T")


class Inside:
    """An application that runs, on an event loop in a thread of its own: an open browser has one in the main thread."""

    def __init__(self, app: Litestar, runner: asyncio.Runner, thread: ThreadPoolExecutor) -> None:
        self.app = app
        self._runner = runner
        self._thread = thread

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._thread.submit(self._runner.run, work).result()

    def reader(self, who: str | None) -> Reader:
        """A browser with the cookie of somebody."""
        return Reader(self, who)


class Reader:
    """Somebody who asks, and stays who they are: a cookie that an answer sets is not kept."""

    def __init__(self, inside: Inside, who: str | None) -> None:
        self._inside = inside
        visitors = inside.app.state.visitors
        self._cookies = {} if who is None else {visitors.cookie_name: f"{who}.{visitors._sign(who)}"}
        application: Any = inside.app
        transport = httpx.ASGITransport(application)
        base = "http://127.0.0.1:8000"
        self._client = httpx.AsyncClient(transport=transport, base_url=base)

    def get(self, path: str, accept_language: str = "en", **query: Any) -> httpx.Response:
        headers = {"accept-language": accept_language}
        self._client.cookies = httpx.Cookies(self._cookies)
        return self._inside.run(self._client.get(path, params=query or None, headers=headers))

    def json(self, path: str, **query: Any) -> Any:
        answer = self.get(path, **query)
        assert answer.status_code == 200, answer.text
        return answer.json()


@contextmanager
def asked_inside(settings: ServerSettings) -> Iterator[Inside]:
    """The application for the time of a test."""
    with ThreadPoolExecutor(1) as thread:
        runner = asyncio.Runner()
        inside = Inside(create_app(settings), runner, thread)
        life = inside.run(_begin(inside.app))
        try:
            yield inside
        finally:
            inside.run(life.end())
            thread.submit(runner.close).result()


class _Life:
    """The application's beginning and end, which belong to one task."""

    def __init__(self, app: Litestar) -> None:
        self._over = asyncio.Event()
        self._begun = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._live(app))

    async def _live(self, app: Litestar) -> None:
        async with app.lifespan():
            self._begun.set_result(None)
            await self._over.wait()

    async def begin(self) -> None:
        await asyncio.wait({self._begun, self._task}, return_when=asyncio.FIRST_COMPLETED)
        if self._task.done():
            await self._task

    async def end(self) -> None:
        self._over.set()
        await self._task


async def _begin(app: Litestar) -> _Life:
    life = _Life(app)
    await life.begin()
    return life
