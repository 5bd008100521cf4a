"""A wish that led to signing in goes on after it: pages with their query, forms by one button, and nothing else."""

from __future__ import annotations

import html
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from korgool.app.server.http.return_address import local

from .members import PASSWORD, Browser, Site, on_site
from .test_rights_of_doors import World, doors_of

READING = {"accept": "text/html", "accept-language": "en"}
OURS = {"sec-fetch-site": "same-origin", "referer": "http://127.0.0.1:8000/lobby?a=1"}
QUERY = "a=1&b=%C3%A9%26"
WAYS = ("/sign-in", "/sign-up", "/recovery")
EVIL = '"><script>alert(1)</script>'


async def send(browser: Browser, path: str, **fields: str) -> httpx.Response:
    """A form of a page of this site."""
    data = {"_csrf_token": browser.csrf["x-csrftoken"], **fields}
    return await browser.client.post(path, data=data, headers=READING | OURS)


async def onto(browser: Browser, answer: httpx.Response, **fields: str) -> httpx.Response:
    """The same form sent on, as browsers do after 307."""
    assert answer.status_code == 307
    return await send(browser, answer.headers["location"], **fields)


async def enter(browser: Browser, led: str, way: str, name: str) -> str:
    """Where one goes on who comes in by a way from the page for signing in."""
    page = (await browser.client.get(led, headers=READING)).text
    if way != "/sign-in":
        (led,) = (html.unescape(one) for one in re.findall(rf'href="({way}\?next=[^"]*)"', page))
        page = (await browser.client.get(led, headers=READING)).text
    next_ = html.unescape(re.findall(r'name="next" value="([^"]*)"', page)[-1])
    browser_language = re.findall(r'name="next" value="([^"]*)"', page)[0]
    assert html.unescape(browser_language).startswith(way), "another language keeps the way"
    answer = await send(browser, way, name=name, password=PASSWORD, next=next_, code="")
    return str(answer.headers["location"])


