"""An SQLite file has one owner at a time; a PostgreSQL that starts again under a running server."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from korgool.app.server.settings import ServerSettings
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.writer import StorageError

from .inside import Kept, alone
from .support import Json, Server, Visitor, running


class Cluster:
    """A PostgreSQL server of the test's own, reached by a socket in its folder alone."""

    def __init__(self, folder: Path, programs: Path) -> None:
        self.folder, self.programs = folder, programs
        self.url = f"postgresql://postgres@/postgres?host={folder}"
        self._run("initdb", "--auth=trust", "--username=postgres", "-D", str(folder / "data"))
        self.start()

    def _run(self, program: str, *words: str) -> None:
        # PostgreSQL refuses to run as root.
        person = "postgres" if os.geteuid() == 0 else None
        command, quiet = [str(self.programs / program), *words], subprocess.DEVNULL
        subprocess.run(command, check=True, stdout=quiet, stderr=quiet, cwd="/", timeout=120, user=person, group=person)

    def start(self) -> None:
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}'"
        log = str(self.folder / "log")
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "100", "-l", log, "-o", options, "start")

    def stop(self) -> None:
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-w", "-t", "100", "-m", "fast", "stop")


@pytest.fixture(scope="module")
def programs() -> Path:
    """The folder of `initdb` and `pg_ctl`."""
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not places or not (places[-1] / "pg_ctl").exists():
        pytest.skip("there is no PostgreSQL to run")
    if os.geteuid() == 0 and subprocess.run(["id", "postgres"], capture_output=True, check=False).returncode:
        pytest.skip("PostgreSQL does not run as root, and there is no user postgres")
    return places[-1]


@pytest.fixture
def cluster(programs: Path) -> Iterator[Cluster]:
    folder = Path(tempfile.mkdtemp(prefix="korgool-", dir="/tmp"))  # a short path, for sockets
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        cluster = Cluster(folder, programs)
        try:
            yield cluster
        finally:
            if (folder / "data" / "postmaster.pid").exists():
                cluster.stop()
    finally:
        shutil.rmtree(folder)


def ask(server: Server, path: str, visitor: Visitor) -> httpx.Response:
    return httpx.get(server.url + path, cookies=visitor.client.cookies, timeout=60)


def until(server: Server, path: str, visitor: Visitor, status: int) -> httpx.Response:
    """Ask until the answer has a status."""
    late = time.monotonic() + 90
    while (answer := ask(server, path, visitor)).status_code != status:
        assert time.monotonic() < late, answer.text
        time.sleep(0.05)
    return answer


def your_turn(visitor: Visitor, address: str) -> Json:
    late = time.monotonic() + 60
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
