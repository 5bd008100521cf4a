"""Screens of every size: stores beside their owners' names, and everything usable down to 320 CSS pixels."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import pytest

from korgool.languages import LANGUAGES
from korgool.rules import GAMES
from tests.conftest import SEED
from tests.page.conftest import NewTable
from tests.page.games import Played
from tests.page.table import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES = [(360, 740), (1280, 800), (320, 568)]
ZOOMED = (320, 256)
"""What 400 % leaves of 1280 by 1024, as WCAG 1.4.10 counts."""
GEOMETRY = """() => {
  const box = element => {
    const {x, y, width, height} = element.getBoundingClientRect();
    return [x, y, x + width, y + height];
  };
  const svg = [...document.querySelectorAll("svg.board")].find(one => getComputedStyle(one).display !== "none");
  const found = {names: {}, stores: {}, counts: {}};
  for (const strip of document.querySelectorAll(".strip")) {
    found.names[strip.dataset.side] = box(strip.querySelector(".name"));
  }
  for (const side of ["white", "black"]) {
    found.stores[side] = box(svg.querySelector(`.store.${side} .slot`));
    found.counts[side] = box(svg.querySelector(`.store.${side} .count`));
  }
  return found;
}"""
SMALLEST = """() => Math.min(...[...document.querySelectorAll(".hole-button")].flatMap(one => {
  const {width, height} = one.getBoundingClientRect();
  return [width, height];
}))"""
SIDEWAYS = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


def distance(one: list[float], other: list[float]) -> float:
    """Between the nearest points of two boxes, in pixels."""
    across = max(one[0] - other[2], other[0] - one[2], 0)
    down = max(one[1] - other[3], other[1] - one[3], 0)
    return float((across**2 + down**2) ** 0.5)


def resized(page: Page, width: int, height: int) -> None:
    """Give an open page another size, and wait until it is drawn in it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


LOOKED_AT = [*product(GAMES, ("white", "black"))]
SLICE = [(game, side) for at, (game, side) in enumerate(LOOKED_AT) if (at + at // 2 + SEED) % 2]
"""Each game from one side."""


@pytest.mark.parametrize("cases", [SLICE, pytest.param(LOOKED_AT, marks=pytest.mark.long)], ids=["slice", "all"])
def test_every_store_lies_beside_the_name_of_its_owner(
    table: NewTable, server: str, cases: list[tuple[str, str]]
) -> None:
    page = table().page
    for number, (game, side) in enumerate(cases):
        played = Played(server, game, side)
        page.context.clear_cookies()  # those of the player before
        played.sit(page.context)
        # Each size is the first one in turn: the page is loaded in it, and has the others afterwards.
        turned = SIZES[number % len(SIZES) :] + SIZES[: number % len(SIZES)]
        for width, height in turned:
            resized(page, width, height)
            if (width, height) == turned[0]:
                page.goto(played.url)
                page.locator("korgool-board[data-ready]").wait_for()
            found: dict[str, dict[str, list[float]]] = page.evaluate(GEOMETRY)
            for part in ("stores", "counts"):
                for owner, box in found[part].items():
                    away = {name: distance(box, at) for name, at in found["names"].items()}
                    other = "black" if owner == "white" else "white"
                    assert away[owner] < away[other] - 20, (game, part, side, width, owner, away)
            # From top to bottom: the name above with its store, then the store below with its name.
            far = "black" if side == "white" else "white"
            names, counts = found["names"], found["counts"]
            assert names[far][1] < counts[far][1] < counts[side][1] < names[side][1], (game, side, width)


@pytest.mark.parametrize("both", [False, pytest.param(True, marks=pytest.mark.long)])
def test_the_board_is_usable_when_zoomed(table: NewTable, server: str, both: bool) -> None:
    """That of the game, or of the analysis, or both of them."""
    page = table().page
    # Nothing thinks beside the board: three lines more or less do not change its width.
    page.add_init_script("localStorage.setItem('korgool.engine-on', 'off')")
    for at, game in enumerate(GAMES):
        played = Played(server, game)
        page.context.clear_cookies()  # those of the player before
        played.sit(page.context)
        moves = ",".join(str(move["hole"]) for move in played.state["moves"])
        paths = [played.url, f"{server}/analysis?{game}#game={game}&moves={moves}"]
        for path in paths if both else [paths[(at + SEED) % 2]]:
            resized(page, *ZOOMED)
            page.goto(path)
            page.locator("korgool-board[data-ready]").wait_for()
            for width, height in (ZOOMED, (320, 568), (640, 400)):
                resized(page, width, height)
                assert page.evaluate(SIDEWAYS) <= 0, (path, width)
                assert page.evaluate(SMALLEST) >= (40 if width == 320 else 32), (path, width)


def test_no_page_scrolls_sideways_when_zoomed(table: NewTable) -> None:
    size: dict[str, Any] = {"viewport": {"width": ZOOMED[0], "height": ZOOMED[1]}}
    board = table(size, expected="404")
    for language in ("en", "ky", "ru"):
        board.translated(language)
        for path in ("/", "/play", "/friend", "/levels", "/offline", "/nothing-here"):
            board.page.goto(f"{board.address}{path}")
            expect(board.page.locator("html")).to_have_attribute("lang", language)
            assert board.page.evaluate(SIDEWAYS) <= 0, (path, language)


def test_start_stands_on_the_first_screen(table: NewTable) -> None:
    board = table()
    for language in LANGUAGES:
        board.translated(language)
        for path, button in (("/play", "form.new-game .start button"), ("/", ".starts .way >> nth=2")):
            board.page.goto(f"{board.address}{path}")
            expect(board.page.locator("html")).to_have_attribute("lang", language)
            for width, height in ((1366, 657), (360, 640)):
                resized(board.page, width, height)
                box, bar = board.page.locator(button).bounding_box(), 56 if width == 360 and path == "/" else 0
                assert box is not None
                assert 0 < box["y"] < box["y"] + box["height"] <= height - bar, (path, width, language)
