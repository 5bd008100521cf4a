"""What went wrong in the hall: notes in the wrong group, people left out or kept too long, sheets of another round."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from korgool.app.server.events.applications.service import Applications
from korgool.app.server.limits import RateLimiter
from korgool.competition.model import Settings
from korgool.competition.roles import DeskRole, Officer

from .desk_events import READING, AtDesk, account_of, at_desk
from .members import Site, on_site
from .test_applications import AIDA, everything, opened, send
from .test_event_doors import act, seq_of, somebody
from .test_event_groups import MEN, WOMEN
from .test_live_boards import KEEP, Sheets, entries, event, finished

ONE_ROUND = Settings(name="Cup", rounds=1)


async def of_two_groups(site: Site) -> tuple[AtDesk, str]:
    """An event of men and women with one of each; the desk is that of the first group."""
    asel = await somebody(site, "Asel")
    id_ = str((await asel.told("POST", "/api/events", {"name": "Championship"}))["id"])
    await act(asel, id_, 1, MEN, WOMEN)
    for group, name, sex in (("Men", "Manov", "m"), ("Women", "Wova", "f")):
        one = {"do": "enter", "group": group, "entry": {"family": name, "sex": sex}}
        await act(asel, id_, await seq_of(asel, id_), one)
    found = await site.app.state.event_registry.find(id_)
    return AtDesk(asel, found, Officer(account_of(site, "Asel"), "Asel", DeskRole.ORGANISER)), id_


def again(page: str) -> dict[str, str]:
    """The fields of the form that does what was refused all the same, and its door."""
    form = page[page.index('<form class="form"') :]
    fields = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form))
    door = re.search(r'action="([^"]*)"', form)
    assert door is not None
    return {name: value for name, value in fields.items() if name != "_csrf_token"} | {"": door[1]}


def test_who_is_noted_all_the_same_is_noted_in_their_own_group(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk, id_ = await of_two_groups(site)
        registry = site.app.state.event_registry
        men, women = [await registry.group(desk.competition, name) for name in ("Men", "Women")]
        (player,) = women.state.players
        after = str((await women.fresh()).actions)
        other = Officer(desk.officer.who, "Bob", DeskRole.ORGANISER)
        for here in (True, False):
            asked = {"do": "present", "round": 1, "players": [player], "here": here}
            await women.act(other, (await women.fresh()).actions, [asked])
        met = await desk.send("/check-in/groups", {"after": after, "player": str(player), "here": "on"})
        assert met.status_code == 409
        fields = again(met.text)
        assert fields.pop("") == f"/events/{id_}/desk/check-in/groups"
        assert (await desk.send("/check-in/groups", fields)).status_code == 303
        noted = [dict((await one.fresh()).present) for one in (men, women)]
        assert [sorted(found.get(1, ())) for found in noted] == [[], [player]]

    on_site(tmp_path, test)


def test_a_clock_that_met_another_is_set_all_the_same(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Ann", Settings(name="Cup", rounds=3), "A", "B")
        after = str((await desk.competition.fresh()).actions)
        await desk.do({"do": "clock", "round": 1, "seconds": 60})
        bob = Officer("b" * 22, "Bob", DeskRole.ORGANISER)
        await desk.competition.act(bob, desk.competition.seq, [{"do": "clock", "round": 1, "seconds": 90}])
        met = await desk.send("/wall/clock", {"after": after, "what": "in", "minutes": "10"})
        assert met.status_code == 409
        fields = again(met.text)
        door = fields.pop("").partition("/desk")[2]
        assert (door, (await desk.send(door, fields)).status_code) == ("/wall/clock", 303)

    on_site(tmp_path, test)


def test_people_of_all_groups_of_an_earlier_event_are_taken(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk, earlier = await of_two_groups(site)
        id_ = str((await desk.browser.told("POST", "/api/events", {"name": "Next"}))["id"])
        found = await site.app.state.event_registry.find(id_)
        next_ = AtDesk(desk.browser, found, desk.officer)
        assert (await next_.send("/applications/last", {"event": earlier, "all": "on"})).status_code == 303
        assert sorted(one.entry.family for one in (await found.fresh()).players.values()) == ["Manov", "Wova"]

    on_site(tmp_path, test)


def test_nothing_of_applicants_is_kept_after_the_event_also_when_the_server_ended_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Ann", ONE_ROUND, "A", "B")
        await opened(desk)
        zed = await somebody(site, "Zed")
        assert (await send(zed, desk.competition.id, AIDA)).status_code == 200

        async def killed(self: Applications, id_: str) -> None:
            """It had no time."""

        monkeypatch.setattr(Applications, "_end", killed)
        await desk.do({"do": "pair", "round": 1, "lot": "a"})
        await desk.do({"do": "result", "round": 1, "board": 1, "result": "1-0"})
        assert desk.competition.state.over
        assert "555 123456" in everything(site)
        assert (await send(zed, desk.competition.id, AIDA)).status_code == 422, "nobody applies for what is over"

    on_site(tmp_path, test)
    monkeypatch.undo()

    async def later(site: Site) -> None:
        applications: Applications = site.app.state.applications
        for task in list(applications._tasks):
            await task
        assert "555 123456" not in everything(site)

    on_site(tmp_path, later)


def test_a_list_is_not_longer_than_the_places_that_are_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    spent: list[str] = []

    def spend(_: RateLimiter, limit: str, key: str, cost: float = 1.0) -> float:
        spent.append(limit)
        return 0.0

    monkeypatch.setattr(RateLimiter, "spend", spend)

    async def test(site: Site) -> None:
        desk = await at_desk(site, "Ann", Settings(name="Cup", rounds=3), "A", "B")
        coach, id_ = await site.browser().visit(), desk.competition.id
        names = "Name;Sex;Year of birth\nAsan uulu Bek;m;2000\nCholponova Dana;f;1999\n"
        several = dict(AIDA) | {"family": "", "given": "", "lines": names}
        for most, status in (("3", 422), ("4", 200)):
            await opened(desk, **{"most-1": most})
            assert (await send(coach, id_, several)).status_code == status
            assert ("address_applicants" in spent) == (status == 200), "what is refused may be corrected and sent again"
        await opened(desk, **{"most-1": "3"})
        everybody = await desk.send("/applications/decide", {"what": "all"})
        assert (everybody.status_code, "This group is full." in everybody.text) == (422, True)
        assert len(desk.competition.state.players) == 3

    on_site(tmp_path, test)


def test_an_event_that_is_not_public_shows_no_form_before_it_takes_entries(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Ann", Settings(name="Secret Cup", rounds=3), "A", "B")
        zed = await somebody(site, "Zed")
        answer = await zed.client.get(f"/events/{desk.competition.id}/enter", headers=READING)
        assert (answer.status_code, "Secret Cup" in answer.text) == (404, False)
        sent = await send(zed, desk.competition.id, AIDA)
        assert (sent.status_code, "Secret Cup" in sent.text) == (404, False)

    on_site(tmp_path, test)


def test_a_phone_that_was_left_open_writes_nothing_into_the_next_round(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await event(site)
        sheets, moves = Sheets(desk), finished().moves[:6]
        await sheets.write(KEEP, *entries(moves))
        for board in range(1, 5):
            await desk.do({"do": "result", "round": 1, "board": board, "result": "1-0"})
        await desk.do({"do": "pair", "round": 2, "lot": "a"})
        path = f"/api/events/{desk.competition.id}/boards/1/sheet"
        body = {"device": "phone", "round": 1, "entries": [{"id": "late", "do": "keep"}, *entries(moves, name="late")]}
        late = await desk.browser.ask("POST", path, body)
        assert late.status_code == 410
        told = await desk.browser.told("GET", path)
        assert (told["round"], told["moves"]) == (2, [])

    on_site(tmp_path, test)
