"""Lists to choose from on a phone: what stands on the first screen, and what one tap does."""

from __future__ import annotations

import re
from typing import Any

from korgool.languages import LANGUAGES
from tests.page.conftest import PHONE, NewTable
from tests.page.table import expect
from tests.page.test_axe import violations_here
from tests.server.guests import Guest

SMALL: dict[str, Any] = PHONE | {"viewport": {"width": 360, "height": 640}}
GAME = re.compile(r"/games/\w{12}$")
OFFERS = [
    ("toguz", "10+5"),
    ("castle", "5+3"),
    ("mangala", "30+0"),
    ("bestemshe", "3+2"),
    ("toguz", "none"),
    ("castle", "3d"),
]
REACHED = """selector => [...document.querySelectorAll(selector)].filter(one => {
  const {x, y, width, height} = one.getBoundingClientRect();
  const top = (dx, dy) => one === document.elementFromPoint(x + width * dx, y + height * dy);
  return width >= 44 && height >= 44 && top(0.1, 0.1) && top(0.9, 0.9);
}).length"""
"""How many of some controls can be pressed without scrolling, with nothing over their corners."""


def test_the_first_screen_of_a_phone_shows_six_offers_and_one_tap_takes_one(table: NewTable, guest: Guest) -> None:
    made = [guest.challenge(to="lobby", game=game, clock=clock)["id"] for game, clock in OFFERS]
    board = table(SMALL)
    page = board.page
    for language in LANGUAGES:
        page.context.add_cookies([{"name": "language", "value": language, "url": board.address}])
        page.goto(f"{board.address}/lobby")
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert page.evaluate(REACHED, ".open-games .button") >= 6, language
        assert page.evaluate(REACHED, "[data-offer]") == 1
    assert violations_here(page) == []
    page.locator('nav.chips.row a[href*="game=castle"]').click()
    expect(page.locator("nav.chips.row [aria-current]")).to_be_in_viewport()
    # The whole row is the button.
    row = page.locator(f"#c-{made[-1]} .what").bounding_box()
    assert row is not None
    page.touchscreen.tap(row["x"] + 5, row["y"] + 5)
    expect(page).to_have_url(GAME)


def test_an_offer_is_made_in_a_sheet(table: NewTable) -> None:
    board = table(SMALL)
    page = board.page
    page.goto(f"{board.address}/lobby")
    sheet = page.locator("#offer")
    expect(sheet).to_be_hidden()
    page.locator(".head [data-offer]").tap()
    expect(sheet).to_be_visible()
    assert violations_here(page) == []
    assert page.evaluate(REACHED, "#offer .button") == 2
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.locator(".head [data-offer]").tap()
    sheet.get_by_role("radio", name="Mangala", exact=True).check()
    sheet.get_by_role("radio", name="3 days", exact=True).check()
    sheet.get_by_role("button", name="Post in the lobby").tap()
    expect(page).to_have_url(re.compile(r"/c/\w{12}$"))
    expect(page.locator("main")).to_contain_text("Mangala")