def test_every_page_that_needs_an_account_opens_after_signing_in(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        world = World(site)
        await world.prepare()
        pages, refused = 0, []
        for method, path, _ in doors_of(site):
            if method != "GET" or path.startswith("/api/"):
                continue
            for number, come in enumerate((site.browser(), await site.browser().visit())):
                place = str((await world.knock(come, "GET", path)).request.url.path)
                answer = await come.client.get(f"{place}?{QUERY}", headers=READING)
                said = html.unescape(answer.text)
                if answer.status_code in {401, 403} or "Sign in first" in said or "This needs an account" in said:
                    refused.append((path, answer.status_code))
                led = answer.headers.get("location", "")
                if not led.startswith("/sign-in"):
                    continue
                pages += 1
                assert parse_qs(urlsplit(led).query)["next"] == [f"{place}?{QUERY}"]
                if pages % 10 == number:  # by each way with some of them: it is one place for all
                    way = WAYS[pages // 10 % 2]
                    name = "Otherone" if way == "/sign-in" else f"Player{pages}x"
                    assert await enter(come, led, way, name) == f"{place}?{QUERY}", path
        assert refused == []
        assert pages > 40

    on_site(tmp_path, test)


@pytest.mark.parametrize("ended", [False, True], ids=["no account", "ended session"])
def test_a_form_that_needs_an_account_goes_on_by_one_button(tmp_path: Path, ended: bool) -> None:
    """Block, make an event, follow one, enter a result, report, change an account: whoever sends it has to sign in."""

    async def test(site: Site) -> None:
        world = World(site)
        await world.prepare()
        forms: dict[str, dict[str, str]] = {
            f"/games/{world.game}/block": {},
            "/events/new": {"name": "Ысык-Көл “ача” <b>", "preset": "fide-swiss", "rounds": "7", "place": EVIL},
            "/events/follow": {"address": "https://example.org/events/abcdefgh"},
            "/events/abcdefgh/desk/act": {"do": "result", "round": "1", "board": "1", "result": "82-60"},
            "/account/bots": {"name": "Botty"},
        }
        for number, (path, fields) in enumerate(forms.items()):
            browser = await world.in_session(world.player_id, ended=True) if ended else await site.browser().visit()
            answer = await send(browser, path, **fields)
            assert answer.headers["location"] == f"/wish?to={path}&asked"
            answer = await onto(browser, answer, **fields)
            assert answer.headers["location"] == "/sign-in?next=%2Fwish&kept="
            way, name = (WAYS[number % 2], "Otherone" if number % 2 == 0 else f"Newcome{number}")
            assert await enter(browser, answer.headers["location"], way, name) == "/wish"
            page = (await browser.client.get("/wish", headers=READING)).text
            assert EVIL not in page
            assert f'<form class="card form" method="post" action="{path}">' in page
            assert 'href="/lobby?a=1"' in page, "the way back"
            hidden = re.findall(
                r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page.partition('"card form"')[2]
            )
            sent = {one: html.unescape(value) for one, value in hidden}
            assert sent == fields | {"_csrf_token": browser.csrf["x-csrftoken"]}
            answer = await browser.client.post(path, data=sent, headers=READING | OURS)
            assert "sign-in" not in answer.headers.get("location", "")
            assert "/wish" not in answer.headers.get("location", "")
            if path == "/events/new":
                assert answer.headers["location"].startswith("/events/"), "the event is made"

    on_site(tmp_path, test)


def test_every_form_that_needs_an_account_is_kept(tmp_path: Path) -> None:
    """All doors for forms of pages, by whoever has no account, or whose session has ended."""

    async def test(site: Site) -> None:
        world = World(site)
        await world.prepare()
        kept = 0
        for method, path, _ in doors_of(site):
            if method != "POST" or path.startswith("/api/") or path == "/wish":
                continue
            browser = await (site.browser().visit() if kept % 2 else world.in_session(world.player_id, ended=True))
            place = str((await world.knock(browser, "POST", path)).request.url.path)
            answer = await send(browser, place, typed="Ысык-Көл")
            assert answer.status_code != 401, path
            assert "This needs an account" not in answer.text, path
            if answer.status_code == 307:
                kept += 1
                answer = await onto(browser, answer, typed="Ысык-Көл")
                assert answer.headers["location"] == "/sign-in?next=%2Fwish&kept=", path
                assert f'action="{place}"' in (await browser.client.get("/wish", headers=READING)).text
        assert kept > 30

    on_site(tmp_path, test)


def test_nobody_else_makes_a_browser_keep_or_do_anything(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        world = World(site)
        await world.prepare()
        browser = await site.browser().visit()
        token = browser.csrf["x-csrftoken"]
        wish = "/wish?to=/account/bots&asked"
        for data, headers in (
            ({"name": "Botty"}, {}),
            ({"name": "Botty", "_csrf_token": "0" * 64}, {}),
            ({"name": "Botty", "_csrf_token": token}, {"sec-fetch-site": "cross-site"}),
            ({"name": "Botty", "_csrf_token": token}, {"origin": "https://evil.example"}),
        ):
            answer = await browser.client.post(wish, data=data, headers=READING | headers)
            assert "set-cookie" not in answer.headers or "wish=" not in answer.headers["set-cookie"]
            assert (await browser.client.get("/wish", headers=READING)).headers["location"] == "/"
        for fields in ({"password": "secret words"}, {"name": str([at * at for at in range(2500)])}):
            answer = await send(browser, wish, **fields)
            assert answer.headers["location"] == "/sign-in?next=%2Flobby%3Fa%3D1&lost=", (
                "a secret or a book is not kept"
            )
        answer = await send(browser, "/account/bots", name="x" * 40_000)
        assert answer.headers["location"] == "/sign-in?next=%2Flobby%3Fa%3D1&lost="
        assert "too long to be kept" in (await browser.client.get(answer.headers["location"], headers=READING)).text
        answer = await send(browser, "/wish?to=//evil.example/x&asked", name="Botty")
        assert 'action="/"' in (await browser.client.get("/wish", headers=READING)).text
        kept = browser.client.cookies["wish"]
        for forged in ("x", "a.b", f"{kept[:-1]}{'0' if kept[-1] != '0' else '1'}", "." + kept.rpartition(".")[2]):
            browser.client.cookies.set("wish", forged, domain="127.0.0.1")
            assert (await browser.client.get("/wish", headers=READING)).headers["location"] == "/"

        foreign = OURS | {"referer": "https://evil.example/lobby"}
        for referer in (foreign["referer"], "http://127.0.0.1:8000//evil.example", "http://[", "x", ""):
            headers = READING | OURS | {"referer": referer}
            data = {"_csrf_token": token, "password": "secret words"}
            answer = await browser.client.post(wish, data=data, headers=headers)
            assert answer.headers["location"] == "/sign-in?next=%2F&lost=", referer

    on_site(tmp_path, test)


@pytest.mark.parametrize(
    "path",
    [
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "javascript:alert(1)",
        "",
        "x",
        "/a\r\nb: c",
        "/\t/x",
        "/é",
    ],
)
def test_only_own_addresses_are_led_to(path: str) -> None:
    assert local(path) == "/"
    assert local(f"/lobby?{QUERY}") == f"/lobby?{QUERY}"


def test_who_is_led_out_of_the_site_stays(tmp_path: Path) -> None:
    """By each of the doors by which one comes in."""

    async def test(site: Site) -> None:
        for number, evil in enumerate(("//evil.example", "/\\evil.example", "https://evil.example", "/a\nb")):
            for way in ("/sign-in", "/sign-up", "/sign-up/passkey", "/recovery"):
                page = (await site.browser().client.get(way, params={"next": evil}, headers=READING)).text
                assert "evil" not in page
            new = await site.browser().visit()
            answer = await send(new, "/sign-up", name=f"Newcome{number}", password=PASSWORD, next=evil)
            assert answer.headers["location"] == "/account?done=opened"
            old = await site.browser().visit()
            answer = await send(old, "/sign-in", name=f"Newcome{number}", password=PASSWORD, next=evil)
            assert answer.headers["location"] == "/"

    on_site(tmp_path, test)


def test_programs_are_told_and_not_led(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        world = World(site)
        await world.prepare()
        guest = await world.guest()
        for headers in ({"accept": "application/json"}, READING):
            assert (await guest.client.get("/events/new", headers=headers)).status_code == 403
        browser = await site.browser().visit()
        answer = await browser.client.get("/events/new", headers={"accept": "application/json"})
        assert (answer.status_code, answer.json()["detail"]) == (403, "This needs an account.")

    on_site(tmp_path, test)


def test_a_form_whose_page_is_too_old_is_confirmed(tmp_path: Path) -> None:
    """The token of a visitor who has signed in meanwhile, in another tab: the form is kept and one button sends it."""

    async def test(site: Site) -> None:
        browser = await site.browser().visit()
        old = browser.csrf["x-csrftoken"]
        await browser.sign_up("Ann")
        fields = {"name": "Cup", "_csrf_token": old}
        answer = await browser.client.post("/events/new", data=fields, headers=READING | OURS)
        assert (answer.status_code, answer.headers["location"]) == (307, "/wish?to=/events/new")
        answer = await browser.client.post("/wish?to=/events/new", data=fields, headers=READING | OURS)
        assert answer.headers["location"] == "/wish"
        assert "<li>Cup</li>" in (await browser.client.get("/wish", headers=READING)).text
        forged = await browser.client.post("/events/new", data=fields, headers=READING)
        assert forged.status_code == 403, "without a sign that it is ours"

    on_site(tmp_path, test)
