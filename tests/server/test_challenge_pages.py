"""The pages of challenges as a browser without scripts gets them: who sees what, in five languages."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import product
from pathlib import Path

import httpx
import pytest

from korgool.app.words.online_games import DECLINE_REASONS
from korgool.languages import LANGUAGES, translations
from tests.patience import PATIENCE

from .support import Server, Visitor, running


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with running(folder, None, "--limits", "off") as server:
        yield server
        assert "Traceback" not in server.stop()


@pytest.fixture(scope="module")
def ann(server: Server) -> Visitor:
    return Visitor(server)


@pytest.fixture(scope="module")
def bob(server: Server) -> Visitor:
    return Visitor(server)


def invite(visitor: Visitor, to: str = "link", **fields: object) -> str:
    """The address of the page of an invitation."""
    answer = visitor.form("/challenges", game="toguz", to=to, **fields)
    assert answer.status_code == 303, answer.text
    path: str = answer.headers["location"]
    return path


def shown(visitor: Visitor, path: str, language: str = "en") -> str:
    answer = visitor.client.get(path, headers={"accept": "text/html", "accept-language": language})
    assert answer.status_code == 200, answer.text
    return answer.text


def change(folder: Path, path: str, **columns: object) -> None:
    """Change a stored challenge behind the server's back: no other way leads to what accounts and time will bring."""
    sets = ", ".join(f"{name} = ?" for name in columns)
    with closing(sqlite3.connect(folder / "korgool.sqlite", timeout=30)) as database, database:
        database.execute(f"UPDATE challenges SET {sets} WHERE id = ?", (*columns.values(), path[-12:]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_challenge_to_a_player_is_declined_with_a_reason(
    folder: Path, ann: Visitor, bob: Visitor, language: str
) -> None:
    gettext = translations(language).gettext
    path = invite(ann, clock="10+5")
    change(folder, path, way="name", addressee=bob.identity)
    page = shown(bob, path, language)
    assert f'action="{path}/accept"' in page
    assert f'action="{path}/decline"' in page
    assert all(gettext(text) in page for text in DECLINE_REASONS.values())
    assert f'action="{path}/withdraw"' in shown(ann, path, language)
    assert bob.form(f"{path}/decline", reason="rude").status_code == 303
    assert f'action="{path}/decline"' in shown(bob, path, language)
    assert bob.form(f"{path}/decline", reason="other-clock").headers["location"] == path
    for visitor in (ann, bob):
        told = shown(visitor, path, language)
        assert gettext("This invitation was declined") in told
        assert gettext("With another clock") in told
        assert "<form" not in told.partition("<main")[2].partition("</main>")[0]


def test_somebody_else_is_told_that_it_is_not_for_them(folder: Path, ann: Visitor, bob: Visitor) -> None:
    path = invite(ann)
    change(folder, path, way="name", addressee="x" * 22)
    page = shown(bob, path)
    assert "meant for somebody else" in page
    assert f"{path}/accept" not in page
    for command in ("accept", "decline", "withdraw"):
        assert bob.form(f"{path}/{command}").status_code == 403


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_too_old_says_so(folder: Path, ann: Visitor, bob: Visitor, language: str) -> None:
    path = invite(ann, to="lobby", clock="3d")
    change(folder, path, expires_ms=1)
    for visitor in (ann, bob):
        assert translations(language).gettext("This invitation has expired") in shown(visitor, path, language)
    assert bob.form(f"{path}/accept").headers["location"] == path
    assert path not in shown(bob, "/lobby")


def test_a_link_used_again_leads_to_the_game(ann: Visitor, bob: Visitor) -> None:
    path = invite(ann)
    first, again = (bob.form(f"{path}/accept").headers["location"] for _ in range(2))
    assert first == again
    assert first.startswith("/games/")
    assert ann.form(f"{path}/accept").headers["location"] == path
    assert first in shown(ann, path)
    assert first in shown(bob, path)


def test_watchers_are_not_led_to_the_game(server: Server, ann: Visitor, bob: Visitor) -> None:
    path = invite(ann)
    game = bob.form(f"{path}/accept").headers["location"]
    page = shown(Visitor(server), path)
    assert "Somebody was quicker" in page
    assert game not in page


STRANGERS = ("nobody", "no token", "another's token", "foreign origin")


@pytest.mark.parametrize(("kind", "command"), list(product(STRANGERS, ("accept", "decline", "withdraw", "make"))))
def test_strangers_send_no_forms(server: Server, ann: Visitor, bob: Visitor, kind: str, command: str) -> None:
    path = invite(ann)
    eve = Visitor(server)
    cookies = None if kind == "nobody" else eve.client.cookies
    form = {"game": "toguz", "to": "link"}
    headers = {}
    if kind == "another's token":
        form["_csrf_token"] = bob.token
    if kind == "foreign origin":
        form["_csrf_token"] = eve.token
        headers["origin"] = "http://evil.example"
    address = f"{server.url}/challenges" if command == "make" else f"{server.url}{path}/{command}"
    answer = httpx.post(address, data=form, headers=headers, cookies=cookies, timeout=PATIENCE)
    assert answer.status_code == 403
    assert f'action="{path}/withdraw"' in shown(ann, path), "it is open still"


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"to": ""}, "no player of that name"),
        ({"to": "link", "game": "chess"}, "cannot be"),
        ({"to": "link", "clock": "99d"}, "The clock cannot be"),
        ({"to": "link", "minutes": "x"}, "The clock cannot be"),
        ({"to": "link", "rules": "sweep"}, "NAME=VALUE"),
        ({"to": "link", "rules": "sweep=mine"}, "sweep is one of"),
        ({"to": "link", "delay": "-1"}, "0 to 3600 seconds later"),
        ({"to": "link", "delay": "٣"}, "0 to 3600 seconds later"),
        ({"to": "link", "delay": "99999"}, "0 to 3600 seconds later"),
        ({"to": "link", "handicap": "white 4"}, "cannot be"),
        ({"to": "link", "handicap": "white 1", "position": "1S,8/1S,8 80 80 S 60"}, "not both"),
        ({"to": "link", "position": "nonsense"}, "five parts"),
    ],
)
def test_a_form_is_refused_with_its_reason(ann: Visitor, fields: dict[str, str], reason: str) -> None:
    answer = ann.form("/challenges", **{"game": "toguz", **fields})
    assert answer.status_code in {404, 422}
    assert reason in answer.json()["detail"]


