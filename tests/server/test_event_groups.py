"""One event with many groups on the web: one address, one set of roles, conflicts and pages for each group."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

import httpx
import pytest

from korgool.competition.roles import POWERS, DeskRole
from tests.printing.reading import pages

from .members import Browser, Site, on_site
from .support import Json
from .test_event_doors import act, seq_of, somebody, tried

MEN: Json = {"do": "group", "name": "Men", "settings": {"name": "Men", "rounds": 1}}
WOMEN: Json = {
    "do": "group",
    "name": "Women",
    "settings": {"name": "Women", "game": "mangala", "rounds": 1, "sex": "women"},
}


async def championship(browser: Browser) -> str:
    """A public event with two groups of two players, the first round of each paired."""
    id_ = str((await browser.told("POST", "/api/events", {"name": "Championship"}))["id"])
    await browser.told("PUT", f"/api/events/{id_}", {"public": True})
    await act(browser, id_, 1, MEN, WOMEN)
    for group, sex, names in (("Men", "m", ("Asan", "Bek")), ("Women", "f", ("Chynar", "Dina"))):
        enter = [{"do": "enter", "group": group, "entry": {"family": name, "sex": sex}} for name in names]
        await act(browser, id_, await seq_of(browser, id_), *enter)
        await act(browser, id_, await seq_of(browser, id_), {"do": "pair", "round": 1, "lot": "x", "group": group})
    return id_


def won(group: str, result: str = "82-60", **more: object) -> Json:
    return {"do": "result", "round": 1, "board": 1, "result": result, "group": group, **more}


def test_groups_by_name_and_by_address(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel, reader = await somebody(site, "Asel"), site.browser()
        id_ = await championship(asel)
        groups = await reader.told("GET", f"/api/events/{id_}/groups")
        assert [(one["id"], one["name"], one["game"], one["players"]) for one in groups] == [
            (id_, "Men", "toguz", 2),
            (f"{id_}~3", "Women", "mangala", 2),
        ]
        seq = await seq_of(asel, id_)
        await act(asel, id_, seq, won("Women", "30-18"))
        standings = await reader.told("GET", f"/api/events/{id_}/groups/women/standings")
        assert [one["points"] for one in standings] == [1, 0]
        assert standings == await reader.told("GET", f"/api/events/{id_}~3/standings")
        (board,) = await reader.told("GET", f"/api/events/{id_}/groups/Women/rounds/1")
        assert board["result"] == "1-0"
        assert {board["white_name"], board["black_name"]} == {"Chynar", "Dina"}
        men = await reader.told("GET", f"/api/events/{id_}/standings")  # without a group: the first
        assert men == await reader.told("GET", f"/api/events/{id_}/groups/Men/standings")
        assert {one["name"] for one in men} == {"Asan", "Bek"}
        for path in ("groups/Juniors/standings", "groups/Men/rounds/2", "groups/x%2Fy/standings"):
            assert (await reader.ask("GET", f"/api/events/{id_}/{path}")).status_code == 404
        for address in (f"{id_}~9", f"{id_}~", f"{id_}~x", f"{id_}~2~3", "aaaaaaaa~3", f"{id_}~01", f"{id_}~-1"):
            assert (await reader.ask("GET", f"/api/events/{address}/standings")).status_code == 404, address
        page = (await reader.client.get(f"/events/{id_}~3/standings")).text
        assert "Championship, Women" in page
        assert f'href="/events/{id_}/standings"' in page
        assert f'href="/events/{id_}~3/standings" aria-current="true"' in page
        (alone,) = await reader.told("GET", f"/api/events/{id_}~3/medals")  # nobody has said where they come from
        assert (alone["federation"], alone["gold"], alone["silver"], alone["players"]) == (None, 1, 1, 4)
        card = (await reader.client.get("/events")).text.partition(">Championship<")[2]
        assert card, "the list names the whole event"
        log = (await asel.told("GET", f"/api/events/{id_}/log"))["lines"]
        assert log[-1]["group"] == "Women"
        assert log[-1]["action"]["do"] == "result"
        assert "group" not in log[0]

    on_site(tmp_path, test)


def test_pages_over_all_groups(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel, reader = await somebody(site, "Asel"), site.browser()
        id_ = await championship(asel)

        async def page(path: str, status: int = 200, etag: str = "") -> httpx.Response:
            answer = await reader.client.get(f"/events/{path}", headers={"if-none-match": etag})
            assert answer.status_code == status, path
            return answer

        before = await page(f"{id_}/medals")
        assert "and without medals yet: Men, Women" in before.text
        await act(asel, id_, await seq_of(asel, id_), won("Women", "30-18"))
        one = await page(f"{id_}~3/medals", etag=before.headers["etag"])
        assert "and without medals yet: Men<" in one.text
        assert f'href="/events/{id_}~3/players/1">' in one.text
        assert f'href="/events/{id_}/medals" aria-current="page"' in one.text
        assert "data-refresh" in one.text
        card = (await reader.client.get("/events")).text.partition(">Championship<")[2]
        assert "Round 1 of 1" in card, "the event goes on while one of its groups does"
        await act(asel, id_, await seq_of(asel, id_), won("Men"))
        over = await page(f"{id_}/medals")
        assert "and without medals yet" not in over.text
        assert "data-refresh" not in over.text
        assert all(name in over.text for name in ("Asan", "Bek", "Chynar", "Dina"))

        men, women = f"/events/{id_}/wall/1", f"/events/{id_}~3/wall/1"
        for path, shown, turns in ((men, "Men", women.removesuffix("1")), (women, "Women", men.removesuffix("1"))):
            screens, at = 0, path
            while at.startswith(path.removesuffix("1")):  # through all screens of a group
                text = (await reader.client.get(at)).text
                assert f"<b>{shown}</b>" in text or " clocks called" in text  # those of all groups come first
                at, screens = text.partition('data-next="')[2].partition('"')[0], screens + 1
                assert screens < 9
            assert at == f"{turns}1"
        led = await page(f"{id_}/wall?group=WOMEN", 303)
        led = await page(led.headers["location"].removeprefix("/events/"), 303)
        assert led.headers["location"] == f"{women}?group=Women"
        fixed = (await reader.client.get(led.headers["location"])).text
        assert f'data-next="{women.removesuffix("1")}2?group=Women"' in fixed
        await page(f"{id_}/wall/1?group=Juniors", 404)

        rounds = {"do": "group", "name": "Girls", "settings": {"name": "Girls", "rounds": 5}}
        await act(asel, id_, await seq_of(asel, id_), rounds)
        card = (await reader.client.get("/events")).text.partition(">Championship<")[2]
        assert "Rounds of all groups: 2 of 7" in card

        alone = str((await asel.told("POST", "/api/events", {"name": "Alone"}))["id"])
        await asel.told("PUT", f"/api/events/{alone}", {"public": True})
        await page(f"{alone}/medals", 404)
        assert "wall/1?group" not in (await page(f"{alone}/wall/1?group=Men")).text

    on_site(tmp_path, test)


def test_players_of_all_groups_are_checked_in_on_one_page(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        headers = {"accept": "text/html", "accept-language": "en"}

        async def page(query: str = "") -> str:
            answer = await asel.client.get(f"/events/{id_}/desk/check-in/groups{query}", headers=headers)
            assert answer.status_code == 200
            return answer.text

        assert "/desk/check-in/groups" in (await asel.client.get(f"/events/{id_}/desk/check-in", headers=headers)).text
        text = await page()
        assert re.findall(r"<strong>(\w+)<", text) == ["Asan", "Bek", "Chynar", "Dina"]
        assert "Women · Round 1 · Board 1" in text
        door = f"/events/{id_}/desk/check-in/groups"
        assert re.search(rf'id="come" method="post" action="{door}"', text)
        (player,) = re.findall(r'form="come" name="player" value="(\d+)" aria-label="[^"]*: Dina', text)
        fields = {"_csrf_token": asel.csrf["x-csrftoken"], "after": str(await seq_of(asel, id_))}
        fields |= {"here": "on", "player": player, "back": f"{door}#q"}
        noted = await asel.client.post(door, data=fields, headers=headers)
        assert (noted.status_code, noted.headers["location"]) == (303, f"/events/{id_}/desk/check-in/groups?done#q")
        there = await page("?show=there")
        shown = re.findall(
            r'<li id="p[^>]*data-state="(\w+)"[^>]*>\s*<div class="what"><span[^>]*>\d+</span> <strong>(\w+)',
            there,
        )
        assert shown == [("missing", "Asan"), ("missing", "Bek"), ("missing", "Chynar"), ("there", "Dina")]
        assert len(re.findall(r'<li id="p[^>]*data-state="missing"[^>]*hidden>', there)) == 3
        assert not re.search(r'<li id="p[^>]*data-state="there"[^>]*hidden>', there)
        only = await page("?q=chyn")
        assert len(re.findall(r'<li id="p[^>]*hidden>', only)) == 3
        await act(asel, id_, await seq_of(asel, id_), won("Men"))
        assert "Asan" not in await page(), "the group is over"
        alone = str((await asel.told("POST", "/api/events", {"name": "Alone"}))["id"])
        led = await asel.client.get(f"/events/{alone}/desk/check-in/groups", headers=headers)
        assert (led.status_code, led.headers["location"]) == (303, f"/events/{alone}/desk/check-in")

    on_site(tmp_path, test)


def test_papers_of_all_groups_in_one_file(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        form = (await asel.client.get(f"/events/{id_}~3/desk/papers")).text
        assert 'name="every"' in form
        answer = await asel.client.get(f"/events/{id_}~3/desk/papers/print?what=pairings&every=on")
        assert answer.headers["content-type"] == "application/pdf"
        assert "Men" in (texts := pages(answer.content))[0]
        assert "Women" in texts[-1]
        forms = await asel.client.get(f"/events/{id_}~3/desk/papers/print?what=record-forms&every=on")
        assert forms.headers["content-type"] == "application/zip"
        answer = await asel.client.get(f"/events/{id_}~3/desk/papers/print?what=pairings&every=files")
        assert answer.headers["content-type"] == "application/zip"
        with zipfile.ZipFile(io.BytesIO(answer.content)) as files:
            assert files.namelist() == ["Men - pairings.pdf", "Women - pairings.pdf"]
            assert all(files.read(name).startswith(b"%PDF") for name in files.namelist())
        await act(asel, id_, await seq_of(asel, id_), {"do": "group", "name": "Girls", "settings": {"name": "Girls"}})
        refused = await asel.client.get(f"/events/{id_}/desk/papers/print?what=pairings&every=on")
        assert refused.status_code == 422
        assert "Girls: " in refused.text
        assert '<option value="on" selected>' in refused.text
        reader = site.browser()
        assert (await reader.client.get(f"/events/{id_}/desk/papers/print?what=pairings&every=on")).status_code != 200

    on_site(tmp_path, test)


def test_conflicts_are_judged_in_each_group(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        seq = await seq_of(asel, id_)
        assert await act(asel, id_, seq, won("Men", id="m1")) == seq + 1
        assert await act(asel, id_, seq, won("Women", "30-18", id="w1")) == seq + 2  # the same board of another group
        assert await act(asel, id_, seq, won("Women", "30-18", id="w1")) == seq + 2  # once
        met = await tried(asel, id_, won("Women", "18-30"), after=seq)
        assert (met.status_code, met.json()["since"][-1]["group"]) == (409, "Women")
        assert (await tried(asel, f"{id_}~3", {**won("Men", "60-82")}, after=seq)).status_code == 409
        version = (await site.browser().ask("GET", f"/api/events/{id_}~3/standings")).headers["etag"]
        await act(asel, id_, seq + 2, {"do": "warn", "player": 1, "reason": "talks", "group": "Men"})
        again = await site.browser().ask("GET", f"/api/events/{id_}~3/standings")
        assert again.headers["etag"] == version  # nothing of theirs has changed

    on_site(tmp_path, test)


@pytest.mark.parametrize(
    ("actions", "status", "why"),
    [
        ([won("Juniors")], 422, "there is no group 'Juniors'; there are Men, Women"),
        ([won("Men"), won("Girls")], 422, "actions[1]: there is no group 'Girls'"),
        ([{**won("Men"), "group": 2}], 400, "actions[0].group: a text is needed"),
        ([{"do": "group", "name": "men", "settings": {"name": "x"}}], 422, "there is a group Men already"),
        ([{"do": "group", "name": "a/b", "settings": {"name": "x"}}], 422, "holds none of"),
        ([{"do": "group", "name": "x" * 500, "settings": {"name": "x"}}], 422, "at most 60 letters"),
        ([{"do": "group", "name": "a\tb", "settings": {"name": "x"}}], 422, "without control characters"),
        ([{"do": "name-group", "of": 9, "name": "X"}], 422, "there is no group with the id 9"),
        ([{"do": "join", "player": 1, "group": "Women"}], 422, "this is a women's event"),
        ([{"do": "join", "player": 3, "group": "Women"}], 422, "in this group already"),
        ([{"do": "in", "group": "Men", "action": {}}], 400, "actions[0].do"),
    ],
)
def test_bad_actions_are_told_and_nothing_is_done(tmp_path: Path, actions: list[Json], status: int, why: str) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        seq = await seq_of(asel, id_)
        answer = await tried(asel, id_, *actions)
        assert (answer.status_code, why in answer.text) == (status, True), answer.text
        assert await seq_of(asel, id_) == seq

    on_site(tmp_path, test)


def test_every_role_is_the_same_in_every_group_and_none_at_another_event(tmp_path: Path) -> None:
    """Each role at the actions of groups, by the event's address, by that of a group, and at a foreign event."""
    asked: dict[str, Json] = {
        "group": {"name": "", "settings": {"name": "X"}},
        "name-group": {"of": 99, "name": "X"},
        "emblem": {"picture": "x"},
        "join": {"player": 99},
        "result": {"round": 1, "board": 99, "result": "="},
        "present": {"round": 2, "players": [99]},
        "change": {"settings": {"name": "X", "rounds": 99}},
    }

    async def test(site: Site) -> None:
        maker = await somebody(site, "Maker1x")
        own, foreign = await championship(maker), await championship(maker)
        wrong = []
        for role in DeskRole:
            name = "Role" + "abcdefghijk"[list(DeskRole).index(role)] * 3
            browser = await somebody(site, name)
            given: Json = {"role": role, "account": name, "boards": [1, 1] if role is DeskRole.SECTOR else None}
            await maker.told("POST", f"/api/events/{own}~3/helpers", given)  # one set for the whole event
            for do, members in asked.items():
                one = {"do": do, "reason": "r", **members}
                allowed = do in {kind.do for kind in POWERS[role].actions}
                for address, action in ((own, one), (f"{own}~3", one), (own, {**one, "group": "Women"})):
                    answer = await tried(browser, address, action, after=2)
                    if (answer.status_code == 403) == allowed:
                        wrong.append((role, do, address, answer.status_code, answer.text[:80]))
                for address in (foreign, f"{foreign}~3"):
                    if (await tried(browser, address, one, after=2)).status_code != 403:
                        wrong.append((role, do, address, 0, ""))
        assert wrong == []

    on_site(tmp_path, test)


