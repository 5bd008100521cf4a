"""Accounts that a passkey opens and no password: opening one, proving oneself, recovery and deletion."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select, update

from korgool.app.server.core import errors
from korgool.app.server.limits import OFF, Rate
from korgool.app.server.storage.schema import accounts, passkeys, sessions

from .authenticator import Authenticator
from .members import PASSWORD, Browser, Site, on_site
from .support import Json
from .test_passkeys import ENTRY, PATH, add, at_home, enter

OPEN, PROOF, RECOVERY = "/api/account/passkey", "/api/account/proof/passkey", "/api/account/recovery"
TAKEN = "This name, or one that looks like it, is taken."


async def opened(browser: Browser, name: str, device: Authenticator, **more: object) -> httpx.Response:
    """The answer to who opens an account with a passkey."""
    begun = await browser.told("POST", f"{OPEN}/begin", {"name": name})
    body = {"name": name, "ceremony": begun["id"], "credential": device.make(begun["options"]), **more}
    return await browser.ask("POST", OPEN, body)


async def newcomer(site: Site, name: str = "Aizada") -> tuple[Browser, Authenticator, Json]:
    """Somebody with such an account, and what they were told."""
    browser, device = at_home(site), Authenticator()
    answer = await opened(browser, name, device)
    assert answer.status_code == 201, answer.text
    return browser, device, answer.json()


async def proven(browser: Browser, device: Authenticator) -> httpx.Response:
    """The answer to who shows a passkey once more."""
    begun = await browser.told("POST", f"{PROOF}/begin")
    body = {"ceremony": begun["id"], "credential": device.sign(begun["options"])}
    return await browser.ask("POST", PROOF, body)


def long_ago(site: Site) -> None:
    """Nobody has proven anything of late."""
    with site.keeper.transactions.writing() as connection:
        connection.execute(update(sessions).values(proved_ms=1))
    site.keeper.ended()


def test_a_passkey_alone_opens_an_account_that_the_games_of_the_visitor_move_to(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        browser, device = await at_home(site).visit(), Authenticator()
        game = (await browser.told("POST", "/api/challenges", {"game": "toguz", "to": "level:1"}))["game"]
        answer = await opened(browser, "Aizada", device)
        told = answer.json()
        assert (answer.status_code, told["name"], len(told["codes"])) == (201, "Aizada", 8)
        account = await browser.told("GET", "/api/account")
        assert (account["id"], account["password"], account["fresh"], account["codes"]) == (told["id"], False, True, 8)
        assert game in (await browser.client.get("/games")).text
        (listed,) = await browser.told("GET", PATH)
        assert (listed["label"], listed["used"]) == ("python-httpx/" + httpx.__version__, None)
        assert (await browser.ask("DELETE", f"{PATH}/{listed['id']}")).json()["detail"] == errors.PASSKEY_LAST

        other = at_home(site)
        assert (await other.sign_in("Aizada", "")).status_code == 401
        assert (await enter(other, device)).json()["id"] == told["id"]
        assert (await other.told("GET", "/api/account"))["fresh"]

    on_site(tmp_path, test)


def test_names_and_answers_are_held_to_the_rules_of_all_accounts(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        await newcomer(site, "Cope")
        browser = at_home(site)
        for name, status, why in (
            ("\u0421\u043e\u0440\u0435", 409, TAKEN),
            ("a", 422, "2 to 20"),
            ("admin", 422, "kept"),
        ):
            refused = await browser.ask("POST", f"{OPEN}/begin", {"name": name})
            assert (refused.status_code, why in refused.json()["detail"]) == (status, True), refused.text
        begun = await browser.told("POST", f"{OPEN}/begin", {"name": "Second"})
        credential = Authenticator().make(begun["options"])
        body = {"name": "Cope", "ceremony": begun["id"], "credential": credential}
        assert (await browser.ask("POST", OPEN, body)).json()["detail"] == TAKEN
        late = await browser.ask("POST", OPEN, body | {"name": "Second"})
        assert (late.status_code, late.json()["detail"]) == (422, errors.PASSKEY_LATE)

        _, device, _ = await newcomer(site, "Third")
        again = await opened(browser, "Fourth", device)
        assert (again.status_code, again.json()["detail"]) == (422, errors.PASSKEY_KNOWN)
        assert site.keeper.directory.by_name("Fourth") is None
        # Each ceremony is for one thing.
        begun = await browser.told("POST", f"{OPEN}/begin", {"name": "Fourth"})
        body = {"ceremony": begun["id"], "credential": device.sign({**begun["options"], "rpId": "localhost"})}
        assert (await browser.ask("POST", ENTRY, body)).json()["detail"] == errors.PASSKEY_LATE
        begun = await browser.told("POST", f"{ENTRY}/begin")
        made = Authenticator().make({**begun["options"], "rp": {"id": "localhost"}, "user": {"id": "eA"}})
        body = {"name": "Fourth", "ceremony": begun["id"], "credential": made}
        assert (await browser.ask("POST", OPEN, body)).json()["detail"] == errors.PASSKEY_LATE
        wrong = Authenticator("http://localhost:8001")
        assert "origin" in (await opened(browser, "Fourth", wrong)).json()["detail"]
        assert (await site.browser().ask("POST", f"{OPEN}/begin", {"name": "Fourth"})).status_code == 422

    on_site(tmp_path, test)


def test_so_many_accounts_are_opened_from_one_address(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        await newcomer(site)
        await site.browser().sign_up("Second")
        for path, body in (
            (f"{OPEN}/begin", {"name": "Third"}),
            ("/api/account", {"name": "Third", "password": PASSWORD}),
        ):
            refused = await at_home(site).ask("POST", path, body)
            assert (refused.status_code, "retry-after" in refused.headers) == (429, True), path

    on_site(tmp_path, test, limits=replace(OFF, address_accounts=Rate(1, "h", 2)))


def test_what_protects_the_account_is_changed_and_the_account_deleted_after_a_proof(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        browser, device, told = await newcomer(site)
        stranger, others, _ = await newcomer(site, "Stranger")
        long_ago(site)
        assert (await browser.ask("DELETE", "/api/account")).status_code == 403
        assert (await browser.ask("POST", "/api/account/proof", {"password": ""})).status_code == 401
        foreign = await proven(browser, others)
        assert (foreign.status_code, foreign.json()["detail"]) == (401, errors.PASSKEY_UNKNOWN)
        begun = await browser.told("POST", f"{PROOF}/begin")
        assert [one["id"] for one in begun["options"]["allowCredentials"]] == [device.make_id()]
        body = {"ceremony": begun["id"], "credential": device.sign(begun["options"])}
        assert (await stranger.ask("POST", PROOF, body)).json()["detail"] == errors.PASSKEY_LATE
        answer = await browser.ask("POST", PROOF, body)
        assert (answer.status_code, answer.json()["fresh"]) == (200, True)
        assert (await browser.ask("PUT", "/api/account/password", {"password": PASSWORD})).status_code == 200
        assert (await at_home(site).sign_in("Aizada")).status_code == 201
        assert (await browser.ask("DELETE", "/api/account")).status_code == 200
        with site.keeper.transactions.reading() as connection:
            assert connection.scalar(select(passkeys.c.digest).where(passkeys.c.account == told["id"])) is None
        plain = at_home(site)
        await plain.sign_up("Plainone")
        none = await plain.ask("POST", f"{PROOF}/begin")
        assert (none.status_code, none.json()["detail"]) == (422, errors.NO_PASSKEY)

    on_site(tmp_path, test)


@pytest.mark.parametrize("password", ["", PASSWORD])
def test_a_recovery_code_leads_to_a_new_passkey_or_a_password(tmp_path: Path, password: str) -> None:
    async def test(site: Site) -> None:
        old, lost, told = await newcomer(site)
        with site.keeper.transactions.writing() as connection:
            connection.execute(update(accounts).values(password="a password of before"))
        back, body = at_home(site), {"name": "aizada", "code": told["codes"][0], "password": password}
        assert (await back.ask("POST", RECOVERY, body | {"code": "wrong"})).status_code == 401
        if not password:
            del body["password"]
        assert (await back.ask("POST", RECOVERY, body)).status_code == 201
        assert (await back.ask("POST", RECOVERY, body)).status_code == 401
        assert (await old.ask("GET", "/api/account")).status_code == 401, "all sessions have ended"
        account = await back.told("GET", "/api/account")
        assert (account["fresh"], account["password"], account["codes"]) == (True, bool(password), 7)
        new = Authenticator()
        assert (await add(back, new)).status_code == 201
        for one in await back.told("GET", PATH):
            if one["label"] != "Phone":
                await back.told("DELETE", f"{PATH}/{one['id']}")
        assert (await enter(at_home(site), lost)).status_code == 401
        assert (await enter(at_home(site), new)).status_code == 201

    on_site(tmp_path, test)


def test_the_page_shows_the_recovery_codes_once_and_the_proof_asks_for_what_there_is(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        browser, device = await at_home(site).visit(), Authenticator()
        path = "/sign-up/passkey"
        assert f'action="{path}"' in (await browser.client.get(path)).text

        async def send(name: str, credential: str | None = None) -> httpx.Response:
            begun = await browser.told("POST", f"{OPEN}/begin", {"name": "Aizada"})
            found = json.dumps(device.make(begun["options"])) if credential is None else credential
            form = {
                "name": name,
                "ceremony": begun["id"],
                "credential": found,
                "_csrf_token": browser.csrf["x-csrftoken"],
            }
            return await browser.client.post(path, data=form, headers={"accept": "text/html"})

        for name, credential, status in (("admin", None, 422), ("Aizada", "", 422), ("Aizada", "{}\x00é", 422)):
            refused = await send(name, credential)
            assert (refused.status_code, 'role="alert"' in refused.text) == (status, True), refused.text
        page = await send("Aizada")
        codes = re.findall(r"<code>([^<]+)</code>", page.text)
        assert (page.status_code, len(codes)) == (200, 8)
        assert f'content="{browser.csrf["x-csrftoken"]}"' in page.text, "its forms are those of the new session"
        assert codes[0] not in (await browser.client.get("/account/codes")).text
        assert (await browser.client.get(path)).status_code == 303

        long_ago(site)
        for there, absent in (
            (["passkey-proof"], 'type="password"'),
            (["passkey-proof", 'type="password"'], "nothing"),
        ):
            proof = (await browser.client.get("/account/data")).text
            assert all(one in proof for one in there)
            assert absent not in proof
            site.keeper.directory.set_password(site.keeper.directory.by_name("Aizada").id, "x")  # type: ignore[union-attr]
            site.keeper.ended()

        form = {"name": "Aizada", "code": codes[0], "password": "", "_csrf_token": browser.csrf["x-csrftoken"]}
        back = await browser.client.post("/recovery", data=form)
        assert (back.status_code, back.headers["location"]) == (303, "/account/passkeys?done=code")
        assert "Add a passkey, or set a password." in (await browser.client.get(back.headers["location"])).text

    on_site(tmp_path, test)