def test_everything_of_the_form_goes_into_the_terms(ann: Visitor) -> None:
    path = invite(
        ann,
        clock="3+2",
        minutes=" 7 ",
        seconds="1",
        side="black",
        conduct="competition",
        handicap="white 2",
        rules="threefold=5, recurrence=0",
        delay=" 90 ",
    )
    terms = ann.client.get(f"/api/challenges/{path[-12:]}").json()["terms"]
    assert terms == {
        "game": "toguz",
        "to": "link",
        "clock": "7+1",
        "side": "black",
        "rated": False,
        "conduct": "competition",
        "position": "9S,9S,9S,9S,9S,9S,9S,9S,9S/7S,7S,7S,7S,7S,7S,7S,7S,7S 0 18 S 1",
        "rules": {"threefold": 5, "recurrence": 0},
        "delay": 90,
    }
    page = shown(ann, path)
    for words in ("7+1", "as in a competition", "threefold=5, recurrence=0", "90 seconds later"):
        assert words in page


def test_the_first_page_lists_ones_own_invitations(ann: Visitor, bob: Visitor) -> None:
    path = invite(ann, clock="1d")
    assert f'href="{path}"' in shown(ann, "/")
    assert f'href="{path}"' not in shown(bob, "/")
    ann.form(f"{path}/withdraw")
    assert f'href="{path}"' not in shown(ann, "/")


def test_there_is_no_such_command(ann: Visitor) -> None:
    path = invite(ann)
    assert ann.form(f"{path}/steal").status_code == 404
    assert ann.form("/c/AAAAAAAAAAAA/accept").status_code == 404


@pytest.mark.parametrize(("language", "guest"), [("en", "Guest"), ("ky", "Конок"), ("tr", "Konuk")])
def test_the_lot_is_told_in_the_language_of_the_page(ann: Visitor, bob: Visitor, language: str, guest: str) -> None:
    path = invite(ann, clock="10+5", side="random")
    game = bob.form(f"{path}/accept").headers["location"]
    for page in (shown(ann, game, language), shown(bob, path, language)):
        # The seed is the name of the game, which the printed sheet has too, in the address.
        (line,) = re.findall(rf"<p[^>]*>([^</]*{game[-12:]}[^<]*)</p>", page)
        assert re.search(rf"\b{guest} [0-9]{{4}}", line), line
