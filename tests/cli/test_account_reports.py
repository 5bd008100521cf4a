"""`korgool account reports`: an operator reads what players have told of each other, beside a server."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

import pytest

from korgool.app.server.people.transactions import new_id
from tests.cli.test_account import account
from tests.server.members import Site, on_site
from tests.server.test_blocks import over


def test_reports_are_listed_read_and_closed(tmp_path: Path) -> None:
    place = ("--data", str(tmp_path))

    async def test(site: Site) -> None:
        def does(*words: str) -> str:
            done = account("reports", *words, *place)
            assert done.exit_code == 0, done.output
            return done.stdout

        assert does() == ""
        aida, guest = site.browser(), await site.browser().visit()
        await aida.sign_up("Aida")
        game = await over(aida, guest)
        path = f"/api/games/{game}/report"
        first = (await guest.told("POST", path, {"reason": "other", "text": "Убакытты\nсозуп жатат."}))["id"]
        second = (await aida.told("POST", path, {"reason": "name"}))["id"]

        listed = does()
        assert {line.split()[0] for line in listed.splitlines() if not line.startswith(" ")} == {first, second}
        assert "  Убакытты созуп жатат.\n" in listed
        assert "[White" not in listed
        rows = {one["id"]: one for one in map(json.loads, does("--json").splitlines())}
        assert {one: (row["reason"], row["game"], row["closed"]) for one, row in rows.items()} == {
            first: ("other", game, None),
            second: ("name", game, None),
        }
        assert (rows[first]["about"], rows[second]["reporter"]) == ("Aida", "Aida")
        assert rows[first]["reporter"] == rows[second]["about"]
        assert rows[first]["reporter"].startswith("Guest ")

        shown = does(first)
        assert "Aida: other, by Guest " in shown
        assert '\n[White "Aida"]\n' in shown
        assert json.loads(does(first, "--json"))["record"].startswith("[Event")
        assert does(first, "--close") == ""
        assert first not in does()
        assert "closed" in does(first)

        assert (await aida.told("DELETE", "/api/account"))["ended"] == 1
        assert does() == "", "Aida's own report has gone with her"
        gone = does(first)
        assert "Deleted player: other, by Guest " in gone
        assert "Aida" not in gone

    on_site(tmp_path, test)


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        place = ("--data", str(tmp_path))
        for words, reason, status in (
            (("nosuchreport",), "there is no report 'nosuchreport'", 1),
            (("--close",), "needs the id", 2),
        ):
            done = account("reports", *words, *place)
            assert (done.exit_code, reason in done.stderr) == (status, True), done.stderr

    on_site(tmp_path, test)


def test_no_id_looks_like_an_option(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["-2qJCqKu2Q6g", "--qJCqKu2Q6g", "a2qJCqKu2Q6g"])
    monkeypatch.setattr(secrets, "token_urlsafe", lambda size: next(drawn))
    assert new_id() == "a2qJCqKu2Q6g"
