"""Phones at a table: two players report, one of them without a network; and a call for a referee reaches the desk."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.events.tables.service import TablePhones
from korgool.competition.model import Settings
from korgool.languages import LANGUAGES
from tests.page.conftest import PHONE, NewTable
from tests.page.desk import event_of, round_page, sign_up
from tests.page.people import House, house
from tests.page.table import Table, expect
from tests.page.test_axe import violations

if TYPE_CHECKING:
    from playwright.sync_api import Page

CUP = Settings(name="Cup of Osh", rounds=5, phones=True)
_CUT = "ERR_FAILED|ERR_CONNECTION|409|422"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("tables")) as made:
        yield made


def seats(home: House, event: LiveEvent, board: int = 1) -> tuple[str, str]:
    phones: TablePhones = home.app.state.table_phones
    codes: tuple[str, str] = home.run(phones.codes(event, [board]))[board]
    return codes


def sit(home: House, table: NewTable, event: LiveEvent, code: str, **options: object) -> Table:
    """A phone on the page of a seat."""
    phone = table(address=home.address, expected=_CUT, **{**PHONE, **options})
    phone.page.goto(f"{home.address}/events/{event.id}/table/{code}")
    phone.page.locator("#table-part[data-ready]").wait_for(state="attached")
    return phone


def report(page: Page, won: str, stones: str) -> None:
    """Two taps and the digits."""
    page.locator(f".winner:has(input[value={won}])").tap()
    page.keyboard.type(stones)
    page.get_by_role("button", name="Report the result").tap()


def test_two_phones_report_one_of_them_without_a_network(home: House, table: NewTable) -> None:
    desk = table(address=home.address)
    event = event_of(home, "Olga", sign_up(home, desk, "Olga"), 8, CUP)
    round_page(home, desk.page, event)
    white, black = seats(home, event)
    one, two = sit(home, table, event, white).page, sit(home, table, event, black).page
    assert violations(one) == []
    assert one.evaluate("document.documentElement.scrollWidth") == 360
    one.locator(".winner:has(input[value=white])").tap()
    one.keyboard.type("90")
    expect(one.locator("[name=other1]")).to_be_focused()  # 12 stones are left on the board, and belong to nobody
    expect(one.locator(".counted")).to_be_hidden()
    one.keyboard.type("60")
    one.get_by_role("button", name="Report the result").tap()
    expect(one.locator("#table-part")).to_contain_text("It stands when your opponent has reported the same.")
    expect(desk.page.locator("#board-1")).to_contain_text("White reports:")
    expect(two.locator("#table-part")).to_contain_text("Your opponent has reported.")
    cut = [True]
    two.context.route(re.compile("/report$"), lambda route: route.abort() if cut[0] else route.continue_())
    report(two, "white", "9060")
    expect(two.locator("#waits")).to_be_visible()
    two.reload()
    expect(two.locator("#waits")).to_be_visible()
    cut[0] = False
    expect(two.locator(".stands")).to_contain_text("1 (90) – 0 (60)")
    expect(two.locator("#waits")).to_be_hidden()
    expect(one.locator(".stands")).to_contain_text("1 (90) – 0 (60)")
    expect(desk.page.locator("#r1")).to_have_value("90-60")
    assert two.evaluate("Object.keys(localStorage).filter(name => name.startsWith('korgool-table'))") == []
    assert violations(two) == []


def test_reports_that_differ_and_calls_reach_the_desk_and_the_phone_hears(home: House, table: NewTable) -> None:
    desk = table(address=home.address)
    event = event_of(home, "Olga2", sign_up(home, desk, "Olga2"), 8, CUP)
    round_page(home, desk.page, event)
    white, black = seats(home, event, 2)
    one, two = sit(home, table, event, white).page, sit(home, table, event, black).page
    one.get_by_text("Call a referee").tap()
    one.get_by_role("button", name="the clock").tap()
    expect(desk.page.locator(".calls")).to_contain_text("Board 2")
    expect(desk.page.locator(".calls")).to_contain_text("the clock")
    assert violations(desk.page) == []
    desk.page.get_by_role("button", name="I am coming").click()
    expect(one.locator(".called")).to_contain_text("A referee is coming to your board.")
    report(one, "white", "9060")
    report(two, "black", "8260")
    expect(two.locator("#table-part")).to_contain_text("A referee is called")
    expect(desk.page.locator(".calls")).to_contain_text("the result")
    desk.page.locator("#board-2 .reported button").first.click()
    expect(one.locator(".stands")).to_contain_text("1 (90) – 0 (60)")
    expect(desk.page.locator(".calls")).to_have_count(0)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_without_scripts_and_in_every_language(home: House, table: NewTable, language: str) -> None:
    desk = table(address=home.address)
    name = f"Olga{language}"
    event = event_of(home, name, sign_up(home, desk, name), 8, CUP)
    white, _ = seats(home, event)
    phone = table(address=home.address, expected=_CUT, **PHONE, locale=language, java_script_enabled=False)
    page = phone.page
    page.goto(f"{home.address}/events/{event.id}/table/{white}")
    page.locator(".winner:has(input[value=white])").tap()
    page.locator("[name=stones1]").fill("40")
    page.locator("[name=other1]").fill("60")
    page.locator(".report .big").tap()
    expect(page.locator("#table-part .refused")).to_contain_text("82")
    page.locator("[name=stones1]").fill("90")
    page.locator(".report .big").tap()
    expect(page.locator(".said")).to_have_text("1 (90) – 0 (60)")


def test_a_photo_of_the_sheet_goes_along_when_there_is_a_network(home: House, table: NewTable) -> None:
    """The report stands without it; the desk sees it beside the result."""
    desk = table(address=home.address)
    event = event_of(home, "Olga3", sign_up(home, desk, "Olga3"), 8, CUP)
    white, black = seats(home, event)
    one, two = sit(home, table, event, white).page, sit(home, table, event, black).page
    cut = [True]
    one.context.route(re.compile("/photo$"), lambda route: route.abort() if cut[0] else route.continue_())
    section = one.locator("#table-photo")
    section.get_by_text("Photo of the scoresheet").first.tap()
    section.locator("input[type=file]").set_input_files({"name": "IMG.png", "mimeType": "image/png", "buffer": sheet()})
    assert violations(one) == []
    assert one.evaluate("document.documentElement.scrollWidth") == 360
    section.get_by_role("button", name="Send the photo").tap()
    expect(section.locator("[role=alert]")).to_have_text("The photo could not be sent. Try again.")
    report(one, "white", "9060")
    report(two, "white", "9060")
    expect(one.locator(".stands")).to_contain_text("1 (90) – 0 (60)")
    cut[0] = False
    section.get_by_role("button", name="Send the photo").tap()
    expect(section.locator("[role=status]")).to_contain_text("The officials have a photo of your scoresheet.")
    section.get_by_text("Another photo of the scoresheet").tap()
    section.locator("input[type=file]").set_input_files(
        {"name": "IMG.png", "mimeType": "image/png", "buffer": b"<svg onload=alert(1)>"}
    )
    section.get_by_role("button", name="Send the photo").tap()
    expect(section.locator("[role=alert]")).to_contain_text("no picture")
    round_page(home, desk.page, event)
    link = desk.page.locator("#board-1 a", has_text="Photo of White's sheet")
    shown = desk.page.request.get(f"{home.address}{link.get_attribute('href')}")
    assert (shown.status, shown.headers["content-type"]) == (200, "image/jpeg")
    assert desk.page.locator("#board-1 a", has_text="Photo of Black's sheet").count() == 0
    assert violations(desk.page) == []


def sheet() -> bytes:
    """A picture."""
    file = BytesIO()
    Image.new("RGB", (900, 1300), "white").save(file, "PNG")
    return file.getvalue()