def test_a_desk_has_a_switch_and_adds_groups(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        desk = (await asel.client.get(f"/events/{id_}~3/desk/round/1")).text
        assert f'<a href="/events/{id_}/desk/round">Men</a>' in desk
        assert f'<a href="/events/{id_}~3/desk/round" aria-current="true">Women</a>' in desk
        for screen in (
            "",
            "/players",
            "/check-in",
            "/pairing",
            "/standings",
            "/warnings",
            "/papers",
            "/log",
            "/helpers",
        ):
            assert (await asel.client.get(f"/events/{id_}~3/desk{screen}")).status_code == 200, screen
        settings = (await asel.client.get(f"/events/{id_}/desk/settings")).text
        assert "Add a group" in settings
        players = (await asel.client.get(f"/events/{id_}~3/desk/players")).text
        assert "Asan" in players.partition('id="join"')[2]
        await act(asel, id_, await seq_of(asel, id_), {"do": "group", "name": "Open", "settings": {"name": "Open"}})
        await act(asel, id_, await seq_of(asel, id_), {"do": "join", "player": 3, "group": "Open"})
        assert [one["players"] for one in await asel.told("GET", f"/api/events/{id_}/groups")] == [2, 2, 1]
        last = await seq_of(asel, id_)
        refused = await tried(asel, id_, {"do": "undo", "line": last - 1, "reason": "r"})
        assert refused.status_code == 422  # somebody has joined
        for line in (last, last - 1):
            await act(asel, id_, await seq_of(asel, id_), {"do": "undo", "line": line, "reason": "r"})
        assert (await asel.ask("GET", f"/api/events/{id_}~4/standings")).status_code == 404

    on_site(tmp_path, test)


def test_an_event_with_groups_goes_down_and_up(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await championship(asel)
        await act(asel, id_, await seq_of(asel, id_), won("Women", "30-18"))
        file = await asel.ask("GET", f"/api/events/{id_}~3/file")
        assert file.status_code == 200
        sent = await asel.client.post("/api/events/file", content=file.content, headers=asel.csrf)
        assert sent.status_code == 201, sent.text
        again = sent.json()["id"]
        for path in ("standings", "groups/Women/standings", "groups/Women/rounds/1"):
            one, other = [await asel.told("GET", f"/api/events/{event}/{path}") for event in (id_, again)]
            assert one == other

    on_site(tmp_path, test)
