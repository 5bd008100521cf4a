"""Servers for attacks: one with the limits as they are, others with a file of their own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tests.patience import PATIENCE, in_time
from tests.server.support import Server

T = TypeVar("T")
Limited = Callable[..., Server]

if sys.platform != "linux":
    pytest.skip("attackers come from 127.0.0.2, which only Linux has ready", allow_module_level=True)


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Limited]:
    """Starts servers, each with an empty data folder: limits by name, `arguments` of the command, and `descriptors`."""
    servers: list[Server] = []

    def start(*arguments: str, data: Path | None = None, descriptors: int | None = None, **limits: object) -> Server:
        folder = data or tmp_path_factory.mktemp("data")
        file = folder / "limits.toml"
        file.write_text("".join(f"{name} = {_toml(value)}\n" for name, value in limits.items()))
        server = Server(folder, None, "--limits", str(file), *arguments, patient=True, descriptors=descriptors)
        servers.append(server)
        return server

    yield start
    # All are stopped first: one that is left running would keep the tests from ending.
    said = [server.stop() for server in servers if server.process.poll() is None]
    assert not [one for one in said if "Traceback" in one]


@pytest.fixture(scope="module")
def server(serve: Limited) -> Server:
    """A server with the limits as they are."""
    return serve()


def _toml(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def within(work: Callable[[], Coroutine[Any, Any, T]], seconds: float = PATIENCE) -> T:
    """Run what attackers do, in a thread: a browser that an earlier test left open has a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, in_time(work(), seconds)).result()
