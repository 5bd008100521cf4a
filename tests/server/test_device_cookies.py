"""Guesses from elsewhere keep nobody out of a browser in which they have signed in before."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from korgool.app.server.core.settings import ServerSettings
from korgool.app.server.limits import OFF
from korgool.app.server.people.sign_in.browsers import MOST_ACCOUNTS, DeviceCookies
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.storage.database import Storage

from .members import PASSWORD, Browser, Site, on_site

LIMITS = replace(OFF, name_guesses=3, address_guesses=5)


async def signed_out(site: Site, *names: str) -> Browser:
    """A browser in which these have opened their accounts, one after the other, and signed out."""
    browser = site.browser()
    for name in names:
        await browser.sign_up(name)
        await browser.told("DELETE", "/api/account/session")
        await browser.visit()
    return browser


def cookie_of(browser: Browser) -> tuple[str, str]:
    return next((name, value) for name, value in browser.client.cookies.items() if name.startswith("device_"))


async def guesses(browser: Browser, name: str, count: int) -> list[int]:
    return [(await browser.sign_in(name, "a guess")).status_code for _ in range(count)]


def test_guesses_from_elsewhere_lock_nobody_out_of_their_own_browser(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        own, guesser = await signed_out(site, "Dana"), site.browser()
        assert await guesses(guesser, "Dana", 4) == [401, 401, 401, 429]
        assert await guesses(guesser, "Nobody7", 3) == [401, 401, 429]  # now the address is locked, too
        assert (await own.sign_in("DANA")).status_code == 201
        assert (await own.ask("POST", "/api/account/proof", {"password": PASSWORD})).status_code == 200
        # That was no relief for whoever guesses, with the right password or without.
        assert (await guesser.sign_in("Dana")).status_code == 429
        assert await guesses(site.browser(), "Dana", 1) == [429]

    on_site(tmp_path, test, limits=LIMITS)


def test_a_known_browser_has_its_own_limit(tmp_path: Path) -> None:
    """Whoever has stolen its cookie guesses a few times, locks out no other browser, and gets nothing by copying it."""

    async def test(site: Site) -> None:
        own, home = await signed_out(site, "Dana"), site.browser()
        assert (await home.sign_in("Dana")).status_code == 201
        await home.told("DELETE", "/api/account/session")
        name, stolen = cookie_of(own)
        thief = site.browser()
        for sent, told in ((stolen, 401), (f"{stolen}~{stolen}", 401), (f"x.y~{stolen}", 401), (stolen, 429)):
            thief.client.cookies.set(name, sent, domain="127.0.0.1")
            assert await guesses(thief, "Dana", 1) == [told]
        assert (await own.sign_in("Dana")).status_code == 429
        assert (await home.sign_in("Dana")).status_code == 201
        assert await guesses(site.browser(), "Dana", 3) == [401, 401, 401]  # the others are counted by themselves
        assert "Dana" not in stolen

    on_site(tmp_path, test, limits=LIMITS)


def test_it_is_bound_to_its_account_and_ends_with_its_sessions(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        family, phone = await signed_out(site, "Dana", "Erlan"), site.browser()
        for name in ("Dana", "Erlan", "Dana"):  # both are known there, whoever has signed in last
            assert await guesses(site.browser(), name, 4) == [401, 401, 401, 429] or name == "Dana"
            assert (await family.sign_in(name)).status_code == 201
            await family.told("DELETE", "/api/account/session")
            await family.visit()
        await phone.sign_up("Farida")
        await guesses(site.browser(), "Farida", 4)
        assert await guesses(family, "Farida", 1) == [429]  # a cookie of others is none
        # Farida ends all other sessions; then she sets another password, and at last deletes her account.
        old = cookie_of(phone)
        known = site.keeper._devices.name
        farida = (await phone.told("GET", "/api/account"))["id"]
        assert known(farida, old[1])
        await phone.told("DELETE", "/api/account/sessions")
        assert known(farida, old[1]) is None
        changed = await phone.ask("PUT", "/api/account/password", {"password": "seven yellow pears"})
        assert changed.status_code == 200
        newer = cookie_of(phone)
        assert known(farida, newer[1])
        assert (await phone.ask("DELETE", "/api/account")).status_code == 200
        assert known(farida, newer[1]) is None

    on_site(tmp_path, test, limits=replace(OFF, name_guesses=3))


def test_no_text_is_a_cookie_but_what_was_made(tmp_path: Path) -> None:
    storage = Storage.open(ServerSettings(data=tmp_path))
    devices = DeviceCookies(PeopleTransactions(storage.engine))
    cookie = ""
    for number in range(MOST_ACCOUNTS + 2):
        cookie = devices.make(f"account{number}", cookie)
    known = [number for number in range(MOST_ACCOUNTS + 2) if devices.name(f"account{number}", cookie)]
    assert known == list(range(2, MOST_ACCOUNTS + 2))
    renewed = devices.make("account3", cookie)
    assert len(renewed) == len(cookie) < 400
    assert devices.name("account3", renewed) != devices.name("account3", cookie)

    @settings(suppress_health_check=list(HealthCheck), max_examples=60)
    @given(st.one_of(st.text(), st.integers(0, len(cookie) - 1)))
    def hostile(sent: str | int) -> None:
        if isinstance(sent, int):  # one sign of a right one is changed
            sent = cookie[:sent] + ("x" if cookie[sent] != "x" else "y") + cookie[sent + 1 :]
        right = {devices.name(f"account{number}", cookie) for number in range(MOST_ACCOUNTS + 2)}
        assert {devices.name(f"account{number}", sent) for number in range(MOST_ACCOUNTS + 2)} <= right | {None}
        assert devices.name("", sent) is None
        assert len(devices.make("account3", sent)) < 400

    hostile()
    storage.close()
