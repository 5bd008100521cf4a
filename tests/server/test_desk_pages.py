"""The console of an event as pages and forms without scripts."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from korgool.app.server.events.desk.result_rows import _PointsKey, board_rows
from korgool.app.server.events.event_repository import give_role
from korgool.competition import commands
from korgool.competition.model import Settings
from korgool.competition.roles import Boards, DeskRole, Officer
from korgool.languages import LANGUAGES, translations

from .desk_events import READING, AtDesk, account_of, at_desk, competitions_of, said
from .members import Site, on_site

CUP = Settings(name="Cup <of> Osh", rounds=3)


def test_the_console_is_for_the_officials_of_its_event(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, "A", "B")
        eve = await at_desk(site, "Eve", CUP)
        nobody = await site.browser().visit()
        answer = await nobody.client.get(ann.path, headers=READING)
        assert (answer.status_code, answer.headers["location"]) == (
            303,
            f"/sign-in?next=%2Fevents%2F{ann.competition.id}%2Fdesk&asked=",
        )
        for path in ("", "/act"):
            answer = await eve.browser.client.request(
                "POST" if path else "GET", f"{ann.path}{path}", headers=READING | eve.browser.csrf
            )
            assert answer.status_code == 403
        assert (await eve.browser.client.get("/events/abcdefgh/desk", headers=READING)).status_code == 404
        for language in LANGUAGES:
            page = await ann.look(language=language)
            gettext = translations(language).gettext
            assert f'<html lang="{language}"' in page
            assert gettext("Pair round %(round)s") % {"round": 1} in page
            assert "<h1>Cup &lt;of&gt; Osh</h1>" in (await ann.browser.client.get(ann.path, headers=READING)).text

    on_site(tmp_path, test)


def test_an_action_is_done_or_refused_with_what_was_typed(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, "A", "B", "C")
        answer = await ann.act("pair", round="1", lot="a")
        assert (answer.status_code, answer.headers["location"]) == (303, f"{ann.path}/round/1?done#r1")
        assert "The change is stored." in await ann.look("?done")
        page = await ann.look()
        assert "results still missing: 1" in page
        seq = ann.competition.seq

        for fields, status, told in (
            ({"do": "result", "round": "1", "board": "1", "result": '"><b>'}, 422, "is no result"),
            ({"do": "result", "round": "one", "board": "1", "result": "82-60"}, 422, "round: a whole number is needed"),
            ({"do": "unpair", "round": "1"}, 422, "reason"),
            ({"do": "penalise", "player": "99", "half_points": "1", "reason": "late"}, 422, "no player"),
        ):
            answer = await ann.send("/act", fields)
            assert answer.status_code == status, answer.text
            assert told in said(answer.text)
            for name, value in fields.items():
                assert f'name="{name}" value="{html.escape(value)}"'.replace("&quot;", "&#34;") in answer.text
            to_change = re.findall(r'<input id="typed-\d+" name="(\w+)"', answer.text)
            assert to_change == [name for name in fields if name in ("result", "reason")]
        assert (await ann.act("dance")).status_code == 422
        assert ann.competition.seq == seq

        await ann.do({"do": "result", "round": 1, "board": 1, "result": "82-60"})
        answer = await ann.act("result", round="1", board="1", result="60-82", after=str(seq))
        assert answer.status_code == 409
        assert "What has happened since" in answer.text
        assert "UTC</time>, Ann: round 1, board 1: 1 (82) - 0 (60)" in answer.text
        assert f'name="after" value="{ann.competition.seq}"' in answer.text
        assert 'value="60-82"' in answer.text
        assert "Do it all the same" in answer.text

        answer = await ann.send("/act", {"do": "withdraw", "player": "3", "back": "//evil.example"})
        assert answer.headers["location"] == f"{ann.path}?done"

    on_site(tmp_path, test)


async def paired(site: Site, settings: Settings = CUP, players: str = "ABCDEF") -> AtDesk:
    """An event whose first round is paired, without a result."""
    ann = await at_desk(site, "Ann", settings, *players)
    await ann.do({"do": "pair", "round": 1, "lot": "a"})
    return ann


def test_results_are_entered_by_one_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def test(site: Site) -> None:
        ann = await paired(site)
        assert (await ann.browser.client.get(f"{ann.path}/round", headers=READING)).headers["location"].endswith("/1")
        for number in ("0", "2", "99999"):
            await ann.look(f"/round/{number}", 404)
        page = await ann.look("/round/1")
        assert "Results: <strong>0 / 3" in page
        assert page.count("Still playing") == 3
        form = {f"{part}{board}": "" for board in (1, 2, 3) for part in "rw"}
        with monkeypatch.context() as once:  # the desk reads what is typed, and nothing below it reads it again
            once.delattr(commands, "read_entry")
            answer = await ann.send("/round/1/results", form | {"r1": "82-60", "r3": "  60  - 102 "})
        assert (answer.status_code, answer.headers["location"]) == (303, f"{ann.path}/round/1?done")
        page = await ann.look("/round/1")
        assert "Results: <strong>2 / 3" in page
        assert 'name="w1" value="82-60"' in page
        assert "0 (60) - 1 (102)" in page

        old = ann.competition.seq  # nothing was changed: nothing is done
        form |= {"r1": "82-60", "w1": "82-60", "r3": "60-102", "w3": "60-102"}
        assert (await ann.send("/round/1/results", form)).status_code == 303
        assert ann.competition.seq == old

        answer = await ann.send("/round/1/results", form | {"r2": "90-90", "r1": "60-82", "after": str(old)})
        assert answer.status_code == 422
        page = html.unescape(answer.text)
        assert "Not entered:" in page
        assert 'value="90-90"' in page
        assert 'value="60-82" data-was="82-60"' in page
        assert 'name="y1" value=""' in page  # a reason is given by the official, not by the page
        assert ann.competition.seq == old
        answer = await ann.send("/round/1/results", form | {"r1": "60-82", "y1": "wrong slip", "r2": "+-"})
        assert answer.status_code == 303
        lines = [(line.by, line.reason, line.text) for line in await ann.competition.log(old)]
        assert lines == [
            ("Ann", "wrong slip", "round 1, board 1 corrected: 0 (60) - 1 (82)"),
            ("Ann", "", "round 1, board 2: + - -"),
        ]

    on_site(tmp_path, test)


def test_a_row_happens_once_and_two_officials_are_told(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await paired(site)
        old = str(ann.competition.seq)
        row = {"rows": "1", "after": old, "id": "one", "r1": "82-60", "w1": "", "y1": ""}
        for _ in range(2):
            answer = await ann.send("/round/1/results", row)
            assert answer.status_code == 200
            assert 'id="board-1"' in answer.text
            assert 'id="board-2"' not in answer.text
        assert ann.competition.seq == int(old) + 1

        answer = await ann.send("/round/1/results", row | {"id": "two", "r1": "60-82"})
        assert answer.status_code == 409
        page = html.unescape(answer.text)
        assert "Disputed:" in page
        assert '<span class="said">1 (82) - 0 (60)</span> <span class="quiet">Ann</span>' in page
        assert 'name="r1" value="60-82">Change: 0 (60) - 1 (82)' in page
        assert "data-unsent" not in page, "the log holds it, and the device need not"
        for _ in range(2):
            assert (await ann.send("/round/1/results", row | {"id": "two", "r1": "60-82"})).status_code == 409
        answer = await ann.send("/round/1/results", row | {"id": "three"})
        assert answer.status_code == 200, "two who enter the same agree"
        assert ann.competition.seq == int(old) + 2
        assert (await ann.send("/round/1/results", row | {"r9": "82-60", "id": "four"})).status_code == 422
        correction = {"rows": "1", "id": "five", "w1": "82-60", "y1": "slip"}
        assert (await ann.send("/round/1/results", correction | {"r1": ""})).status_code == 200
        answer = await ann.send("/round/1/results", row)
        assert answer.status_code == 200
        assert ann.competition.state.rounds[0].missing == (1, 2, 3), "sent again it does not come back"

    on_site(tmp_path, test)


def test_a_result_changed_later_says_what_rests_on_it(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await paired(site, players="ABCDEFGH")
        results = [{"do": "result", "round": 1, "board": board, "result": "82-60"} for board in (1, 2, 3, 4)]
        await ann.do(*results, {"do": "publish"}, {"do": "pair", "round": 2})
        answer = await ann.send("/round/1/results", {"r1": "81-81", "w1": "82-60", "y1": ""})
        page = html.unescape(answer.text)
        assert answer.status_code == 422
        assert "Paired with this result, and left as they are: rounds 2" in page
        assert "Published standings that it changes: after rounds 1" in page

    on_site(tmp_path, test)


def test_a_sector_enters_its_boards_only(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await paired(site)
        ben = await site.browser().visit()
        await ben.sign_up("Ben")
        officer = Officer(account_of(site, "Ben"), "Ben", DeskRole.SECTOR, Boards(2, 2))
        shelf = competitions_of(site).repository
        with shelf._engine.begin() as connection:
            give_role(connection, ann.competition.id, officer, account=officer.who)
        desk = AtDesk(ben, ann.competition, officer)
        page = await desk.look("/round/1")
        assert re.findall(r'name="(r\d+)"', page) == ["r2"]
        answer = await desk.send("/round/1/results", {"rows": "1", "r1": "82-60"})
        assert answer.status_code == 422
        assert "You have no role at this event that allows this." in answer.text
        assert (await desk.send("/round/1/results", {"rows": "1", "r2": "82-60"})).status_code == 200
        assert (await desk.act("unpair", round="1", reason="x")).status_code == 403

    on_site(tmp_path, test)


def test_sets_of_mangala_are_typed(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await paired(site, Settings(name="Sets", game="mangala", sets=3, rounds=2), "ABCD")
        for text, status in (("30-18; 20-28", 422), ("30-18; 20-28; 24-24", 200)):
            answer = await ann.send("/round/1/results", {"rows": "1", "r1": text})
            assert answer.status_code == status
            assert f'value="{text}"' in answer.text
        assert "[1½:1½]" in answer.text

    on_site(tmp_path, test)


def test_points_on_the_grid_follow_a_correction_and_are_not_worked_out_again_for_a_result(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, *"ABCD")
        await ann.do({"do": "pair", "round": 1, "lot": "a"})
        await ann.do(*({"do": "result", "round": 1, "board": board, "result": "82-60"} for board in (1, 2)))
        await ann.do({"do": "pair", "round": 2})

        def points() -> list[str]:
            rows = board_rows(ann.competition.state, 2)
            return [
                points for _, points in sorted((one.id, one.points) for row in rows for one in (row.white, row.black))
            ]

        before, first = ann.competition.state, points()
        await ann.do({"do": "result", "round": 2, "board": 1, "result": "="})
        assert _PointsKey(ann.competition.state, 2) == _PointsKey(before, 2)
        assert points() == first
        await ann.do({"do": "correct", "round": 1, "board": 1, "result": "=", "reason": "slip"})
        assert points() != first
        assert _PointsKey(ann.competition.state, 2) != _PointsKey(before, 2)
        assert _PointsKey(ann.competition.state, 1) != _PointsKey(before, 2), "though their hashes may be the same"
        assert _PointsKey(before, 1) != before

    on_site(tmp_path, test)
