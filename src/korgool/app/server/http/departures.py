"""Tells whether a browser or a program still waits for the answer to its request."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from korgool.app.server.http.responses import AnyRequest


@asynccontextmanager
async def departure(request: AnyRequest) -> AsyncIterator[asyncio.Task[None]]:
    """A task that is done as soon as whoever has made a request without a body waits for its answer no more."""
    gone = asyncio.create_task(_gone(request))
    try:
        yield gone
    finally:
        gone.cancel()


async def _gone(request: AnyRequest) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
