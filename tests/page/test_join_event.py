"""A helper comes to the desk by a link or a code, on a phone, by keyboard; axe, five languages, and a preview."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from korgool.app.server.events.helpers.service import NewHelper
from korgool.competition.roles import DeskRole
from korgool.languages import LANGUAGES
from tests.page.conftest import NewTable
from tests.page.desk import event_of, invite, sign_up
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_account_pages import SMALL
from tests.page.test_axe import violations_here
from tests.page.test_reflow import SIDEWAYS


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("join")) as made:
        yield made


def test_a_helper_comes_by_a_link_and_by_a_code(table: NewTable, home: House) -> None:
    maker = table(address=home.address)
    event = event_of(home, "Ann", sign_up(home, maker, "Ann"), 8)
    made = invite(home, event, NewHelper(DeskRole.SECTOR, (1, 2)))
    link, code = f"{home.address}/events/{event.id}/join/{made.token}", f"{home.address}/events/join?event={event.id}"
    page = table(SMALL, address=home.address, expected="status of 4").page
    for language in LANGUAGES:
        page.set_extra_http_headers({"accept-language": language})
        for address in (link, code):
            page.goto(address)
            assert page.evaluate(SIDEWAYS) <= 0, (language, address)
            for scheme in ("light", "dark") if language == "ky" else ():
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                assert violations_here(page) == [], (scheme, address)
    page.set_extra_http_headers({"accept-language": "en"})
    page.goto(code)
    page.get_by_label("Code of eight digits").fill("12345678")
    page.keyboard.press("Enter")
    expect(page.locator("#code-refused")).to_be_visible()
    assert violations_here(page) == []
    page.get_by_label("Code of eight digits").fill(made.code)
    page.keyboard.press("Enter")
    expect(page.locator("#name-refused")).to_be_visible()
    page.get_by_label("Code of eight digits").fill(made.code)
    page.get_by_label("Your name").fill("Cholpon")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/events/{event.id}/desk")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    other = table(SMALL, address=home.address).page
    other.goto(link)
    expect(other.get_by_text("Cup of Osh")).to_be_visible()
    expect(other.get_by_text("Boards 1 to 2")).to_be_visible()
    other.get_by_label("Your name").fill("Dinara")
    other.keyboard.press("Enter")
    other.wait_for_url(f"**/events/{event.id}/desk")
