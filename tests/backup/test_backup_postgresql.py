"""Backups of PostgreSQL: by its own programs, beside running servers, back in one transaction."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.engine import make_url

from korgool.app.backup.archive import extract
from korgool.app.backup.operations import restore, take
from korgool.app.backup.scratch import BackupError
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.storage.database import Storage
from korgool.app.server.storage.writer import StorageError
from korgool.installing import advice
from tests.patience import eventually
from tests.server.inside import Kept, alone
from tests.server.support import postgresql_database
from tests.server.test_databases import fill

from .sites import DATABASES, REVISIONS, call, does, need_programs, refused


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """A database of the newest release, and a backup of it."""
    need_programs()
    with postgresql_database() as url:
        fill(url, REVISIONS[-1], (DATABASES / f"{REVISIONS[-1]}.sql").read_text(encoding="utf-8"))
        statement(url, "CREATE SCHEMA korgool_queue CREATE TABLE jobs (x int)")
        archive = tmp_path_factory.mktemp("backups") / "one.zip"
        assert "games" in does("backup", archive, "--database", url)
        yield url, archive


@pytest.fixture
def empty() -> Iterator[str]:
    with postgresql_database() as url:
        yield url


def statement(url: str, words: str) -> list[tuple[object, ...]]:
    engine = create_engine(ServerSettings(database=url).url())
    with engine.begin() as connection:
        done = connection.execute(text(words))
        found = [tuple(row) for row in done] if done.returns_rows else []
    engine.dispose()
    return found


def games(url: str) -> list[tuple[object, ...]]:
    return statement(url, "SELECT game_id, version, at_ms, kind, payload FROM events ORDER BY 1, 2")


def test_no_program_is_called_with_the_password() -> None:
    """Everybody on the machine can see the words of a program."""
    from sqlalchemy import make_url

    from korgool.app.backup.postgresql import _address

    address = _address(make_url("postgresql+psycopg://a:secret@h:5/db"))
    assert address == "postgresql://a@h:5/db"


def test_a_database_comes_back_in_an_empty_one(kept: tuple[str, Path], empty: str) -> None:
    url, archive = kept
    checked = json.loads(does("restore", archive, "--database", url, "--check", "--json"))
    assert checked["faults"] == []
    assert checked["played"]["games"] == checked["rows"]["games"] > 0
    assert statement(url, "SELECT count(*) FROM pg_database WHERE datname LIKE 'korgool_check%'") == [(0,)]
    does("restore", archive, "--database", empty)
    assert games(empty) == games(url)
    assert statement(empty, "SELECT to_regnamespace('korgool_queue')::text") == [(None,)]
    assert "--replace" in refused("restore", archive, "--database", empty)
    Storage.open(ServerSettings(database=empty)).close()
    assert "named by" not in refused("restore", archive, "--data", "here")


def test_a_running_server_is_backed_up_and_not_replaced(
    empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_programs()
    storage = Storage.open(ServerSettings(database=empty))
    game = Kept(storage, "mine", alone())
    taken = take(ServerSettings(database=empty), tmp_path / "one.zip")
    game.keep(game.move(7))
    with pytest.raises(BackupError, match="a Korgool server uses"):
        restore(taken.path, ServerSettings(database=empty), replacing=True)
    storage.close()
    done = restore(taken.path, ServerSettings(database=empty), replacing=True)
    assert len(games(empty)) == 1
    assert statement(empty, f'SELECT count(*) FROM "{done.kept}".events') == [(2,)]
    facts = msgspec.structs.replace(taken.manifest.facts, rows=taken.manifest.facts.rows | {"games": 2})
    told = msgspec.structs.replace(taken.manifest, facts=facts)
    monkeypatch.setattr("korgool.app.backup.operations.extract", lambda _, to: extract(taken.path, to) and told)
    monkeypatch.setattr("korgool.app.backup.operations.read_manifest", lambda _: told)
    with pytest.raises(BackupError, match="another number of rows"):
        restore(taken.path, ServerSettings(database=empty), replacing=True)
    assert len(games(empty)) == 1


def test_programs_that_are_missing_or_too_old_are_named(
    kept: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, archive = kept
    old = tmp_path / "pg_dump"
    old.write_text("#!/bin/sh\necho 'pg_dump (PostgreSQL) 9.6'\n")
    old.chmod(0o700)
    monkeypatch.setattr("shutil.which", lambda name: str(old))
    assert "apt install postgresql-client-" in refused("backup", tmp_path / "x.zip", "--database", url)
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert "pg_dump is not installed" in refused("backup", tmp_path / "x.zip", "--database", url)
    assert "pg_restore is not installed" in refused("restore", archive, "--database", url, "--replace")
    assert not (tmp_path / "x.zip").exists()


def test_a_database_from_the_future_is_left_alone(empty: str, tmp_path: Path) -> None:
    Storage.open(ServerSettings(database=empty)).close()
    statement(empty, "UPDATE alembic_version SET version_num = '9999'")
    for work in (("backup", tmp_path / "x.zip"), ("account", "list")):
        assert "9999" in refused(*work, "--database", empty)
    with pytest.raises(StorageError, match="9999"):
        Storage.open(ServerSettings(database=empty))
    assert call("backup", tmp_path / "x.zip", "--database", f"{empty}_none").exit_code == 1


def program(folder: Path, name: str, *lines: str) -> None:
    """A program of PostgreSQL in the place of the real one, newer than any server."""
    path = folder / name
    path.write_text("\n".join(["#!/bin/sh", f'[ "$1" = --version ] && echo "{name} (PostgreSQL) 999"', *lines, ""]))
    path.chmod(0o700)


def test_a_program_that_fails_leaves_no_backup_and_changes_no_site(
    kept: tuple[str, Path], empty: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, archive = kept
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    program(programs, "pg_dump", '[ "$1" = --version ] || { echo no such snapshot >&2; exit 1; }')
    said = refused("backup", tmp_path / "x.zip", "--database", url)
    assert "pg_dump has failed: no such snapshot; nothing was changed" in said
    assert not (tmp_path / "x.zip").exists()
    program(programs, "pg_restore", '[ "$1" = --version ] || { echo half; echo no memory >&2; exit 1; }')
    assert "nothing was restored: " in refused("restore", archive, "--database", empty)
    program(programs, "pg_restore", 'rm "$0"')  # whoever installs another version removes this one
    assert "pg_restore: No such file or directory" in refused("restore", archive, "--database", empty)
    assert statement(empty, "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'") == [(0,)]
    own = "datname = current_database() AND pid <> pg_backend_pid()"
    eventually(
        lambda: statement(empty, f"SELECT count(*) FROM pg_stat_activity WHERE {own}") == [(0,)],
        "the end of psql, which had begun a transaction",
    )
    does("restore", archive, "--database", empty)
    assert games(empty) == games(url)


def test_whoever_may_make_no_database_for_the_check_is_told_how_to_allow_it(kept: tuple[str, Path]) -> None:
    url, archive = kept
    given = make_url(url).update_query_dict({"options": "-c default_transaction_read_only=on"})
    said = refused("restore", archive, "--check", "--database", given.render_as_string(hide_password=False))
    assert "no database for the check can be made (cannot execute CREATE DATABASE" in said
    assert f'allow it with: ALTER ROLE "{given.username}" CREATEDB' in said


def test_postgresql_without_its_package_is_told(
    kept: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, archive = kept
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for work in (("backup", tmp_path / "x.zip"), ("restore", archive)):
        said = refused(*work, "--database", url)
        assert f"PostgreSQL needs one more package; type: {advice('postgresql')}" in said
    assert not (tmp_path / "x.zip").exists()
