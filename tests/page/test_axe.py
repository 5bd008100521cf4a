"""Every page passes axe, the common checker of accessibility, on desk and phone, by day and by night."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests.page.analysis import Board
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.games import Played
from tests.page.table import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

READING = [
    "/help",
    "/learn",
    "/puzzle",
    "/puzzles",
    "/puzzles/toguz/rated",
    "/puzzles/mangala/run",
    "/studies",
    "/rules/toguz",
    "/rules/castle",
    "/levels",
    "/about",
    "/offline",
    "/nothing-here",
]
LOOKS: list[tuple[dict[str, Any], Literal["light", "dark"]]] = [(DESK, "light"), (PHONE, "dark")]
"""Each size and each scheme once: the sizes differ in what is shown, the schemes in colours alone."""
if os.environ.get("KORGOOL_TEST_LOOKS") == "all":
    LOOKS += [(DESK, "dark"), (PHONE, "light")]
# Of the rules that are on by default none reads style sheets themselves, which axe would fetch and parse once more.
DIFFERENT = """selector => {
  const seen = new Set();
  for (const part of document.querySelectorAll(selector)) {
    const made = [...part.querySelectorAll("*")].map((one) => one.cloneNode().outerHTML.replace(/\\d+/g, ""));
    if (made.every((one) => seen.has(one))) part.remove();
    for (const one of made) seen.add(one);
  }
  for (const stone of document.querySelectorAll(".stones > :not(:first-child)")) stone.remove();
}"""
RUN = '() => axe.run({resultTypes: ["violations"], preload: false}).then(({violations}) => violations)'


def only_what_differs(page: Page, parts: str) -> None:
    """Leave of like parts of a page those in which anything is made as nothing before, and of each heap a stone.

    The rules of a game show dozens of positions as tables, a thousand numbers, and axe compares each with all that may
    lie behind it.
    """
    page.evaluate(DIFFERENT, parts)


def violations_here(page: Page) -> list[str]:
    """What axe finds in the page as it looks now."""
    axe = pytest.importorskip("axe_playwright_python.base", reason="the accessibility tests need axe-playwright-python")
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(axe.AXE_SCRIPT)
    results: list[dict[str, Any]] = page.evaluate(RUN)
    return [f"{one['id']}, {node['target']}: {node['failureSummary']}" for one in results for node in one["nodes"]]


def violations(page: Page) -> list[str]:
    """What axe finds, in the looks of the page."""
    found = []
    for size, scheme in LOOKS:
        page.set_viewport_size(size["viewport"])
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found += [f"{size['viewport']['width']} {scheme}: {one}" for one in violations_here(page)]
    return found


def test_pages_to_read(table: NewTable) -> None:
    board = table(expected="404")
    for path in ("/", *READING):
        board.page.goto(f"{board.address}{path}")
        only_what_differs(board.page, "table")
        assert violations(board.page) == [], path


def test_a_game_and_its_end(table: NewTable, server: str) -> None:
    played = Played(server, "castle", "white", 6, clock="60+0")
    page = table().page
    played.sit(page.context)
    page.goto(played.url)
    page.locator("#moves button").first.wait_for()
    page.locator("#settings summary").click()
    assert violations(page) == []
    played.visitor.send(played.id, "resign", version=played.visitor.state(played.id)["version"]).raise_for_status()
    page.reload()
    page.locator("#graph svg").wait_for(state="attached")
    assert violations(page) == []


def test_the_analysis_board(table: NewTable) -> None:
    board = Board(table(), "#game=toguz&moves=7,6,3")
    board.page.locator("#lines li button").first.wait_for()
    board.page.locator("#engine-on").uncheck()
    for name in ("moves", "review", "book", "lines"):
        board.tab(name)
        for more in board.page.locator("details.more:visible summary").all():
            more.click()
        assert violations(board.page) == [], name
    review = Board(table(), "#game=toguz&moves=1,7,1,5,1,3")
    review.tab("review")
    review.page.locator("#graph[data-complete]").wait_for()
    review.page.locator("#turning button").first.click()
    expect(review.page.locator("#verdict")).to_be_visible()
    assert violations(review.page) == []
    review.page.locator("#better-start").click()
    review.press(1)
    expect(review.page.locator("#better-told")).to_contain_text("Try another move.")
    assert violations(review.page) == []
    for name in ("set-up", "settings-open"):
        board.page.locator(f"#{name}").click()
        assert violations(board.page) == [], name
        board.page.keyboard.press("Escape")
