"""`korgool doctor`: it finds what is wrong, says what to type, and changes nothing."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import create_engine, text

from korgool.app.cli import main
from korgool.app.doctor import address, installation, place
from korgool.app.doctor.examination import Patient, examine
from korgool.app.doctor.findings import Condition, Diagnosis
from korgool.app.server.settings import ServerSettings, SmtpSettings
from korgool.app.server.storage.database import KNOWN, Storage
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
    assert told(place.sqlite_database(path)) == {}
    path.chmod(0o644)
    assert f"chmod 600 {path}" in told(place.sqlite_database(path))["secrets"][0]
    path.chmod(0o600)
    for revision, words in (("9999", "install the newer version"), (KNOWN[0], None)):
        with closing(sqlite3.connect(path)) as database:
            database.execute("UPDATE alembic_version SET version_num = ?", (revision,))
            database.commit()
        found = told(place.sqlite_database(path))
        assert (words in found["tables of games"][0]) if words else not found
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA journal_mode=DELETE")
    whole = path.read_bytes()
    for damage in (b"nothing", whole[:8192] + b"\xff" * 4096 + whole[12288:]):
        path.write_bytes(damage)
        assert "korgool restore" in told(place.sqlite_database(path))["database"][0]
        assert path.read_bytes() == damage
    assert "cannot be written" in told(place.folder(path))["data folder"][0]
    path.unlink()
    with closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE recipes (name TEXT)")
    path.chmod(0o600)
    assert "of another program" in told(place.sqlite_database(path))["tables of games"][0]


def test_what_is_wrong_with_postgresql_is_told() -> None:
    with postgresql_database() as url:
        given = ServerSettings(database=url).url()
        engine = create_engine(given)
        with engine.connect() as connection:
            careless = connection.scalar(text("SHOW fsync")) == "off"
        with engine.begin() as connection:
            connection.execute(text("CREATE TABLE recipes (name TEXT)"))
        assert "of another program" in told(place.postgresql_database(given))["tables of games"][0]
        with engine.begin() as connection:
            connection.execute(text("DROP TABLE recipes"))
        assert told(place.postgresql_database(given)).keys() == ({"database"} if careless else set())
        Storage.open(ServerSettings(database=url)).close()
        found = told(place.postgresql_database(given))
        assert ["fsync is off" in one for one in found.pop("database", [])] == [True] * careless
        assert found == {}
        with engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
        engine.dispose()
        assert "newer version" in told(place.postgresql_database(given))["tables of games"][0]
        found = told(place.postgresql_database(given.set(database="none", password="hidden")))
        assert "cannot be used" in found["database"][0]
        assert "hidden" not in found["database"][0]


def test_what_is_wrong_with_the_package_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_here.py").write_text("raise OSError('no such library')")
    monkeypatch.syspath_prepend(tmp_path)
    known = {"serve": ("no_module_of_this_name",), "print": ("broken_here",), "event": ("json",)}
    found = told(installation.parts(known, frozenset({"serve"})))
    assert 'pip install "korgool[serve]"' in found["part serve"][0]
    assert "no such library" in found["part print"][0]
    assert told(installation.parts({"serve": ("no_module_of_this_name",)}, frozenset())) == {}
    monkeypatch.setattr(installation, "_PERFT", (3, 1))
    assert "it counts 613" in told(installation.kernel())["kernel"][0]
    monkeypatch.setattr("korgool.engine.tables.files.default_folder", lambda: tmp_path)
    (tmp_path / "toguz").mkdir()
    (tmp_path / "toguz" / "03-0.table").write_bytes(b"no table")
    assert "03-0.table" in told(installation.tables())["tables"][0]
    monkeypatch.setattr("resource.getrlimit", lambda _: (256, 256))
    assert "LimitNOFILE" in told(installation.descriptors())["open files"][0]


def test_the_way_to_a_server_is_tried(server: Server) -> None:
    assert told(address.site(f"{server.url}/")) == {}
    assert told(address.port("127.0.0.1", int(server.url.rpartition(":")[2]))) == {}
    assert "no address of a site" in told(address.site("example.org"))["address"][0]
    assert "DNS" in told(address.site("http://no-such-name.invalid/"))["name"][0]
    with answering(502, b"<h1>Bad Gateway</h1>") as port:
        assert "which is not Korgool" in told(address.site(f"http://127.0.0.1:{port}/"))["address"][0]
        assert "no Korgool" in told(address.port("127.0.0.1", port))[f"port {port}"][0]
    with answering(200, b'{"status": "ok"}') as port:
        found = told(address.site(f"http://127.0.0.1:{port}/"))
        assert "Upgrade and Connection" in found["live connections"][0], "a proxy that passes on no upgrades"
    with answering(503, b'{"detail": "the disk is full"}') as port:
        assert "the disk is full" in told(address.site(f"http://127.0.0.1:{port}/"))["address"][0]
        assert "port" in told(address.site(f"https://127.0.0.1:{port}/"))["TLS"][0]


def test_mail_and_web_push_are_tried(server: Server) -> None:
    number = int(server.url.rpartition(":")[2])
    assert "--smtp HOST:PORT" in told(address.mail(SmtpSettings("127.0.0.1", 1, "a@example.org")))["mail"][0]
    assert "mailto:" in told(address.push("nobody"))["web push"][0]
    assert told(address.push("mailto:operator@example.org")) == {}
    patient = Patient({}, smtp="nowhere", mail_from="a@example.org", port=number, push="nobody")
    assert told(examine(patient)).keys() == {"mail", "web push"}


def test_a_check_that_fails_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> Iterator[Diagnosis]:
        raise RuntimeError("of no use")
        yield

    monkeypatch.setattr(installation, "kernel", fails)
    found = list(examine(Patient({}, data=Path("none"), port=1)))
    assert "RuntimeError: of no use" in next(one.said for one in found if one.about == "kernel")
    assert found[-1].about == "port 1"
