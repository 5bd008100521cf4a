"""The traditional names of the holes, which readers of Kyrgyz and Kazakh may have on the board and in what is said."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from korgool.app.words.hole_names import HOLE_NAMES
from korgool.rules import GAMES
from tests.page.analysis import Board
from tests.page.conftest import PHONE

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.page.conftest import NewTable


def overlap(page: Page, picture: str, begin: str, end: str) -> float:
    """How far the labels of one row reach into each other at most, in CSS pixels."""
    found: float = page.evaluate(
        """([picture, begin, end]) => {
             const labels = [...document.querySelectorAll(`svg.board.${picture} .near .label`)];
             const boxes = labels.map((one) => one.getBoundingClientRect());
             return Math.max(...boxes.slice(1).map((box, at) => boxes[at][end] - box[begin])); }""",
        [picture, begin, end],
    )
    return found


def test_every_hole_has_a_name_of_its_own() -> None:
    for games in HOLE_NAMES.values():
        for game, names in games.items():
            assert len(set(names)) == len(names) == GAMES[game].holes


@pytest.mark.parametrize(
    ("language", "first", "said"),
    [("ky", "1 Куйрук", "7-үй, Эки тишти, 9 коргоол"), ("kk", "1 Арт", "7-отау, Қандықақпан, 9 құмалақ")],
)
def test_names_are_chosen_shown_and_said(table: NewTable, language: str, first: str, said: str) -> None:
    board = table(locale=language)
    page = board.page
    board.start("toguz")
    seventh = page.locator('.hole-button[data-side="white"][data-hole="7"]')
    expect(seventh).not_to_have_attribute("aria-label", said)
    label = page.locator("svg.board.wide .near .label").first
    expect(label).to_have_text("1")
    page.locator("#settings summary").click()
    page.locator("#hole-names").check()
    expect(seventh).to_have_attribute("aria-label", said)
    expect(label).to_have_text(first)
    assert overlap(page, "wide", "left", "right") <= 0, "a name reaches into its neighbour"
    page.reload()
    board.ready()
    expect(seventh).to_have_attribute("aria-label", said)
    page.keyboard.press("7")
    expect(page.locator("#spoken")).to_contain_text(said)


def test_other_languages_and_games_have_none(table: NewTable) -> None:
    board = table(locale="ky")
    board.start("mangala")
    expect(board.page.locator("#hole-names")).to_have_count(0)
    board.page.evaluate("localStorage.setItem('korgool.hole-names', 'on')")
    russian = table(locale="ru")
    russian.start("toguz")
    expect(russian.page.locator("#hole-names")).to_have_count(0)
    russian.page.evaluate("localStorage.setItem('korgool.hole-names', 'on')")
    russian.page.reload()
    expect(russian.page.locator('.hole-button[data-hole="7"]').last).to_have_attribute(
        "aria-label", re.compile(r"^лунка 7, 9 коргоолов$")
    )


def test_names_on_the_analysis_board_and_on_a_phone(table: NewTable) -> None:
    board = Board(table(PHONE, locale="kk"), "#game=toguz&moves=7,5&ply=2", **{"engine-on": "off", "hole-names": "on"})
    page = board.page
    expect(page.locator("svg.board.low .near .label").nth(6)).to_have_text("7 Қандықақпан")
    assert overlap(page, "low", "left", "right") <= 0, "a name reaches into its neighbour"
    board.set_up(game="mangala")
    expect(page.locator("svg.board.low .near .label").first).to_have_text("1")


@pytest.mark.parametrize(("language", "seventh"), [("ky", "7 Эки тишти"), ("kk", "7 Қандықақпан")])
def test_names_beside_the_upright_board_of_a_phone(table: NewTable, language: str, seventh: str) -> None:
    board = table(PHONE, locale=language)
    page = board.page
    page.add_init_script("if (origin !== 'null') localStorage.setItem('korgool.hole-names', 'on')")
    board.start("toguz")
    expect(page.locator("svg.board.tall .near .label").nth(6)).to_have_text(seventh)
    assert overlap(page, "tall", "top", "bottom") <= 0, "a name reaches into its neighbour"
