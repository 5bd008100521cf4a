"""Results that contradict those of another official: by every door they come to the log, once, and to every process."""

from __future__ import annotations

import html
import re
from pathlib import Path

import pytest

from korgool.app.server.events.event_repository import give_role
from korgool.competition.model import Settings
from korgool.competition.result import read_result
from korgool.competition.roles import Boards, DeskRole, Officer
from korgool.languages import LANGUAGES, translations

from .desk_events import AtDesk, account_of, at_desk, competitions_of
from .members import Site, on_site
from .support import Json

CUP = Settings(name="Cup", rounds=3)
BLACK = read_result("0 (60) - 1 (82)")


async def beside(
    site: Site, ann: AtDesk, name: str, role: DeskRole, boards: Boards | None = None, *, known: str = ""
) -> AtDesk:
    """Another official of the same event, whom the log calls by their account's name or as they are `known`."""
    browser = await site.browser().visit()
    await browser.sign_up(name)
    officer = Officer(account_of(site, name), known or name, role, boards)
    with competitions_of(site).repository._engine.begin() as connection:
        give_role(connection, ann.competition.id, officer, account=officer.who)
    return AtDesk(browser, ann.competition, officer)


async def begun(site: Site) -> AtDesk:
    """An event whose first board has a result that Ann has entered."""
    ann = await at_desk(site, "Ann", CUP, *"ABCDEF")
    await ann.do({"do": "pair", "round": 1, "lot": "a"})
    await ann.do({"do": "result", "round": 1, "board": 1, "result": "82-60"})
    return ann


