"""On the pages of mangala no stone is called as in toguz korgool, in the languages in which the two differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.page.analysis import Board

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.page.conftest import NewTable

NAMED = re.compile(r"(?<!тогуз )(?:коргоол|(?<!тоғыз)құмала[қғ])\w*", re.IGNORECASE)
EVERYTHING = """() => { const main = document.querySelector("main").cloneNode(true);
  for (const script of main.querySelectorAll("script")) script.remove();
  const names = ["aria-label", "title", "alt", "placeholder"];
  return [main.textContent, ...[...main.querySelectorAll("*")].flatMap(
    (one) => names.map((name) => one.getAttribute(name) ?? ""))].join("\\n"); }"""
STONES = {"ky": "4 таш", "kk": "4 тас", "ru": "4 камня"}


def named(page: Page) -> list[str]:
    """The words of toguz korgool on a page."""
    text: str = page.evaluate(EVERYTHING)
    return NAMED.findall(text)


@pytest.mark.parametrize("language", STONES)
def test_mangala_is_played_with_stones(table: NewTable, language: str) -> None:
    board = table(locale=language)
    page = board.page
    board.start("mangala")
    expect(page.locator(".hole-button").first).to_have_attribute("aria-label", re.compile(STONES[language]))
    page.keyboard.press("1")
    expect(page.locator("#spoken")).to_contain_text(STONES[language])
    assert named(page) == []
    for address in ("/rules/mangala", "/rules/castle", "/learn/mangala"):
        page.goto(f"{board.address}{address}")
        assert named(page) == [], address


def test_the_analysis_board_speaks_of_its_game(table: NewTable) -> None:
    board = Board(table(locale="ky"), "#game=toguz", **{"engine-on": "off"})
    page = board.page
    first = page.locator(".hole-button").first
    expect(first).to_have_attribute("aria-label", re.compile("9 коргоол"))
    board.set_up(game="mangala")
    expect(first).to_have_attribute("aria-label", re.compile("4 таш"))
    board.set_up(game="bestemshe")
    expect(first).to_have_attribute("aria-label", re.compile("5 коргоол"))
