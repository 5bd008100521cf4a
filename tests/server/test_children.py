"""Children's accounts: opened with a consent by an adult, looked after by nobody else, and gone with it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from korgool.accounts.children import MOST_CHILDREN
from korgool.app.server.people.children import repository as wards
from korgool.app.server.people.children.repository import ChildRepository
from korgool.app.server.storage.schema import accounts, consents, sessions
from korgool.app.words.people import CONSENT, WORDING
from korgool.languages import translations

from .members import PASSWORD, Browser, Site, on_site
from .support import Json, postgresql_database

CHILDREN = "/api/account/children"


async def child_of(adult: Browser, name: str, **more: str) -> Any:
    """An account that an adult opens for a child."""
    body = {"name": name, "password": PASSWORD, "wording": WORDING, **more}
    return await adult.told("POST", CHILDREN, body)


async def refused(browser: Browser, method: str, path: str, body: Json | None = None) -> tuple[int, str]:
    """The status and the reason of a refusal."""
    answer = await browser.ask(method, path, body)
    assert answer.is_error, answer.text
    return answer.status_code, answer.json()["detail"]


async def stale(site: Site) -> None:
    """Let everybody's password have been given long ago."""
    with site.keeper.transactions.writing() as connection:
        connection.execute(update(sessions).values(proved_ms=1))
    site.keeper.ended()


def stored(site: Site) -> bytes:
    """Every byte of the database."""
    return b"".join(path.read_bytes() for path in site.folder.iterdir() if path.is_file())


