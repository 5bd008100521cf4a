"""The wall of a hall: clocks of the rounds by the server's time, calls and announcements, and the desk for them."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import pytest

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.desk.wall import clock_moment, read_boards
from korgool.app.words.round_clock import RoundClock, moment_ms
from korgool.competition.errors import CompetitionError
from korgool.competition.model import Settings
from korgool.competition.roles import DeskRole
from korgool.competition.timetable import PlannedRound

from .desk_events import READING, AtDesk, at_desk
from .members import Browser, Site, on_site
from .support import Json
from .test_event_doors import act, seq_of, somebody
from .test_event_groups import championship
from .test_live_boards import KEEP, Hands, Sheets, entries
from .test_live_boards import event as live_event

CUP = Settings(name="Cup", rounds=3)
HOUR = Settings(name="Cup", rounds=3, control="60+0")
FOUR = ("Ann", "Bek", "Cholpon", "Dan")


@pytest.fixture(name="hands")
def time_by_hand(monkeypatch: pytest.MonkeyPatch) -> Hands:
    return Hands(monkeypatch)


async def wall(browser: Browser, address: str, language: str = "en", status: int = 200) -> str:
    answer = await browser.client.get(f"/events/{address}", headers=READING | {"accept-language": language})
    assert answer.status_code == status, answer.text
    return html.unescape(answer.text)


async def state(browser: Browser, id_: str) -> Json:
    answer = await browser.client.get(f"/api/events/{id_}/wall", headers={"accept-language": "en"})
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-store"
    found: Json = answer.json()
    return found


def test_a_clock_says_what_holds_at_each_moment() -> None:
    """Half of sixty minutes and thirty seconds are the time of late players (WNG-TK §V)."""
    late = 30 * 60_000 + 30_000
    clock = RoundClock(3, begins=1_000_000, late=late, runs=True)
    said = [
        (clock.phase(1_000_000 + at), at)
        for at in (-1, 0, 59_999, 60_000, late, late + 1, late + 59_999, late + 60_000, 10**8)
    ]
    assert [one for one, _ in said] == [
        *("before", "begun", "begun", "late", "late", "lost", "lost", "running", "running"),
    ]
    waiting = RoundClock(3, begins=1_000_000, late=late, runs=False)
    assert [waiting.phase(1_000_000 + at) for at in (-1, 0, 10**8)] == ["before", "waiting", "waiting"]
    blitz = RoundClock(1, begins=0, late=20_000, runs=True)  # less time for late players than a beginning is announced
    assert [blitz.phase(at) for at in (19_999, 20_000, 20_001)] == ["begun", "late", "lost"]


def test_boards_and_times_are_read_as_people_write_them() -> None:
    assert read_boards(" 3, 7;12-14  20–21 ") == [3, 7, 12, 13, 14, 20, 21]
    for text in ("", "x", "3-", "7-3", "1-2-3", "1-5000", "3 board"):
        with pytest.raises(CompetitionError):
            read_boards(text)
    now = moment_ms("2026-09-14T04:00:00Z")  # ten o'clock in Bishkek
    assert clock_moment("10:05", "Asia/Bishkek", now) == now + 300_000
    assert clock_moment("9.55", "Asia/Bishkek", now) == now - 300_000
    late = moment_ms("2026-09-14T17:59:00Z")  # a minute to midnight: ten past twelve is tomorrow
    assert clock_moment("0:10", "Asia/Bishkek", late) == late + 11 * 60_000
    for text, zone in (("25:00", "Asia/Bishkek"), ("10", "Asia/Bishkek"), ("10:05", ""), ("10:05", "Mars/Base")):
        with pytest.raises(CompetitionError):
            clock_moment(text, zone, now)


def test_the_clock_of_a_round_is_set_shifted_and_taken_away(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(
            site, "Asel", Settings(name="Cup", rounds=3, control="60+0"), "Ann", "Bek", "Cholpon", "Dan"
        )
        await desk.browser.told("PUT", f"/api/events/{desk.competition.id}", {"public": True})
        await desk.do({"do": "pair", "round": 1, "lot": "x"})
        id_, reader = desk.competition.id, site.browser()
        assert (await state(reader, id_))["clocks"] == []
        assert 'class="clock' not in await wall(reader, f"{id_}/wall/1")
        once = {"what": "in", "minutes": "10", "once": "0123456789abcdef"}
        for _ in range(2):  # an impatient thumb
            sent = await desk.send("/wall/clock", once)
            assert (sent.status_code, sent.headers["location"]) == (303, f"/events/{id_}/desk/wall?done")
        (clock,) = (await state(reader, id_))["clocks"]
        assert abs(clock["begins"] - now_ms() - 600_000) < 30_000
        assert (clock["round"], clock["late"], clock["runs"], clock["group"]) == (1, 1_830_000, True, "")
        text = await wall(reader, f"{id_}/wall/1")
        assert re.search(
            r'class="clock +before" data-round="1" data-begins="\d+" data-late="1830000" data-runs="1"', text
        )
        assert "Round 1 begins in" in text
        assert await desk.competition.fresh()
        assert [one.action.do for one in await desk.competition.log(7)] == ["clock"], "sent twice, done once"
        assert (await desk.send("/wall/clock", {"what": "later"})).status_code == 303
        assert (await state(reader, id_))["clocks"][0]["begins"] == clock["begins"] + 300_000
        assert (await desk.send("/wall/clock", {"what": "now"})).status_code == 303
        text = await wall(reader, f"{id_}/wall/1")
        assert "Round 1 has begun" in text
        assert "Late players have" in text
        stale = await desk.send("/wall/clock", {"what": "now", "after": "6"})
        assert stale.status_code == 409, "somebody has set it meanwhile"
        assert "Round 1 has begun" in await wall(reader, f"{id_}/wall/1")
        for what, why in (
            ({"what": "in", "minutes": "x"}, "in how many minutes"),
            ({"what": "at", "time": "9"}, "10:05"),
        ):
            refused = await desk.send("/wall/clock", what)
            assert refused.status_code == 422
            assert why in html.unescape(refused.text)
        assert (await desk.send("/wall/clock", {"what": "timetable"})).status_code == 303
        assert (await state(reader, id_))["clocks"] == []
        texts = [one.text for one in await desk.competition.log(7)]
        assert [re.sub(r" at .*", "", one) for one in texts] == [
            *("round 1 begins", "round 1 begins", "round 1 begins", "round 1 begins as the timetable says"),
        ]
        undone = await desk.act("undo", line=str(desk.competition.seq), reason="slip")
        assert undone.status_code == 303, undone.text
        assert len((await state(reader, id_))["clocks"]) == 1
        for ask, why in (
            ({"round": 4, "seconds": 0}, "there is no round 4"),
            ({"round": 2, "shift": 60}, "no time that could be shifted"),
            ({"round": 1, "begins": "tomorrow"}, "a moment is written"),
            ({"round": 1, "begins": "2026-02-30T10:00:00Z"}, "a moment is written"),
        ):
            with pytest.raises(CompetitionError, match=why):
                await desk.do({"do": "clock", **ask})

    on_site(tmp_path, test)


def test_the_timetable_counts_down_to_a_round_without_anybody(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        planned = (PlannedRound(1, "2096-09-14T10:00"), PlannedRound(2, "2096-09-14T12:00"))
        settings = Settings(name="Cup", rounds=3, timetable=planned, zone="Asia/Bishkek")
        desk = await at_desk(site, "Asel", settings, *FOUR)
        await desk.browser.told("PUT", f"/api/events/{desk.competition.id}", {"public": True})
        id_, reader = desk.competition.id, site.browser()
        (clock,) = (await state(reader, id_))["clocks"]
        assert (clock["round"], clock["begins"], clock["runs"]) == (1, moment_ms("2096-09-14T04:00:00Z"), False)
        await desk.do({"do": "pair", "round": 1, "lot": "x"})
        assert (await state(reader, id_))["clocks"][0]["runs"] is True
        await desk.do(*({"do": "result", "round": 1, "board": board, "result": "82-60"} for board in (1, 2)))
        (clock,) = (await state(reader, id_))["clocks"]
        assert (clock["round"], clock["begins"]) == (2, moment_ms("2096-09-14T06:00:00Z"))
        assert 'data-zone="360"' in await wall(reader, f"{id_}/wall/1")
        assert "by the timetable" in await desk.look("/wall")
        await desk.do({"do": "clock", "round": 2, "shift": 600})
        assert (await state(reader, id_))["clocks"][0]["begins"] == moment_ms("2096-09-14T06:10:00Z")

    on_site(tmp_path, test)


def test_calls_and_announcements_in_the_languages_of_the_event(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Asel", CUP, *FOUR)
        await desk.browser.told("PUT", f"/api/events/{desk.competition.id}", {"public": True})
        id_, reader = desk.competition.id, site.browser()
        call = {"kind": "begin", "boards": "7, 3", "minutes": "5", "once": "0123456789abcdef"}
        for _ in range(2):
            assert (await desk.send("/wall/call", call)).status_code == 303
        assert (await desk.send("/wall/call", {"kind": "arbiter", "boards": "12", "minutes": "5"})).status_code == 303
        hostile = '<script>alert(1)</script> "Lunch" & tea'
        words = {"kind": "text", "text.en": hostile, "text.ky": "Түшкү тамак", "minutes": "30"}
        assert (await desk.send("/wall/call", words)).status_code == 303
        shown = (await state(reader, id_))["announcements"]
        assert [one["text"] for one in shown] == [hostile, "Board 12: referee", "Boards 3, 7: please begin"]
        raw = (await reader.client.get(f"/events/{id_}/wall/1", headers=READING)).text
        assert "<script>alert" not in raw
        assert raw.count('class="call"') == 3
        assert "Түшкү тамак" in await wall(reader, f"{id_}/wall/1", "ky")
        assert hostile in await wall(reader, f"{id_}/wall/1", "tr"), (
            "what is not said in a language is shown in the first"
        )
        assert "Lunch" in await desk.look("/wall")
        last = shown[0]["id"]
        assert (await desk.act("silence", announcement=str(last))).status_code == 303
        assert "Lunch" not in await wall(reader, f"{id_}/wall/1")
        assert (await desk.act("silence", announcement=str(last))).status_code == 422
        await desk.send("/wall/call", words)
        assert (await state(reader, id_))["announcements"][0]["id"] == last + 1, "an id is never used again"
        for fields in (
            {"kind": "begin", "boards": "", "minutes": "5"},
            {"kind": "text", "minutes": "5"},
            {"kind": "text", "text.en": "x" * 201, "minutes": "5"},
            {"kind": "dance", "boards": "1", "minutes": "5"},
            {"kind": "begin", "boards": "1", "minutes": "0"},
            {"kind": "begin", "boards": "1-90", "minutes": "5"},
        ):
            assert (await desk.send("/wall/call", fields)).status_code == 422, fields
        for number in range(25):
            await desk.do({"do": "announce", "kind": "begin", "boards": [number + 1], "minutes": 5})
        assert len(desk.competition.state.announcements) == 20

    on_site(tmp_path, test)


def test_many_groups_have_their_clocks_on_one_screen_and_start_together(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel, reader = await somebody(site, "Asel"), site.browser()
        id_ = await championship(asel)
        at = AtDesk(asel, await site.app.state.event_registry.find(id_), None)  # type: ignore[arg-type]
        assert (await at.send("/wall/clock", {"what": "now", "all": "on"})).status_code == 303
        clocks = (await state(reader, id_))["clocks"]
        assert [(one["group"], one["round"]) for one in clocks] == [("Men", 1), ("Women", 1)]
        assert abs(clocks[0]["begins"] - clocks[1]["begins"]) < 10_000
        text = await wall(reader, f"{id_}/wall/1")
        assert text.count('class="clock small begun"') == 2
        assert (await state(reader, id_))["version"] == (await state(reader, f"{id_}~3"))["version"]
        assert f'data-version="{(await state(reader, id_))["version"]}"' in text
        await act(
            asel, id_, await seq_of(asel, id_), {"do": "announce", "group": "Women", "kind": "begin", "boards": [1]}
        )
        assert "<b>Women</b> · Board 1: please begin" in await wall(reader, f"{id_}/wall/2")
        fixed = await wall(reader, f"{id_}/wall/1?group=Men")
        assert "please begin" not in fixed, "a wall that stays with a group calls its own boards"
        assert 'class="clock small' not in fixed
        # A group whose round has begun keeps its clock when all are set.
        before = (await state(reader, id_))["clocks"]
        await act(
            asel,
            id_,
            await seq_of(asel, id_),
            {"do": "result", "round": 1, "board": 1, "result": "82-60", "group": "Men"},
        )
        at.competition = await site.app.state.event_registry.find(f"{id_}~3")
        assert (await at.send("/wall/clock", {"what": "later", "all": "on"})).status_code == 303
        (women,) = (await state(reader, id_))["clocks"]
        assert women["begins"] == before[1]["begins"] + 300_000

    on_site(tmp_path, test)


def test_who_may_set_the_wall(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Asel", CUP, *FOUR)
        id_ = desk.competition.id
        await desk.do({"do": "pair", "round": 1, "lot": "x"})
        for role in DeskRole:
            if role is DeskRole.ORGANISER:
                continue
            name = f"Role{role.value.replace('-', '')}"
            browser = await somebody(site, name)
            given: Json = {"role": role, "account": name, "boards": [1, 1] if role is DeskRole.SECTOR else None}
            await desk.browser.told("POST", f"/api/events/{id_}/helpers", given)
            other = AtDesk(browser, desk.competition, desk.officer)
            allowed = role in (DeskRole.CHIEF, DeskRole.DEPUTY)
            for path, fields in (
                ("/wall/clock", {"what": "now"}),
                ("/wall/call", {"kind": "begin", "boards": "1", "minutes": "5"}),
            ):
                assert (await other.send(path, fields)).status_code == (303 if allowed else 403), (role, path)
            page = await other.look("/wall")
            assert ("begins now" in page) == allowed
            assert ("/desk/wall" in await other.look("")) == allowed

    on_site(tmp_path, test)


def test_a_wall_without_scripts_reloads_itself_and_says_the_time_of_the_server(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Asel", CUP, *FOUR)
        id_ = desk.competition.id
        await desk.browser.told("PUT", f"/api/events/{id_}", {"public": True})
        await desk.do({"do": "pair", "round": 1, "lot": "x"}, {"do": "clock", "round": 1, "seconds": -125})
        answer = await site.browser().client.get(f"/events/{id_}/wall/1", headers=READING)
        text = answer.text
        assert f'<noscript><meta http-equiv="refresh" content="15; url=/events/{id_}/wall/2"></noscript>' in text
        minutes, seconds = map(int, re.search(r'class="time">(\d+):(\d\d)<', text).groups())  # type: ignore[union-attr]
        assert 115 <= 60 * minutes + seconds <= 135
        phrases = json.loads(html.unescape(re.search(r'data-phrases="([^"]*)"', text)[1]))  # type: ignore[index]
        assert phrases["before"] == "Round {n} begins in"
        held = answer.headers["etag"]
        assert str(int(re.search(r'data-now="(\d+)"', text)[1]) // 1000 * 1000) in held  # type: ignore[index]
        again = await site.browser().client.get(f"/events/{id_}/entries", headers=READING)
        assert "data-now" not in again.text

    on_site(tmp_path, test)


def test_the_first_live_boards_are_a_screen_of_the_wall(tmp_path: Path, hands: Hands) -> None:
    async def test(site: Site) -> None:
        desk = await live_event(site)
        id_, reader = desk.competition.id, site.browser()
        screens = [await wall(reader, f"{id_}/wall/{number}") for number in (1, 2, 3)]
        assert not any("live-cell" in one for one in screens), "no sheet is kept yet"
        before = (await state(reader, id_))["version"]
        await Sheets(desk).write(KEEP, *entries([3, 4, 9]))
        hands.pass_by(1)
        found = await state(reader, id_)
        assert found["version"] != before
        text = await wall(reader, f"{id_}/wall/2")
        assert text.count('class="live-cell of-1"') == 1
        assert "<svg" in text
        assert f'data-version="{found["version"]}"' in text

    on_site(tmp_path, test)
