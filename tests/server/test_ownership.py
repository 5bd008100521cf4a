"""An SQLite file has one owner at a time; a PostgreSQL that starts again under a running server."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.server_processes import Heartbeat
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
    return httpx.get(server.url + path, cookies=visitor.client.cookies, timeout=PATIENCE)


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
    stored = GameRepository(storage.engine).load(game.id)
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


def test_a_short_restart_of_the_database_is_charged_to_nobody(cluster: Cluster) -> None:
    """By several processes once, and a connection that is lost alone by none."""
    both = [Storage.open(ServerSettings(database=cluster.url)) for _ in range(2)]
    one, two = keepers = [storage.processes for storage in both if storage.processes is not None]
    try:
        for keeper in keepers:  # they beat when the test says so
            keeper._ended.set()
            assert keeper._thread is not None
            keeper._thread.join()
        one.beat()
        two.beat()
        began = now_ms()
        with both[0].engine.begin() as connection:
            mine = connection.scalar(text("SELECT pg_backend_pid()"))
        with both[1].engine.begin() as connection:
            connection.execute(text(f"SELECT pg_terminate_backend({mine})"))
        with both[0].engine.begin():
            assert not one.held, "it finds a connection lost, and looks what that means"
        one.beat()
        assert (one.held, one.missed_ms(began - 1000, 1 << 62)) == (True, 0)

        cluster.stop()
        with pytest.raises(SQLAlchemyError):
            one.beat()
        cluster.start()
        with both[1].engine.begin() as connection:
            assert not two.held
            with pytest.raises(StorageError, match="nothing could be written"):
                two.fence(connection)
            two.fence(connection)
        one.beat()
        two.beat()
        assert 0 < one.missed_ms(0, 1 << 62) == two.missed_ms(0, 1 << 62) < now_ms() - began + 1000
        assert len(one._outages) == 1

        # As after a crash that the main process of the database survives: nobody has beaten for two seconds.
        silent = Heartbeat(now_ms() - 2000, now_ms(), 0, frozenset())
        assert not one._was_out(silent), "a busy machine"
        one._lost = True
        assert one._was_out(silent)
    finally:
        for storage in both:
            storage.close()
