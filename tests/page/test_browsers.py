"""What browsers other than the Chromium of these tests need, where it can be shown in Chromium."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.table import expect

if TYPE_CHECKING:
    from playwright.sync_api import Route

LISTEN = """
  window.made = [];
  window.AudioContext = class extends AudioContext { constructor() { super(); window.made.push(this); } };
"""
AWAKE = """async () => {
  for (let n = 0; n < 250 && made[0]?.state !== "running"; n++) await new Promise((done) => setTimeout(done, 20));
  return made.map(({state}) => state);
}"""


def age(route: Route) -> None:
    """Answer a style as a browser from before 2022 reads it: the unit `dvh` means nothing."""
    answer = route.fetch()
    route.fulfill(response=answer, body=answer.text().replace("dvh", "future"))


WIDE_PHONE = PHONE | {"viewport": {"width": 430, "height": 740}}
"""Wide enough that the height of its screen, not the width, bounds the upright board."""


@pytest.mark.parametrize("size", [DESK, WIDE_PHONE])
def test_the_board_has_its_height_in_an_old_browser(table: NewTable, size: dict[str, object]) -> None:
    """The board of a game, and the one for analysis, which lies low at the top of a phone, by its width."""
    board = table(size)
    board.start()
    board.page.add_init_script("localStorage.setItem('korgool.engine-on', 'off')")
    old = True
    board.page.route("**/*.css", lambda route: age(route) if old else route.fallback())
    for address, least in ((board.page.url, 320), (f"{board.address}/analysis", 320 if size is DESK else 180)):
        heights = []
        for old in (True, False):
            board.page.goto(f"{address}?{old}")
            board.ready()
            heights.append(board.page.evaluate("document.querySelector('korgool-board').clientHeight"))
        assert heights[0] == heights[1] >= least, address


def test_a_tap_wakes_the_sound_that_the_browser_put_to_sleep(table: NewTable) -> None:
    board = table()
    board.page.add_init_script(LISTEN)
    board.start("bestemshe")
    board.page.evaluate("localStorage.setItem('korgool.sound', 'on')")
    board.page.reload()
    board.ready()
    assert board.page.evaluate("made.length") == 0, "no sound before the first tap"
    board.page.locator(".strip.near").click()
    assert board.page.evaluate(AWAKE) == ["running"]
    board.page.evaluate("made[0].suspend()")
    board.page.locator(".strip.near").click()
    assert board.page.evaluate(AWAKE) == ["running"]


def test_a_choice_before_the_script_has_come_stays(table: NewTable) -> None:
    board = table()
    page = board.page
    board.start_by_form("castle", level=2)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/new_game_form.js", hold)
    page.goto(f"{board.address}/play", wait_until="commit")
    page.locator("label:has(input[value=bestemshe])").click()
    while not held:
        page.wait_for_timeout(20)
    held[0].continue_()
    page.wait_for_load_state("load")
    expect(page.locator("input[name=level][value='2']")).to_be_checked()
    expect(page.locator("input[value=bestemshe]")).to_be_checked()
