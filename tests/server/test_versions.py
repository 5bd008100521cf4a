"""Two versions of Korgool on one database: none of them writes what the other does not expect."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from sqlalchemy import text

from korgool.app.server.settings import ServerSettings
from korgool.app.server.storage import database
from korgool.app.server.storage.database import KNOWN, Storage, beside
from korgool.app.server.storage.writer import StorageError, Trouble

from .inside import Kept, alone
from .support import postgresql_database


def test_an_older_version_leaves_a_newer_database_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = ServerSettings(data=tmp_path)
    Storage.open(settings).close()
    digest = hashlib.sha256((tmp_path / "korgool.sqlite").read_bytes()).digest()
    monkeypatch.setattr(database, "KNOWN", KNOWN[:-1])
    for opens in (Storage.open, beside):
        with pytest.raises(StorageError, match=f"at {KNOWN[-1]}"):
            opens(settings)
    assert hashlib.sha256((tmp_path / "korgool.sqlite").read_bytes()).digest() == digest


def test_a_newer_version_changes_no_tables_under_an_older_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = Storage.open(ServerSettings(data=tmp_path))
    monkeypatch.setattr("korgool.app.server.storage.ownership._PATIENCE", 0.1)
    monkeypatch.setattr(database, "KNOWN", (*KNOWN, "9999"))
    with pytest.raises(StorageError, match="another Korgool server uses"):
        Storage.open(ServerSettings(data=tmp_path))
    storage.close()


def test_the_same_on_postgresql_and_who_stood_still_meanwhile_serves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with postgresql_database() as url:
        storage = Storage.open(ServerSettings(database=url))
        assert storage.processes is not None
        game = Kept(storage, "mine", alone())
        with monkeypatch.context() as newer:
            newer.setattr(database, "KNOWN", (*KNOWN, "9999"))
            with pytest.raises(StorageError, match="servers of an older version use the database"):
                Storage.open(ServerSettings(database=url))
        game.keep(game.move())
        with storage.engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        with pytest.raises(StorageError, match="changed the tables to 9999"):
            storage.processes.beat()
        assert not storage.processes.held
        with pytest.raises(StorageError, match="changed the tables to 9999") as refused:
            game.write(game.move())
        assert refused.value.trouble is Trouble.LOST
        with storage.engine.begin() as connection:
            assert connection.scalar(text("SELECT count(*) FROM events")) == 2
        storage.close()
