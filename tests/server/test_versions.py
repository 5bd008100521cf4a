"""Two versions of Korgool on one database: none of them writes what the other does not expect."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.storage import database
from korgool.app.server.storage.database import KNOWN, Storage, beside, migrate
from korgool.app.server.storage.server_processes import MIGRATING, STARTING, lock_for_migration
from korgool.app.server.storage.writer import StorageError, WriteFailure
from tests.patience import PATIENCE, until

from .inside import Kept, alone
from .support import postgresql_database, run_async


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
    monkeypatch.setattr("korgool.app.server.storage.file_ownership._PATIENCE", 0.1)
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
        assert refused.value.trouble is WriteFailure.LOST
        with storage.engine.begin() as connection:
            assert connection.scalar(text("SELECT count(*) FROM events")) == 2
        storage.close()


_WAITING = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = :key AND NOT granted")


def test_servers_that_start_at_once_wait_for_the_one_that_makes_the_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three on an empty database, however long the first one takes; none of them gives up."""
    monkeypatch.setattr("korgool.app.server.storage.server_processes._PATIENCE", 0.01)
    with postgresql_database() as url, ThreadPoolExecutor(2) as pool:
        settings = ServerSettings(database=url)
        engine = create_engine(settings.url())
        with engine.connect() as watching, engine.begin() as first:
            lock_for_migration(first)
            later = [pool.submit(Storage.open, settings) for _ in range(2)]
            run_async(until(lambda: watching.scalar(_WAITING, {"key": STARTING}) == 2))
            migrate(first, url)
        for storage in [one.result(PATIENCE) for one in later]:
            with storage.engine.begin() as connection:
                assert connection.scalars(text("SELECT version_num FROM alembic_version")).all() == [KNOWN[-1]]
            storage.close()
        engine.dispose()


def test_a_server_that_owns_its_database_as_early_versions_did_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("korgool.app.server.storage.server_processes._PATIENCE", 0.1)
    with postgresql_database() as url:
        engine = create_engine(ServerSettings(database=url).url())
        with engine.connect() as owner:
            owner.execute(text(f"SELECT pg_advisory_lock({MIGRATING})"))
            with pytest.raises(StorageError, match="owns it as versions before 0005 did"):
                Storage.open(ServerSettings(database=url))
        engine.dispose()
