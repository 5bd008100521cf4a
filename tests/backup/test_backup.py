"""`korgool backup` and `korgool restore` on SQLite: whole or not at all, and nothing of a strange archive is used."""

from __future__ import annotations

import json
import os
import resource
import sqlite3
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from korgool.app.backup import operations, sqlite_file
from korgool.app.backup.operations import restore, take
from korgool.app.backup.scratch import BackupError
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.play.game_repository import GameRepository
from korgool.app.server.storage.database import KNOWN, Storage
from tests.server.inside import Kept, alone

from .sites import REVISIONS, call, does, dump, names, refused, site


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of the newest fixture."""
    folder = tmp_path_factory.mktemp("site")
    return take(ServerSettings(data=site(folder / "data")), folder / "one.zip").path


def test_every_released_database_is_backed_up_and_comes_back(tmp_path: Path) -> None:
    for revision in REVISIONS:
        data, archive = site(tmp_path / revision, revision), tmp_path / f"{revision}.zip"
        told = json.loads(does("backup", archive, "--data", data, "--json"))
        assert (told["revision"], told["database"]) == (revision, "sqlite")
        assert archive.stat().st_mode & 0o777 == 0o600
        checked = json.loads(does("restore", archive, "--check", "--json"))
        assert checked["faults"] == []
        assert checked["played"]["games"] == told["rows"]["games"] > 0
        assert checked["played"]["steps"] >= told["rows"]["events"] > 0, "revision 0002 has added some"
        assert f"{told['rows']['games']} games" in does("restore", archive, "--data", tmp_path / "new" / revision)
        restored = tmp_path / "new" / revision
        assert dump(restored) == dump(data)
        assert names(restored) == ["korgool.sqlite", "korgool.sqlite.lock"]
        assert (restored / "korgool.sqlite").stat().st_mode & 0o777 == 0o600
        Storage.open(ServerSettings(data=restored)).close()


def test_a_running_server_is_backed_up_with_all_that_it_has_acknowledged(tmp_path: Path) -> None:
    storage = Storage.open(ServerSettings(data=tmp_path / "data"))
    game = Kept(storage, "mine", alone())
    game.keep(game.move(7))
    taken = take(ServerSettings(data=tmp_path / "data"), tmp_path / "one.zip")
    game.keep(game.move())
    with pytest.raises(BackupError, match="a Korgool server uses"):
        restore(taken.path, ServerSettings(data=tmp_path / "data"), replacing=True)
    assert taken.manifest.facts.rows["events"] == 2
    storage.close()
    restore(taken.path, ServerSettings(data=tmp_path / "new"))
    again = Storage.open(ServerSettings(data=tmp_path / "new"))
    found = GameRepository(again.engine).load(game.id)
    assert found is not None
    assert found.replay().version == 2
    assert again.secret() != ""
    again.close()


def test_a_folder_keeps_as_many_as_it_should(tmp_path: Path) -> None:
    data = site(tmp_path / "data")
    folder = tmp_path / "kept"
    folder.mkdir()
    for name in ("korgool-20250101T000000Z.zip", "korgool-20250102T000000Z.zip", "korgool-2025.zip", "notes.txt"):
        (folder / name).touch()
    said = does("backup", folder, "--data", data, "--keep", 2)
    assert "removed" in said
    assert names(folder)[:3] == ["korgool-2025.zip", "korgool-20250102T000000Z.zip", names(folder)[2]]
    assert len(names(folder)) == 4
    assert "there is no folder" in refused("backup", tmp_path / "x.zip", "--data", data, "--keep", 2)
    assert "is no folder" in refused("backup", folder / "notes.txt", "--data", data, "--keep", 2)
    assert "there is no folder" in refused("backup", f"{tmp_path}/new/", "--data", data)
    assert not (tmp_path / "new").exists()
    (tmp_path / "there.zip").write_text("mine")
    assert "exists already" in refused("backup", tmp_path / "there.zip", "--data", data)
    assert (tmp_path / "there.zip").read_text() == "mine"


def test_what_is_no_site_is_not_backed_up(tmp_path: Path) -> None:
    assert "there is no database" in refused("backup", tmp_path / "x.zip", "--data", tmp_path / "none")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "korgool.sqlite").touch()
    assert "no games of Korgool" in refused("backup", tmp_path / "x.zip", "--data", tmp_path / "empty")
    (tmp_path / "empty" / "korgool.sqlite").write_bytes(b"something else" * 100)
    assert "no database" in refused("backup", tmp_path / "x.zip", "--data", tmp_path / "empty")
    data = site(tmp_path / "damaged")
    file = data / "korgool.sqlite"
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2] + b"\xff" * 5000 + whole[len(whole) // 2 + 5000 :])
    assert "damaged" in refused("backup", tmp_path / "x.zip", "--data", data)
    assert "cannot be written" in refused("backup", tmp_path / "no" / "x.zip", "--data", site(tmp_path / "good"))
    assert not (tmp_path / "x.zip").exists()


def test_nothing_is_replaced_unless_it_is_said(archive: Path, tmp_path: Path) -> None:
    data = site(tmp_path / "data", REVISIONS[0])
    before = dump(data)
    assert "--replace" in refused("restore", archive, "--data", data)
    assert dump(data) == before
    told = json.loads(does("restore", archive, "--data", data, "--replace", "--json"))
    kept = Path(told["kept"])
    kept.rename(tmp_path / "korgool.sqlite")
    assert dump(tmp_path) == before
    assert dump(data) != before
    (tmp_path / "rest").mkdir()
    (tmp_path / "rest" / "korgool.sqlite-wal").write_bytes(b"of another database")
    assert "there is" in refused("restore", archive, "--data", tmp_path / "rest")


def test_a_link_to_a_database_elsewhere_stays_a_link(archive: Path, tmp_path: Path) -> None:
    far, data = site(tmp_path / "far", REVISIONS[0]), tmp_path / "data"
    before = dump(far)
    data.mkdir()
    (data / "korgool.sqlite").symlink_to(far / "korgool.sqlite")
    kept = restore(archive, ServerSettings(data=data), replacing=True).kept
    assert (data / "korgool.sqlite").is_symlink()
    assert dump(data) == dump(far) != before
    assert kept is not None
    assert Path(kept).parent == far.resolve()


def test_a_site_that_was_killed_is_kept_with_what_stood_beside_its_file(archive: Path, tmp_path: Path) -> None:
    data = site(tmp_path / "data")
    code = (
        "import sqlite3, os, sys; one = sqlite3.connect(sys.argv[1]); one.execute('PRAGMA journal_mode=WAL');"
        "one.execute('CREATE TABLE late (x)'); one.commit(); os._exit(0)"
    )
    subprocess.run([sys.executable, "-c", code, data / "korgool.sqlite"], check=True)
    assert (data / "korgool.sqlite-wal").stat().st_size > 0
    kept = restore(archive, ServerSettings(data=data), replacing=True).kept
    assert kept is not None
    database = sqlite3.connect(kept)
    assert database.execute("SELECT count(*) FROM late").fetchone() == (0,)
    database.close()
    assert not (data / "korgool.sqlite-wal").exists()
    (data / "korgool.sqlite").write_bytes(b"nothing that can be read")
    (data / "korgool.sqlite-wal").write_bytes(b"nor this")
    again = restore(archive, ServerSettings(data=data), replacing=True).kept
    assert again is not None
    assert (Path(again).read_bytes(), Path(f"{again}-wal").read_bytes()) == (b"nothing that can be read", b"nor this")
    assert not (data / "korgool.sqlite-wal").exists()


@pytest.mark.parametrize("broken", ["extract", "check_copy", "install", "put_over"])
def test_a_restore_that_is_broken_off_leaves_the_old_site(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    """A kill is a process that ends without a word; the next restore removes what it has left."""
    data = site(tmp_path / "data", REVISIONS[0])
    before = dump(data)
    monkeypatch.setattr(operations if broken == "extract" else sqlite_file, broken, lambda *_: os._exit(9))
    child = os.fork()
    if not child:
        restore(archive, ServerSettings(data=data), replacing=True)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9
    monkeypatch.undo()
    assert dump(data) == before
    restore(archive, ServerSettings(data=data), replacing=True)
    assert dump(data) != before
    assert not [name for name in names(data) if name.endswith(".part")]


def repacked(
    archive: Path,
    to: Path,
    change: Callable[[dict[str, Any]], None] | None = None,
    parts: dict[str, bytes] | None = None,
) -> Path:
    """An archive with another manifest, other parts, or more of them."""
    with zipfile.ZipFile(archive) as old:
        held = {name: old.read(name) for name in old.namelist()}
    if change is not None:
        told = json.loads(held["manifest.json"])
        change(told)
        held["manifest.json"] = json.dumps(told).encode()
    with zipfile.ZipFile(to, "w", zipfile.ZIP_DEFLATED) as new:
        for name, content in (held | (parts or {})).items():
            new.writestr(name, content)
    return to


def test_what_was_made_by_a_newer_version_is_refused(archive: Path, tmp_path: Path) -> None:
    def newer_tables(told: dict[str, Any]) -> None:
        told["facts"]["revision"] = "9999"

    def newer_format(told: dict[str, Any]) -> None:
        told.clear()
        told |= {"format": 2, "parts": []}

    for change in (newer_tables, newer_format):
        one = repacked(archive, tmp_path / "newer.zip", change)
        assert "newer version of Korgool" in refused("restore", one, "--data", tmp_path / "new")
        assert "newer version of Korgool" in refused("restore", one, "--check")
    assert not (tmp_path / "new").exists()
    data = site(tmp_path / "data")
    with sqlite3.connect(data / "korgool.sqlite") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    before = (data / "korgool.sqlite").read_bytes()
    said = refused("backup", tmp_path / "x.zip", "--data", data)
    assert "9999" in said
    assert KNOWN[-1] in said
    assert (data / "korgool.sqlite").read_bytes() == before
    assert names(data) == ["korgool.sqlite"]


def test_strange_archives_are_refused(archive: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"

    def says(one: Path) -> str:
        assert refused("restore", one, "--check")
        message = refused("restore", one, "--data", data)
        assert not data.exists() or names(data) in ([], ["korgool.sqlite.lock"])
        assert names(tmp_path / "..") == outside
        return message

    outside = names(tmp_path / "..")
    one = tmp_path / "strange.zip"
    assert "there is no backup" in says(tmp_path / "none.zip")
    one.write_bytes(b"")
    assert "is no backup" in says(one)
    for name in ("../evil", "/etc/evil", "korgool.sqlite/../../evil", "C:\\evil", "folder/"):
        assert "it holds" in says(repacked(archive, one, parts={name: b"evil"}))
    with zipfile.ZipFile(one, "w") as made:
        link = zipfile.ZipInfo("korgool.sqlite")
        link.external_attr = 0o120777 << 16  # a symbolic link
        made.writestr(link, "/etc/passwd")
        made.writestr("manifest.json", zipfile.ZipFile(archive).read("manifest.json"))
    assert "damaged" in says(one)
    with zipfile.ZipFile(repacked(archive, one), "a") as made, pytest.warns(UserWarning, match="Duplicate"):
        made.writestr("korgool.sqlite", b"twice")
    assert "damaged" in says(one)
    with zipfile.ZipFile(archive) as whole:
        size = whole.getinfo("korgool.sqlite").file_size
    assert "damaged" in says(repacked(archive, one, parts={"korgool.sqlite": b"x" * size}))
    assert "damaged" in says(repacked(archive, one, parts={"manifest.json": b"[" * 100_000}))
    assert "damaged" in says(repacked(archive, one, parts={"manifest.json": b"{}"}))
    with zipfile.ZipFile(one, "w") as made:
        made.writestr("manifest.json", zipfile.ZipFile(archive).read("manifest.json"))
    assert "it has no part korgool.sqlite" in says(one)

    def huge(told: dict[str, Any]) -> None:
        told["size"] = 1 << 60

    assert "damaged" in says(repacked(archive, one, huge))


def test_an_archive_that_unpacks_to_much_more_is_refused(archive: Path, tmp_path: Path) -> None:
    """Zeros are packed a thousandfold; what is told of the size is checked, and so is what comes out."""
    bomb = bytes(8 << 20)

    def fits(told: dict[str, Any]) -> None:
        import hashlib

        told["size"], told["sha256"] = len(bomb), hashlib.sha256(bomb).hexdigest()

    one = repacked(archive, tmp_path / "bomb.zip", parts={"korgool.sqlite": bomb})
    assert one.stat().st_size < 1 << 20
    assert "and not" in refused("restore", one, "--check")
    one = repacked(archive, one, fits, {"korgool.sqlite": bomb})
    assert "no SQLite database" in refused("restore", one, "--check")


def test_a_byte_that_has_changed_is_found_wherever_it_is(archive: Path, tmp_path: Path) -> None:
    whole, one = archive.read_bytes(), tmp_path / "one.zip"
    original = dump_of(archive, tmp_path / "original")
    for place in range(0, len(whole), len(whole) // 150):
        one.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        target = tmp_path / f"at{place}"
        try:
            restore(one, ServerSettings(data=target))
        except BackupError:
            assert not (target / "korgool.sqlite").exists()
        else:  # a byte that tells nothing, such as the time of a part
            assert dump(target) == original
    for length in range(0, len(whole), len(whole) // 40):
        one.write_bytes(whole[:length])
        with pytest.raises(BackupError):
            restore(one, ServerSettings(data=tmp_path / "short"))
        assert not (tmp_path / "short" / "korgool.sqlite").exists()


def dump_of(archive: Path, folder: Path) -> list[str]:
    restore(archive, ServerSettings(data=folder))
    return dump(folder)


def test_a_copy_with_fewer_rows_than_it_should_have_is_refused(archive: Path, tmp_path: Path) -> None:
    def more(told: dict[str, Any]) -> None:
        told["facts"]["rows"]["games"] += 1

    def other(told: dict[str, Any]) -> None:
        told["facts"]["journals"] = "0" * 64

    def added(told: dict[str, Any]) -> None:
        told["facts"]["rows"]["flags"] = 1

    def unnamed(told: dict[str, Any]) -> None:
        del told["facts"]["rows"]["games"]

    def older(told: dict[str, Any]) -> None:
        told["facts"]["revision"] = KNOWN[0]

    for change, words in (
        (more, "the table games has"),
        (added, "the copy lacks the table flags"),
        (unnamed, "the copy has a table games"),
        (older, f"the tables of the copy are at {KNOWN[-1]}, and the manifest says {KNOWN[0]}"),
        (other, "the journals of the copy"),
    ):
        assert words in refused("restore", repacked(archive, tmp_path / "one.zip", change), "--data", tmp_path / "new")


def test_a_game_that_cannot_be_played_again_is_told(tmp_path: Path) -> None:
    data = site(tmp_path / "data")
    with sqlite3.connect(data / "korgool.sqlite") as database:
        (game,) = database.execute("SELECT game_id FROM events WHERE version = 3 LIMIT 1").fetchone()
        database.execute("DELETE FROM events WHERE game_id = ? AND version = 2", (game,))
    database.close()
    does("backup", tmp_path / "one.zip", "--data", data)
    done = call("restore", tmp_path / "one.zip", "--check")
    assert done.exit_code == 1
    assert f"game {game}: entry 3 follows 1" in done.stdout


def test_a_full_disk_leaves_nothing_under_the_final_name(archive: Path, tmp_path: Path) -> None:
    """Here files cannot grow beyond some bytes; the test for long runs fills a real disk."""
    data, folder, new = site(tmp_path / "data"), tmp_path / "backups", tmp_path / "new"
    folder.mkdir()
    size = (data / "korgool.sqlite").stat().st_size
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    for most in (100, 5000, size - 4096):
        for work in (("backup", folder, "--data", data), ("restore", archive, "--data", new)):
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, usual[1]))
            try:
                said = refused(*work)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, usual)
            assert "is full" in said
            assert names(folder) == []
            assert names(new) if new.exists() else [] in ([], ["korgool.sqlite.lock"])
    does("backup", folder, "--data", data)
    does("restore", archive, "--data", new)
