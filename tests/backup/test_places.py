"""Backups on disks and systems that lack something: no file is lost, none is replaced, and the message says why."""

from __future__ import annotations

import errno
import io
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from korgool.app.backup import archive as archives
from korgool.app.backup import scratch, sqlite_file
from korgool.app.backup.operations import restore, take
from korgool.app.backup.scratch import BackupError
from korgool.app.server.core.settings import ServerSettings

from .sites import REVISIONS, dump, names, refused, site


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of the newest fixture."""
    folder = tmp_path_factory.mktemp("site")
    return take(ServerSettings(data=site(folder / "data")), folder / "one.zip").path


@pytest.fixture
def without_links(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a file system that knows no second name of a file, such as that of a memory card."""

    def refuses(*_: object) -> None:
        raise OSError(errno.EPERM, os.strerror(errno.EPERM))

    monkeypatch.setattr(os, "link", refuses)


@pytest.mark.usefixtures("without_links")
def test_a_file_system_without_links_takes_backups_and_replaces_none(tmp_path: Path) -> None:
    data, folder = site(tmp_path / "data"), tmp_path / "card"
    folder.mkdir()
    path = take(ServerSettings(data=data), folder / "one.zip").path
    whole = path.read_bytes()
    assert names(folder) == ["one.zip"]
    made = tmp_path / "made"
    made.write_bytes(b"another one")
    with pytest.raises(BackupError, match=r"one\.zip exists already; choose another name"):
        scratch.put_in_place(made, path)
    assert (path.read_bytes(), made.read_bytes()) == (whole, b"another one")
    restore(path, ServerSettings(data=tmp_path / "new"))
    assert dump(tmp_path / "new") == dump(data)


@pytest.mark.usefixtures("without_links")
def test_a_file_system_without_links_keeps_the_old_site_as_a_copy(archive: Path, tmp_path: Path) -> None:
    data = site(tmp_path / "data", REVISIONS[0])
    before = dump(data)
    kept = restore(archive, ServerSettings(data=data), replacing=True).kept
    assert kept is not None
    with closing(sqlite3.connect(kept)) as database:
        assert list(database.iterdump()) == before
    assert dump(data) != before


def test_a_file_that_came_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    made, target = tmp_path / "made", tmp_path / "one.zip"
    made.write_bytes(b"new")
    target.write_bytes(b"mine")
    with pytest.raises(BackupError, match="exists already"):
        scratch.put_in_place(made, target)
    assert (target.read_bytes(), made.read_bytes()) == (b"mine", b"new")


def test_old_sites_that_are_kept_in_the_same_second_have_names_of_their_own(archive: Path, tmp_path: Path) -> None:
    data = site(tmp_path / "data")
    path = data / "korgool.sqlite"
    kept = []
    for content in (b"first", b"second", b"third"):
        path.write_bytes(content)
        copy = data / "copy"
        archives.extract(archive, copy)
        kept.append(sqlite_file.install(copy, path, "now"))
    assert kept == [Path(f"{path}.before-now{end}") for end in ("", "-2", "-3")]
    assert [one.read_bytes() for one in kept if one] == [b"first", b"second", b"third"]
    assert names(data) == ["korgool.sqlite", *(one.name for one in kept if one)]


def test_a_backup_that_does_not_fit_on_the_disk_is_not_begun(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What has to stay free is set to more than any disk has."""
    monkeypatch.setattr(archives, "_KEPT_FREE", 1 << 80)
    size = archives.read_manifest(archive).size
    said = refused("restore", archive, "--data", tmp_path / "new")
    assert f"needs {size} bytes, and " in said
    assert f"are free on the disk of {tmp_path / 'new'}" in said
    assert names(tmp_path / "new") == ["korgool.sqlite.lock"]


def test_a_folder_that_cannot_be_made_is_told(archive: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("mine")
    said = refused("restore", archive, "--data", tmp_path / "notes" / "new")
    assert "notes/new cannot be made: Not a directory; choose another folder" in said
    assert (tmp_path / "notes").read_text() == "mine"


def test_nothing_is_written_beyond_the_size_that_the_manifest_tells() -> None:
    part = bytes(range(256)) * (1 << 13)
    target = io.BytesIO()
    assert archives._copied(io.BytesIO(part), target, len(part) - 1) == ""
    assert len(target.getvalue()) < len(part)
    whole = io.BytesIO()
    assert len(archives._copied(io.BytesIO(part), whole, len(part))) == 64
    assert whole.getvalue() == part


def test_errors_of_a_disk_name_the_place_and_say_that_nothing_has_changed(tmp_path: Path) -> None:
    full = f"the disk of {tmp_path} is full, or files may not grow as large there; nothing was changed"
    cases: list[tuple[Exception, str]] = [
        (OSError(errno.ENOSPC, "No space left"), full),
        (OSError(errno.EIO, "Input/output error", "/there/one.zip"), "/there/one.zip: Input/output error;"),
        (OSError(errno.EROFS, "Read-only file system"), f"{tmp_path}: Read-only file system; nothing was changed"),
        (sqlite3.OperationalError("database or disk is full"), full),
        (sqlite3.OperationalError("disk I/O error"), full),
        (sqlite3.OperationalError("no such function"), f"{tmp_path}: no such function; nothing was changed"),
    ]
    for error, words in cases:
        with pytest.raises(BackupError) as told, scratch.disk_errors(tmp_path):
            raise error
        assert str(told.value).startswith(words)
        assert str(told.value).endswith("nothing was changed")


def test_what_a_killed_run_left_is_removed_and_what_another_run_uses_stays(tmp_path: Path) -> None:
    left = tmp_path / ".korgool-killed.part"
    left.mkdir()
    (left / "copy").write_bytes(b"half a copy")
    (tmp_path / "mine.part").mkdir()
    with scratch.scratch_in(tmp_path) as first:
        assert names(tmp_path) == [first.name, "mine.part"]
        assert first.stat().st_mode & 0o777 == 0o700
        (first / "copy").write_bytes(b"in use")
        with scratch.scratch_in(tmp_path) as second:
            assert second != first
        assert (first / "copy").read_bytes() == b"in use"
        assert not second.exists()
    assert names(tmp_path) == ["mine.part"]


def test_without_locks_of_the_system_backups_are_taken_and_restored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows. What another run has left may be in use there, and stays."""
    monkeypatch.setitem(sys.modules, "fcntl", None)
    data, new = site(tmp_path / "data"), tmp_path / "new"
    new.mkdir()
    (new / ".korgool-other.part").mkdir()
    path = take(ServerSettings(data=data), tmp_path / "one.zip").path
    restore(path, ServerSettings(data=new))
    assert dump(new) == dump(data)
    assert names(new) == [".korgool-other.part", "korgool.sqlite", "korgool.sqlite.lock"]


def test_a_database_that_another_program_keeps_for_itself_is_not_called_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_file, "_WAIT", 0.0)
    data = site(tmp_path / "data")
    with closing(sqlite3.connect(data / "korgool.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        said = refused("backup", tmp_path / "x.zip", "--data", data)
    assert "korgool.sqlite cannot be read: database is locked; run this as the user of the service" in said
    assert names(tmp_path) == ["data"]


def test_a_copy_whose_pages_are_damaged_is_told_as_such(archive: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    told = archives.extract(archive, copy)
    whole = copy.read_bytes()
    copy.write_bytes(whole[:100] + b"\xff" * 3996 + whole[4096:])
    with pytest.raises(BackupError, match=r"the database one\.zip is damaged: "):
        sqlite_file.check_copy(copy, told.facts, "one.zip")
