"""Several groups in one request, one line for a person at the check-in, and one start list."""

from __future__ import annotations

import re
from pathlib import Path

import httpx

from .members import Browser, Site, on_site
from .support import Json
from .test_event_doors import act, seq_of, somebody, tried
from .test_event_groups import MEN, championship, won

HEADERS = {"accept": "text/html", "accept-language": "en"}


async def both(browser: Browser) -> str:
    """An event with two groups before their first rounds, of which one player is in both."""
    id_ = str((await browser.told("POST", "/api/events", {"name": "Cup"}))["id"])
    await act(browser, id_, 1, MEN, {"do": "group", "name": "Open", "settings": {"name": "Open", "rounds": 1}})
    asan = {"do": "enter", "entry": {"family": "Asan", "sex": "m", "rating": 1900}, "groups": ["Men", "Open"]}
    bek = {"do": "enter", "entry": {"family": "Bek", "sex": "m"}, "group": "Men"}
    aida = {"do": "enter", "entry": {"family": "Aida", "sex": "f"}, "group": "Open"}
    await act(browser, id_, await seq_of(browser, id_), asan, bek, aida)
    return id_


async def send(browser: Browser, path: str, seq: int, **fields: str | list[str]) -> httpx.Response:
    form = {"_csrf_token": browser.csrf["x-csrftoken"], "after": str(seq), **fields}
    return await browser.client.post(path, data=form, headers=HEADERS)


