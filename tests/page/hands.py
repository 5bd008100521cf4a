"""Four ways to use a page: by touch, by mouse, by the keys alone, and through the accessibility tree alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.page.conftest import DESK, PHONE
from tests.page.table import Table, expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator


class Hand:
    """By touch, on a phone."""

    size = PHONE

    def __init__(self, table: Table) -> None:
        self.table, self.page = table, table.page

    def press(self, button: Locator) -> None:
        """Use a button."""
        button.tap()

    def sow(self, hole: int) -> None:
        """Sow one of the own holes, once a choice counts."""
        button = self.table.hole(hole)
        expect(button).to_be_enabled()
        self.press(button)


class Mouse(Hand):
    """By mouse: moved there, pressed and released."""

    size = DESK

    def press(self, button: Locator) -> None:
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box is not None
        mouse = self.page.mouse
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=3)
        mouse.down()
        mouse.up()


class Keys(Hand):
    """By the keys that everybody knows: Tab, arrows, Enter."""

    size = DESK

    def press(self, button: Locator) -> None:
        self._tab_to(button)
        self.page.keyboard.press("Enter")

    def sow(self, hole: int) -> None:
        button = self.table.hole(hole)
        expect(button).to_be_enabled()
        self._tab_to(self.page.get_by_role("toolbar", name="Your holes").locator("[tabindex='0']"))
        for key in ("Home", *["ArrowRight"] * 9):
            self.page.keyboard.press(key)
            if button.evaluate("button => button === document.activeElement"):
                break
        expect(button).to_be_focused()
        self.page.keyboard.press("Enter")

    def _tab_to(self, target: Locator) -> None:
        for _ in range(80):
            if target.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        expect(target).to_be_focused()


class Tree(Hand):
    """By roles and names alone, as a screen reader presents the page; it acts as such a program does."""

    size = DESK

    def press(self, button: Locator) -> None:
        button.dispatch_event("click")

    def sow(self, hole: int) -> None:
        button = self.table.hole(hole)
        expect(button).to_be_enabled()
        names = re.findall(r'button "(hole \d+, [^"]*)"(?! \[disabled\])', self.page.locator("main").aria_snapshot())
        (name,) = [name for name in names if name.startswith(f"hole {hole},")]
        self.press(self.page.get_by_role("button", name=name, exact=True))
