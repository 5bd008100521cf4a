"""Accounts over the API: opened, signed in to, protected, and closed to everybody else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import select

from korgool.accounts import Scope
from korgool.accounts.sessions import IDLE_MS, LONGEST_MS
from korgool.app.server.core import errors
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.limits import OFF, ServiceLimits
from korgool.app.server.people.sign_in import password_hashing
from korgool.app.server.people.sign_in.session_repository import MOST_SESSIONS, MOST_TOKENS
from korgool.app.server.people.sign_in.sign_in_log import SignInWay
from korgool.app.server.storage.schema import sessions, tokens

from .members import PASSWORD, Browser, Site, on_site
from .support import postgresql_database


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """The URL of an empty database, or None for a file."""
    if request.param == "sqlite":
        yield None
        return
    with postgresql_database() as url:
        yield url


async def status(browser: Browser, method: str, path: str, body: object = None) -> int:
    return (await browser.ask(method, path, body)).status_code


def test_an_account_is_opened_and_the_visitors_games_move_along(tmp_path: Path, database: str | None) -> None:
    async def test(site: Site) -> None:
        aida = await site.browser().visit()
        before = await aida.told("GET", "/api/account")
        assert before["kind"] == "visitor"
        made = await aida.client.post(
            "/games",
            data={
                "_csrf_token": aida.csrf["x-csrftoken"],
                "game": "toguz",
                "side": "white",
                "level": "1",
                "clock": "none",
            },
        )
        game = made.headers["location"]
        offered = await aida.told("POST", "/api/challenges", {"game": "toguz", "to": "lobby", "clock": "1d"})
        old = dict(aida.client.cookies)
        account = await aida.sign_up("Айда")
        assert account["id"] != before["id"]
        told = await aida.told("GET", "/api/account")
        assert (told["kind"], told["name"], told["fresh"], told["codes"]) == ("account", "Айда", True, 0)
        state = await aida.told("GET", f"/api{game}")
        assert (state["you"], state["seats"]["white"]["name"]) == ("white", "Айда")
        assert (await aida.told("POST", f"/api{game}/resign"))["outcome"]["winner"] == "black"
        (listed,) = await aida.told("GET", "/api/lobby")
        assert (listed["id"], listed["name"], listed["own"]) == (offered["id"], "Айда", True)
        assert game in (await aida.client.get("/")).text

        thief = site.browser()  # an old cookie of the visitor opens nothing of the account
        for name, value in old.items():
            thief.client.cookies.set(name, value, domain="127.0.0.1")
        assert (await thief.told("GET", f"/api{game}"))["you"] is None
        assert (await thief.sign_in("АЙДА")).status_code == 201
        assert (await thief.sign_in("айда", "a guess")).status_code == 401
        taken = await site.browser().ask("POST", "/api/account", {"name": "Айда", "password": PASSWORD})
        assert taken.status_code == 409

    on_site(tmp_path, test, database)


def test_names_and_passwords_that_cannot_be(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        await site.browser().sign_up("Бакыт")
        for name, password, expected in (
            ("бакыт", PASSWORD, 409),
            ("Бaкыт", PASSWORD, 422),  # a Latin a
            ("x", PASSWORD, 422),
            ("admin", PASSWORD, 422),
            ("名前" * 11, PASSWORD, 422),
            ("نام‌ها", PASSWORD, 422),
            ("😀\x00", PASSWORD, 422),
            ("Cholpon", "short", 422),
            ("Cholpon", "password123", 422),
            ("Cholpon", "Cholpon1!", 422),
            ("Cholpon", "p" * 4097, 400),
            ("Cholpon", "p" * 10_000_000, 413),
        ):
            answer = await site.browser().ask("POST", "/api/account", {"name": name, "password": password})
            assert answer.status_code == expected, (name[:20], answer.text[:200])
            assert answer.json()["detail"]
        for name in ("Нурбек", "Αλέξης", "გიორგი", "王小明", "ağaoğlu", "Жаңыл"):
            await site.browser().sign_up(name)
        assert len(site.keeper.directory.list()) == 7

    on_site(tmp_path, test)


def test_text_that_no_database_can_hold_is_nobody(tmp_path: Path, database: str | None) -> None:
    """PostgreSQL refuses NUL in every query."""

    async def test(site: Site) -> None:
        erkin = site.browser()
        for name in ("a\0b", "\0", "Erkin\0"):
            assert (await erkin.sign_in(name)).status_code == 401
            body = {"name": name, "code": "0000-0000", "password": PASSWORD}
            assert await status(erkin, "POST", "/api/account/recovery", body) == 401
        await erkin.sign_up("Erkin")
        assert await status(erkin, "POST", "/api/challenges", {"game": "toguz", "to": "a\0b"}) == 404
        for path in ("/api/account/sessions/a%00b", "/api/account/tokens/a%00b"):
            assert await status(erkin, "DELETE", path) == 404
        for path in ("/player/a%00b", "/games/a%00b", "/c/a%00b", "/api/players/%ed%a0%80"):
            assert await status(erkin, "GET", path) == 404
        assert (await erkin.told("GET", "/api/account/games?opponent=a%00b"))["games"] == []

    on_site(tmp_path, test, database)


def test_sign_in_says_the_same_to_a_wrong_name_and_a_wrong_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str | None] = []
    fits = password_hashing.PasswordHashingPool.fits

    async def counted(self: password_hashing.PasswordHashingPool, stored: str | None, password: str) -> bool:
        hashed.append(stored)
        return await fits(self, stored, password)

    monkeypatch.setattr(password_hashing.PasswordHashingPool, "fits", counted)

    async def test(site: Site) -> None:
        await site.browser().sign_up("Dana")
        wrong, unknown = await site.browser().sign_in("Dana", "another one"), await site.browser().sign_in("Nobody7")
        assert (wrong.status_code, wrong.json()) == (unknown.status_code, unknown.json())
        assert wrong.json()["detail"] == errors.WRONG_PASSWORD
        assert len(hashed) == 2  # as much work for both
        assert hashed[1] is None
        assert (await site.browser().sign_in("Dana", "x" * 3000)).status_code == 401
        assert len(hashed) == 2
        assert (await site.browser().sign_in("ＤＡＮＡ")).status_code == 201
        lost = site.browser()
        for name in ("Dana", "Nobody7"):
            body = {"name": name, "code": "0000-0000", "password": PASSWORD}
            answer = await lost.ask("POST", "/api/account/recovery", body)
            assert (answer.status_code, answer.json()["detail"]) == (401, errors.WRONG_CODE)

    on_site(tmp_path, test)


def test_guesses_are_limited_by_name_and_by_address(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        dana = site.browser()
        await dana.sign_up("Dana")
        await site.browser().sign_up("Erlan")
        guesser = site.browser()
        assert [(await guesser.sign_in("dana", "a guess")).status_code for _ in range(4)] == [401, 401, 401, 429]
        refused = await guesser.sign_in("Dana")
        assert (refused.status_code, 0 < int(refused.headers["retry-after"]) <= 900) == (429, True)
        assert (await dana.told("GET", "/api/account"))["name"] == "Dana"  # who is signed in stays so
        assert (await guesser.sign_in("Erlan")).status_code == 201  # who is right is not counted
        assert [(await guesser.sign_in(f"None{n}")).status_code for n in range(3)] == [401, 401, 429]
        assert (await site.browser().sign_in("Erlan")).status_code == 429
        assert (await guesser.sign_in("Erlan")).status_code == 201  # as in test_device_cookies.py
        later = now_ms() + 15 * 60_000
        assert not site.keeper._guesses.count({"name dana": 3}, later)
        site.keeper._guesses.forget(later)

    on_site(tmp_path, test, limits=replace(OFF, name_guesses=3, address_guesses=5))


def test_sessions_are_listed_and_ended(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk, phone = site.browser(**{"user-agent": "Desk"}), site.browser(**{"user-agent": "Phone"})
        await desk.sign_up("Farida")
        assert (await phone.sign_in("Farida")).status_code == 201
        found = await desk.told("GET", "/api/account/sessions")
        assert {(one["device"], one["this"]) for one in found} == {("Desk", True), ("Phone", False)}
        other = next(one["id"] for one in found if not one["this"])
        stranger = site.browser()
        await stranger.sign_up("Gulzat")
        assert (await stranger.told("DELETE", f"/api/account/sessions/{other}"))["ended"] == 0
        assert (await phone.told("GET", "/api/account"))["name"] == "Farida"
        assert (await desk.told("DELETE", f"/api/account/sessions/{other}"))["ended"] == 1
        assert await status(phone, "GET", "/api/account") == 401
        assert await status(phone, "DELETE", "/api/account/session") == 401
        assert (await phone.sign_in("Farida")).status_code == 201
        assert (await desk.told("DELETE", "/api/account/sessions"))["ended"] == 1
        assert await status(phone, "GET", "/api/account") == 401
        assert (await desk.told("DELETE", "/api/account/session"))["ended"] == 1
        assert await status(desk, "GET", "/api/account") == 401
        site.keeper.keys.forget(now_ms() + 2 * 86_400_000)
        assert site.keeper.keys.ended(0).keys == frozenset()

    on_site(tmp_path, test)


def test_a_session_or_token_too_many_ends_the_oldest_of_its_owner_alone(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        dana, erlan = [(await site.browser().sign_up(name))["id"] for name in ("Dana", "Erlan")]
        keys, now = site.keeper.keys, now_ms()
        for at in range(MOST_SESSIONS):
            assert len(keys.sessions(dana, now)) == at + 1
            keys.begin(dana, f"{at}", now + at, way=SignInWay.PASSWORD)
        devices = [one.device for one in keys.sessions(dana, now)]
        assert devices == [str(at) for at in reversed(range(MOST_SESSIONS))], "the first one has ended"
        assert len(keys.sessions(erlan, now)) == 1
        for at in range(MOST_TOKENS):
            for who in (dana, erlan):
                keys.make_token(who, now + at, scopes=[Scope.READ], label=f"{at}", days=1)
        keys.make_token(dana, now + MOST_TOKENS, scopes=[Scope.READ], label="new", days=1)
        labels = [str(at) for at in reversed(range(MOST_TOKENS))]
        assert [one.label for one in keys.tokens(dana, now)] == ["new", *labels[:-1]]
        assert [one.label for one in keys.tokens(erlan, now)] == labels

    on_site(tmp_path, test)


def test_what_is_over_for_a_day_is_forgotten_and_nothing_else(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        dana = (await site.browser(**{"user-agent": "ended"}).sign_up("Dana"))["id"]
        keys, now, day = site.keeper.keys, now_ms(), 86_400_000
        keys.end(dana, now - day)
        keys.begin(dana, "idle", now - IDLE_MS - day, way=SignInWay.PASSWORD)
        old, _ = keys.begin(dana, "old", now - LONGEST_MS - day, way=SignInWay.PASSWORD)
        keys.prove(old, now)
        keys.begin(dana, "live", now - 1000, way=SignInWay.PASSWORD)
        keys.make_token(dana, now - 2 * day, scopes=[Scope.READ], label="over", days=1)
        keys.make_token(dana, now - 2 * day, scopes=[Scope.READ], label="holds", days=3)

        def kept() -> list[str]:
            with site.keeper.transactions.reading() as connection:
                devices, labels = (
                    connection.scalars(select(sessions.c.device)),
                    connection.scalars(select(tokens.c.label)),
                )
                return sorted([*devices, *labels])

        keys.forget(now)
        assert kept() == ["ended", "holds", "idle", "live", "old", "over"], "a day is not over yet"
        keys.forget(now + 1)
        assert kept() == ["holds", "live"]

    on_site(tmp_path, test)


def test_whoever_signs_in_ends_the_session_before(tmp_path: Path) -> None:
    """Also with another account: a cookie that a browser has replaced must open nothing."""

    async def test(site: Site) -> None:
        shared, phone = site.browser(), site.browser()
        await shared.sign_up("Ainura")
        codes = (await shared.told("POST", "/api/account/codes"))["codes"]
        await phone.sign_in("Ainura")
        replaced: list[Browser] = []
        body = {"name": "Ainura", "code": codes[0], "password": "nine purple plums"}
        for step in (shared.sign_up("Baktygul"), shared.sign_in("Ainura"), shared.sign_in("Baktygul")):
            replaced.append(site.browser())
            replaced[-1].client.cookies.update(shared.client.cookies)
            await step
        replaced.append(site.browser())
        replaced[-1].client.cookies.update(shared.client.cookies)
        assert len(await phone.told("GET", "/api/account/sessions")) == 1
        await shared.told("POST", "/api/account/recovery", body)
        assert {await status(old, "GET", "/api/account") for old in replaced} == {401}

    on_site(tmp_path, test)


def test_another_password_ends_all_sessions_and_needs_a_proof(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk, phone = site.browser(), site.browser()
        await desk.sign_up("Gulzat")
        await phone.sign_in("Gulzat")
        with site.keeper.transactions.writing() as connection:
            connection.exec_driver_sql("UPDATE sessions SET proved_ms = 1")
        site.keeper.ended()
        new = {"password": "seven yellow pears"}
        refused = await desk.ask("PUT", "/api/account/password", new)
        assert (refused.status_code, refused.json()["detail"]) == (403, "Give your password or passkey once more.")
        assert await status(desk, "POST", "/api/account/proof", {"password": "a guess"}) == 401
        assert (await desk.told("POST", "/api/account/proof", {"password": PASSWORD}))["fresh"]
        assert await status(desk, "PUT", "/api/account/password", {"password": "gulzat123"}) == 422
        before = desk.client.cookies
        await desk.told("PUT", "/api/account/password", new)
        assert await status(phone, "GET", "/api/account") == 401
        assert (await desk.told("GET", "/api/account"))["fresh"]
        stolen = site.browser()
        stolen.client.cookies.update({name: before[name] for name in before if name == "csrftoken"})
        assert await status(stolen, "GET", "/api/account") == 401
        assert (await site.browser().sign_in("Gulzat")).status_code == 401
        assert (await site.browser().sign_in("Gulzat", "seven yellow pears")).status_code == 201

    on_site(tmp_path, test)


def test_recovery_codes_open_an_account_once_each(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = site.browser()
        await desk.sign_up("Gulzat")
        old = (await desk.told("POST", "/api/account/codes"))["codes"]
        codes = (await desk.told("POST", "/api/account/codes"))["codes"]
        assert (await desk.told("GET", "/api/account"))["codes"] == len(codes) == 8
        lost = site.browser()
        body = {"name": "Gulzat", "code": codes[0].lower().replace("-", " "), "password": "nine purple plums"}
        assert await status(lost, "POST", "/api/account/recovery", {**body, "code": old[0]}) == 401
        assert await status(lost, "POST", "/api/account/recovery", {**body, "password": "short"}) == 422
        assert (await lost.told("POST", "/api/account/recovery", body))["name"] == "Gulzat"
        assert await status(desk, "GET", "/api/account") == 401
        assert await status(site.browser(), "POST", "/api/account/recovery", body) == 401
        assert (await lost.told("GET", "/api/account"))["codes"] == 7

    on_site(tmp_path, test)


def test_tokens_do_what_their_scopes_say(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        owner = site.browser()
        await owner.sign_up("Hasan")
        reads, plays = await owner.token("read"), await owner.token("play", "challenge", "read")
        assert (await reads.told("GET", "/api/account"))["name"] == "Hasan"
        body = {"game": "toguz", "to": "level:1", "side": "white"}
        refused = await reads.ask("POST", "/api/challenges", body)
        assert (refused.status_code, "challenge" in refused.json()["detail"]) == (403, True)
        game = (await plays.told("POST", "/api/challenges", body))["game"]
        assert (await reads.told("GET", f"/api/games/{game}"))["you"] == "white"
        assert await status(reads, "POST", f"/api/games/{game}/resign") == 403
        assert await status(plays, "POST", f"/api/games/{game}/resign") == 200
        for never in ("/api/account/codes", "/api/account/tokens"):
            assert await status(plays, "POST", never, {}) in {400, 403}
        assert await status(plays, "DELETE", "/api/account/sessions") == 403
        listed = await owner.told("GET", "/api/account/tokens")
        assert len(listed) == 2
        assert all("token" not in one for one in listed)
        assert (await owner.told("DELETE", f"/api/account/tokens/{listed[0]['id']}"))["ended"] == 1
        assert sorted([await status(one, "GET", "/api/account") for one in (reads, plays)]) == [200, 401]
        for wrong in ({"label": "", "scopes": ["read"]}, {"label": "x", "scopes": []}):
            assert await status(owner, "POST", "/api/account/tokens", wrong) == 422
        assert await status(owner, "POST", "/api/account/tokens", {"label": "x", "scopes": ["all"]}) == 400
        days = {"label": "x", "scopes": ["read"], "days": 366}
        assert await status(owner, "POST", "/api/account/tokens", days) == 422

    on_site(tmp_path, test)


def test_bots_have_names_of_their_own_and_are_marked(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        owner = site.browser()
        await owner.sign_up("Indira")
        made = await owner.told("POST", "/api/account/bots", {"name": "Thinker"})
        assert await status(owner, "POST", "/api/account/bots", {"name": "Thinkеr"}) == 422  # a Cyrillic e
        assert await status(owner, "POST", "/api/account/bots", {"name": "indira"}) == 409
        bot = site.browser(authorization=f"Bearer {made['token']}")
        assert (await bot.told("GET", "/api/account"))["kind"] == "bot"
        body = {"game": "toguz", "to": "level:1", "side": "white"}
        game = (await bot.told("POST", "/api/challenges", body))["game"]
        seat = (await owner.told("GET", f"/api/games/{game}"))["seats"]["white"]
        assert (seat["name"], seat["bot"]) == ("Thinker", True)
        again = await owner.told("POST", f"/api/account/bots/{made['id']}/token", {})
        assert await status(bot, "GET", "/api/account") == 401
        bot = site.browser(authorization=f"Bearer {again['token']}")
        assert await status(bot, "POST", "/api/account/bots", {"name": "Second"}) == 403
        assert [one["name"] for one in await owner.told("GET", "/api/account/bots")] == ["Thinker"]
        stranger = site.browser()
        await stranger.sign_up("Jamila")
        assert await status(stranger, "POST", f"/api/account/bots/{made['id']}/token", {}) == 404
        for number in range(9):
            await owner.told("POST", "/api/account/bots", {"name": f"Robot{'abcdefghi'[number]}"})
        assert await status(owner, "POST", "/api/account/bots", {"name": "Onemore"}) == 422

    on_site(tmp_path, test)


def test_rated_games_are_for_accounts_and_people_are_invited_by_name(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        kanat, lira, guest = site.browser(), site.browser(), await site.browser().visit()
        await kanat.sign_up("Kanat")
        await lira.sign_up("Lira")
        rated = {"game": "toguz", "clock": "10+5", "rated": True, "to": "lira", "side": "white"}
        refused = await guest.ask("POST", "/api/challenges", rated)
        assert (refused.status_code, refused.json()["detail"]) == (403, errors.GUEST_RATED)
        assert await status(kanat, "POST", "/api/challenges", {**rated, "to": "Nobody7"}) == 404
        made = await kanat.told("POST", "/api/challenges", rated)
        assert await status(guest, "POST", f"/api/challenges/{made['id']}/accept") == 403
        game = (await lira.told("POST", f"/api/challenges/{made['id']}/accept"))["game"]
        state = await guest.told("GET", f"/api/games/{game}")
        assert (state["rated"], state["seats"]["white"]["name"], state["seats"]["black"]["name"]) == (
            True,
            "Kanat",
            "Lira",
        )
        open_to_all = await kanat.told("POST", "/api/challenges", {**rated, "to": "link"})
        assert await status(guest, "POST", f"/api/challenges/{open_to_all['id']}/accept") == 403

    on_site(tmp_path, test)


def test_opening_accounts_is_limited(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        names = iter(("Aman", "Bolot", "Chyngyz", "Daniyar", "Emil", "Farhad", "Gani"))
        visitor = await site.browser().visit()
        statuses = [await status(visitor, "POST", "/api/account", {"name": n, "password": PASSWORD}) for n in names]
        assert statuses[-1] in {201, 429}
        limited = await site.browser().ask("POST", "/api/account", {"name": "Zhanna", "password": PASSWORD})
        assert (limited.status_code, int(limited.headers["retry-after"]) > 0) == (429, True)

    few = ServiceLimits()
    assert few.address_accounts is not None
    on_site(tmp_path, test, limits=replace(OFF, address_accounts=replace(few.address_accounts, burst=3)))


def test_an_account_is_exported_and_deleted_to_the_last_byte(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        nazgul, opponent = site.browser(**{"user-agent": "Vanishingphone"}), site.browser()
        identity = (await nazgul.sign_up("Vanishingname"))["id"]
        await opponent.sign_up("Omurbek")
        made = await nazgul.told("POST", "/api/challenges", {"game": "toguz", "to": "Omurbek", "clock": "1d"})
        game = (await opponent.told("POST", f"/api/challenges/{made['id']}/accept"))["game"]
        await nazgul.told("POST", "/api/challenges", {"game": "toguz", "to": "lobby", "clock": "1d"})
        await nazgul.told("POST", "/api/account/codes")
        await nazgul.told("POST", "/api/account/tokens", {"label": "Vanishinglabel", "scopes": ["read"]})
        bot = await nazgul.told("POST", "/api/account/bots", {"name": "Vanishingbot"})

        answer = await nazgul.ask("GET", "/api/account/export")
        found = answer.json()["tables"]
        assert {one["name"] for one in found["accounts"]} == {"Vanishingname", "Vanishingbot"}
        assert [one["id"] for one in found["games"]] == [game]
        assert {one["label"] for one in found["tokens"]} == {"Vanishinglabel"}
        assert {"sessions", "events", "seats", "challenges", "standings"} <= found.keys()
        assert "argon2id" not in answer.text
        others = await opponent.told("GET", "/api/account")
        assert others["id"] not in answer.text

        with site.keeper.transactions.writing() as connection:
            connection.exec_driver_sql("UPDATE sessions SET proved_ms = 1 WHERE account = ?", (identity,))
        site.keeper.ended()
        assert await status(nazgul, "DELETE", "/api/account") == 403
        await nazgul.told("POST", "/api/account/proof", {"password": PASSWORD})
        assert (await nazgul.told("DELETE", "/api/account"))["ended"] == 1
        assert await status(nazgul, "GET", "/api/account") == 401
        assert (await site.browser().sign_in("Vanishingname")).status_code == 401
        assert await status(site.browser(authorization=f"Bearer {bot['token']}"), "GET", "/api/account") == 401
        assert await opponent.told("GET", "/api/lobby") == []
        state = await opponent.told("GET", f"/api/games/{game}")
        assert {one["name"] for one in state["seats"].values()} == {"Deleted player", "Omurbek"}
        stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
        assert b"Omurbek" in stored
        assert [word for word in (b"anishing",) if word in stored] == []
        assert (await site.browser().sign_up("Vanishingname"))["id"] != identity  # the name is free again

    on_site(tmp_path, test)
