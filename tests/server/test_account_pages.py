"""The pages of accounts as forms without scripts: what they do, what they refuse and where they say it."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

import httpx
from sqlalchemy import update

from korgool.app.server.limits import OFF, Rate
from korgool.app.server.people.sign_in.browsers import browser_of
from korgool.app.server.storage.schema import sessions
from korgool.languages import LANGUAGES, translations

from .members import PASSWORD, Browser, Site, on_site

OWN = ("", "/password", "/codes", "/sessions", "/passkeys", "/tokens", "/bots", "/blocks", "/children", "/data")
READING = {"accept": "text/html"}


async def look(browser: Browser, path: str, status: int = 200, language: str = "en") -> str:
    """A page as its reader sees it."""
    answer = await browser.client.get(path, headers=READING | {"accept-language": language})
    assert answer.status_code == status, (path, answer.status_code, answer.text)
    assert answer.headers["cache-control"] == "no-store"
    return html.unescape(answer.text)


async def away(browser: Browser) -> None:
    """Nobody is signed in here."""
    answer = await browser.client.get("/account", headers=READING)
    assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?next=%2Faccount&asked=")


async def send(browser: Browser, path: str, **fields: str) -> httpx.Response:
    """A form, with the token of the page that it stands on."""
    data = {"_csrf_token": browser.csrf["x-csrftoken"], **fields}
    return await browser.client.post(path, data=data, headers=READING | {"accept-language": "en"})


async def opened(site: Site, name: str) -> Browser:
    """Somebody who has just opened an account."""
    browser = await site.browser().visit()
    answer = await send(browser, "/sign-up", name=name, password=PASSWORD, move="on")
    assert (answer.status_code, answer.headers["location"]) == (303, "/account?done=opened")
    return browser


async def stale(site: Site) -> None:
    """Let everybody's password have been given long ago."""
    with site.keeper.transactions.writing() as connection:
        connection.execute(update(sessions).values(proved_ms=1))
    site.keeper.ended()


def beside(text: str, field: str) -> str:
    """What is said beside a field that was refused."""
    marked = re.search(rf'<input[^>]*id="{field}"[^>]*aria-describedby="[^"]*{field}-refused"[^>]*aria-invalid', text)
    assert marked is not None
    found = re.search(rf'id="{field}-refused">([^<]*)<', text)
    assert found is not None
    return html.unescape(found[1])


