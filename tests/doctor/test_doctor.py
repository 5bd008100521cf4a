"""`korgool doctor`: it finds what is wrong, says what to type, and changes nothing."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import sqlite3
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import create_engine, text

from korgool.app.cli import main
from korgool.app.doctor import database_checks, installation_checks, network_checks
from korgool.app.doctor.diagnosis import Condition, Diagnosis
from korgool.app.doctor.examination import Installation, examine
from korgool.app.server.core.settings import ServerSettings, SmtpSettings
from korgool.app.server.storage.database import KNOWN, Storage
from korgool.engine import kernel
from korgool.installing import advice, advice_again
from tests.server.support import Server, postgresql_database, running


def told(found: Iterator[Diagnosis]) -> dict[str, list[str]]:
    """What is wrong, with the advice; every finding that is not good has one, and no good one has."""
    every = list(found)
    for one in every:
        assert one.said
        assert one.condition is not Condition.WRONG or one.advice, one
        assert one.condition is not Condition.GOOD or not one.advice, one
    wrong = [one for one in every if one.condition is Condition.WRONG]
    return {
        about: [f"{one.said}; {one.advice}" for one in wrong if one.about == about]
        for about in {w.about for w in wrong}
    }


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("data")) as one:
        yield one


@contextmanager
def answering(status: int, body: bytes, **headers: str) -> Iterator[int]:
    """Another program that listens; its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as one:
        thread = threading.Thread(target=one.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield one.server_address[1]
        finally:
            one.shutdown()
            thread.join()


def test_a_good_installation_has_a_line_for_each_check(tmp_path: Path) -> None:
    storage = Storage.open(ServerSettings(data=tmp_path))
    with answering(200, b'{"status": "ok"}') as port:
        words = ["doctor", "--data", str(tmp_path), "--port", str(port)]
        plain = CliRunner().invoke(main, words)
        done = CliRunner().invoke(main, [*words, "--json"])
    storage.close()
    assert (plain.exit_code, done.exit_code) == (0, 0), plain.output
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert {"python", "kernel", "part serve", "tables", "open files", "data folder", "database", "server"} <= {
        one["check"] for one in lines
    }
    assert not [one for one in lines if one["condition"] == "wrong"]
    assert f"at {KNOWN[-1]}, as this version needs them" in plain.stdout
    assert f"process {os.getpid()} " in next(one["said"] for one in lines if one["check"] == "server"), (
        "who has the lock"
    )


def test_a_new_place_is_not_wrong_and_stays_as_it_is(tmp_path: Path) -> None:
    done = CliRunner().invoke(main, ["doctor", "--data", str(tmp_path / "none"), "--port", "1"])
    assert "korgool serve makes it" in done.stdout
    assert not (tmp_path / "none").exists()


def test_what_is_wrong_with_a_database_is_told(tmp_path: Path) -> None:
    Storage.open(ServerSettings(data=tmp_path)).close()
    path = tmp_path / "korgool.sqlite"
    assert told(database_checks.sqlite_database(path)) == {}
    path.chmod(0o644)
    assert f"chmod 600 {path}" in told(database_checks.sqlite_database(path))["secrets"][0]
    path.chmod(0o600)
    for revision, words in (("9999", "install the newer version"), (KNOWN[0], None)):
        with closing(sqlite3.connect(path)) as database:
            database.execute("UPDATE alembic_version SET version_num = ?", (revision,))
            database.commit()
        found = told(database_checks.sqlite_database(path))
        assert (words in found["tables of games"][0]) if words else not found
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=DELETE")
    whole = path.read_bytes()
    for damage in (b"nothing", whole[:8192] + b"\xff" * 4096 + whole[12288:]):
        path.write_bytes(damage)
        assert "korgool restore" in told(database_checks.sqlite_database(path))["database"][0]
        assert path.read_bytes() == damage
    assert "cannot be written" in told(database_checks.data_folder(path))["data folder"][0]
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    path.chmod(0o600)
    assert "of another program" in told(database_checks.sqlite_database(path))["tables of games"][0]


def test_what_is_wrong_with_postgresql_is_told() -> None:
    with postgresql_database() as url:
        given = ServerSettings(database=url).url()
        engine = create_engine(given)
        with engine.connect() as connection:
            careless = connection.scalar(text("SHOW fsync")) == "off"
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE recipes (name TEXT)"))
        assert "of another program" in told(database_checks.postgresql_database(given))["tables of games"][0]
        with engine.begin() as connection:
            connection.execute(text("DROP TABLE recipes"))
        assert told(database_checks.postgresql_database(given)).keys() == ({"database"} if careless else set())
        Storage.open(ServerSettings(database=url)).close()
        found = told(database_checks.postgresql_database(given))
        assert ["fsync is off" in one for one in found.pop("database", [])] == [True] * careless
        assert found == {}
        with engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        engine.dispose()
        assert "newer version" in told(database_checks.postgresql_database(given))["tables of games"][0]
        found = told(database_checks.postgresql_database(given.set(database="none", password="hidden")))
        assert "cannot be used" in found["database"][0]
        assert "hidden" not in found["database"][0]


def test_what_is_wrong_with_the_package_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_here.py").write_text("raise OSError('no such library')")
    monkeypatch.syspath_prepend(tmp_path)
    known = {"serve": ("no_module_of_this_name",), "print": ("broken_here",), "event": ("json",)}
    found = told(installation_checks.parts(known, frozenset({"serve"})))
    assert advice("serve") in found["part serve"][0]
    assert "no such library" in found["part print"][0]
    assert told(installation_checks.parts({"serve": ("no_module_of_this_name",)}, frozenset())) == {}
    monkeypatch.setattr(installation_checks, "_PERFT", (3, 1))
    assert "it counts 613" in told(installation_checks.kernel())["kernel"][0]
    monkeypatch.setattr("korgool.engine.tables.files.default_folder", lambda: tmp_path)
    (tmp_path / "toguz").mkdir()
    (tmp_path / "toguz" / "03-0.table").write_bytes(b"no table")
    assert "03-0.table" in told(installation_checks.tables())["tables"][0]
    monkeypatch.setattr("resource.getrlimit", lambda _: (256, 256))
    assert "LimitNOFILE" in told(installation_checks.descriptors())["open files"][0]


def test_the_way_to_a_server_is_tried(server: Server) -> None:
    assert told(network_checks.site(f"{server.url}/")) == {}
    assert told(network_checks.port("127.0.0.1", int(server.url.rpartition(":")[2]))) == {}
    assert "no address of a site" in told(network_checks.site("example.org"))["address"][0]
    assert "DNS" in told(network_checks.site("http://no-such-name.invalid/"))["name"][0]
    with answering(502, b"<h1>Bad Gateway</h1>") as port:
        assert "which is not Korgool" in told(network_checks.site(f"http://127.0.0.1:{port}/"))["address"][0]
        assert "no Korgool" in told(network_checks.port("127.0.0.1", port))[f"port {port}"][0]
    with answering(200, b'{"status": "ok"}') as port:
        found = told(network_checks.site(f"http://127.0.0.1:{port}/"))
        assert "Upgrade and Connection" in found["live connections"][0], "a proxy that passes on no upgrades"
    with answering(503, b'{"detail": "the disk is full"}') as port:
        assert "the disk is full" in told(network_checks.site(f"http://127.0.0.1:{port}/"))["address"][0]
        assert "port" in told(network_checks.site(f"https://127.0.0.1:{port}/"))["TLS"][0]


def test_mail_and_web_push_are_tried(server: Server) -> None:
    number = int(server.url.rpartition(":")[2])
    assert "--smtp HOST:PORT" in told(network_checks.mail(SmtpSettings("127.0.0.1", 1, "a@example.org")))["mail"][0]
    assert "mailto:" in told(network_checks.push("nobody"))["web push"][0]
    assert told(network_checks.push("mailto:operator@example.org")) == {}
    patient = Installation({}, smtp="nowhere", mail_from="a@example.org", port=number, push="nobody")
    assert told(examine(patient)).keys() == {"mail", "web push"}


def test_a_check_that_fails_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> Iterator[Diagnosis]:
        raise RuntimeError("of no use")
        yield

    monkeypatch.setattr(installation_checks, "kernel", fails)
    found = list(examine(Installation({}, data=Path("none"), port=1)))
    assert "RuntimeError: of no use" in next(one.said for one in found if one.about == "kernel")
    assert found[-1].about == "port 1"


def test_a_package_without_its_kernel_or_its_server_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "library", kernel.library.__wrapped__)  # one that is not loaded yet
    monkeypatch.setitem(sys.modules, "_korgool_kernel", None)
    found = told(installation_checks.kernel())
    assert "the native kernel is not built" in found["kernel"][0]
    assert advice_again() in found["kernel"][0]
    monkeypatch.setitem(sys.modules, "korgool.app.server.core.settings", None)
    assert "database" not in told(examine(Installation({}, port=1))), "without a site nobody needs that part"
    found = told(examine(Installation({}, data=Path("none"), port=1)))
    assert advice("serve") in found["database"][0]


