"""`korgool account`: what an operator does beside a server."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from korgool.app.cli import main
from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.storage.database import Storage
from korgool.app.words.people import WORDING
from tests.server.members import PASSWORD, Browser, Site, on_site

CHOSEN = "seven yellow pears"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """That of a server that has run once."""
    Storage.open(ServerSettings(data=tmp_path)).close()
    return tmp_path


async def recovers(browser: Browser, name: str, code: str) -> int:
    """The status of the attempt to choose a password by a code."""
    body = {"name": name, "code": code, "password": CHOSEN}
    return (await browser.ask("POST", "/api/account/recovery", body)).status_code


def account(*words: str, given: str | None = None) -> Result:
    return CliRunner().invoke(main, ["account", *words], input=given)


def test_accounts_are_looked_after_beside_a_running_server(tmp_path: Path) -> None:
    place = ("--data", str(tmp_path))

    async def test(site: Site) -> None:
        def does(*words: str, given: str | None = None) -> str:
            done = account(*words, *place, given=given)
            assert done.exit_code == 0, done.output
            return done.stdout.strip()

        assert does("add", "Айгүл", "--password-stdin", given=f"{PASSWORD}\n") == ""
        code = does("add", "Bolot", "--operator")
        bolot, aigul = site.browser(), site.browser()
        assert (await bolot.sign_in("bolot", code)).status_code == 401
        assert await recovers(bolot, "bolot", code) == 201
        assert await recovers(site.browser(), "bolot", code) == 401
        assert (await aigul.sign_in("айгүл")).status_code == 201
        listed = [json.loads(line) for line in does("list", "--json").splitlines()]
        assert [(one["name"], one["kind"]) for one in listed] == [("Bolot", "operator"), ("Айгүл", "account")]

        body = {"name": "Kichine", "password": PASSWORD, "wording": WORDING}
        await aigul.told("POST", "/api/account/children", body)
        child = next(one for one in map(json.loads, does("list", "--json").splitlines()) if one["name"] == "Kichine")
        assert (child["kind"], child["short"], child["guardian"]) == ("child", "Ki.", "Айгүл")
        assert "Kichine  child of Айгүл  " in does("list")

        code = does("reset", "АЙГҮЛ")
        site.keeper.ended()
        assert (await aigul.ask("GET", "/api/account")).status_code == 401
        assert (await aigul.sign_in("Айгүл")).status_code == 401
        assert await recovers(aigul, "Айгүл", code) == 201
        assert (await aigul.told("GET", "/api/account"))["codes"] == 0
        does("lock", "Айгүл")
        assert "Айгүл  account, locked" in does("list")
        aigul = site.browser()
        assert (await aigul.sign_in("Айгүл", CHOSEN)).status_code == 201
        asked = await aigul.ask("POST", "/api/challenges", {"game": "toguz", "to": "lobby"})
        assert (asked.status_code, asked.json()["detail"]) == (403, "This account is locked.")
        does("unlock", "Айгүл")
        site.keeper.ended()
        assert (await aigul.ask("POST", "/api/challenges", {"game": "toguz", "to": "lobby"})).status_code == 201
        program = site.browser(authorization=f"Bearer {does('token', 'Bolot', '--scope', 'read')}")
        assert (await program.told("GET", "/api/account"))["name"] == "Bolot"

        does("delete", "bolot", "--yes")
        site.keeper.ended()
        assert (await program.ask("GET", "/api/account")).status_code == 401
        assert "Bolot" not in does("list")

    on_site(tmp_path, test)


def test_what_cannot_be_is_refused(folder: Path) -> None:
    place = ("--data", str(folder))
    assert account("add", "Aida", *place).exit_code == 0
    for words, given, reason in (
        (("add", "aida"), None, "taken"),
        (("add", "admin"), None, "kept for the site"),
        (("add", "Bolot", "--password-stdin"), "short\n", "at least"),
        (("lock", "Nobody7"), None, "no account"),
        (("token", "Aida"), None, "choose at least one"),
        (("reset", "Nobody7"), None, "no account"),
    ):
        done = account(*words, *place, given=given)
        assert done.exit_code == 1, words
        assert reason in done.stderr.replace("has 8 characters at least", "at least"), done.stderr
    assert account("add", "admin", "--reserved", *place).exit_code == 0


def test_there_must_be_a_database_of_this_version(tmp_path: Path) -> None:
    missing = account("list", "--data", str(tmp_path))
    assert (missing.exit_code, "korgool serve" in missing.stderr) == (1, True)
    (tmp_path / "korgool.sqlite").touch()
    old = account("list", "--data", str(tmp_path))
    assert (old.exit_code, "has no tables yet" in old.stderr) == (1, True)
    bad = account("list", "--database", "nonsense")
    assert (bad.exit_code, "--database" in bad.stderr) == (2, True)


@pytest.mark.parametrize("state", ["newer", "older", "foreign", "none", "right"])
def test_what_it_says_of_the_tables_is_what_doctor_says(state: str, tmp_path: Path) -> None:
    """And what a start of the server says, which alone may bring older tables to this version."""
    from korgool.app.doctor import database_checks
    from korgool.app.doctor.diagnosis import Condition
    from korgool.app.server.core.settings import ServerSettings
    from korgool.app.server.storage.database import KNOWN, Storage
    from korgool.app.server.storage.writer import StorageError

    path = tmp_path / "korgool.sqlite"
    if state in {"newer", "older", "right"}:
        Storage.open(ServerSettings(data=tmp_path)).close()
    with closing(sqlite3.connect(path)) as one:
        if state == "foreign":
            one.execute("CREATE TABLE songs (title)")
        elif state in {"newer", "older"}:
            one.execute("UPDATE alembic_version SET version_num = ?", ("9999" if state == "newer" else KNOWN[-2],))
        one.commit()
    path.chmod(0o600)
    (told,) = [one for one in database_checks.sqlite_database(path) if one.about == "tables of games"]
    done = account("list", "--data", str(tmp_path))
    assert (done.exit_code == 0) is (told.condition is Condition.GOOD) is (state == "right")
    advice = {
        "newer": ("install the newer version", "install the newer version"),
        "older": ("start of korgool serve", "start `korgool serve`"),
        "foreign": ("another place", "another place"),
        "none": ("korgool serve makes them", "start `korgool serve`"),
        "right": ("", ""),
    }[state]
    assert advice[0] in told.advice
    assert advice[1] in done.stderr
    if state in {"newer", "foreign"}:
        with pytest.raises(StorageError, match=advice[0]):
            Storage.open(ServerSettings(data=tmp_path))


def test_json_of_what_is_done_to_accounts(tmp_path: Path) -> None:
    Storage.open(ServerSettings(data=tmp_path)).close()
    place = ("--data", str(tmp_path), "--json")

    def told(*words: str) -> dict[str, object]:
        done = account(*words, *place)
        assert done.exit_code == 0, done.output
        return dict(json.loads(done.stdout))

    made = told("add", "Aida")
    assert len(str(made["code"])) > 8
    assert told("lock", "Aida") == {"id": made["id"], "locked": True}
    assert told("unlock", "Aida") == {"id": made["id"], "locked": False}
    assert told("token", "Aida", "--scope", "read")["scopes"] == ["read"]
    assert told("reset", "Aida")["code"] != made["code"]
    assert told("delete", "Aida", "--yes") == {"id": made["id"], "deleted": True}