def test_forms_without_scripts_show_both_and_settle_it(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await begun(site)
        ben = await beside(site, ann, "Ben", DeskRole.RESULTS, known="<b>Ben")
        answer = await ben.send("/round/1/results", {"r1": "60-82", "w1": "82-60", "y1": "", "r2": "=", "w2": ""})
        assert (answer.status_code, "Disputed:" in answer.text) == (409, True)
        assert ann.competition.state.disputes == {(1, 1): (BLACK,)}
        assert ann.competition.state.rounds[0].missing == (3,), "the other rows are entered"
        for language in LANGUAGES:
            gettext = translations(language).gettext
            page = await ann.look("/round/1", language=language)
            assert gettext("Disputed:") in page
            assert gettext("It stays:") in page
            assert gettext("Disputed results") in await ann.look("/players", language=language)
        assert "&lt;b&gt;Ben" in answer.text
        assert "round 1, board 1 is disputed: officials give different results" in await ann.look()
        assert "round 1, board 1 disputed: 0 (60) - 1 (82)" in await ann.look("/log")

        old = str(ann.competition.seq - 1)
        assert (await ann.send("/round/1/results", {"stays": "2", "r2": "=", "w2": "="})).status_code == 303
        assert ann.competition.state.disputes, "a board that is not disputed"
        stays = {"stays": "1", "r1": "82-60", "w1": "82-60", "y1": "Both slips say so"}
        assert (await ann.send("/round/1/results", stays)).status_code == 303
        (line,) = await ann.competition.log(int(old) + 1)
        assert (line.by, line.text, line.reason) == ("Ann", "round 1, board 1: the result stays", "Both slips say so")
        assert "Disputed" not in await ann.look("/round/1")

    on_site(tmp_path, test)


def test_what_a_device_sends_again_is_disputed_once_also_when_it_is_settled(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await begun(site)
        ben = await beside(site, ann, "Ben", DeskRole.RESULTS)
        row = {"rows": "1", "after": str(ann.competition.seq - 1), "id": "ben1", "r1": "60-82", "w1": "", "y1": ""}
        for _ in range(3):
            answer = await ben.send("/round/1/results", row)
            assert (answer.status_code, "data-unsent" in answer.text) == (409, False)
        lines = [(one.by, one.text) for one in (await ann.competition.log())[-2:]]
        assert lines[1] == ("Ben", "round 1, board 1 disputed: 0 (60) - 1 (82)")
        assert lines[0][0] == "Ann"
        cam = await beside(site, ann, "Cam", DeskRole.RESULTS)
        assert (await cam.send("/round/1/results", row | {"id": "cam1"})).status_code == 409  # says the same
        assert (await cam.send("/round/1/results", row | {"id": "cam2", "r1": "="})).status_code == 409
        assert len(ann.competition.state.disputes[1, 1]) == 2
        seq = ann.competition.seq
        stays = {"rows": "1", "id": "stays1", "stays": "1", "r1": "82-60", "w1": "82-60"}
        for _ in range(2):
            assert (await ben.send("/round/1/results", stays)).status_code == 200
        answer = await ben.send("/round/1/results", row)
        assert ("data-unsent" in answer.text, "Disputed" in answer.text) == (False, False)
        assert ann.competition.seq == seq + 1
        assert ann.competition.state.disputes == {}
        # Typed anew it is another dispute, and the reason corrects.
        assert (await ben.send("/round/1/results", row | {"id": "ben2"})).status_code == 409
        fix = row | {"id": "ben3", "w1": "82-60", "y1": "the slip", "after": str(ann.competition.seq)}
        assert (await ben.send("/round/1/results", fix)).status_code == 200
        assert ann.competition.state.round(1).game(1).result == BLACK
        assert ann.competition.state.disputes == {}
        assert (await ben.send("/round/1/results", row)).status_code == 200, "what he said is what stands now"

    on_site(tmp_path, test)


def test_only_who_may_enter_a_board_disputes_it_and_what_comes_late_is_not_lost(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await begun(site)
        sector = await beside(site, ann, "Sam", DeskRole.SECTOR, Boards(2, 3))
        door = await beside(site, ann, "Dan", DeskRole.CHECK_IN)
        ben = await beside(site, ann, "Ben", DeskRole.RESULTS)
        row = {"rows": "1", "after": str(ann.competition.seq - 1), "id": "one", "r1": "60-82", "w1": "", "y1": ""}
        for other in (sector, door):
            for was in ("", "82-60"):
                answer = await other.send("/round/1/results", row | {"w1": was})
                assert answer.status_code in {403, 409, 422}
        for nothing in ("90-90", "x", '"><script>', "82-60; 60-82", "9" * 400):
            assert (await ben.send("/round/1/results", row | {"r1": nothing})).status_code in {409, 422}
        assert ann.competition.state.disputes == {}

        results = [{"do": "result", "round": 1, "board": board, "result": "="} for board in (2, 3)]
        await ann.do(*results, {"do": "pair", "round": 2, "lot": "b"})
        assert (await ben.send("/round/1/results", row)).status_code == 409
        assert ann.competition.state.disputes == {(1, 1): (BLACK,)}
        page = await ben.look("/round/1")
        assert re.search(r'class="said">0 \(60\) - 1 \(82\)</span> <span class="quiet">Ben', page)
        assert 'name="stays"' not in page, "the round is closed to his role"
        assert "Round 1, board 1" in await door.look("/check-in")
        answer = await ben.act("settle", round="1", board="1")
        assert answer.status_code == 403
        assert (await ann.act("settle", round="1", board="1")).status_code == 303
        assert ann.competition.state.disputes == {}

    on_site(tmp_path, test)


def test_ones_own_slip_disputes_nothing_unless_one_did_not_know_of_it(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await begun(site)
        row = {"rows": "1", "id": "one", "r1": "60-82", "w1": "82-60", "y1": ""}
        answer = await ann.send("/round/1/results", row)
        assert (answer.status_code, 'data-unsent="reason"' in answer.text) == (422, True)
        assert ann.competition.state.disputes == {}
        answer = await ann.send("/round/1/results", row | {"id": "two", "w1": "", "after": "5"})  # another device
        assert (answer.status_code, "Disputed:" in html.unescape(answer.text)) == (409, True)

    on_site(tmp_path, test)


def test_a_result_that_came_from_another_board_is_nobodys_own_slip(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await begun(site)
        first, second, third = ann.competition.state.rounds[0].games
        games = [[one.white, one.black] for one in (second, first, third)]
        await ann.do({"do": "repair", "round": 1, "games": games, "reason": "tables exchanged"})
        assert ann.competition.state.rounds[0].missing == (1, 3)
        answer = await ann.send("/round/1/results", {"rows": "2", "id": "one", "r2": "60-82", "w2": "", "y2": ""})
        assert (answer.status_code, "Disputed:" in html.unescape(answer.text)) == (409, True)
        assert ann.competition.state.disputes == {(1, 2): (BLACK,)}

    on_site(tmp_path, test)


@pytest.mark.parametrize("do", ["result", "correct", "dispute"])
def test_programs_are_told_that_it_is_disputed(tmp_path: Path, do: str) -> None:
    async def test(site: Site) -> None:
        ann = await begun(site)
        ben = await beside(site, ann, "Ben", DeskRole.RESULTS)
        path, seq = f"/api/events/{ann.competition.id}/actions", ann.competition.seq
        one: Json = {"do": do, "round": 1, "board": 1, "result": "60-82", "id": "x", "reason": "slip"}
        body: Json = {"after": seq - 1, "actions": [{"do": "result", "round": 1, "board": 2, "result": "="}, one]}
        for _ in range(2):
            answer = await ben.browser.ask("POST", path, body if do != "dispute" else body | {"actions": [one]})
            assert answer.status_code == (200 if do == "dispute" else 409)
            assert answer.json().get("disputed", True)
        assert ann.competition.state.disputes == {(1, 1): (BLACK,)}
        assert ann.competition.state.rounds[0].missing == (2, 3), "nothing of the batch is done"
        assert ann.competition.seq == seq + 1
        settle: Json = {"after": seq + 1, "actions": [{"do": "settle", "round": 1, "board": 1}]}
        assert (await ben.browser.ask("POST", path, settle)).status_code == 200

    on_site(tmp_path, test)