def test_a_request_does_actions_of_several_groups_all_or_none(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel, bob = await somebody(site, "Asel"), await somebody(site, "Bobby1x")
        id_ = await championship(asel)
        await asel.told("POST", f"/api/events/{id_}/helpers", {"role": "chief", "account": "Bobby1x", "boards": None})
        seq = await seq_of(asel, id_)
        refused = await tried(asel, id_, won("Men"), won("Women", "99-60"))
        assert (refused.status_code, refused.json()["action"], await seq_of(asel, id_)) == (422, 1, seq)
        # Somebody else enters a result in one of the groups: the request is told of it, and nothing of it is done.
        await act(bob, id_, seq, won("Women", "30-18"))
        met = await tried(asel, id_, won("Men"), won("Women", "18-30"), after=seq)
        assert (met.status_code, met.json()["action"]) == (409, 1)
        assert met.json()["detail"].startswith("Bobby1x has changed this meanwhile")
        assert "Women: round 1, board 1" in met.json()["detail"]
        assert [one["group"] for one in met.json()["since"]] == ["Women"]
        assert met.json()["disputed"]
        assert (await asel.told("GET", f"/api/events/{id_}/groups/Men/rounds/1"))[0]["result"] is None
        # What touches neither goes through, from whatever address, and the same request once only.
        now = await seq_of(asel, id_)
        settle = {"do": "settle", "group": "Women", "round": 1, "board": 1, "id": "w1"}
        asked = [won("Men", id="m1"), settle]
        for address in (f"{id_}~3", id_, id_):
            answer = await tried(asel, address, *asked, after=now)
            assert (answer.status_code, answer.json().get("seq")) == (200, now + 2)
        for group, last in (("Men", "1-0"), ("Women", "1-0")):
            assert (await asel.told("GET", f"/api/events/{id_}/groups/{group}/rounds/1"))[0]["result"] == last
        lines = (await asel.told("GET", f"/api/events/{id_}/log"))["lines"]
        assert [one["group"] for one in lines[-2:]] == ["Men", "Women"]

    on_site(tmp_path, test)


def test_rounds_of_two_groups_are_paired_at_once_and_a_role_is_asked_for_each(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel, sector = await somebody(site, "Asel"), await somebody(site, "Sector1x")
        id_ = await both(asel)
        given: Json = {"role": "sector", "account": "Sector1x", "boards": [1, 1]}
        await asel.told("POST", f"/api/events/{id_}/helpers", given)
        await act(
            asel,
            id_,
            await seq_of(asel, id_),
            *({"do": "pair", "round": 1, "group": one, "lot": "x"} for one in ("Men", "Open")),
        )
        for name in ("Men", "Open"):
            assert len(await asel.told("GET", f"/api/events/{id_}/groups/{name}/rounds/1")) == 1
        forbidden = await tried(sector, id_, won("Men"), {"do": "withdraw", "player": 1, "group": "Open"})
        assert (forbidden.status_code, forbidden.json()["action"]) == (403, 1)
        assert (await tried(sector, id_, won("Men"), won("Open"))).status_code == 200

    on_site(tmp_path, test)


def test_a_player_of_two_groups_is_one_line_at_the_check_in(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await both(asel)
        path = f"/events/{id_}/desk/check-in/groups"

        async def shown() -> list[tuple[str, str]]:
            text = (await asel.client.get(path, headers=HEADERS)).text
            assert text.count("<strong>Asan</strong>") == 1
            assert "Men · Round 1" in text
            assert "Open · Round 1" in text
            return re.findall(r'<li id="p\d+" class="(\w+)".*?<strong>(\w+)<', text, re.S)

        assert await shown() == [("missing", "Aida"), ("missing", "Asan"), ("missing", "Bek")]
        seq = await seq_of(asel, id_)
        noted = await send(asel, path, seq, player="1", here="on", id="tap1", back=f"{path}#q")
        assert (noted.status_code, noted.headers["location"]) == (303, f"{path}?done#q")
        assert await seq_of(asel, id_) == seq + 2
        again = await send(asel, path, seq, player="1", here="on", id="tap1")
        assert again.status_code == 303
        assert await seq_of(asel, id_) == seq + 2, "the same tap is done once"
        assert ("there", "Asan") in await shown()
        # Gone from one group by its own check-in: missing again, and one tap notes the other.
        await act(asel, id_, seq + 2, {"do": "present", "group": "Open", "round": 1, "players": [1], "here": False})
        assert ("missing", "Asan") in await shown()
        await send(asel, path, seq + 3, player="1", here="on")
        assert ("there", "Asan") in await shown()
        await send(asel, path, seq + 4, player="1", here="off")
        assert ("missing", "Asan") in await shown()
        assert (await send(asel, path, seq, player="99", here="on")).status_code == 404
        assert (await send(asel, path, seq, player="x", here="on")).status_code == 404

    on_site(tmp_path, test)


def test_one_start_list_for_all_groups(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = await both(asel)
        desk = f"/events/{id_}/desk"

        async def listed(query: str = "") -> dict[str, list[str]]:
            text = (await asel.client.get(f"{desk}/players/all{query}", headers=HEADERS)).text
            lines = re.findall(r"<li data-text.*?</li>", text, re.S)
            return {
                re.search(r"<strong>([^<]*)<", line)[1]: re.findall(r'class="badge"[^>]*>(\w+) №', line)  # type: ignore[index]
                for line in lines
            }

        assert await listed() == {"Aida": ["Open"], "Asan": ["Men", "Open"], "Bek": ["Men"]}
        assert await listed("?q=aid") == {"Aida": ["Open"]}
        assert "/desk/players/all" in (await asel.client.get(f"{desk}/players", headers=HEADERS)).text
        # Entered once and ticked into two groups.
        seq = await seq_of(asel, id_)
        fields = {"do": "enter", "entry.family": "Daniyar", "entry.sex": "m", "back": f"{desk}/players/all"}
        answer = await send(asel, f"{desk}/act", seq, **fields, groups=["Men", "Open"])
        assert answer.status_code == 303, answer.text
        assert (await listed())["Daniyar"] == ["Men", "Open"]
        # A woman is no man: neither of the groups has her.
        seq = await seq_of(asel, id_)
        strict: Json = {"do": "change", "group": "Men", "settings": {"name": "Cup, Men", "rounds": 1, "sex": "men"}}
        await act(asel, id_, seq, strict)
        fields |= {"entry.family": "Eliza", "entry.sex": "f"}
        answer = await send(asel, f"{desk}/act", seq + 1, **fields, groups=["Open", "Men"])
        assert answer.status_code == 422
        assert "Eliza" not in await listed()
        # Joined by a button, and a name that is corrected in one group is corrected in the other.
        assert (
            await send(asel, f"/events/{id_}~3/desk/act", await seq_of(asel, id_), do="join", player="2")
        ).status_code == 303
        assert (await listed())["Bek"] == ["Men", "Open"]
        corrected = {
            "do": "amend",
            "player": 1,
            "group": "Open",
            "entry": {"family": "Asanov", "sex": "m", "rating": 1950},
        }
        await act(asel, id_, await seq_of(asel, id_), corrected)
        assert (await listed())["Asanov"] == ["Men", "Open"]
        for group in ("Men", "Open"):
            rows = await asel.told("GET", f"/api/events/{id_}/groups/{group}/standings")
            assert "Asanov" in {one["name"] for one in rows}
        alone = str((await asel.told("POST", "/api/events", {"name": "Alone"}))["id"])
        led = await asel.client.get(f"/events/{alone}/desk/players/all", headers=HEADERS)
        assert (led.status_code, led.headers["location"]) == (303, f"/events/{alone}/desk/players")

    on_site(tmp_path, test)


def test_rounds_of_eight_groups_are_paired_in_one_request(tmp_path: Path) -> None:
    """Each needs the pairing engine, which runs before the transaction."""

    async def test(site: Site) -> None:
        asel = await somebody(site, "Asel")
        id_ = str((await asel.told("POST", "/api/events", {"name": "Cup"}))["id"])
        names = [f"Group {number}" for number in range(8)]
        made = [{"do": "group", "name": name, "settings": {"name": name, "rounds": 1}} for name in names]
        await act(asel, id_, 1, *made)
        entered = [{"do": "enter", "group": name, "entry": {"family": f"{at} {name}"}} for name in names for at in "AB"]
        await act(asel, id_, await seq_of(asel, id_), *entered)
        seq = await seq_of(asel, id_)
        await act(asel, id_, seq, *({"do": "pair", "round": 1, "lot": "x", "group": name} for name in names))
        for name in names:
            assert len(await asel.told("GET", f"/api/events/{id_}/groups/{name}/rounds/1")) == 1

    on_site(tmp_path, test)
