"""The check-in as pages and forms without scripts."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.events.desk.check_in import late_ms
from korgool.competition.model import Settings
from korgool.competition.roles import DeskRole

from .desk_events import READING, at_desk, said
from .members import Site, on_site
from .support import Json
from .test_desk_people import CUP, helping


def counts(page: str) -> dict[str, int]:
    """How many players of each kind a check-in says."""
    return {title: int(n) for title, n in re.findall(r'>([^<>]+) <span class="quiet">(\d+)</span></a>', page)}


def lines_shown(page: str) -> list[str]:
    """The players whose lines are not hidden."""
    return re.findall(r'<li id="p\d+"[^>]*data-text="\d+ (\w+)[^>]*"(?! hidden)>', page)


def test_a_helper_checks_in_and_decides_nothing(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, "A", "B", "C", "D")
        helper = await helping(site, ann, DeskRole.CHECK_IN)
        page = await helper.look("/check-in")
        assert counts(page) == {"Players": 4, "Missing": 4, "There": 0, "Not playing": 0}
        back = f"{helper.path}/check-in?round=1"
        answer = await helper.act("present", back=back, round="1", players="1", here="on")
        assert answer.headers["location"] == f"{back}&done"
        answer = await helper.act("present", back=back, round="1", players=["2", "3"], here="on")  # type: ignore[arg-type]
        assert ann.competition.state.present == {1: {1, 2, 3}}
        await helper.act("present", back=back, round="1", players="3", here="off")
        page = await helper.look("/check-in?round=1")
        assert counts(page) == {"Players": 4, "Missing": 2, "There": 2, "Not playing": 0}
        assert "Misses the round: C" in page
        assert (await helper.act("miss", player="3", **{"absence.round": "1", "absence.kind": "H"})).status_code == 403
        assert (await helper.act("miss", player="3", **{"absence.round": "1", "absence.kind": "Z"})).status_code == 303
        assert "Plays after all: C" in await helper.look("/check-in")
        for asked, shown in {
            "": "ABCD", "show=missing": "D", "show=there": "AB", "show=away": "C", "show=x": "ABCD", "q=a": "A",
            "q=3": "C", "q=3&show=there": "C", "q=nobody": "",
        }.items():  # fmt: skip
            assert lines_shown(await helper.look(f"/check-in?{asked}")) == list(shown), asked
        await helper.act("attend", player="3", round="1")
        done = await helper.send("/act", {"do": "present", "round": "1", "players": "4"}, accept="application/json")
        assert (done.status_code, done.content) == (204, b"")
        done = await helper.send("/act", {"do": "present", "round": "1", "players": "4"}, accept="application/json")
        assert (done.status_code, said(done.text)) == (422, "that is noted already")
        await helper.act("present", back=back, round="1", players="4", here="off")

        await ann.do({"do": "pair", "round": 1, "lot": "a"})
        assert "The round begins now" in await ann.look("/check-in?round=1")
        answer = await ann.browser.client.get(f"{ann.path}/check-in?round=1&began=now", headers=READING)
        assert re.fullmatch(rf"{ann.path}/check-in\?round=1&began=\d+", answer.headers["location"])
        page = await ann.look(answer.headers["location"].removeprefix(ann.path))
        assert "A player may come until:" in page
        assert "Did not come" not in page
        over = (now_ms() - late_ms(CUP)) // 1000 - 1
        page = await ann.look(f"/check-in?round=1&began={over}")
        assert "This time is over." in page
        assert page.count("Did not come: ") == 2
        assert "Did not come" not in await helper.look(f"/check-in?round=1&began={over}")
        assert ann.competition.state.rounds[0].missing == (1, 2)
        await ann.act("result", round="1", board="1", result="+-")
        page = await ann.look(f"/check-in?round=1&began={over}")
        assert page.count("Did not come: ") == 1

    on_site(tmp_path, test)


def test_the_clock_goes_by_the_timetable(tmp_path: Path) -> None:
    """Until an official says that the round begins: then by that. A round of another day has been put off."""
    zone = ZoneInfo("Asia/Bishkek")

    def planned(seconds: int, zone_name: str = "Asia/Bishkek") -> Json:
        begins = (datetime.now(zone) - timedelta(seconds=seconds)).isoformat(timespec="minutes")[:16]
        times = [{"round": 1, "begins": begins}]
        return {"do": "change", "settings": {"name": "Cup", "rounds": 3, "timetable": times, "zone": zone_name}}

    async def test(site: Site) -> None:
        ann = await at_desk(site, "Ann", CUP, "A", "B", "C", "D")
        await ann.do({"do": "pair", "round": 1, "lot": "a"})
        late = late_ms(CUP) // 1000
        for change, begins, over in (
            (planned(-7200), True, False),  # in two hours
            (planned(late - 600), True, False),
            (planned(late + 120), True, True),
            (planned(late + 120, ""), False, False),  # nobody knows by which clocks
            (planned(late + 120, "Nowhere/Land"), False, False),
            (planned(90_000), False, False),
        ):
            await ann.do(change)
            page = await ann.look("/check-in")
            said = ("Start by the timetable:" in page, "A player may come until:" in page, "This time is over." in page)
            assert said == (begins, begins, over), change
            assert page.count("Did not come: ") == 0
            assert page.count("Neither came: both lose") == (4 if over else 0)
            assert "The round begins now" in page
        await ann.do(planned(late + 120))
        page = await ann.look(f"/check-in?round=1&began={now_ms() // 1000}")
        assert "The round began:" in page
        assert "Start by the timetable:" not in page
        assert "This time is over." not in page

    on_site(tmp_path, test)


def test_what_the_clock_proposes() -> None:
    assert late_ms(Settings(name="Cup")) == 1_830_000
    assert late_ms(Settings(name="Cup", game="mangala")) == 480_000
