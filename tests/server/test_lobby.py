"""The lobby: live offers first, the newest first, filtered by game, speed and what fits; and the empty one."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
from sqlalchemy import Engine

from korgool.accounts import Shown, Speed
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.play.challenges.lobby import FIT, LobbyFilter, Reader, read_filter
from korgool.app.server.storage.schema import standings

from .members import Browser, Site, on_site

OFFERS = [("toguz", "3d"), ("toguz", "10+5"), ("mangala", "5+3"), ("mangala", "14d"), ("toguz", "none")]


def rate(engine: Engine, account: str, rating: float, game: str = "toguz", speed: Speed = Speed.RAPID) -> None:
    row = {"account": account, "game": game, "speed": speed.value, "rating": rating, "deviation": 60.0}
    more = {"volatility": 0.06, "games": 30, "at_ms": now_ms(), "seq": 1, "fixed": 0}
    with engine.begin() as connection:
        connection.execute(standings.insert().values(row | more))


def listed(page: httpx.Response) -> list[str]:
    assert page.status_code == 200
    return re.findall(r'<li id="c-(\w+)"', page.text)


async def offer(maker: Browser, game: str, clock: str, **more: object) -> str:
    made = await maker.told("POST", "/api/challenges", {"game": game, "to": "lobby", "clock": clock, **more})
    return str(made["id"])


def test_live_offers_come_first_and_the_newest_first_and_filters_leave_what_they_say(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, bob = await site.browser().visit(), await site.browser().visit()
        made = {terms: await offer(ann, *terms) for terms in OFFERS}
        slow, live = [("mangala", "14d"), ("toguz", "3d")], [("toguz", "none"), ("mangala", "5+3"), ("toguz", "10+5")]
        page = await bob.client.get("/lobby")
        assert listed(page) == [made[one] for one in (*live, *slow)]
        for query, left in (
            ("game=mangala", [live[1], slow[0]]),
            ("speed=rapid", [live[2]]),
            ("speed=days", slow),
            ("speed=none", [live[0]]),
            ("game=toguz&speed=days", [slow[1]]),
            ("game=chess&speed=warp", [*live, *slow]),
        ):
            for path in ("/lobby", "/lobby/list"):
                assert listed(await bob.client.get(f"{path}?{query}")) == [made[one] for one in left], query
        none = await bob.client.get("/lobby?game=castle")
        assert listed(none) == []
        assert "5 offers are hidden" in none.text
        assert 'href="/lobby">Show all offers' in none.text
        assert (await bob.client.get(f"/lobby?game={'x' * 41}")).status_code == 400

    on_site(tmp_path, test)


def test_the_makers_rating_is_shown_and_what_fits_the_reader(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        reader, near, far, guest = [site.browser() for _ in range(4)]
        mine, close, other = [
            (await one.sign_up(name))["id"] for one, name in ((reader, "Aida"), (near, "Bolot"), (far, "Cholpon"))
        ]
        await guest.visit()
        engine = site.app.state.game_registry.storage.engine
        for account, rating in ((mine, 1500), (close, 1500 + FIT), (other, 1501 + FIT)):
            rate(engine, account, rating)
        fits = [await offer(near, "toguz", "10+5"), await offer(guest, "toguz", "10+5")]
        not_fits = [
            await offer(far, "toguz", "10+5"),
            await offer(near, "mangala", "10+5"),
            await offer(near, "toguz", "5+3"),
        ]
        own = await offer(reader, "toguz", "10+5")
        page = await reader.client.get("/lobby")
        assert set(listed(page)) == {*fits, *not_fits, own}
        assert set(listed(await reader.client.get("/lobby?fits=1"))) == set(fits)
        assert re.search(
            rf'id="c-{fits[0]}" class=" fits">.*?Bolot <span class="figure">1750</span>', page.text, re.DOTALL
        )
        assert page.text.count("1750") == 1  # in the other game and at the other speed they have none
        stranger = await (await site.browser().visit()).client.get("/lobby")
        assert "fits=1" not in stranger.text
        assert "1751" in stranger.text

    on_site(tmp_path, test)


def test_who_has_no_rating_is_offered_the_speed_that_they_play(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, bob = await site.browser().visit(), await site.browser().visit()
        blitz = await offer(ann, "bestemshe", "5+3")
        await bob.told("POST", f"/api/challenges/{blitz}/accept")
        again, other = await offer(ann, "bestemshe", "5+3"), await offer(ann, "bestemshe", "30+0")
        assert set(listed(await bob.client.get("/lobby"))) == {again, other}
        assert listed(await bob.client.get("/lobby?fits=1")) == [again]

    on_site(tmp_path, test)


def test_an_empty_lobby_says_what_to_do_and_the_sheet_opens_without_scripts(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann = await site.browser().visit()
        page = (await ann.client.get("/lobby")).text
        for way in ('href="/lobby?offer"', 'href="/"', 'href="/#friend"'):
            assert way in page.partition('class="empty"')[2].partition("</section>")[0]
        assert re.search(r'<dialog class="sheet" id="offer"[^>]*>', page)
        assert re.search(r'<dialog class="sheet" id="offer"[^>]* open>', (await ann.client.get("/lobby?offer")).text)
        token = ann.client.cookies["csrftoken"]
        form = {"_csrf_token": token, "game": "castle", "clock": "5+3", "side": "random", "to": "lobby"}
        assert (await ann.client.post("/challenges", data=form)).headers["location"].startswith("/c/")

    on_site(tmp_path, test)


def test_a_filter_is_an_address_and_a_second_choice_ends_it() -> None:
    wanted = read_filter("toguz", "blitz", "")
    assert wanted == LobbyFilter("toguz", "blitz")
    assert wanted.address(game="mangala") == "/lobby?game=mangala&speed=blitz"
    assert wanted.address(speed="blitz") == "/lobby?game=toguz"
    assert wanted.address(fits=True) == "/lobby?game=toguz&speed=blitz&fits=1"
    assert LobbyFilter(fits=True).address(fits=True) == "/lobby"
    assert read_filter("chess", "warp", "") == LobbyFilter()


def test_a_reader_with_a_rating_is_compared_by_it() -> None:
    reader = Reader("x", {("toguz", "rapid"): Shown(1500, 60, False)}, {("toguz", "rapid"), ("toguz", "none")})
    assert reader.suits("toguz", "rapid", Shown(1500 - FIT, 60, False))
    assert not reader.suits("toguz", "rapid", Shown(1499 - FIT, 60, False))
    assert reader.suits("toguz", "rapid", None)
    assert reader.suits("toguz", "none", None)
    assert not reader.suits("mangala", "rapid", Shown(1500, 60, False))
