"""Events go to a server and come back by the command line, with the same answers and hashes; bad files are told."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from korgool.app.cli import main
from korgool.competition import EventFile, commands
from korgool.competition.model import Entry, Personal, Settings, System
from tests.patience import PATIENCE

from .guests import Guest
from .support import Server, running

BY = "Judge"
_TABLES = "the file is not an event file: its tables are not those that korgool makes"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(data: Path) -> Iterator[Server]:
    with running(data, None, "--limits", "off") as server:
        yield server
        assert "Traceback" not in server.stop()


@pytest.fixture(scope="module")
def token(server: Server) -> str:
    member = Guest(server)
    member.sign_up("Uploader")
    body = {"label": "events", "scopes": ["event"]}
    answer = member.client.post("/account/tokens", json=body).raise_for_status()
    return str(answer.json()["token"])


def played(path: Path) -> Path:
    """An event with two rounds, a warning, a correction, an undone line and personal data."""
    settings = Settings(name="Cup", rounds=3, system=System.ROUND_ROBIN, personal=("born",))
    with EventFile.create(path, settings, by=BY) as file:
        for at, family in enumerate(("Асанов", "Bekova", "C", "D")):
            commands.enter(file, Entry(family=family, given="Ю", rating=2000 - at), Personal(born="2001-05-31"), by=BY)
        commands.pair(file, by=BY, lot="a")
        commands.record_list(file, 1, "1 82-60\n2 =", by=BY)
        commands.pair(file, by=BY)
        commands.warn(file, 1, by=BY, reason="talks to the neighbour")
        commands.undo(file, file.state.actions, by=BY, reason="another player")
        commands.record(file, 2, 1, "+-", by=BY)
        commands.correct(file, 2, 1, "82-60", by=BY, reason="slip")
        commands.publish(file, by=BY)
    return path


def say(*words: object, fails: bool = False) -> str:
    done = CliRunner().invoke(main, [str(word) for word in words])
    assert (done.exit_code != 0) == fails, done.output
    return done.output


def answers(path: Path, folder: Path) -> dict[str, Any]:
    """What the command line says of an event."""
    for kind in ("trf", "data"):
        say("event", "export", path, f"--{kind}", folder / f"out.{kind}")
    files = {kind: (folder / f"out.{kind}").read_bytes() for kind in ("trf", "data")}
    for kind in files:
        (folder / f"out.{kind}").unlink()
    with EventFile.open(path) as file:
        heads = [line.chain for line in file.lines()]
        personal = [file.personal(id_) for id_ in file.state.players]
    said = [say("event", *words) for words in (("standings", path, "--json"), ("check", path), ("log", path))]
    return {"said": [one.replace(str(path), "FILE") for one in said], "heads": heads, "personal": personal, **files}


def test_an_event_goes_up_and_comes_down_with_the_same_answers(server: Server, token: str, tmp_path: Path) -> None:
    first, second = played(tmp_path / "cup.korgool"), tmp_path / "again.korgool"
    place = ("--server", server.url, "--token", token)
    address = say("event", "upload", first, *place).strip()
    assert re.fullmatch(rf"{server.url}/events/[a-z2-9]{{8}}", address)
    said = json.loads(say("event", "download", second, address, *place, "--json"))
    assert said["name"] == "Cup"
    assert answers(first, tmp_path) == answers(second, tmp_path)
    assert "exists already" in say("event", "download", second, address, *place, fails=True)
    assert "refused with 404" in say("event", "download", tmp_path / "x", "zzzzzzzz", *place, fails=True)
    assert "refused with 401" in say("event", "upload", first, "--server", server.url, "--token", "x", fails=True)
    assert "no address" in say("event", "upload", first, "--server", "x", "--token", "x", fails=True)
    assert not (tmp_path / "x").exists()
    headers = {"authorization": f"Bearer {token}"}
    id_ = address.rpartition("/")[2]
    both = httpx.get(f"{server.url}/api/events/{id_}/file?form=json", headers=headers, timeout=PATIENCE)
    again = httpx.post(f"{server.url}/api/events/file", headers=headers, content=both.content, timeout=PATIENCE)
    assert again.status_code == 201
    third = tmp_path / "third.korgool"
    say("event", "download", third, again.json()["id"], *place)
    assert answers(third, tmp_path) == answers(first, tmp_path)


def test_the_address_in_a_file_is_kept_where_it_is_free(
    server: Server, token: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """On another server the event has the address that printed codes lead to; where it is taken, a warning says so."""
    first, carrying = played(tmp_path / "cup.korgool"), tmp_path / "carrying.korgool"
    place = ("--server", server.url, "--token", token)
    id_ = json.loads(say("event", "upload", first, *place, "--json"))["id"]
    say("event", "download", carrying, id_, *place)
    with EventFile.open(carrying) as file:
        assert file.carried() == {"id": id_}
    again = json.loads(say("event", "upload", carrying, *place, "--json").splitlines()[-1])
    assert again["carried"] == id_ != again["id"]
    assert f"the address {id_} of this file is taken" in say("event", "upload", carrying, *place)
    damaged, saved = tmp_path / "damaged.korgool", tmp_path / "saved.korgool"
    shutil.copy(carrying, damaged)
    with sqlite3.connect(damaged) as database:
        database.execute("UPDATE log SET by = 'Nobody' WHERE at = 9")
    database.close()
    say("event", "salvage", damaged, "-o", saved)
    odd = {"id": "../desk", "more": 1}
    with EventFile.open(first) as file:
        file.carry(odd)
        assert file.carried() == odd
        assert (file.lost_details(), file.broken_links()) == ((), ())
    with running(tmp_path_factory.mktemp("elsewhere"), None, "--limits", "off") as other:
        member = Guest(other)
        member.sign_up("Elsewhere")
        key = member.client.post("/account/tokens", json={"label": "events", "scopes": ["event"]}).json()["token"]
        there = ("--server", other.url, "--token", str(key))
        assert say("event", "upload", saved, *there).strip() == f"{other.url}/events/{id_}"
        assert re.fullmatch("[a-z2-9]{8}", json.loads(say("event", "upload", first, *there, "--json"))["id"])
        back = tmp_path / "back.korgool"
        say("event", "download", back, id_, *there)
        with EventFile.open(back) as file:
            assert (file.carried(), file.state.actions) == ({"id": id_}, 8)
        assert "Traceback" not in other.stop()


def test_files_that_are_no_events_are_told_and_leave_nothing(
    server: Server, data: Path, token: str, tmp_path: Path
) -> None:
    whole = played(tmp_path / "cup.korgool")

    def changed(name: str, *statements: str) -> bytes:
        path = tmp_path / name
        shutil.copy(whole, path)
        with sqlite3.connect(path) as database:
            for statement in statements:
                database.execute(statement)
        database.close()
        return path.read_bytes()

    good = whole.read_bytes()
    cases = {
        "edited": (changed("a", "UPDATE log SET by = 'Nobody' WHERE at = 3"), "line 3 of the log was changed"),
        "newer": (changed("b", "PRAGMA user_version=99"), "newer version of korgool"),
        "cut": (good[: len(good) // 2], "damaged"),
        "scratched": (good[:4096] + b"\xff" * 4096 + good[8192:], ""),
        "another": (changed("c", "PRAGMA application_id=7"), "not an event file"),
        "trigger": (
            changed("d", "CREATE TRIGGER t AFTER DELETE ON log BEGIN SELECT 1; END"),
            _TABLES,
        ),
        "view": (
            changed("e", "ALTER TABLE log RENAME TO kept", "CREATE VIEW log AS SELECT * FROM kept"),
            _TABLES,
        ),
        "computed": (changed("f", "CREATE TABLE x (a, b AS (a))"), _TABLES),
        "no lines": (changed("g", "DELETE FROM log"), "its log is empty"),
        "text": (b"hello", "no event as JSON"),
        "nothing": (b"", "no event as JSON"),
    }
    headers = {"authorization": f"Bearer {token}"}

    def events() -> int:
        with sqlite3.connect(data / "korgool.sqlite") as database:
            (found,) = database.execute("SELECT count(*) FROM competitions").fetchone()
        database.close()
        return int(found)

    before = events()
    for name, (sent, why) in cases.items():
        answer = httpx.post(f"{server.url}/api/events/file", headers=headers, content=sent, timeout=PATIENCE)
        assert answer.status_code == 422, (name, answer.text)
        assert why in answer.json()["detail"], (name, answer.text)
        assert "/tmp" not in answer.text
        assert "korgool-" not in answer.text
    assert events() == before
    large = httpx.post(f"{server.url}/api/events/file", headers=headers, content=b"x" * (33 << 20), timeout=PATIENCE)
    assert large.status_code == 413
    (tmp_path / "edited").write_bytes(cases["edited"][0])
    place = ("--server", server.url, "--token", token)
    assert "line 3 of the log was changed" in say("event", "upload", tmp_path / "edited", *place, fails=True)
