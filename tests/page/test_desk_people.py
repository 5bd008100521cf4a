"""Entries, a list, the check-in and the other pages about people at the desk, in a browser: keyboard, axe, widths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import pytest

from korgool.competition.roles import DeskRole
from tests.conftest import SEED
from tests.page.conftest import NewTable
from tests.page.desk import event_of, join, sign_up
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_account_pages import to
from tests.page.test_axe import violations, violations_here
from tests.page.test_reflow import SIDEWAYS

LIST = "Асанов Бек\tм\t2001\n?м?рбеков Үсөн\tм\t2000\nЛи Ян\tщ\t31.02.1999\n"

LOOKS: tuple[tuple[int, Literal["light", "dark"]], ...] = ((1440, "light"), (320, "dark"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("desk")) as made:
        yield made


def test_a_list_is_entered_by_keyboard(table: NewTable, home: House) -> None:
    page = (ann := table(address=home.address)).page
    event = event_of(home, "Ann", sign_up(home, ann, "Ann"), 8)
    page.goto(f"{home.address}/events/{event.id}/desk/players")
    to(page, "Enter a list")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Enter a list")
    to(page, "Paste the list")
    page.keyboard.insert_text(LIST)
    to(page, "Show what would be entered")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("What the list holds")
    expect(page.locator(".doubtful")).to_have_count(3)
    expect(page.locator(".rows-of-list > .refused")).to_have_count(1)
    assert violations(page) == []
    page.locator(".rows-of-list > .doubt input").first.focus()
    page.keyboard.press("Space")
    to(page, "Enter the chosen lines")
    page.keyboard.press("Enter")
    expect(page.locator(".done")).to_be_visible()
    names = [one.entry.family for one in home.run(event.fresh()).players.values()]
    assert {"Асанов", "?м?рбеков"} <= set(names)
    page.locator("#q").press_sequentially("асан")
    expect(page.locator("#entries > li:visible")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#entries > li")).to_have_count(1)


def test_a_role_stands_beside_its_circle(table: NewTable, home: House) -> None:
    page = (ann := table(address=home.address)).page
    event = event_of(home, "Annika", sign_up(home, ann, "Annika"), 8)
    page.goto(f"{home.address}/events/{event.id}/desk/helpers")
    circle, text = page.locator(".roles input").first.bounding_box(), page.locator(".roles label").first.bounding_box()
    assert circle is not None
    assert text is not None
    assert circle["width"] < 30
    assert text["width"] > 300


def test_two_check_in_and_see_each_other(table: NewTable, home: House) -> None:
    ann, ben = (table(address=home.address) for _ in range(2))
    event = event_of(home, "Anne", sign_up(home, ann, "Anne"), 8)
    join(home, event, "Bena", sign_up(home, ben, "Bena"), DeskRole.CHECK_IN)
    for one in (ann, ben):
        one.page.goto(f"{home.address}/events/{event.id}/desk/check-in")
    ann.page.locator("#people .missing [form=come]").first.focus()
    ann.page.keyboard.press("Enter")
    expect(ann.page.locator("#people > .there")).to_have_count(1)
    expect(ben.page.locator("#people > .there")).to_have_count(1)  # without a reload
    ben.page.locator("#people .missing [form=come]").first.click()
    expect(ann.page.locator("#people > .there")).to_have_count(2)
    assert len(home.run(event.fresh()).present[1]) == 2
    assert violations(ben.page) == []


@pytest.mark.parametrize("every_look", [False, pytest.param(True, marks=pytest.mark.long)])
def test_every_page_about_people(table: NewTable, home: House, every_look: bool) -> None:
    """Each passes axe in one look, and in the other with the next seed."""
    page = (ann := table(address=home.address, locale="ky")).page
    event = event_of(home, "Anny", sign_up(home, ann, f"Anny{every_look}"), 8)
    desk = f"/events/{event.id}/desk"
    for at, path in enumerate(("/players", "/players/1", "/players/list", "/settings", "/teams")):
        page.goto(f"{home.address}{desk}{path}")
        for summary in page.locator("details:not(.menu) > summary").all():
            if summary.is_visible() and not summary.evaluate("one => one.parentElement.open"):
                summary.click()
        for look, (width, scheme) in enumerate(LOOKS):
            page.set_viewport_size({"width": width, "height": 700})
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert page.evaluate(SIDEWAYS) <= 0, (path, width)
            if every_look or look == (at + SEED) % 2:
                assert violations_here(page) == [], (path, width)
    page.goto(f"{home.address}/events/new")
    assert violations_here(page) == []
