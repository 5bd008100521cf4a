"""Backups of a site on which people play: nothing acknowledged before is missing, and a kill leaves no half."""

from __future__ import annotations

import random
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from korgool.app.backup.operations import check, restore, take
from korgool.app.backup.scratch import BackupError
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.storage.database import Storage
from tests.conftest import SEED
from tests.server.support import Server, Visitor, postgresql_database, running

from .sites import names, need_programs, refused, site

PLAYERS, BACKUPS, KILLS = 6, 6, 12

pytestmark = pytest.mark.long


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[ServerSettings]:
    if request.param == "sqlite":
        yield ServerSettings(data=tmp_path / "data")
    else:
        need_programs()
        with postgresql_database() as url:
            yield ServerSettings(database=url)


class Crowd:
    """Visitors who play the engine as fast as they can.

    Attributes:
        acknowledged: the version of the last move of each game that the server has confirmed.
    """

    def __init__(self, server: Server) -> None:
        self.acknowledged: dict[str, int] = {}
        self._server, self._over = server, threading.Event()
        self._problems: list[BaseException] = []
        self._threads = [threading.Thread(target=self._play, args=(seed,)) for seed in range(PLAYERS)]

    def __enter__(self) -> Crowd:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()
        assert self._problems == []

    def moves(self) -> int:
        return sum(self.acknowledged.values())

    def more(self, number: int) -> None:
        """Return when so many more versions are there."""
        wanted = self.moves() + number
        while self.moves() < wanted:
            assert self._problems == []
            time.sleep(0.05)

    def _play(self, seed: int) -> None:
        chance = random.Random(seed)
        try:
            visitor = Visitor(self._server)
            while not self._over.is_set():
                game = visitor.new_game(chance.choice(("toguz", "bestemshe")))
                while not self._over.is_set() and (state := visitor.state(game))["outcome"] is None:
                    if not state["legal"]:
                        continue
                    hole = chance.choice(state["legal"])
                    sent = visitor.send(game, "move", hole=hole, version=state["version"])
                    if sent.is_success:
                        self.acknowledged[game] = sent.json()["version"]
        except BaseException as problem:
            self._problems.append(problem)


@contextmanager
def restored(archive: Path, folder: Path, place: ServerSettings) -> Iterator[Storage]:
    """A backup, put back in a place of its own."""
    if place.database is None:
        settings = ServerSettings(data=folder)
        restore(archive, settings)
        storage = Storage.open(settings)
        yield storage
        storage.close()
        return
    with postgresql_database() as url:
        restore(archive, ServerSettings(database=url))
        storage = Storage.open(ServerSettings(database=url))
        yield storage
        storage.close()


def test_every_move_acknowledged_before_a_backup_is_in_it(place: ServerSettings, tmp_path: Path) -> None:
    data = place.data or tmp_path / "unused"
    with running(data, place.database, "--limits", "off") as server, Crowd(server) as crowd:
        for number in range(BACKUPS):
            crowd.more(300)
            before = dict(crowd.acknowledged)
            began, moves = time.monotonic(), crowd.moves()
            archive = take(place, tmp_path / f"{number}.zip").path
            print(f"{time.monotonic() - began:.2f} s, {crowd.moves() - moves} steps meanwhile, {moves} before")
            manifest, proof = check(archive, place)
            assert proof.faults == ()
            assert proof.moves >= sum(before.values())
            assert proof.games == manifest.facts.rows["games"] >= len(before)
            with restored(archive, tmp_path / f"site{number}", place) as storage:
                for game, version in before.items():
                    found = GameRepository(storage.engine).load(game)
                    assert found is not None
                    assert found.version >= version


def test_a_backup_that_is_killed_leaves_no_half(tmp_path: Path) -> None:
    chance, folder, data = random.Random(SEED), tmp_path / "backups", tmp_path / "data"
    folder.mkdir()
    with running(data, None, "--limits", "off") as server, Crowd(server) as crowd:
        crowd.more(500)
        for _ in range(KILLS):
            words = [sys.executable, "-m", "korgool", "backup", str(folder), "--data", str(data)]
            one = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            time.sleep(chance.uniform(0.3, 2.0))
            one.kill()
            one.communicate()
        take(ServerSettings(data=data), folder / "last.zip")
    assert [name for name in names(folder) if name.endswith(".part")] == []
    for name in names(folder):
        assert check(folder / name, ServerSettings())[1].faults == ()


def test_a_disk_that_is_full(tmp_path: Path) -> None:
    data, disk = site(tmp_path / "data"), tmp_path / "disk"
    take(ServerSettings(data=data), tmp_path / "good.zip")
    disk.mkdir()
    for size in (64, 256, 340):
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}k", "tmpfs", disk], check=False)
        if mounted.returncode:
            pytest.skip("a small disk cannot be mounted here")
        try:
            assert "is full" in refused("backup", disk, "--data", data)
            assert names(disk) == []
            with pytest.raises(BackupError, match=r"is full|bytes, and"):
                restore(tmp_path / "good.zip", ServerSettings(data=disk))
            assert names(disk) in ([], ["korgool.sqlite.lock"])
        finally:
            subprocess.run(["umount", disk], check=True)
