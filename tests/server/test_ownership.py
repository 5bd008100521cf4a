"""An SQLite file has one owner at a time; a PostgreSQL that starts again under a running server."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from korgool.app.server.settings import ServerSettings
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.writer import StorageError
from tests.patience import PATIENCE

from .clusters import Cluster, running_cluster
from .inside import Kept, alone
from .support import Json, Server, Visitor, running


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    with running_cluster() as cluster:
        yield cluster


def ask(server: Server, path: str, visitor: Visitor) -> httpx.Response:
    return httpx.get(server.url + path, cookies=visitor.client.cookies, timeout=60)


def until(server: Server, path: str, visitor: Visitor, status: int) -> httpx.Response:
    """Ask until the answer has a status."""
    late = time.monotonic() + PATIENCE
    while (answer := ask(server, path, visitor)).status_code != status:
        assert time.monotonic() < late, answer.text
        time.sleep(0.05)
    return answer


def your_turn(visitor: Visitor, address: str) -> Json:
    late = time.monotonic() + PATIENCE
    while not (state := visitor.state(address))["legal"]:
        assert time.monotonic() < late
        time.sleep(0.05)
    return state


def play(visitor: Visitor, address: str) -> int:
    """A move and its reply; the version after them."""
    state = your_turn(visitor, address)
    visitor.send(address, "move", hole=state["legal"][0], version=state["version"]).raise_for_status()
    version: int = your_turn(visitor, address)["version"]
    return version


def test_whose_epoch_is_over_writes_nothing(tmp_path: Path) -> None:
    storage = Storage.open(ServerSettings(data=tmp_path))
    game = Kept(storage, "mine", alone())
    with sqlite3.connect(tmp_path / "korgool.sqlite") as another:
        another.execute("UPDATE owner SET epoch = epoch + 1")
    another.close()
    with pytest.raises(StorageError, match="another server owns"):
        game.write(game.move(7))
    with pytest.raises(StorageError, match="another server owns"):
        storage.check()
    stored = storage.load(game.id)
    assert stored is not None
    assert len(stored.entries) == 1
    storage.close()


def test_an_epoch_begins_with_every_owner(tmp_path: Path) -> None:
    epochs = []
    for _ in range(3):
        storage = Storage.open(ServerSettings(data=tmp_path))
        epochs.append(storage.ownership.epoch)
        assert storage.ownership.held
        storage.close()
    assert epochs == [1, 2, 3]


def test_a_database_that_is_away_and_comes_back(cluster: Cluster, tmp_path: Path) -> None:
    with running(tmp_path, cluster.url) as server:
        visitor = Visitor(server)
        unloaded = visitor.new_game("mangala")
        play(visitor, unloaded)
    with running(tmp_path, cluster.url) as server:
        visitor.move_to(server)
        address = visitor.new_game("toguz")
        version, state = play(visitor, address), visitor.state(address)
        cluster.stop()
        for path in (f"/api/games/{unloaded}", f"/games/{unloaded}", "/"):
            away = ask(server, path, visitor)
            assert (away.status_code, away.headers["retry-after"]) == (503, "5"), path
        move = visitor.send(address, "move", hole=state["legal"][0], version=version)
        assert (move.status_code, move.headers["retry-after"]) == (503, "5")
        until(server, "/healthz", visitor, 503)
        until(server, f"/api/games/{address}", visitor, 503)
        cluster.start()
        until(server, "/healthz", visitor, 200)
        until(server, f"/api/games/{unloaded}", visitor, 200)
        assert until(server, f"/api/games/{address}", visitor, 200).json()["version"] == version
        assert play(visitor, address) > version
        assert "Traceback" not in server.stop()
