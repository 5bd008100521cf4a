"""Passkeys over the API: added, used, removed, and every broken answer refused with the reason."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import func, select, update

from korgool.app.server.core import errors
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.people.passkeys.repository import MOST_PASSKEYS
from korgool.app.server.storage.schema import accounts, ceremonies, passkeys, sessions

from .authenticator import PRESENT, Answer, Authenticator
from .members import PASSWORD, Browser, Site, on_site

PATH, ENTRY = "/api/account/passkeys", "/api/account/session/passkey"


def at_home(site: Site) -> Browser:
    """A browser that uses the site by a name, as passkeys need."""
    browser = site.browser()
    browser.client.base_url = httpx.URL("http://localhost:8000")
    return browser


async def add(browser: Browser, device: Authenticator, label: str = "Phone") -> httpx.Response:
    begun = await browser.told("POST", f"{PATH}/begin")
    credential = device.make(begun["options"])
    return await browser.ask("POST", PATH, {"ceremony": begun["id"], "label": label, "credential": credential})


async def enter(browser: Browser, device: Authenticator) -> httpx.Response:
    begun = await browser.told("POST", f"{ENTRY}/begin")
    return await browser.ask("POST", ENTRY, {"ceremony": begun["id"], "credential": device.sign(begun["options"])})


async def owner(site: Site, name: str = "Aizada") -> tuple[Browser, Authenticator, str]:
    """Somebody with a passkey, and their identity."""
    browser, device = at_home(site), Authenticator()
    identity: str = (await browser.sign_up(name))["id"]
    answer = await add(browser, device)
    assert answer.status_code == 201, answer.text
    return browser, device, identity


def test_a_passkey_is_added_used_and_removed(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        browser, device, identity = await owner(site)
        (listed,) = await browser.told("GET", PATH)
        assert (listed["label"], listed["used"]) == ("Phone", None)
        again = await browser.told("POST", f"{PATH}/begin")
        assert [one["id"] for one in again["options"]["excludeCredentials"]] == [device.make(again["options"])["id"]]
        assert again["options"]["authenticatorSelection"]["userVerification"] == "required"

        other = at_home(site)
        answer = await enter(other, device)
        assert (answer.status_code, answer.json()["id"]) == (201, identity)
        assert (await other.told("GET", "/api/account"))["fresh"]
        (listed,) = await other.told("GET", PATH)
        assert listed["used"] is not None

        exported = (await other.ask("GET", "/api/account/export")).json()["tables"]
        assert [one["label"] for one in exported["passkeys"]] == ["Phone"]
        assert not {"digest", "credential", "public_key"} & set(exported["passkeys"][0])
        assert await other.told("DELETE", f"{PATH}/{listed['id']}") == {"ended": 1}
        assert await other.told("DELETE", f"{PATH}/{listed['id']}") == {"ended": 0}
        refused = await enter(at_home(site), device)
        assert (refused.status_code, refused.json()["detail"]) == (401, errors.PASSKEY_UNKNOWN)

    on_site(tmp_path, test)


def test_the_last_way_in_stays_and_goes_with_the_account(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        browser, first, identity = await owner(site)
        with site.keeper.transactions.writing() as connection:
            connection.execute(update(accounts).where(accounts.c.id == identity).values(password=None))
        second = Authenticator()
        assert (await add(browser, second, "Key")).status_code == 201
        labels = {one["label"]: one["id"] for one in await browser.told("GET", PATH)}
        assert await browser.told("DELETE", f"{PATH}/{labels['Phone']}") == {"ended": 1}
        refused = await browser.ask("DELETE", f"{PATH}/{labels['Key']}")
        assert (refused.status_code, refused.json()["detail"]) == (422, errors.PASSKEY_LAST)
        stranger, _, _ = await owner(site, "Stranger1")
        assert await stranger.told("DELETE", f"{PATH}/{labels['Key']}") == {"ended": 0}

        assert (await enter(at_home(site), first)).status_code == 401
        assert (await enter(browser, second)).status_code == 201
        await browser.told("POST", f"{PATH}/begin")
        assert (await browser.ask("DELETE", "/api/account")).status_code == 200
        with site.keeper.transactions.reading() as connection:
            own = passkeys.c.account == identity
            assert connection.scalar(select(func.count()).where(own)) == 0
            assert connection.scalar(select(func.count()).where(ceremonies.c.account == identity)) == 0
        assert (await enter(at_home(site), second)).status_code == 401

    on_site(tmp_path, test)


def test_a_challenge_is_answered_once_in_time_by_whom_it_was_made_for(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        browser, device, _ = await owner(site)

        async def late(path: str, body: Answer, who: Browser = browser) -> None:
            answer = await who.ask("POST", path, body)
            assert (answer.status_code, answer.json()["detail"]) == (422, errors.PASSKEY_LATE)

        begun = await browser.told("POST", f"{ENTRY}/begin")
        body = {"ceremony": begun["id"], "credential": device.sign(begun["options"])}
        assert (await at_home(site).ask("POST", ENTRY, body)).status_code == 201
        await late(ENTRY, body)

        begun = await browser.told("POST", f"{ENTRY}/begin")
        body = {"ceremony": begun["id"], "credential": device.sign(begun["options"])}
        with site.keeper.transactions.writing() as connection:
            connection.execute(update(ceremonies).values(expires_ms=now_ms()))
        await late(ENTRY, body)

        thief = at_home(site)
        await thief.sign_up("Thief1")
        begun = await browser.told("POST", f"{PATH}/begin")
        body = {"ceremony": begun["id"], "label": "x", "credential": Authenticator().make(begun["options"])}
        await late(PATH, body, thief)
        assert (await browser.ask("POST", PATH, body)).status_code == 201
        begun = await browser.told("POST", f"{PATH}/begin")
        await late(ENTRY, {"ceremony": begun["id"], "credential": device.sign({**begun["options"], "rpId": "x"})})

        await browser.told("POST", f"{ENTRY}/begin")
        site.passkeys.forget(now_ms() + 6 * 60_000)
        with site.keeper.transactions.reading() as connection:
            assert connection.scalar(select(func.count()).select_from(ceremonies)) == 0

    on_site(tmp_path, test)


def test_whose_answer_is_refused(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        browser, device, _ = await owner(site)
        assert (await enter(at_home(site), device)).status_code == 201

        async def refused(why: str, status: int = 422) -> None:
            answer = await enter(at_home(site), device)
            assert answer.status_code == status
            assert why in answer.json()["detail"], answer.text

        device.uses -= 1  # a copy signs with a count that was there before
        await refused("sign count")
        device.uses += 1
        device.flags = PRESENT
        await refused("User verification")
        device.flags |= 4
        device.origin = "http://localhost:8001"
        await refused("origin")
        device.origin, device.user = "http://localhost:8000", b"somebody else"
        await refused(errors.PASSKEY_UNKNOWN, 401)

        known = Authenticator()
        known.id = device.id
        assert (await add(browser, known)).json()["detail"] == errors.PASSKEY_KNOWN
        for label in ("", " ", "x" * 61, "a\nb"):
            answer = await add(browser, Authenticator(), label)
            assert (answer.status_code, "1 to 60" in answer.json()["detail"]) == (422, True)
        for _ in range(MOST_PASSKEYS - 1):
            assert (await add(browser, Authenticator())).status_code == 201
        many = await browser.ask("POST", f"{PATH}/begin")
        assert (many.status_code, str(MOST_PASSKEYS) in many.json()["detail"]) == (422, True)

        numbered = site.browser()  # by an address
        assert (await numbered.ask("POST", f"{ENTRY}/begin")).status_code == 422
        with site.keeper.transactions.writing() as connection:
            connection.execute(update(sessions).values(proved_ms=1))
        site.keeper.ended()
        assert (await browser.ask("POST", f"{PATH}/begin")).status_code == 403
        assert (await browser.ask("POST", "/api/account/proof", {"password": PASSWORD})).status_code == 200
        assert (await browser.ask("DELETE", f"{PATH}/nothing")).status_code == 200

    on_site(tmp_path, test)


def broken(answer: Answer, dice: random.Random) -> Any:
    """An answer of which one thing is otherwise: a field gone, of another kind, cut, or with other bytes."""
    made = copy.deepcopy(answer)
    place = dice.choice((made, made["response"]))
    field = dice.choice(sorted(place))
    value = place[field]
    kind = dice.randrange(6)
    if kind == 0:
        del place[field]
    elif kind == 1 or not isinstance(value, str):
        place[field] = dice.choice((None, 7, [], {}, True, "", "é", "A", "=" * 9, "A" * 20_000, "_" * 5_000))
    elif kind == 2:
        place[field] = value[: dice.randrange(len(value))]
    elif kind == 3:
        place["more" * dice.randrange(1, 3)] = value
    else:
        at = dice.randrange(len(value) - 1)  # the last letter has bits that mean nothing
        place[field] = value[:at] + dice.choice("AQgw_-z9".replace(value[at], "")) + value[at + 1 :]
    return made


@pytest.mark.parametrize("count", [40, pytest.param(1000, marks=pytest.mark.long)])
def test_broken_answers_are_refused_with_the_reason(tmp_path: Path, count: int) -> None:
    async def test(site: Site) -> None:
        browser, device, identity = await owner(site)
        dice, entered = random.Random(17), 0
        for _ in range(count):
            begun = await browser.told("POST", f"{ENTRY}/begin")
            answer = broken(device.sign(begun["options"]), dice)
            told = await at_home(site).ask("POST", ENTRY, {"ceremony": begun["id"], "credential": answer})
            if told.status_code == 201:  # `userHandle` may be missing
                entered += "userHandle" in json.dumps(answer) and answer["response"]["userHandle"] is not None
                continue
            assert told.status_code in {400, 401, 422}, (answer, told.text)
            assert told.json()["detail"]
        assert entered == 0
        for _ in range(count):
            begun = await browser.told("POST", f"{PATH}/begin")
            answer = broken(Authenticator().make(begun["options"]), dice)
            told = await browser.ask("POST", PATH, {"ceremony": begun["id"], "label": "x", "credential": answer})
            if told.status_code == 201:  # bytes of the key or of its model, which nobody has signed
                await browser.told("DELETE", f"{PATH}/{told.json()['id']}")
                continue
            assert told.status_code in {400, 422}, (answer, told.text)
            assert told.json()["detail"]
        assert [one.label for one in site.passkeys.list(identity)] == ["Phone"]

    on_site(tmp_path, test)
