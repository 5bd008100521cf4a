"""Entries before the event in a browser: without scripts, on a phone, and answered at the desk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from korgool.competition.model import Settings
from tests.page.conftest import PHONE, NewTable
from tests.page.desk import competitions_of, event_of, sign_up
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_axe import violations_here
from tests.page.test_reflow import SIDEWAYS

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("entries")) as made:
        yield made


def fill(page: Page) -> None:
    for label, text in (
        ("Family name", "Asanova"),
        ("Given name", "Aida"),
        ("Year of birth", "2014"),
        ("How the organiser reaches you", "+996 555 123456"),
    ):
        page.get_by_label(label, exact=True).fill(text)
    page.get_by_label("Sex").select_option("f")
    page.get_by_role("checkbox", name=re.compile("I agree")).check()


def test_a_child_is_entered_by_a_form_without_scripts_and_the_answer_is_read_on_the_link(
    table: NewTable, home: House
) -> None:
    ann = table(address=home.address)
    account = sign_up(home, ann, "Anara")
    event = event_of(home, "Anara", account, 4, Settings(name="Cup of Osh", rounds=3, zone="Asia/Bishkek"))
    home.run(competitions_of(home).show(event, public=True))
    desk = ann.page
    desk.goto(f"{home.address}/events/{event.id}/desk/applications")
    desk.get_by_label("From").fill("2020-01-01T10:00")
    desk.get_by_label("Until").fill("2096-01-01T10:00")
    desk.get_by_role("button", name="Store").click()
    address = desk.locator("a.link").inner_text()
    phone = table(PHONE, address=home.address, java_script_enabled=False, expected="422")
    page = phone.page
    page.goto(address)
    fill(page)
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("alert")).to_contain_text("name of the parent")
    expect(page.get_by_label("Family name", exact=True)).to_have_value("Asanova")  # nothing typed is lost
    page.get_by_label("For children: name of the parent who agrees").fill("Asanova Gul")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".qr svg")).to_be_visible()
    link = page.locator("a.link").inner_text()
    page.goto(link)
    expect(page.get_by_text("The organiser has not answered yet.")).to_be_visible()
    desk.reload()
    expect(desk.get_by_text("consent: Asanova Gul")).to_be_visible()
    assert violations_here(desk) == []
    desk.get_by_role("button", name="Enter: Asanova, Aida").click()
    expect(desk.get_by_text("Nobody waits.")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Entered. Welcome!")).to_be_visible()


def test_the_form_fits_small_phones_and_is_readable_for_everybody(table: NewTable, home: House) -> None:
    ann = table(PHONE, address=home.address)
    account = sign_up(home, ann, "Bolot")
    event = event_of(home, "Bolot", account, 2, Settings(name="Cup of Osh", rounds=1, personal=("doctor",)))
    ann.page.goto(f"{home.address}/events/{event.id}/desk/applications")
    ann.page.get_by_label("From").fill("2020-01-01T10:00")
    ann.page.get_by_label("Until").fill("2096-01-01T10:00")
    ann.page.get_by_role("button", name="Store").click()
    for path in ("enter", "desk/applications", "desk/applications/last", "desk/wall"):
        ann.page.goto(f"{home.address}/events/{event.id}/{path}")
        assert violations_here(ann.page) == []
        assert not ann.page.evaluate(SIDEWAYS), path