def test_a_system_without_limits_has_no_line_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resource.getrlimit", lambda _: (256, resource.RLIM_INFINITY))
    assert [one.said for one in installation_checks.descriptors()] == ["without limit"]
    monkeypatch.setitem(sys.modules, "resource", None)  # as on Windows
    assert list(installation_checks.descriptors()) == []


def test_a_database_that_is_named_wrongly_is_told() -> None:
    done = CliRunner().invoke(main, ["doctor", "--database", "mysql://here/games", "--port", "1"])
    assert done.exit_code == 1
    assert "korgool doctor --help" in done.stdout


def test_a_disk_with_little_room_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is little is set to more than any disk has."""
    monkeypatch.setattr(database_checks, "_GOOD_FREE", 1 << 80)
    said = {one.about: (one.condition, one.advice) for one in database_checks.data_folder(tmp_path)}
    assert said == {
        "data folder": (Condition.GOOD, ""),
        "free space": (Condition.NOTE, "make room before it is full"),
    }
    monkeypatch.setattr(database_checks, "_LEAST_FREE", 1 << 79)
    found = told(database_checks.data_folder(tmp_path))
    assert f"MiB are free on the disk of {tmp_path}; make room" in found["free space"][0]
    monkeypatch.setattr(database_checks, "_LEAST_FREE", 0)
    monkeypatch.setattr(database_checks, "_GOOD_FREE", 0)
    assert {one.condition for one in database_checks.data_folder(tmp_path)} == {Condition.GOOD}


@contextmanager
def as_another_user() -> Iterator[None]:
    """As a user with no more rights than any; whoever runs the tests without being root is one."""
    before = os.geteuid()
    if before == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(before)


def test_whoever_has_no_right_to_a_database_is_told_whose_it_is() -> None:
    with TemporaryDirectory() as name:
        Storage.open(ServerSettings(data=Path(name))).close()
        path, lock = Path(name) / "korgool.sqlite", Path(name) / "korgool.sqlite.lock"
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA journal_mode=DELETE")
        Path(name).chmod(0o755)
        path.chmod(0o644)
        lock.chmod(0o000)
        root = os.geteuid() == 0
        with as_another_user():
            found = [(one.about, one.said, one.advice) for one in database_checks.sqlite_database(path)]
        advice = "run korgool doctor as the user of the service"
        assert (("database", f"{path} belongs to another user", advice) in found) is root
        assert ("server", f"{lock} cannot be read", advice) in found
        lock.unlink()
        assert (
            list(database_checks.sqlite_database(path))[-1].said
            == "no server uses the database now, as far as can be seen"
        )
        assert not lock.exists(), "the doctor makes none"
        path.chmod(0o000)
        with as_another_user():
            *_, unread = database_checks.sqlite_database(path)
        assert unread.said == f"{path} cannot be read: unable to open database file", "it may be whole"
        assert unread.advice == advice


def test_a_lock_whose_holder_the_system_does_not_tell_is_that_of_a_server(tmp_path: Path) -> None:
    lock = tmp_path / "korgool.sqlite.lock"
    with lock.open("wb") as file:
        assert database_checks._holder(lock) == "a server", "nobody of this machine has it"
        fcntl.flock(file, fcntl.LOCK_EX)
        assert database_checks._holder(lock).startswith(f"process {os.getpid()} (")


def test_postgresql_is_looked_at_from_a_machine_that_lacks_something(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with postgresql_database() as url:
        storage = Storage.open(ServerSettings(database=url))
        given = ServerSettings(database=url).url()
        monkeypatch.setenv("PATH", str(tmp_path))
        monkeypatch.setattr(database_checks, "_CLOCK_SECONDS", 0.0)
        found = {one.about: one for one in examine(Installation({}, database=url, port=1))}
        storage.close()
        assert found["servers"].said == "servers that have used the database within five seconds: 1"
        assert found["tables of games"].condition is Condition.GOOD
        assert found["clock"].condition is Condition.NOTE
        assert "this machine" in found["clock"].said
        assert "NTP" in found["clock"].advice
        assert found["backup programs"].said == "pg_dump is not installed"
        assert "postgresql-client-" in found["backup programs"].advice
        monkeypatch.setitem(sys.modules, "psycopg", None)
        (lacking,) = database_checks.postgresql_database(given.set(password="hidden"))
    assert lacking.advice == advice("postgresql")
    assert "hidden" not in lacking.said
