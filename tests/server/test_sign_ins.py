"""The log of sign-ins: what is noted of each way in, for how long, and that it goes with the account."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import func, select

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.people.sign_in.sign_in_log import KEPT_MS, MOST_SIGN_INS, SignInWay
from korgool.app.server.storage.schema import sign_ins

from .members import PASSWORD, Site, on_site
from .test_passkeys import enter, owner

PATH = "/api/account/sign-ins"


def test_each_way_in_is_noted_for_the_owner_and_goes_with_the_account(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        browser, device, identity = await owner(site)
        codes = (await browser.told("POST", "/api/account/codes"))["codes"]
        phone = site.browser(**{"user-agent": "Mozilla/5.0 (Android 16) Firefox/140.0"})
        assert (await phone.sign_in("Aizada", "wrong words")).status_code == 401
        assert (await enter(browser, device)).status_code == 201
        body = {"name": "Aizada", "code": codes[0], "password": PASSWORD}
        assert (await phone.ask("POST", "/api/account/recovery", body)).status_code == 201
        bot = await phone.told("POST", "/api/account/bots", {"name": "Itsbot"})
        log = await phone.told("GET", PATH)
        assert [one["way"] for one in log] == ["token", "code", "passkey", "password"]
        assert [("Android" in one["device"], bool(one["device"])) for one in log] == [
            (False, False),
            (True, True),
            (False, True),
            (False, True),
        ]
        page = (await phone.client.get("/account/sessions")).text
        assert page.count("Recovery code</strong>") == 1
        assert page.count("Firefox · Android") == 2, "the session and the sign-in"

        stranger = await site.browser().visit()
        assert await stranger.told("GET", PATH) == []
        reader = await phone.token("read")
        assert (await reader.ask("GET", PATH)).status_code == 403
        program = site.browser(authorization=f"Bearer {bot['token']}")
        assert (await program.ask("GET", PATH)).status_code == 403

        exported = (await phone.ask("GET", "/api/account/export")).json()["tables"]["sign_ins"]
        assert sorted(one["way"] for one in exported) == ["code", "passkey", "password", "token", "token"]
        assert (await phone.ask("DELETE", "/api/account")).status_code == 200
        with site.keeper.transactions.reading() as connection:
            assert connection.scalar(select(func.count()).where(sign_ins.c.account == identity)) == 0

    on_site(tmp_path, test)


def test_so_many_are_kept_and_so_long(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        identity = (await site.browser().sign_up("Aizada"))["id"]
        keeper, now = site.keeper, now_ms()
        for number in range(MOST_SIGN_INS + 5):
            keeper.keys.begin(identity, f"{number}", now + number, way=SignInWay.PASSKEY)
        last = [one.device for one in keeper.sign_ins.list(identity, now)]
        assert last == [str(number) for number in range(MOST_SIGN_INS + 4, 4, -1)]
        later = now + KEPT_MS + 7
        assert [one.device for one in keeper.sign_ins.list(identity, later)] == last[: MOST_SIGN_INS - 3]
        keeper.sign_ins.forget(later)
        with keeper.transactions.reading() as connection:
            assert connection.scalar(select(func.count()).select_from(sign_ins)) == MOST_SIGN_INS - 3

    on_site(tmp_path, test)