def test_an_adult_opens_an_account_for_a_child(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        mother, kid = site.browser(), site.browser()
        identity = (await mother.sign_up("Gulnara"))["id"]
        listed = await mother.told("GET", CHILDREN)
        assert (listed["wording"], listed["children"]) == (WORDING, [])
        russian = (await mother.ask("GET", CHILDREN, **{"accept-language": "ru"})).json()["text"]
        assert russian == " ".join(map(translations("ru").gettext, CONSENT))
        made = await child_of(mother, "Aizada2014")
        assert (made["name"], made["short"], made["wording"], made["known"]) == ("Aizada2014", "Ai.", WORDING, [])
        assert (await child_of(mother, "Бакыт", short="Боо"))["short"] == "Боо."
        assert [one["name"] for one in (await mother.told("GET", CHILDREN))["children"]] == ["Aizada2014", "Бакыт"]
        with site.keeper.transactions.reading() as connection:
            row = connection.execute(select(accounts).where(accounts.c.name == "Aizada2014")).one()
            noted = connection.execute(select(consents).where(consents.c.child == row.id)).one()
        assert (row.kind, row.guardian, row.short) == ("child", identity, "Ai.")
        assert (noted.guardian, noted.at_ms, noted.wording, noted.withdrawn_ms) == (
            identity,
            made["agreed"],
            WORDING,
            None,
        )
        assert row.id not in str(made), "an address never tells an identity"

        assert (await kid.sign_in("aizada2014")).status_code == 201
        assert (await kid.told("GET", "/api/account"))["kind"] == "child"
        body = {"name": "Temir", "password": PASSWORD, "wording": WORDING}
        assert await refused(kid, "POST", CHILDREN, body) == (403, "An adult does this for a child's account.")
        bot = await mother.told("POST", "/api/account/bots", {"name": "Robot7"})
        program = site.browser(authorization=f"Bearer {bot['token']}")
        assert (await refused(program, "POST", CHILDREN, body))[0] == 403
        await stale(site)
        assert (await refused(mother, "POST", CHILDREN, body))[0] == 403
        await mother.told("POST", "/api/account/proof", {"password": PASSWORD})
        await child_of(mother, "Temir")

    on_site(tmp_path, test)


def test_what_cannot_be_is_refused_and_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(site: Site) -> None:
        mother = site.browser()
        await mother.sign_up("Gulnara")
        await child_of(mother, "Temir")
        good = {"name": "Nurbek", "password": PASSWORD, "wording": WORDING}
        for change, status, said in (
            ({"name": "gulnara"}, 409, "taken"),
            ({"name": "Тemir"}, 422, "one script"),
            ({"name": "ТЕМІR"}, 422, "one script"),
            ({"name": "x" * 3000}, 422, "2 to 20"),
            ({"name": "admin"}, 422, "kept for the site"),
            ({"password": "short"}, 422, "at least 8"),
            ({"password": "nurbek2014"}, 422, "name of the account"),
            ({"wording": ""}, 422, "consent"),
            ({"wording": "1999-01"}, 422, "consent"),
            ({"short": "Nur2014"}, 422, "digits"),
            ({"short": "nurbek"}, 422, "says less"),
            ({"short": "Nurbekik"}, 422, "says less"),
            ({"short": "Нrb"}, 422, "one script"),
            ({"short": "x" * 21}, 422, "2 to 20"),
            ({"short": "a\u202eb"}, 422, "cannot have"),
        ):
            found = await refused(mother, "POST", CHILDREN, {**good, **change})
            assert found[0] == status, change
            assert said in found[1], change
        for body in ({**good, "kind": "operator"}, {"name": "Nurbek"}, {**good, "short": 7}):
            assert (await refused(mother, "POST", CHILDREN, body))[0] == 400
        assert [one["name"] for one in (await mother.told("GET", CHILDREN))["children"]] == ["Temir"]
        assert b"urbek" not in stored(site)

        def broken(*_: object, **__: object) -> None:
            raise RuntimeError

        with monkeypatch.context() as patched:  # the account is written, the consent cannot be
            patched.setattr(wards, "consents", broken)
            assert (await mother.ask("POST", CHILDREN, good)).status_code == 500
        assert len((await mother.told("GET", CHILDREN))["children"]) == 1
        monkeypatch.setattr("korgool.accounts.children.MOST_CHILDREN", 1)
        assert await refused(mother, "POST", CHILDREN, good) == (422, "An account has at most 1 children's accounts.")

    assert MOST_CHILDREN == 30
    on_site(tmp_path, test)


def test_a_guardian_looks_after_an_account_and_nobody_else_does(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        mother, eve, kid, operator = (site.browser() for _ in range(4))
        await mother.sign_up("Gulnara")
        await eve.sign_up("Evelina")
        await operator.sign_up("Keeper")
        with site.keeper.transactions.writing() as connection:
            connection.execute(update(accounts).where(accounts.c.name == "Keeper").values(kind="operator"))
        site.keeper.ended()
        here = f"{CHILDREN}/{(await child_of(mother, 'Aizada'))['id']}"
        await kid.sign_in("Aizada")
        doors: tuple[tuple[str, str, Json | None], ...] = (
            ("PUT", "/short", {"short": "Bo"}),
            ("PUT", "/password", {"password": PASSWORD}),
            ("POST", "/codes", {}),
            ("DELETE", "/sessions", {}),
            ("POST", "/known", {"name": "Evelina"}),
            ("DELETE", "/known", {"name": "Evelina"}),
            ("GET", "/export", None),
            ("DELETE", "", {}),
        )
        for stranger in (eve, kid, operator):
            for method, path, body in doors:
                assert await refused(stranger, method, here + path, body) == (404, "There is no player of that name.")
        assert (await kid.ask("GET", "/api/account")).status_code == 200

        assert (await mother.told("PUT", f"{here}/short", {"short": "Сонун"}))["short"] == "Сонун."
        assert (await mother.told("PUT", f"{here}/short", {"short": ""}))["short"] == "Ai."
        for short in ("Aizada", "A1", "x"):
            assert (await refused(mother, "PUT", f"{here}/short", {"short": short}))[0] == 422
        codes = (await mother.told("POST", f"{here}/codes"))["codes"]
        assert (await mother.told("DELETE", f"{here}/sessions"))["ended"] == 1
        assert (await kid.ask("GET", "/api/account")).status_code == 401
        answer = await kid.ask(
            "POST", "/api/account/recovery", {"name": "Aizada", "code": codes[0], "password": "twelve red apples"}
        )
        assert answer.status_code == 201
        assert (await refused(mother, "PUT", f"{here}/password", {"password": "aizada1"}))[0] == 422
        assert (await mother.told("PUT", f"{here}/password", {"password": "nine blue plums"}))["ended"] == 1
        assert (await kid.sign_in("Aizada", "twelve red apples")).status_code == 401
        assert (await kid.sign_in("Aizada", "nine blue plums")).status_code == 201
        exported = (await mother.told("GET", f"{here}/export"))["tables"]
        assert [one["name"] for one in exported["accounts"]] == ["Aizada"]
        await stale(site)
        for method, path, body in doors:
            if path not in {"/short", "/sessions", "/export"} and (method, path) != ("DELETE", "/known"):
                assert (await refused(mother, method, here + path, body))[0] == 403

    on_site(tmp_path, test)


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest) -> Iterator[str | None]:
    """The URL of an empty database, or None for a file."""
    if request.param == "sqlite":
        yield None
        return
    with postgresql_database() as url:
        yield url


def test_a_child_and_others_know_each_other_by_leave_of_all_guardians(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str | None
) -> None:
    async def test(site: Site) -> None:
        mother, father, coach, kid, mate = (site.browser() for _ in range(5))
        for adult, name in ((mother, "Gulnara"), (father, "Marat"), (coach, "Trainer")):
            await adult.sign_up(name)
        here = f"{CHILDREN}/{(await child_of(mother, 'Aizada'))['id']}"
        there = f"{CHILDREN}/{(await child_of(father, 'Temir'))['id']}"
        await kid.sign_in("Aizada")
        await mate.sign_in("Temir")

        async def invites(who: Browser, name: str) -> int:
            body = {"game": "toguz", "to": name, "clock": "1d"}
            return (await who.ask("POST", "/api/challenges", body)).status_code

        assert [await invites(coach, "Aizada"), await invites(kid, "Trainer"), await invites(mother, "Aizada")] == [
            *(404, 404),
            201,
        ]
        assert (await mother.told("POST", f"{here}/known", {"name": "TRAINER"}))["known"] == ["Trainer"]
        assert (await mother.told("POST", f"{here}/known", {"name": "Trainer"}))["known"] == ["Trainer"]
        assert [await invites(coach, "Aizada"), await invites(kid, "Trainer")] == [201, 201]
        assert (await coach.ask("GET", "/api/players/aizada")).status_code == 200
        assert (await mother.told("POST", f"{here}/known", {"name": "Gulnara"}))["known"] == ["Trainer"]
        await mother.told("POST", f"{here}/known", {"name": "Temir"})
        assert [await invites(kid, "Temir"), await invites(mate, "Aizada")] == [404, 404]
        await father.told("POST", f"{there}/known", {"name": "Aizada"})
        assert [await invites(kid, "Temir"), await invites(mate, "Aizada")] == [201, 201]
        for name, status in (("Nobody7", 404), ("Aizada", 422), ("", 404), ("\x00", 404)):
            assert (await refused(mother, "POST", f"{here}/known", {"name": name}))[0] == status
        assert (await mother.told("DELETE", f"{here}/known", {"name": "trainer"}))["known"] == ["Temir"]
        await mother.told("DELETE", f"{here}/known", {"name": "Nobody7"})
        assert [await invites(coach, "Aizada"), await invites(kid, "Trainer")] == [404, 404]
        monkeypatch.setattr(wards, "MOST_TRUSTED", 1)
        assert (await refused(mother, "POST", f"{here}/known", {"name": "Trainer"}))[0] == 422

    on_site(tmp_path, test, database)


def test_who_withdraws_the_consent_deletes_the_account_to_the_last_byte(tmp_path: Path) -> None:
    """And whoever deletes their own account withdraws every consent with it."""

    async def test(site: Site) -> None:
        mother, coach, kid, other = (site.browser() for _ in range(4))
        await mother.sign_up("Gulnara")
        await coach.sign_up("Trainer")
        made = await child_of(mother, "Vanishingone", short="Vanishingshort")
        await child_of(mother, "Vanishingtwo")
        await mother.told("POST", f"{CHILDREN}/{made['id']}/known", {"name": "Trainer"})
        await kid.sign_in("Vanishingone")
        await other.sign_in("Vanishingtwo")
        offered = await kid.told("POST", "/api/challenges", {"game": "toguz", "to": "lobby", "clock": "1d"})
        game = (await coach.told("POST", f"/api/challenges/{offered['id']}/accept"))["game"]
        seats = (await coach.told("GET", f"/api/games/{game}"))["seats"]
        assert "Vanishingone" in str(seats)
        await kid.told("POST", "/api/challenges", {"game": "toguz", "to": "lobby", "clock": "1d"})
        assert await mother.told("DELETE", f"{CHILDREN}/{made['id']}") == {"ended": 1}
        assert (await kid.ask("GET", "/api/account")).status_code == 401
        assert (await refused(mother, "DELETE", f"{CHILDREN}/{made['id']}"))[0] == 404
        with site.keeper.transactions.reading() as connection:
            gone = connection.scalars(select(consents.c.child).where(consents.c.withdrawn_ms.is_not(None))).one()
        ChildRepository(site.keeper.transactions, site.keeper.directory).call(
            gone, "Vanishingshort"
        )  # as a request that comes too late
        seats = (await coach.told("GET", f"/api/games/{game}"))["seats"]
        assert {one["name"] for one in seats.values()} == {"Deleted player", "Trainer"}
        assert await coach.told("GET", "/api/lobby") == []
        assert [word for word in (b"ishingone", b"ishingshort") if word in stored(site)] == []
        assert b"ishingtwo" in stored(site)

        assert await mother.told("DELETE", "/api/account") == {"ended": 1}
        assert (await other.ask("GET", "/api/account")).status_code == 401
        assert [word for word in (b"anishing", b"Gulnara") if word in stored(site)] == []
        with site.keeper.transactions.reading() as connection:
            assert None not in connection.scalars(select(consents.c.withdrawn_ms)).all()
        assert (await coach.sign_in("Vanishingtwo")).status_code == 401

    on_site(tmp_path, test)
