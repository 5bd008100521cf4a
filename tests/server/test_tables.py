"""Phones at the tables: codes, and whose seat each of them is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import httpx

from korgool.app.server.events.tables.codes import CODE_LETTERS, SIDES, Seat, TableCodes, shown_code, tidy_code
from korgool.app.server.events.tables.service import TablePhones
from korgool.app.server.limits import OFF, Rate
from korgool.app.server.storage.database import known_secret
from korgool.competition.model import Settings
from tests.server.desk_events import READING, AtDesk, at_desk

from .members import Browser, Site, on_site

CUP = Settings(name="Cup", rounds=3, phones=True)
PLAYERS = ("Asan", "Bermet", "Cholpon", "Daniyar")


def tables_of(site: Site) -> TablePhones:
    found: TablePhones = site.app.state.table_phones
    return found


async def hall(site: Site, settings: Settings = CUP, players: Sequence[str] = PLAYERS) -> AtDesk:
    """An event whose first round is paired."""
    desk = await at_desk(site, "Asel", settings, *players)
    await desk.do({"do": "pair", "round": 1})
    return desk


async def codes_at(site: Site, desk: AtDesk, board: int = 1) -> tuple[str, str]:
    return (await tables_of(site).codes(desk.competition, [board]))[board]


async def look(browser: Browser, desk: AtDesk, code: str, language: str = "en") -> httpx.Response:
    path = f"/events/{desk.competition.event_id}/table/{code}"
    return await browser.client.get(path, headers=READING | {"accept-language": language})


def test_codes_follow_from_the_key_alone() -> None:
    one, same, other = TableCodes("a" * 64), TableCodes("a" * 64), TableCodes("b" * 64)
    seats = [Seat(g, r, b, side) for g in (1, 2) for r in range(1, 10) for b in range(1, 61) for side in SIDES]
    codes = [one.code(seat) for seat in seats]
    assert len(set(codes)) == len(codes)
    assert {len(code) for code in codes} == {CODE_LETTERS}
    assert codes == [same.code(seat) for seat in seats]
    assert not set(codes) & {other.code(seat) for seat in seats}
    assert one.seat(codes[0]) is None  # what nobody has learnt opens nothing
    one.learn(1, 1, 2)
    assert one.seat(codes[0]) == seats[0]
    assert one.seat(one.code(Seat(1, 1, 3, "white"))) is None
    one.learn(1, 1, 3)
    assert one.seat(one.code(Seat(1, 1, 3, "white"))) == Seat(1, 1, 3, "white")
    assert tidy_code(f" {shown_code(codes[0]).upper()}-\n") == codes[0]


def test_a_code_opens_the_page_of_its_seat(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await hall(site)
        white, black = await codes_at(site, desk)
        phone = site.browser()
        text = (await look(phone, desk, white)).text
        assert "Round 1, board 1" in text
        assert {name for name in PLAYERS if name in text} == {"Asan", "Cholpon"}
        assert text.count(">you<") == 1
        assert (await look(phone, desk, "aaaaaaaa")).status_code == 404
        for typed in (black, shown_code(black).upper()):
            token = {"_csrf_token": phone.csrf["x-csrftoken"]}
            sent = await phone.client.post(f"/events/{desk.competition.id}/table", data={"code": typed, **token})
            assert (sent.status_code, sent.headers["location"][-8:]) == (303, black)
        wrong = await phone.client.post(f"/events/{desk.competition.id}/table", data={"code": "x", **token})
        assert (wrong.status_code, "This code is wrong" in wrong.text) == (404, True)

    on_site(tmp_path, test)


def test_a_code_ends_with_the_round_and_with_the_switch(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await hall(site)
        (white, _), phone = await codes_at(site, desk), site.browser()
        await desk.do({"do": "change", "settings": {"name": "Cup", "rounds": 3}})
        off = await look(phone, desk, white)
        assert (off.status_code, "not reported by phone here" in off.text) == (410, True)
        await desk.do({"do": "change", "settings": {"name": "Cup", "rounds": 3, "phones": True}})
        assert (await look(phone, desk, white)).status_code == 200
        results = [{"do": "result", "round": 1, "board": board, "result": "82-60"} for board in (1, 2)]
        await desk.do(*results)
        stands = await look(phone, desk, white)
        assert "1 (82) – 0 (60)" in stands.text
        await desk.do({"do": "pair", "round": 2})
        over = await look(phone, desk, white)
        assert (over.status_code, "round 1, which is over" in over.text) == (410, True)
        assert white not in await codes_at(site, desk)

    on_site(tmp_path, test)


def test_codes_of_a_group_open_that_group(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Asel", CUP, *PLAYERS)
        youth = {"name": "Youth", "rounds": 1, "phones": True}
        await desk.do({"do": "group", "name": "Youth", "first": "Open", "settings": youth})
        other = await site.app.state.event_registry.group(desk.competition, "Youth")
        entries = [{"do": "enter", "entry": {"family": name}} for name in ("Erlan", "Fatima")]
        for actions in (entries, [{"do": "pair", "round": 1}]):
            await other.act(desk.officer, other.seq, actions)
        await desk.do({"do": "pair", "round": 1})
        codes = await tables_of(site).codes(other, [1, 2])
        phone = site.browser()
        assert "Fatima" in (await look(phone, desk, codes[1][0])).text
        assert (await look(phone, desk, codes[2][0])).status_code == 404  # the group has one board

    on_site(tmp_path, test)


def test_wrong_codes_are_counted_and_right_ones_go_on(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await hall(site)
        (white, _), phone = await codes_at(site, desk), site.browser()
        found = [(await look(phone, desk, f"aaaaaaa{at}")).status_code for at in "abcd"]
        assert found == [404, 404, 404, 429]
        assert (await look(phone, desk, white)).status_code == 200

    on_site(tmp_path, test, limits=replace(OFF, address_table_codes=Rate(1, "min", 3)))


def test_looking_makes_no_key(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await hall(site)
        assert (await look(site.browser(), desk, "a" * 8)).status_code == 404
        name = f"tables {desk.competition.event_id}"
        engine = tables_of(site)._storage.engine
        assert known_secret(engine, name) is None
        await codes_at(site, desk)
        assert known_secret(engine, name) is not None

    on_site(tmp_path, test)
