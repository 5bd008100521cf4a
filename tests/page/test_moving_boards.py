"""Boards that show moves: the film of the rules, the worked examples; with motion reduced, and without scripts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from korgool.app.rulebook import scenes_of
from korgool.rules import Side
from tests.page.conftest import PHONE, NewTable
from tests.page.table import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

COUNTS = """root => ["far", "near"].map(row => [...document.querySelectorAll(`${root} .places > .${row}`)]
  .map(place => Number(place.querySelector(".count").textContent || 0)))"""
"""Black's and White's numbers, the store first."""
MOST_BYTES = 60_000


def counts(page: Page, root: str = ".film") -> list[list[int]]:
    found: list[list[int]] = page.evaluate(COUNTS, root)
    return found


def shown(position: object) -> list[list[int]]:
    holes, stores = position.holes, position.stores  # type: ignore[attr-defined]
    return [[stores[side], *holes[side]] for side in (Side.BLACK, Side.WHITE)]


def test_the_film_plays_by_itself_and_obeys_its_buttons(table: NewTable) -> None:
    board = table(PHONE)
    page, scenes = board.page, scenes_of("toguz")
    bytes_: Counter[str] = Counter()
    page.on("requestfinished", lambda request: bytes_.update({request.url: request.sizes()["responseBodySize"]}))
    page.goto(f"{board.address}/rules/toguz")
    expect(page.locator('.film [aria-current="step"]')).to_have_attribute("id", "scene-1")
    expect(page.locator("[data-do=play]")).to_have_attribute("aria-label", "Pause")
    page.wait_for_function(f"wanted => JSON.stringify(({COUNTS})('.film')) === JSON.stringify(wanted)",
                           arg=shown(scenes[0].sowings[-1].after))  # fmt: skip
    page.locator("[data-do=play]").click()
    expect(page.locator("[data-do=play]")).to_have_attribute("aria-label", "Show the moves")
    assert counts(page) == shown(scenes[0].before)
    page.locator("[data-do=back]").click()
    expect(page.locator('.film [aria-current="step"]')).to_have_attribute("id", f"scene-{len(scenes)}")
    # The picture has the words of its move for who does not see it, and they do not move what is below them.
    assert page.locator(".film .shown-board").get_attribute("aria-labelledby") == f"scene-{len(scenes)}"
    assert page.locator(".film-words").evaluate("list => list.scrollHeight <= list.clientHeight")
    assert sum(bytes_.values()) <= MOST_BYTES, bytes_
    # An example shows its move on a board; its tables stay for screen readers.
    example = page.locator(".example").nth(3)
    example.scroll_into_view_if_needed()
    expect(example.locator("svg.board")).to_be_visible()
    example.get_by_role("button", name="Show the move").click()
    expect(example.locator(".store.near .count")).to_have_text("10")
    assert example.locator(".tables").evaluate("one => one.classList.contains('hidden') && one.ariaHidden !== 'true'")


def test_where_motion_is_reduced_a_button_shows_before_and_after(table: NewTable) -> None:
    board = table(PHONE, reduced_motion="reduce")
    page, (first, second, *_) = board.page, scenes_of("mangala")
    page.goto(f"{board.address}/learn/mangala")
    forward = page.locator("[data-do=forward]")
    expect(forward).to_be_visible()
    expect(page.locator("[data-do=play]")).to_be_hidden()
    for position in (first.before, first.sowings[-1].after, second.before, second.sowings[-1].after):
        assert counts(page) == shown(position)
        forward.click()
    expect(page.locator('.film [aria-current="step"]')).to_have_attribute("id", "scene-3")
    assert page.locator(".film .origin[data-on]").count() == 0


def test_without_scripts_all_sentences_and_tables_are_read(table: NewTable) -> None:
    board = table(PHONE, java_script_enabled=False)
    page = board.page
    page.goto(f"{board.address}/rules/bestemshe")
    for number in range(1, len(scenes_of("bestemshe")) + 1):
        expect(page.locator(f"#scene-{number}")).to_have_css("opacity", "1")
    expect(page.locator(".film-controls")).to_be_hidden()
    expect(page.locator(".example table").first).to_be_visible()
