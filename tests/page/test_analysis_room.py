"""Everything beside the analysis board has room on a phone, in every language and with text twice as large."""

from __future__ import annotations

from random import Random

import pytest

from korgool.languages import LANGUAGES
from tests.conftest import SEED
from tests.page.analysis import Board
from tests.page.conftest import PHONE, NewTable
from tests.page.table import expect


@pytest.mark.parametrize(
    "languages",
    [Random(f"room {SEED}").sample(list(LANGUAGES), 2), pytest.param([*LANGUAGES], marks=pytest.mark.long)],
    ids=["slice", "all"],
)
def test_a_phone_has_room_in_every_language(table: NewTable, languages: list[str]) -> None:
    board = Board(one := table(PHONE))
    for language in languages:
        one.translated(language)
        has_room(board, language)


def has_room(board: Board, language: str) -> None:
    board.open("#game=toguz&moves=7,5,3,4(9,1),2&ply=4")
    page = board.page
    expect(page.locator("html")).to_have_attribute("lang", language)
    board.lines(3)
    page.locator("#graph[data-complete]").wait_for(state="attached")
    board.set_up(opponent="4")
    page.locator("details.more").evaluate_all("all => all.forEach(one => { one.open = true; })")
    wide, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= inner
    boxes = page.locator(".hole-button").evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")
    # Nine holes in a row of a phone are 38 pixels wide, and touch each other.
    assert all(box["width"] >= 37 and box["height"] >= 44 for box in boxes)
    for size in ("100%", "200%"):
        page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
        far, near = page.locator(".strip .who").evaluate_all(
            "all => all.map(one => ({...one.getBoundingClientRect().toJSON(), cut: one.scrollWidth - one.clientWidth}))"
        )
        assert far["cut"] <= 1 >= near["cut"], size
        assert near["right"] <= far["left"] or far["bottom"] <= near["top"], size
    page.evaluate("document.documentElement.style.fontSize = ''")
    for pane in ("lines", "moves", "review", "book"):
        board.tab(pane)
        if pane == "book":
            page.locator("#played-state:not(:empty)").wait_for(state="attached")
        for size in ("200%", "100%"):
            page.evaluate("size => { document.documentElement.style.fontSize = size; }", size)
            assert page.evaluate("document.documentElement.scrollWidth") <= inner, (pane, size)
        small = page.evaluate(
            """() => [...document.querySelectorAll(".panel button, .tools .button, .steps .button, .panel summary")]
              .map(button => [button.outerHTML, button.getBoundingClientRect()])
              .filter(([, {width, height, left, right}]) => width && (height < 44 || left < 0 || right > 360.5))"""
        )
        assert small == [], pane
