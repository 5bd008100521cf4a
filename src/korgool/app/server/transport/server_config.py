"""uvicorn's settings with our limits, as its protocols receive them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import uvicorn

from korgool.app.server.transport.connection_limiter import ConnectionLimiter


class ServerConfig(uvicorn.Config):
    """uvicorn's settings, with our limits."""

    def __init__(self, app: Any, doors: ConnectionLimiter, **settings: Any) -> None:
        self.doors = doors
        super().__init__(app, **settings)


def later(seconds: float | None, work: Callable[[], object]) -> asyncio.TimerHandle | None:
    """Do `work` after so many seconds; with None never."""
    return None if seconds is None else asyncio.get_running_loop().call_later(seconds, work)
