"""Challenges by name: from the form, from a profile, from the people one has played; to whom they come."""

from __future__ import annotations

import html
import re
from pathlib import Path

import httpx

from korgool.app.server.notices.notice_texts import NoticeText
from korgool.app.words.people import WORDING

from .members import Browser, Site, on_site
from .test_waiting_games import challenged

READING = {"accept": "text/html"}


async def read(browser: Browser, path: str, language: str = "en") -> str:
    answer = await browser.client.get(path, headers=READING | {"accept-language": language})
    answer.raise_for_status()
    return html.unescape(answer.text)


async def send(browser: Browser, path: str = "/challenges", **fields: str) -> httpx.Response:
    """A form of a page."""
    form = {"_csrf_token": browser.csrf["x-csrftoken"], **fields}
    return await browser.client.post(path, data=form, headers=READING | {"origin": "http://127.0.0.1:8000"})


FORM = {"to": "name", "game": "toguz", "clock": "3d", "side": "black", "conduct": "friendly"}


def test_a_challenge_by_name_reaches_its_person_on_every_page(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, bob, eve = await challenged(site, "Ann", "Bob", "Eve")
        assert 'href="/challenge?player=Bob"' in await read(ann, "/player/Bob")
        assert "/challenge?player=" not in await read(ann, "/player/Ann")
        assert 'value="Bob"' in await read(ann, "/challenge?player=Bob")
        sent = await send(ann, player=" bob ", **FORM)
        assert sent.status_code == 303, sent.text
        path = sent.headers["location"]
        for page in ("/", "/games", "/rules/toguz", "/lobby", "/account"):
            assert f'href="{path}"' in await read(bob, page), page
            assert f'href="{path}"' not in await read(eve, page), page
        assert "Ann invites you" in await read(bob, "/levels")
        begun = await send(bob, f"{path}/accept")
        assert begun.headers["location"].startswith("/games/")
        assert f'href="{path}"' not in await read(bob, "/")
        for one, other in ((ann, "Bob"), (bob, "Ann")):
            assert f'href="/challenge?player={other}"' in await read(one, "/challenge"), "people whom one has played"
        assert "/challenge?player=" not in await read(eve, "/challenge")

    on_site(tmp_path, test)


def test_a_refused_challenge_shows_its_form_again(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, bob = await challenged(site, "Ann", "Bob")
        for name in ("Nobody", "lobby", "link", "self", "level:4", "", "\0", "a" * 400):
            answer = await send(ann, player=name, **FORM)
            assert answer.status_code == 404, name
            assert "There is no player of that name." in answer.text
            assert 'value="3d" selected' in answer.text
        own = await send(ann, player="Ann", **FORM)
        assert (own.status_code, "This is your own invitation" in own.text) == (422, True)
        await bob.told("POST", "/api/account/blocks", {"name": "Ann"})
        refused = await send(ann, player="Bob", **FORM)
        assert (refused.status_code, "A game with this player is not possible." in refused.text) == (403, True)
        assert "/challenge?player=" not in await read(ann, "/player/Bob")
        assert (await bob.told("GET", "/api/waiting"))["count"] == 0
        guest = await site.browser().visit()
        assert "<h1>Invite a player</h1>" in await read(guest, "/challenge")
        assert not re.search(r'name="rated"', await read(guest, "/challenge"))

    on_site(tmp_path, test)


def test_a_child_is_challenged_only_by_whom_it_knows(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        parent, eve = await challenged(site, "Parent", "Eve")
        made = await parent.told(
            "POST", "/api/account/children", {"name": "KidSky", "password": "eleven green pears", "wording": WORDING}
        )
        assert made["name"] == "KidSky"
        refused = await send(eve, player="KidSky", **FORM)
        assert (refused.status_code, "There is no player of that name." in refused.text) == (404, True)
        assert (await send(parent, player="KidSky", **FORM)).status_code == 303
        kid = await site.browser().visit()
        assert (await kid.sign_in("KidSky", "eleven green pears")).is_success
        assert "Parent invites you" in await read(kid, "/")

    on_site(tmp_path, test)


def test_each_step_of_a_challenge_is_told_once(tmp_path: Path) -> None:
    told: list[tuple[str, str, str]] = []

    class Recorder:
        push = mailer = None

        def tell(self, who: str, path: str, text: NoticeText, name: object, until: int, *, guest: object) -> None:
            told.append((text.kind.value, who, path))

        def invitation_over(self, who: str, path: str) -> None:
            told.append(("over", who, path))

    async def test(site: Site) -> None:
        ann, bob = await challenged(site, "Ann", "Bob")
        site.app.state.game_registry.notices = Recorder()
        ids = [(await one.told("GET", "/api/account"))["id"] for one in (ann, bob)]
        first = (await ann.told("POST", "/api/challenges", {"game": "toguz", "to": "bob", "clock": "3d"}))["id"]
        await bob.told("POST", f"/api/challenges/{first}/decline", {"reason": "later"})
        second = (await ann.told("POST", "/api/challenges", {"game": "toguz", "to": "bob", "clock": "3d"}))["id"]
        game = (await bob.told("POST", f"/api/challenges/{second}/accept"))["game"]
        third = (await ann.told("POST", "/api/challenges", {"game": "toguz", "to": "bob", "clock": "3d"}))["id"]
        await ann.told("DELETE", f"/api/challenges/{third}")
        assert told == [
            ("challenge", ids[1], f"/c/{first}"),
            ("declined", ids[0], f"/c/{first}"),
            ("challenge", ids[1], f"/c/{second}"),
            ("accepted", ids[0], f"/games/{game}"),
            ("challenge", ids[1], f"/c/{third}"),
            ("over", ids[1], f"/c/{third}"),
        ]

    on_site(tmp_path, test)