def test_an_account_is_opened_and_its_pages_are_its_own(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await site.browser().visit()
        game = (await send(ann, "/games", game="toguz", side="white", level="1", clock="none")).headers["location"]
        assert "Take the games of this browser along" in await look(ann, "/sign-up")
        for fields, field, status, said in (
            ({"name": "Ann", "password": "short"}, "password", 422, "at least 8"),
            ({"name": "Ann", "password": "password123"}, "password", 422, "tried first"),
            ({"name": "1Ann", "password": PASSWORD}, "name", 422, "begins with a letter"),
            ({"name": '"><script>', "password": PASSWORD}, "name", 422, "cannot have"),
            ({"name": "A" * 500, "password": PASSWORD}, "name", 422, "2 to 20"),
            ({}, "name", 422, "2 to 20"),
        ):
            answer = await send(ann, "/sign-up", **fields)
            assert answer.status_code == status
            assert said in beside(answer.text, field)
            assert f'value="{html.escape(fields.get("name", "")[:400])}"'.replace("&quot;", "&#34;") in answer.text
            assert fields.get("password", PASSWORD) not in answer.text
            assert 'name="move">' in answer.text, "not chosen, so not chosen again"
        answer = await send(ann, "/sign-up", name="Ann", password=PASSWORD, move="on")
        assert (answer.status_code, answer.headers["location"]) == (303, "/account?done=opened")
        page = await look(ann, "/account?done=opened")
        assert "Welcome!" in page
        assert "Make recovery codes" in page
        assert game in await look(ann, "/")
        taken = await send(await site.browser().visit(), "/sign-up", name="ann", password=PASSWORD)
        assert taken.status_code == 409
        assert "taken" in beside(taken.text, "name")
        for path in ("/sign-up", "/sign-in"):
            assert (await ann.client.get(path)).status_code == 303

        for path in OWN:
            eve = site.browser()
            for _ in range(2):  # nobody, then a visitor
                answer = await eve.client.get(f"/account{path}", headers=READING)
                led = f"/sign-in?next=/account{path}&asked="
                assert (answer.status_code, unquote(answer.headers["location"])) == (303, led)
                page = await look(eve, answer.headers["location"])
                assert f'name="next" value="/account{path}"' in page
        for path in ("/codes", "/tokens", "/bots", "/password"):
            answer = await send(eve, f"/account{path}", label="x", read="on", name="Botty", password=PASSWORD)
            assert (answer.status_code, answer.headers["location"]) == (307, f"/wish?to=/account{path}&asked")

    on_site(tmp_path, test)


def test_every_page_in_every_language_names_its_reader(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, stranger = await opened(site, "Ann"), await site.browser().visit()
        for language in LANGUAGES:
            gettext = translations(language).gettext
            for path in OWN:
                page = await look(ann, f"/account{path}", language=language)
                assert f'<html lang="{language}"' in page
                assert f'aria-label="{gettext("Your account")}: Ann"' in page
            for path in ("/", "/lobby", "/help"):
                page = await look(stranger, path, language=language)
                assert f'href="/sign-in?next={path}" aria-label="{gettext("Sign in")}"' in page
        readers = [(await one.client.get("/")).headers["x-korgool-reader"] for one in (ann, stranger)]
        assert len(set(readers)) == 2
        assert "x-korgool-reader" not in (await ann.client.get("/nothing", headers=READING)).headers

    on_site(tmp_path, test)


def test_signing_in_and_out(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        await opened(site, "Ann")
        phone = await site.browser().visit()
        said = set()
        for name, password in (("Ann", "wrong wrong"), ("Nobody", PASSWORD), ("Ann", "w" * 20_000)):
            answer = await send(phone, "/sign-in", name=name, password=password, next="/lobby")
            assert answer.status_code == 401
            assert 'value="/lobby"' in answer.text
            said.add(re.search(r'role="alert">([^<]*)<', answer.text)[1])  # type: ignore[index]
        assert said == {"The name or the password is wrong."}
        answer = await send(phone, "/sign-in", name="Ann")
        assert (answer.status_code, beside(answer.text, "password")) == (422, "Fill this in.")
        for asked, onward in (("/lobby", "/lobby"), ("//evil.example", "/"), ("https://evil.example", "/"), ("", "/")):
            answer = await send(phone, "/sign-in", name="ann", password=PASSWORD, next=asked)
            assert (answer.status_code, answer.headers["location"]) == (303, onward)
            await look(phone, "/account")
            answer = await send(phone, "/sign-out")
            assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?out")
            assert "You are signed out." in await look(phone, "/sign-in?out")
            await away(phone)
        for path in ("/sign-in", "/sign-up", "/sign-out", "/recovery"):
            forged = await phone.client.post(path, data={"name": "Ann", "_csrf_token": "0" * 64}, headers=READING)
            assert forged.status_code == 403
            assert "This is not your game" not in forged.text

    on_site(tmp_path, test)


def test_guesses_and_new_accounts_are_limited(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await site.browser().visit()
        for _ in range(3):  # what cannot be a password is no account
            assert (await send(ann, "/sign-up", name="Ann", password="x")).status_code == 422
        assert (await send(ann, "/sign-up", name="Ann", password=PASSWORD)).status_code == 303
        eve = await site.browser().visit()
        answers = [await send(eve, "/sign-in", name="Ann", password="guess guess") for _ in range(3)]
        assert [answer.status_code for answer in answers] == [401, 401, 429]
        assert int(answers[-1].headers["retry-after"]) > 60
        assert 'value="Ann"' in answers[-1].text
        answer = await send(eve, "/sign-up", name="Eve", password=PASSWORD)
        assert answer.status_code == 429
        assert "Too many accounts" in answer.text

    limits = replace(OFF, name_guesses=2, address_accounts=Rate(1, "h", 1))
    on_site(tmp_path, test, limits=limits)


def test_tokens_and_bots_are_shown_once(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await opened(site, "Ann")
        for fields, said in (
            ({"label": "x", "days": "90"}, "at least one thing"),
            ({"label": "", "days": "90", "read": "on"}, "label"),
            ({"label": "x", "days": "1000000", "read": "on"}, "1 to 365 days"),
        ):
            answer = await send(ann, "/account/tokens", **fields)
            assert answer.status_code == 422
            assert said in answer.text
        label = "<b>club</b>"
        made = await send(ann, "/account/tokens", label=label, days="7", read="on")
        assert (made.status_code, made.headers["cache-control"]) == (200, "no-store")
        secret = re.search(r'id="secret"[^>]* value="([^"]*)"', made.text)[1]  # type: ignore[index]
        program = site.browser(authorization=f"Bearer {secret}")
        assert (await program.told("GET", "/api/account"))["name"] == "Ann"
        await away(program)  # pages are for browsers
        answer = await ann.client.get("/account/tokens", headers=READING)
        assert secret not in answer.text
        assert html.escape(label) in answer.text
        end = re.search(r'action="(/account/tokens/[^"]*/end)"', answer.text)[1]  # type: ignore[index]
        eve = await opened(site, "Eve")
        assert (await send(eve, end)).status_code == 303
        assert (await program.ask("GET", "/api/account")).status_code == 200, "only its owner ends it"
        assert (await send(ann, end)).headers["location"] == "/account/tokens?done=token"
        assert (await program.ask("GET", "/api/account")).status_code == 401

        answer = await send(ann, "/account/bots", name="Eve")
        assert answer.status_code == 409
        assert "taken" in beside(answer.text, "name")
        secrets = []
        for action in ("/account/bots", "/account/bots/[^/]*/token"):
            path = re.search(f'action="({action})"', await look(ann, "/account/bots"))[1]  # type: ignore[index]
            answer = await send(ann, path, name="Annbot")
            secrets.append(re.search(r'id="secret"[^>]* value="([^"]*)"', answer.text)[1])  # type: ignore[index]
        assert (await send(eve, path)).status_code == 404
        old, new = (site.browser(authorization=f"Bearer {one}") for one in secrets)
        assert (await old.ask("GET", "/api/account")).status_code == 401
        assert (await new.told("GET", "/api/account"))["kind"] == "bot"

    on_site(tmp_path, test)


def test_sessions_are_listed_and_ended(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, eve = await opened(site, "Ann"), await opened(site, "Eve")
        others = []
        for _ in range(3):
            others.append(await site.browser().visit())
            await send(others[-1], "/sign-in", name="Ann", password=PASSWORD)
        page = await look(ann, "/account/sessions")
        ends = re.findall(r'action="(/account/sessions/[^"/]+/end)"', page)
        assert len(ends) == 3
        assert page.count("this browser") == 1
        for end in ends:
            await send(eve, end)
        assert "in 4 browsers" in await look(ann, "/account")
        await send(ann, ends[0])
        assert len(re.findall(r'action="/account/sessions/[^"/]+/end"', await look(ann, "/account/sessions"))) == 2
        assert (await send(ann, "/account/sessions/end")).headers["location"] == "/account/sessions?done=ended"
        for other in others:
            await away(other)
        assert "in 1 browser" in await look(ann, "/account")
        await look(eve, "/account")

    on_site(tmp_path, test)


def test_what_protects_the_account_asks_for_the_password_again(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await opened(site, "Ann")
        await stale(site)
        for path in ("/password", "/codes", "/tokens", "/bots"):
            page = await look(ann, f"/account{path}")
            assert 'action="/account/proof"' in page
            assert f'name="next" value="/account{path}"' in page
            answer = await send(ann, f"/account{path}", password="another pass word", label="x", read="on", name="Bb")
            assert answer.status_code == 403
            assert 'action="/account/proof"' in answer.text
        wrong = await send(ann, "/account/proof", password="wrong wrong", next="/account/codes")
        assert wrong.status_code == 401
        assert 'name="next" value="/account/codes"' in wrong.text
        for asked, onward in (("/account/codes", "/account/codes"), ("//evil.example", "/account")):
            answer = await send(ann, "/account/proof", password=PASSWORD, next=asked)
            assert (answer.status_code, answer.headers["location"]) == (303, onward)
        codes = re.findall(r"<li><code>([^<]*)</code>", (await send(ann, "/account/codes")).text)
        assert len(set(codes)) == 8
        assert "8 left" in await look(ann, "/account")

        lost = await site.browser().visit()
        for name, code in (("Ann", "0000-0000-0000"), ("Nobody", codes[0]), ("Ann", "?")):
            answer = await send(lost, "/recovery", name=name, code=code, password="another pass word")
            assert answer.status_code == 401
            assert "name or the recovery code is wrong" in answer.text
            assert codes[0] not in answer.text
        answer = await send(lost, "/recovery", name="Ann", code=codes[0], password="short")
        assert "at least 8" in beside(answer.text, "password")
        answer = await send(lost, "/recovery", name="ann", code=codes[0].lower(), password="another pass word")
        assert (answer.status_code, answer.headers["location"]) == (303, "/account?done=password")
        assert "7 left" in await look(lost, "/account?done=password")
        await away(ann)
        assert (await send(lost, "/recovery", name="Ann", code=codes[0], password=PASSWORD)).status_code == 401

        answer = await send(lost, "/account/password", password="Ann")
        assert answer.status_code == 422
        assert beside(answer.text, "password")
        assert (await send(lost, "/account/password", password=PASSWORD)).status_code == 303
        assert "The password is changed." in await look(lost, "/account?done=password")

    on_site(tmp_path, test)


def test_an_account_is_deleted_by_who_types_its_name(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await opened(site, "Ann")
        assert 'href="/api/account/export"' in await look(ann, "/account/data")
        for name in ("", "Anna", '"><b>'):
            answer = await send(ann, "/account/data", name=name)
            assert answer.status_code == 422
            assert beside(answer.text, "name") == "This is not the name of your account."
        await stale(site)
        assert (await send(ann, "/account/data", name="Ann")).status_code == 403
        await send(ann, "/account/proof", password=PASSWORD, next="/account/data")
        answer = await send(ann, "/account/data", name="ann")
        assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in?out")
        await away(ann)
        await look(ann, "/sign-in?out")
        assert (await send(ann, "/sign-in", name="Ann", password=PASSWORD)).status_code == 401
        await opened(site, "Ann")  # the name is free

    on_site(tmp_path, test)


def test_browsers_are_called_what_their_owners_call_them() -> None:
    begin, chrome = "Mozilla/5.0 ", "AppleWebKit/537.36 Chrome/129.0"
    for device, called in (
        (
            f"{begin}(Windows NT 10.0; Win64; x64) {chrome} Safari/537.36 Edg/129.0",
            "Edge · Windows",
        ),
        (f"{begin}(Linux; Android 14) {chrome} Mobile Safari/537.36", "Chrome · Android"),
        (f"{begin}(iPhone; CPU iPhone OS 17_5 like Mac OS X) Version/17.5 Safari/604.1", "Safari · iOS"),
        (f"{begin}(X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox · Linux"),
        (f"{begin}(Windows NT 10.0) Chrome/126.0 YaBrowser/24.7 Safari/537.36", "Yandex · Windows"),
        ("python-httpx/0.28", "python-httpx/0.28"),
        ("", ""),
    ):
        assert browser_of(device) == called


def test_signing_up_ends_where_one_came_from(tmp_path: Path) -> None:
    """From each page, also the first one; by the entrance that the header names, and on from there."""

    async def test(site: Site) -> None:
        for number, path in enumerate(("/", "/lobby?game=mangala", "/events", "/learn")):
            new, way = await site.browser().visit(), path
            for entrance in ("/sign-in", "/sign-up"):  # the header names the first, and that page the second
                links = re.findall(r'href="(/sign-[^"]*)"', await look(new, way))
                way = html.unescape(next(one for one in links if one.startswith(f"{entrance}?next=")))
            asked = re.search(r'name="next" value="([^"]*)"', (await look(new, way)).partition("<main")[2])
            assert asked is not None
            assert html.unescape(asked[1]) == path
            refused = await send(new, "/sign-up", name="x", password=PASSWORD, next=path)
            assert f'name="next" value="{html.escape(path)}"' in refused.text
            answer = await send(new, "/sign-up", name=f"Came{number}", password=PASSWORD, next=path)
            assert (answer.status_code, answer.headers["location"]) == (303, path)

    on_site(tmp_path, test)
