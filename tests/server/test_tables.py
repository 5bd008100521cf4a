"""Phones at the tables: codes, and whose seat each of them is."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from korgool.app.printing.event_papers import _print
from korgool.app.printing.paper_context import PaperContext
from korgool.app.server.events.tables.codes import CODE_LETTERS, SIDES, Seat, TableCodes, shown_code, tidy_code
from korgool.app.server.events.tables.service import TablePhones
from korgool.app.server.limits import OFF, Rate
from korgool.app.server.storage.database import known_secret
from korgool.competition.event_state import EventState
from korgool.competition.model import Settings
from tests.printing.reading import pages
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


WON = {"won1": "white", "stones1": "90", "other1": "72"}


async def say(browser: Browser, desk: AtDesk, code: str, what: str = "report", **fields: str) -> httpx.Response:
    """What a phone sends from a table, as the script does."""
    await look(browser, desk, code)
    token = {"_csrf_token": browser.csrf["x-csrftoken"], "part": "1"}
    path = f"/events/{desk.competition.event_id}/table/{code}/{what}"
    return await browser.client.post(path, data={**token, **fields}, headers=READING)


def test_equal_reports_from_two_phones_are_the_result(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await hall(site)
        (white, black), one, two = await codes_at(site, desk), site.browser(), site.browser()
        before = desk.competition.seq
        first = await say(one, desk, white, **WON, id="a1")
        assert "It stands when your opponent has reported the same" in first.text
        again = await say(one, desk, white, **WON, id="a1")
        assert again.status_code == 200
        assert desk.competition.seq == before + 1  # one line, however often it is sent
        assert "Your opponent has reported" in (await look(two, desk, black)).text
        assert "1 (90)" not in (await look(two, desk, black)).text  # nobody need only agree
        row = await desk.look("/round/1")
        assert "White reports:" in row
        second = await say(two, desk, black, **WON)
        assert "1 (90) – 0 (72)" in second.text
        game = desk.competition.state.rounds[0].game(1)
        assert game.result is not None
        assert game.result.text == "1 (90) - 0 (72)"
        assert not desk.competition.state.reports
        assert "1 (90) – 0 (72)" in (await look(one, desk, white)).text
        log = await desk.look("/log")
        assert "players at board 1" in log
        assert "reports: 1 (90) - 0 (72)" in log
        assert "игроки за доской 1" in await desk.look("/log", language="ru")
        assert (await say(one, desk, white, **WON)).status_code == 200  # it stands already
        late = await say(one, desk, white, won1="black", stones1="90", other1="72")
        assert (late.status_code, "Another result stands" in late.text) == (409, True)

    on_site(tmp_path, test)


def test_different_reports_call_a_referee_who_decides(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await hall(site)
        (white, black), one, two = await codes_at(site, desk), site.browser(), site.browser()
        await say(one, desk, white, **WON)
        differs = await say(two, desk, black, won1="black", stones1="90", other1="72")
        assert "A referee is called" in differs.text
        page = await desk.look("/players")
        assert "Calls from the tables" in page
        assert "Board 1" in page
        assert desk.competition.state.rounds[0].missing == (1, 2)
        call = {"round": "1", "board": "1", "about": "result", "state": "coming"}
        assert (await desk.act("call", **call)).status_code == 303
        assert "A referee is coming to your board" in (await look(one, desk, white)).text
        assert (await desk.send("/round/1/results", {"r1": "72-90", "w1": ""})).status_code == 303
        assert not desk.competition.state.calls
        assert not desk.competition.state.reports
        assert "0 (72) – 1 (90)" in (await look(one, desk, white)).text

    on_site(tmp_path, test)


def test_players_who_change_their_mind_agree_without_a_referee(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await hall(site)
        (white, black), one, two = await codes_at(site, desk), site.browser(), site.browser()
        await say(one, desk, white, won1="black", stones1="90", other1="72")
        assert (await say(one, desk, white, back="1")).status_code == 200
        assert not desk.competition.state.reports
        await say(one, desk, white, won1="black", stones1="90", other1="72")
        await say(two, desk, black, won1="white", stones1="90", other1="72")
        assert desk.competition.state.calls
        await say(one, desk, white, **WON)
        assert desk.competition.state.rounds[0].missing == (2,)
        assert not desk.competition.state.calls

    on_site(tmp_path, test)


def test_both_codes_in_one_hand_are_noticed(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await hall(site)
        (white, black), one = await codes_at(site, desk), site.browser()
        await say(one, desk, white, **WON)
        await say(one, desk, black, **WON)
        assert desk.competition.state.rounds[0].missing == (1, 2)
        assert desk.competition.state.calls[1, 1].about == "phone"
        assert "both reports from one phone" in await desk.look("/round/1")
        # The other player says the same from a phone of their own.
        await say(site.browser(), desk, black, back="1")
        await say(site.browser(), desk, black, **WON)
        assert len(desk.competition.state.rounds[0].missing) == 1

    on_site(tmp_path, test)


def test_what_the_desk_has_entered_wins(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await hall(site)
        (white, black), one, two = await codes_at(site, desk), site.browser(), site.browser()
        known = desk.competition.seq
        await say(one, desk, white, **WON)
        sent = await desk.send("/round/1/results", {"r1": "100-62", "w1": "", "after": str(known)})
        assert sent.status_code == 303  # a report is no conflict
        other = await say(two, desk, black, **WON)
        assert (other.status_code, "1 (100) – 0 (62)" in other.text) == (409, True)

    on_site(tmp_path, test)


def test_a_call_reaches_the_desk_and_ends(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await hall(site)
        (white, _), one = await codes_at(site, desk), site.browser()
        assert "A referee is called" in (await say(one, desk, white, "call", about="clock")).text
        assert "the clock" in await desk.look()
        assert (await say(one, desk, white, "call", about="clock")).status_code == 200
        assert len([line for line in desk.competition.state.done if line[0].do == "call"]) == 1
        await desk.act("call", round="1", board="1", about="clock", state="done")
        assert "Calls from the tables" not in await desk.look()
        refused = await desk.act("call", round="1", board="1", about="clock", state="done")
        assert refused.status_code == 422
        await say(one, desk, white, "call", about="rules")
        await say(one, desk, white, "call", about="")
        assert not desk.competition.state.calls
        await say(one, desk, white, "call", about="nonsense")
        assert desk.competition.state.calls[1, 1].about == "other"

    on_site(tmp_path, test)


def test_the_cards_of_a_round_carry_the_codes_of_both_sides(tmp_path: Path) -> None:
    """Whoever scans a side of a card comes to the page of that seat; the code is legible too."""

    async def test(site: Site) -> None:
        desk = await hall(site)
        assert "Table cards with the codes of this round" in await desk.look("/round/1")
        answer = await desk.browser.client.get(f"{desk.path}/papers/print?what=table-cards&language=en")
        assert answer.headers["content-type"] == "application/pdf"
        text = " ".join(pages(answer.content))
        root = f"/events/{desk.competition.id}/table"
        for board in (1, 2):
            for code in await codes_at(site, desk, board):
                assert shown_code(code) in text
        assert root in text.replace(" ", "")
        seats = await tables_of(site).codes(desk.competition, [1, 2])
        pictures = event_png_of(desk.competition.state, seats, f"https://cup.example{root}")
        assert scanned(pictures) == sorted(
            f"https://cup.example{root}/{code}" for pair in seats.values() for code in pair
        )

    on_site(tmp_path, test)


def event_png_of(state: EventState, seats: dict[int, tuple[str, str]], address: str) -> list[bytes]:
    context = PaperContext(state, "ky", "a4", seats=seats, seats_url=address)
    return _print({"": context}, "table-cards", "png", 110)


def scanned(pictures: list[bytes]) -> list[str]:
    """What a phone reads in the pictures of pages."""
    zxingcpp = pytest.importorskip("zxingcpp", reason="no QR scanner (zxing-cpp) is installed")
    image = pytest.importorskip("PIL.Image", reason="no pillow is installed")
    found = [code.text for one in pictures for code in zxingcpp.read_barcodes(image.open(io.BytesIO(one)))]
    return sorted(found)


@pytest.mark.parametrize(
    ("game", "fields", "status", "stores"),
    [
        ("toguz", {"stones1": "82"}, 422, None),
        ("toguz", {"stones1": "82", "other1": "81"}, 422, None),
        ("toguz", {"stones1": "82", "other1": "60"}, 200, (82, 60)),
        ("mangala", {"stones1": "30"}, 200, (30, 18)),
    ],
)
def test_stones_left_on_the_board_belong_to_nobody(
    tmp_path: Path, game: str, fields: dict[str, str], status: int, stores: tuple[int, int] | None
) -> None:
    """WNG-TK §V: the 82nd stone ends the game, and nothing is swept; in mangala all stones are counted."""

    async def test(site: Site) -> None:
        desk = await hall(site, replace(CUP, game=game))
        for at, code in enumerate(await codes_at(site, desk)):
            answer = await say(site.browser(), desk, code, won1="white", **fields, id=f"x{at}")
            assert answer.status_code == status
        (held, *_) = desk.competition.state.rounds[0].games
        assert (held.result and held.result.stores) == stores

    on_site(tmp_path, test)
