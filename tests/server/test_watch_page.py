"""Watching and the best players open with what is not empty; games in progress are shown as small boards."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from korgool.accounts import Speed

from .members import Browser, Site, on_site
from .test_lobby import offer, rate


def current(page: str, nav: str) -> list[str]:
    part = page.partition(f'<nav class="{nav}"')[2].partition("</nav>")[0]
    return re.findall(r'href="([^"]*)" aria-current', part)


async def text(browser: Browser, path: str) -> str:
    answer = await browser.client.get(path, headers={"accept": "text/html"})
    assert answer.status_code == 200, path
    return answer.text


async def begun(white: Browser, black: Browser, clock: str = "3d", **more: object) -> str:
    """A game with a move."""
    made = await offer(white, "toguz", clock, side="white", **more)
    game = str((await black.told("POST", f"/api/challenges/{made}/accept"))["game"])
    await white.told("POST", f"/api/games/{game}/move", {"hole": 7, "version": 1})
    return game


async def answered(black: Browser, game: str) -> None:
    """Black's first move."""
    state = await black.told("GET", f"/api/games/{game}")
    await black.told("POST", f"/api/games/{game}/move", {"hole": 7, "version": state["version"]})


def test_the_page_opens_with_the_first_part_that_is_not_empty(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, bob = await site.browser().visit(), await site.browser().visit()
        for part in ("", "?show=live", "?show=finished", "?show=players", "?show=nothing"):
            page = await text(bob, f"/watch{part}")
            assert 'class="empty"' in page, part
            assert 'href="/lobby' in page.partition('class="empty"')[2]
        assert current(page, "tabs") == ["/watch?show=live"]
        assert 'href="/players"' in await text(bob, "/watch?show=players")
        rate(site.app.state.game_registry.storage.engine, (await site.browser().sign_up("Aida"))["id"], 1600, "castle")
        page = await text(bob, "/watch")
        assert current(page, "tabs") == ["/watch?show=players"]
        assert 'href="/players?game=castle&amp;speed=rapid"' in page
        game = await begun(ann, bob)
        page = await text(bob, "/watch?show=live")
        site.app.state.game_registry._listed = (0.0, [], [])
        page = await text(bob, "/watch")
        assert current(page, "tabs") == ["/watch?show=live"]
        card = page.partition(f'<li class="card game-card" id="g-{game}">')[2].partition("</li>")[0]
        assert re.findall(r'<svg class="board (\w+)"', card) == ["low"]
        assert re.findall(r'class="label"[^>]*>(\d+)', card) == [*"123456789", *"123456789"]
        await bob.told("POST", f"/api/games/{game}/resign", {})
        site.app.state.game_registry._listed = (0.0, [], [])
        page = await text(bob, "/watch")
        assert current(page, "tabs") == ["/watch?show=finished"]
        assert f'href="/games/{game}"' in page

    on_site(tmp_path, test)


def test_the_part_is_sent_again_only_if_something_of_it_moves(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, bob, reader = await site.browser().visit(), await site.browser().visit(), site.browser()
        game = await begun(ann, bob)
        late = await begun(ann, bob, delay=3600)
        registry = site.app.state.game_registry
        registry._listed = (0.0, [], [])
        part = await text(reader, "/watch/list?show=live")
        known = re.findall(r'data-tag="(\w+)"', part)[0]
        assert f'id="g-{game}"' in part
        assert "<html" not in part
        asks = {"accept": "text/html"}
        same = await reader.client.get(f"/watch/list?show=live&known={known}", headers=asks)
        assert (same.status_code, same.content) == (204, b"")
        await answered(bob, late)
        registry._listed = (0.0, [], [])
        assert (await reader.client.get(f"/watch/list?show=live&known={known}", headers=asks)).status_code == 204
        await answered(bob, game)
        registry._listed = (0.0, [], [])
        fresh = await reader.client.get(f"/watch/list?show=live&known={known}", headers=asks)
        assert fresh.status_code == 200
        assert "moves so far: 2" in fresh.text
        await bob.told("POST", f"/api/games/{game}/resign", {})
        registry._listed = (0.0, [], [])
        ended = await text(reader, f"/watch/list?show=live&known={known}")
        assert f'id="g-{game}"' not in ended
        assert f'id="g-{game}"' in await text(reader, f"/watch/list?show=finished&known={known}")

    on_site(tmp_path, test)


def test_a_small_board_is_light_and_as_late_as_the_game(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        ann, bob = await site.browser().visit(), await site.browser().visit()
        for delay, same in ((0, False), (3600, True)):
            game = await begun(ann, bob, delay=delay)
            plain = await bob.client.get(f"/games/{game}/picture.svg", headers={"accept-encoding": "identity"})
            assert plain.headers["content-type"] == "image/svg+xml"
            assert plain.text.startswith("<svg")
            start = await (await site.browser().visit()).client.get(
                f"/games/{await begun(ann, bob, delay=3600)}/picture.svg"
            )
            assert (plain.text == start.text) is same, "who does not see the move yet does not see it here either"
        packed = await bob.client.get(f"/games/{game}/picture.svg", headers={"accept-encoding": "gzip"})
        assert packed.headers["content-encoding"] == "gzip"
        assert packed.text == plain.text
        assert len(gzip.compress(plain.text.encode(), 6)) < 4000
        assert (await bob.client.get("/games/aaaaaaaaaaaa/picture.svg")).status_code == 404

    on_site(tmp_path, test)


def test_the_best_players_of_a_pool_that_has_some_are_shown_first(tmp_path: Path) -> None:
    async def test(site: Site) -> None:
        reader, engine = site.browser(), site.app.state.game_registry.storage.engine
        page = await text(reader, "/players")
        assert current(page, "chips row") == ["/players?game=toguz&amp;speed=rapid"]
        assert 'class="empty"' in page
        aida, bolot = [(await site.browser().sign_up(name))["id"] for name in ("Aida", "Bolot")]
        rate(engine, aida, 1600, "castle", Speed.BLITZ)
        rate(engine, aida, 1650, "mangala", Speed.BLITZ)
        rate(engine, bolot, 1700, "mangala", Speed.BLITZ)
        page = await text(reader, "/players")
        assert "Mangala, blitz" in page
        assert page.index("Bolot") < page.index("Aida")
        assert "castle, blitz" in await text(reader, "/players?game=castle")
        assert "Toguz korgool, blitz" in await text(reader, "/players?game=toguz&speed=blitz")
        assert (await reader.client.get("/players?game=chess")).status_code == 404
        rate(engine, aida, 1600)
        assert "Toguz korgool, rapid" in await text(reader, "/players"), "the usual one, as soon as it has somebody"

    on_site(tmp_path, test)
