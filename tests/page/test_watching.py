"""What those are told who watch a game, and what the rings on the board are."""

from __future__ import annotations

import re
from typing import Any

import pytest

from korgool.languages import LANGUAGES, translations
from tests.page.analysis import Board
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.table import expect
from tests.server.guests import Address, Guest


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_watchers_are_told_who_plays_at_what_level_and_whose_turn_it_is(
    table: NewTable, size: dict[str, object]
) -> None:
    player = table()
    player.start("toguz", side="black", level=3)
    player.wait_for_turn()
    watcher = table(size)
    page = watcher.page
    page.goto(player.page.url)
    watcher.ready()
    expect(page.locator(".watching")).to_contain_text("You are watching")
    white, black = (page.locator(f'.strip[data-side="{side}"]') for side in ("white", "black"))
    expect(white).to_contain_text(re.compile(r"Kunan\s+about 860 · level 3"))
    expect(black).to_contain_text(re.compile(r"Guest \d+"))
    for part in (white.locator(".level"), black.locator(".name"), black.locator(".turn")):
        box = part.bounding_box()
        assert box is not None
        assert box["width"] > 20
    expect(white.locator(".turn")).to_be_hidden()
    expect(page.locator(".hole-button[aria-disabled=false]")).to_have_count(0)
    wide, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= inner
    player.page.get_by_role("button", name="Resign").click()
    player.page.get_by_role("dialog").get_by_role("button", name="Resign").click()
    expect(page.locator("#outcome")).to_contain_text("White wins")
    expect(black.locator(".turn")).to_be_hidden()
    expect(player.page.locator(".watching")).to_have_count(0)


def test_rings_differ_without_their_colours(table: NewTable) -> None:
    """In thickness and dashes, on the board as in the legend."""
    board = Board(table(), "#game=toguz&moves=7", **{"engine-on": "off"})
    form = """(names) => names.map((name) => {
      const {strokeWidth, strokeDasharray} = getComputedStyle(document.querySelector(name));
      return `${strokeWidth} ${strokeDasharray}`;
    })"""
    shown = board.page.evaluate(form, [".hole.legal .slot", ".board .origin", ".board .landed", ".board .preview"])
    assert len(set(shown)) == 4
    told = board.page.evaluate(form, [f".rings .{kind}" for kind in ("legal", "origin", "landed", "preview")])
    assert told == shown


def test_the_rings_are_explained(table: NewTable) -> None:
    board = Board(one := table(PHONE), **{"engine-on": "off"})
    for language in LANGUAGES:
        one.translated(language)
        board.open("")
        rings_are_explained(board, language)


def rings_are_explained(board: Board, language: str) -> None:
    said = board.page.locator(".rings li").all_text_contents()
    gettext = translations(language).gettext
    assert [line.strip() for line in said][:2] == [
        gettext("thin: this hole may be sown now"),
        gettext("dashed: the last move began here"),
    ]
    board.page.locator("#settings-open").click()
    board.page.locator(".rings summary").click()
    wide, inner = board.page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= inner


def begun(white: Guest, black: Guest) -> str:
    """A slow game with a move of White."""
    made = white.challenge(side="white", clock="3d")
    game = str(black.accept(made["id"]).raise_for_status().json()["game"])
    sow(white, game, 7)
    return game


def sow(player: Guest, game: str, hole: int) -> None:
    version = player.state(game)["version"]
    player.client.post(f"/games/{game}/move", json={"hole": hole, "version": version}).raise_for_status()


def test_games_to_watch_come_move_and_go_without_a_reload(table: NewTable, server: str) -> None:
    """What stays the same keeps its element and the focus; nothing is announced, and a hidden page asks nothing."""
    people = [Guest(Address(server)) for _ in range(2)]
    first = begun(*people)
    page = table(PHONE).page
    asked = list[str]()
    page.on("request", lambda request: asked.append(request.url) if "/watch/list" in request.url else None)
    page.clock.install()
    page.goto(f"{server}/watch?show=live")
    card = page.locator(f"#g-{first}")
    expect(card).to_contain_text("moves so far: 1")
    expect(card.locator("svg.board.low")).to_be_visible()
    expect(page.locator(".watch-list :is([aria-live], [role=status], [role=alert])")).to_have_count(0)
    card.get_by_role("link").focus()
    page.evaluate("id => { document.getElementById(id).known = true; }", f"g-{first}")
    second = begun(*people)
    sow(people[1], first, 7)

    def renewed(seen: Any) -> None:
        """Let time pass until a list shows it: the server reads its games every two seconds."""
        for _ in range(20):
            with page.expect_response(lambda answer: "/watch/list" in answer.url):
                page.clock.run_for(5000)
            if seen.count():
                return
        expect(seen).to_have_count(1)

    renewed(page.locator(f"#g-{second}"))
    expect(card).to_contain_text("moves so far: 2")
    assert page.evaluate("id => document.getElementById(id).known", f"g-{first}")
    expect(card.get_by_role("link")).to_be_focused()
    version = people[0].state(second)["version"]
    people[0].client.post(f"/games/{second}/resign", json={"version": version}).raise_for_status()
    renewed(page.locator(f".watch-list:not(:has(#g-{second}))"))
    expect(card.get_by_role("link")).to_be_focused()
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => true, configurable: true })")
    page.clock.run_for(6000)
    before = len(asked)
    page.clock.run_for(60_000)
    assert len(asked) == before
    page.evaluate("Object.defineProperty(document, 'hidden', { get: () => false })")
    with page.expect_request(lambda request: "/watch/list" in request.url):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
