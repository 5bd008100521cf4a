"""The public pages of events through the doors of the server."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import msgspec

from korgool.app.server.events.messages import BoardLine, StandingsLine
from korgool.app.server.events.public.page_cache import PublicPages, event_view
from korgool.competition.model import Settings
from korgool.languages import LANGUAGES

from .desk_events import AtDesk, at_desk, competitions_of
from .members import Site, on_site

CUP = Settings(name="Cup of Osh", rounds=3)
PLAYERS = ("Асанов", "Kim", "Yılmaz", "Сейітова")


async def public_cup(site: Site) -> AtDesk:
    """An event that anybody may read, with a round that is played."""
    desk = await at_desk(site, "Ann", CUP, *PLAYERS)
    await show(site, desk)
    await desk.do({"do": "pair", "round": 1, "lot": "a"})
    return desk


async def show(site: Site, desk: AtDesk, *, public: bool = True) -> None:
    await competitions_of(site).show(desk.competition, public=public)


def test_anybody_reads_a_public_event_and_officials_theirs(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await at_desk(site, "Ann", CUP, *PLAYERS)
        root = f"/events/{desk.competition.id}"
        reader = site.browser()
        for path in ("", "/entries", "/wall", "/wall/1", "/players/1"):
            assert (await reader.client.get(root + path)).status_code == 404, path
        for path in ("standings", "rounds/1", "games.pgn"):
            assert (await reader.client.get(f"/api{root}/{path}")).status_code == 404, path
        assert "Cup of Osh" not in (await reader.client.get("/events")).text
        own = await desk.browser.client.get(root)
        assert own.status_code == 200
        assert own.headers["cache-control"] == "no-store"
        assert f'href="{root}/desk"' in (await desk.browser.client.get("/events")).text

        await show(site, desk)
        assert f'href="{root}"' in (await reader.client.get("/events")).text
        page = await reader.client.get(root)
        assert page.status_code == 200
        assert "Cup of Osh" in page.text
        assert "set-cookie" not in page.headers  # nobody who only reads becomes anybody

        await show(site, desk, public=False)
        assert (await reader.client.get(root)).status_code == 404

    on_site(tmp_path, test)


def test_every_page_has_its_door_and_no_other(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await public_cup(site)
        root, reader = f"/events/{desk.competition.id}", site.browser()
        links, seen = {root}, set[str]()
        while links:
            address = links.pop()
            seen.add(address)
            page = await reader.client.get(address)
            assert page.status_code == 200, address
            found = re.findall(r'(?:href|src|data-next)="(/[^"#?]*)', page.text)
            links |= {link for link in found if link.startswith(root)} - seen
        assert {f"{root}/rounds/1/names", f"{root}/players/4", f"{root}/wall/1", f"{root}/crosstable"} <= seen
        for path in ("nothing", "rounds/2", "players/9", "entries/colour", "rounds/1/boards/1", "teams/1", "games"):
            assert (await reader.client.get(f"{root}/{path}")).status_code == 404, path
        assert (await reader.client.get(f"{root}/wall/99")).headers["location"] == f"{root}/wall/1"
        assert (await reader.client.get(f"{root}/wall")).headers["location"] == f"{root}/wall/1"
        led = await reader.client.get(f"{root}?round=1&board=2")
        assert led.headers["location"] == f"{root}/rounds/1#b2"

    on_site(tmp_path, test)


def test_a_page_is_made_once_and_sent_again_only_when_it_has_changed(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await public_cup(site)
        address, reader = f"/events/{desk.competition.id}/rounds/1", site.browser()
        pages: PublicPages = site.app.state.public_pages
        made: list[str] = []
        make = pages._page
        pages._page = lambda seen, name, *more: made.append(name) or make(seen, name, *more)  # type: ignore[method-assign,func-returns-value]

        async def ask(**headers: str) -> httpx.Response:
            return await reader.client.get(address, headers=headers)

        first = await ask()
        tag = first.headers["etag"]
        assert (await ask()).content == first.content
        unchanged = await ask(**{"if-none-match": tag})
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        assert made == ["rounds/1"]
        await desk.do({"do": "result", "round": 1, "board": 1, "result": "82-60"})
        fresh = await ask(**{"if-none-match": tag})
        assert fresh.status_code == 200
        assert fresh.headers["etag"] != tag
        assert "82–60" in fresh.text
        assert "82–60" not in first.text
        assert made == ["rounds/1", "rounds/1"]
        other = await ask(**{"if-none-match": fresh.headers["etag"], "accept-language": "ky"})
        assert other.status_code == 200
        plain = await ask(**{"accept-encoding": "identity"})
        assert plain.text == fresh.text

    on_site(tmp_path, test)


def test_the_language_is_kept_and_names_are_searched(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await public_cup(site)
        root = f"/events/{desk.competition.id}"
        for language in LANGUAGES:
            reader = site.browser()
            page = await reader.client.get(f"{root}/standings?language={language}")
            assert f'<html lang="{language}">' in page.text
            assert f'<html lang="{language}">' in (await reader.client.get(root)).text
        reader = site.browser()
        assert '<html lang="en">' in (await reader.client.get(f"{root}?language=xx")).text

        # Names are searched without a script.
        page = await reader.client.get(f"/events/{desk.competition.id}/rounds/1/names", params={"q": "сей"})
        rows = page.text.partition("<tbody>")[2]
        assert "Сейітова" in rows
        assert 'id="p1"' not in rows
        assert "etag" not in page.headers

    on_site(tmp_path, test)


def test_programs_read_what_the_command_line_prints(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await public_cup(site)
        await desk.do({"do": "result", "round": 1, "board": 1, "result": "82-60"})
        root, reader = f"/api/events/{desk.competition.id}", site.browser()
        standings = (await reader.client.get(f"{root}/standings")).json()
        assert [row["rank"] for row in standings] == [1, 2, 3, 3]
        assert {"number", "name", "points", "progress", "buchholz", "direct", "korgools"} <= set(standings[0])
        boards = (await reader.client.get(f"{root}/rounds/1")).json()
        assert [board["result_text"] for board in boards] == ["1 (82) - 0 (60)", None]
        games = await reader.client.get(f"{root}/games.pgn")
        assert (games.status_code, games.text) == (200, "")
        for path in ("rounds/0", "rounds/2", "rounds/x", "rounds/²"):
            assert (await reader.client.get(f"{root}/{path}")).status_code == 404, path
        tag = games.headers["etag"]
        assert (await reader.client.get(f"{root}/games.pgn", headers={"if-none-match": tag})).status_code == 304

    on_site(tmp_path, test)


def test_the_card_on_a_table_leads_to_its_board_in_the_present_round(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await public_cup(site)
        root = f"/events/{desk.competition.id}"
        reader = site.browser()
        led = await reader.client.get(f"{root}/boards/2")
        assert (led.status_code, led.headers["location"]) == (303, f"{root}/rounds/1#b2")
        assert (await reader.client.get(f"{root}/boards/x")).headers["location"] == f"{root}/rounds/1"
        assert (await reader.client.get("/events/aaaaaaaa/boards/2")).status_code == 404

    on_site(tmp_path, test)


def test_the_description_tells_the_fields_of_every_line(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await public_cup(site)
        root = f"/api/events/{desk.competition.id}"
        reader = site.browser()
        for name, shape in (("standings", StandingsLine), ("rounds/1", BoardLine)):
            for line in (await reader.client.get(f"{root}/{name}")).json():
                assert msgspec.convert(line, shape)
                assert set(line) <= {field.name for field in msgspec.structs.fields(shape)}

    on_site(tmp_path, test)


def test_a_page_that_is_made_while_the_event_goes_on_keeps_the_validator_of_its_moment(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        desk = await public_cup(site)
        pages: PublicPages = site.app.state.public_pages
        before = event_view(desk.competition)
        await desk.do({"do": "result", "round": 1, "board": 1, "result": "100-62"})
        late = pages._page(before, "rounds/1", "en", "", "", "", 0)
        now = await pages.page(event_view(desk.competition), "rounds/1", "en", "")
        assert late.tag != now.tag == pages.tag(event_view(desk.competition), "en")
        assert ["100–62" in page.body.decode() for page in (late, now)] == [False, True]

    on_site(tmp_path, test)
