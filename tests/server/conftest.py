"""A real server for the tests of a file, and somebody who visits it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .support import Server, Visitor, running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """It must not have stumbled over anything."""
    with running(tmp_path_factory.mktemp("data")) as server:
        yield server
        assert "Traceback" not in server.stop()


@pytest.fixture(scope="module")
def visitor(server: Server) -> Visitor:
    return Visitor(server)
