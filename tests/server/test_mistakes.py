"""Mistakes of accounts: taken in once from any device, scheduled, seen by nobody else, and bounded."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import create_engine, event
from sqlalchemy.pool import StaticPool

from korgool.accounts import PersonKind
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.http.responses import mark_of
from korgool.app.server.people.transactions import PeopleTransactions
from korgool.app.server.school.mistakes import repository
from korgool.app.server.school.mistakes.schedule import Answer, memory_of
from korgool.app.server.storage.schema import metadata
from korgool.rules import GAMES
from korgool.training.mistakes import Mistake
from tests.training.mistakes import mistake

from .members import Browser, Site, on_site
from .support import Json, postgresql_database
from .test_rights_of_doors import World

DAY = 24 * 3600 * 1000
DOOR = "/api/mistakes"


def card(game: str = "toguz", plies: int = 6, **other: object) -> Json:
    """A card as a device sends it."""
    sent: Json = msgspec.to_builtins(mistake(game, plies))
    return sent | other


def answer(to: Json, name: str, grade: int, at: int) -> Json:
    return {"id": name, "card": to["id"], "grade": grade, "at": at}


async def sync(browser: Browser, *, cards: Any = (), answers: Any = (), seen: int = 0) -> Json:
    told: Json = await browser.told("POST", DOOR, {"cards": list(cards), "answers": list(answers), "seen": seen})
    return told


async def two_devices(site: Site) -> None:
    """Both devices have the same in the end, whatever is sent twice or late; nothing is lost or counts twice."""
    phone, laptop = site.browser(), site.browser()
    await phone.sign_up("Aida")
    (await laptop.sign_in("Aida")).raise_for_status()
    one, two = card(), card("mangala")
    made = one["made"]
    told = await sync(phone, cards=[one, two])
    assert [each["card"]["id"] for each in told["cards"]] == [one["id"], two["id"]]
    assert told["refused"] == []
    assert not told["more"]
    assert all(each["memory"] is None for each in told["cards"])
    again = await sync(phone, cards=[one, two], seen=told["seen"])
    assert again == {"cards": [], "seen": told["seen"], "more": False, "refused": []}

    # The laptop was offline on the first day and sends its answer after the phone has sent that of the third.
    late, early = answer(one, "phone-answer", 3, made + 2 * DAY), answer(one, "laptop-answer", 3, made + 1000)
    await sync(phone, answers=[late, late])
    told = await sync(laptop, answers=[early], seen=0)
    right = memory_of([Answer("laptop-answer", made + 1000, 3), Answer("phone-answer", made + 2 * DAY, 3)])
    (found,) = (each["memory"] for each in told["cards"] if each["card"]["id"] == one["id"])
    assert found == msgspec.to_builtins(right)
    assert (await sync(laptop, answers=[early, late], seen=told["seen"]))["cards"] == []

    dropped = await sync(laptop, cards=[two | {"dropped": True, "switched": made + 5}], seen=told["seen"])
    assert [(each["dropped"], each["switched"]) for each in dropped["cards"]] == [(True, made + 5)]
    stale = await sync(phone, cards=[two | {"dropped": False, "switched": made + 4}], seen=dropped["seen"])
    assert stale["cards"] == [], "the later switch holds"
    kept = await sync(phone, cards=[two | {"dropped": False, "switched": made + 9}], seen=dropped["seen"])
    assert [each["dropped"] for each in kept["cards"]] == [False]


async def nothing_of_it_is_left(site: Site) -> None:
    """The export of an account has its cards and no others; with the account they go."""
    aida, bolot = site.browser(), site.browser()
    await aida.sign_up("Aida")
    await bolot.sign_up("Bolot")
    await sync(aida, cards=[card()])
    await sync(bolot, cards=[card("castle"), card("bestemshe")])
    assert len((await aida.told("GET", "/api/account/export"))["tables"]["mistakes"]) == 1
    exported = (await bolot.told("GET", "/api/account/export"))["tables"]["mistakes"]
    assert {msgspec.json.decode(row["data"], type=Mistake).game for row in exported} == {"castle", "bestemshe"}
    await bolot.told("DELETE", "/api/account")
    with site.keeper.transactions.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM mistakes").scalar() == 1


@pytest.mark.parametrize("test", [two_devices, nothing_of_it_is_left])
def test_on_sqlite(tmp_path: Path, test: Any) -> None:
    on_site(tmp_path, test)


@pytest.mark.parametrize("test", [two_devices, nothing_of_it_is_left])
def test_on_postgresql(tmp_path: Path, test: Any) -> None:
    with postgresql_database() as url:
        on_site(tmp_path, test, url)


def test_an_account_has_at_most_so_many_cards_and_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repository, "MOST_CARDS", 3)
    monkeypatch.setattr(repository, "MOST_ANSWERS", 2)
    monkeypatch.setattr(repository, "PAGE", 2)

    async def test(site: Site) -> None:
        browser = site.browser()
        await browser.sign_up("Aida")
        cards = [card(game) for game in GAMES]
        told = await sync(browser, cards=cards)
        assert told["refused"] == [cards[3]["id"]]
        assert (len(told["cards"]), told["more"]) == (2, True)
        rest = await sync(browser, seen=told["seen"])
        assert (len(rest["cards"]), rest["more"]) == (1, False)
        answers = [answer(cards[0], f"answer-{number}", 1, now_ms() - DAY + number) for number in range(5)]
        told = await sync(browser, answers=answers, seen=rest["seen"])
        assert told["cards"][0]["memory"]["last"] == answers[1]["at"]

    on_site(tmp_path, test)


HOSTILE: list[Json] = [
    {"position": "<script>alert(1)</script>"},
    {"position": "9" * 60_000},
    {"position": "10S,10S,1S,9S,9S,9S,9S,1,10S/10S,10S,2S,11S,11S,11S,10S,10S,10S 10 0 S 2"},
    {"game": "chess"},
    {"id": "0123456789abcdef"},
    {"played": 77},
    {"right": []},
    {"right": [1, 1]},
    {"right": [99]},
    {"lines": {"1": [1] * 9}},
    {"lines": {"../..": [1]}},
    {"lines": {"1": [2]}},
    {"lost": 1e308},
    {"lost": -1.0},
    {"stones": 1e9},
    {"source": "<b>"},
    {"source": "javascript:alert(1)"},
    {"made": 1 << 62},
    {"ply": -1},
]
BROKEN: list[object] = [
    {"cards": [{}]},
    {"cards": "all"},
    {"cards": [card(owner="somebody")]},
    {"answers": [{"id": "short", "card": "0" * 16, "grade": 3, "at": 1}]},
    {"answers": [{"id": "long-enough", "card": "0" * 16, "grade": 9, "at": 1}]},
    {"answers": [{"id": "long-enough", "card": "'; DROP", "grade": 3, "at": 1}]},
    {"answers": [{"id": "long-enough", "card": "0" * 16, "grade": 3, "at": -1}]},
    {"answers": [answer(card(), f"answer-{number}", 3, 1) for number in range(201)]},
    {"seen": -1},
    {"account": "x" * 22},
    [],
]


def test_hostile_bodies_are_refused_and_leave_nothing(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        browser = site.browser()
        await browser.sign_up("Aida")
        for change in HOSTILE:
            answered = await browser.ask("POST", DOOR, {"cards": [card() | change]})
            if answered.status_code == 200:
                told = answered.json()
                assert (len(told["refused"]), told["cards"]) == (1, []), change
            else:
                assert answered.status_code in {400, 413}, change
        for body in BROKEN:
            assert (await browser.ask("POST", DOOR, body)).status_code == 400, body
        for large in ({"cards": [card()] * 10_000}, {"cards": [card(source="x" * 10_000_000)]}):
            assert (await browser.ask("POST", DOOR, large)).status_code == 413
        unknown = {"id": "long-enough", "card": "0" * 16, "grade": 3, "at": 1}
        assert (await sync(browser, answers=[unknown]))["cards"] == []
        with site.keeper.transactions.reading() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM mistakes").scalar() == 0

    on_site(tmp_path, test)


def test_an_answer_of_tomorrow_counts_as_given_now(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        browser = site.browser()
        await browser.sign_up("Aida")
        one = card()
        told = await sync(browser, cards=[one], answers=[answer(one, "from-tomorrow", 3, now_ms() + DAY)])
        assert told["cards"][0]["memory"]["last"] <= now_ms()

    on_site(tmp_path, test)


def test_a_page_of_another_account_brings_nothing_and_learns_nothing(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        aida, other = site.browser(), site.browser()
        page = mark_of((await aida.sign_up("Aida"))["id"])
        own = mark_of((await other.sign_up("Berik"))["id"])
        await sync(other, cards=[card("mangala")])
        late = await other.ask("POST", DOOR, {"cards": [card()], "mark": page})
        assert (late.status_code, "position" in late.text) == (409, False)
        told = await other.told("POST", DOOR, {"mark": own})
        assert [one["card"]["game"] for one in told["cards"]] == ["mangala"]

    on_site(tmp_path, test)


def test_only_members_keep_mistakes_here_children_too(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        world = World(site)
        await world.prepare()
        child = await world.in_session(world.child.id)
        assert len((await sync(child, cards=[card()]))["cards"]) == 1
        assert (await sync(world.other))["cards"] == [], "nobody else sees them"
        assert world.child.kind is PersonKind.CHILD
        visitor = await site.browser().visit()
        locked = await world.in_session(world.locked.id)
        token = await world.player.token("read", "play")
        for stranger in (site.browser(), visitor, locked, token):
            assert (await stranger.ask("POST", DOOR, {"cards": [card("castle")]})).status_code in {401, 403}
        with site.keeper.transactions.reading() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM mistakes").scalar() == 1

    on_site(tmp_path, test)


def test_a_visitor_prints_the_cards_of_their_device(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(site: Site) -> None:
        visitor = await site.browser().visit()

        async def printed(cards: object, **headers: str) -> tuple[int, bytes]:
            sent = cards if isinstance(cards, str) else msgspec.json.encode(cards).decode()
            told = {"cards": sent, "_csrf_token": visitor.csrf["x-csrftoken"]}
            answered = await visitor.client.post("/mistakes/worst.pdf", data=told, headers=headers)
            return answered.status_code, answered.content

        status, paper = await printed([card(), card("mangala")])
        assert (status, paper[:5]) == (200, b"%PDF-")
        status, russian = await printed([card(), card("mangala")], **{"accept-language": "ru"})
        assert (status, russian == paper) == (200, False)
        for nothing in ("", "{}", "[]", "[1]", "[" * 5_000, [card()] * 21, [card(position="<script>")]):
            status, _ = await printed(nothing)
            assert status == 422, str(nothing)[:60]
        for change in HOSTILE:
            assert (await printed([card() | change]))[0] in {413, 422}, change
        assert (await printed([card(source="x" * 10_000_000)]))[0] == 413
        with site.keeper.transactions.reading() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM mistakes").scalar() == 0
        monkeypatch.setitem(sys.modules, "typst", None)
        status, page = await printed([card()])
        assert status == 501
        assert b"This server cannot print" in page

    on_site(tmp_path, test)


def test_nobody_waits_while_memories_are_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[str] = []

    def noted(answers: Any) -> Any:
        steps.append("worked out")
        return memory_of(answers)

    engine = create_engine("sqlite://", poolclass=StaticPool)
    metadata.create_all(engine)
    stored = repository.MistakeRepository(PeopleTransactions(engine))
    one = mistake("toguz", 6)
    stored.write("a", [repository.Given(one, False, 0)], [])
    event.listen(engine, "begin", lambda connection: steps.append("begun"))
    monkeypatch.setattr(repository, "memory_of", noted)
    answers = [Answer(f"answer-{at}", at * DAY, 3) for at in (1, 2)]
    stored.write("a", [], [(one.id, given) for given in answers])
    assert steps == ["begun", "worked out", "begun"]
    (card,), _ = stored.after("a", 0)
    assert card.memory == memory_of(answers)
