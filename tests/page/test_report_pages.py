"""Blocking and reporting in a browser: by keyboard without scripts, read by axe, and on the smallest phone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from korgool.languages import LANGUAGES, translations
from korgool.live import GameTerms, Seat, SeatKind
from korgool.rules import GAMES
from tests.page.conftest import PHONE, NewTable
from tests.page.people import House, house
from tests.page.table import Table, expect
from tests.page.test_account_pages import CONTROLS, REFUSED, SMALL, enter, sign_up, through, to, told
from tests.page.test_axe import violations, violations_here
from tests.page.test_reflow import SIDEWAYS


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("reports")) as made:
        yield made


def against_somebody(home: House, table: Table) -> str:
    """A game of the visitor at a table against somebody who is not here; its page."""
    seats = Seat(SeatKind.PERSON, home.name_of(table)), Seat(SeatKind.PERSON, "somebody")
    return f"{home.address}/games/{home.run(home.game_registry.create(GameTerms(GAMES['toguz'], seats)))}"


def test_a_player_is_reported_and_blocked_by_keyboard(table: NewTable, home: House) -> None:
    here = table(PHONE, address=home.address, java_script_enabled=False, expected=REFUSED)
    page, game = here.page, against_somebody(home, here)
    sign_up(page, home.address, "Тилек")
    page.goto(game)
    page.get_by_role("link", name="Block or report the player").focus()
    page.keyboard.press("Enter")
    name = page.get_by_role("heading", level=1)
    expect(name).to_contain_text("Guest ")
    called = name.inner_text()
    to(page, "Reason")
    page.keyboard.press("End")
    through(page, "Send the report", called)
    expect(page.get_by_label("What happened")).to_have_accessible_description("Say in a few words what happened.")
    expect(page.get_by_label("What happened")).to_be_focused()
    page.keyboard.type("Never moves.")
    through(page, "Send the report", called)
    expect(told(page)).to_have_text("The report is sent to the operator of the site.")
    through(page, "Block", called)
    expect(told(page)).to_have_text("The player is blocked.")
    through(page, "Blocked players", "Blocked players")
    to(page, f"Unblock {called}")
    enter(page, "Blocked players")
    expect(page.get_by_text("You have blocked nobody.")).to_be_visible()


def test_axe_finds_nothing_on_a_phone(table: NewTable, home: House) -> None:
    here = table(PHONE, address=home.address, expected=REFUSED)
    page, game = here.page, against_somebody(home, here)
    page.goto(f"{game}/report")
    assert violations_here(page) == [], "a visitor"
    sign_up(page, home.address, "Нурила")
    page.goto(f"{game}/report")
    page.select_option("#reason", "other")
    page.get_by_role("button", name="Send the report").click()
    expect(page.locator("#text-refused")).to_be_visible()
    assert violations_here(page) == [], "refused"
    page.get_by_role("button", name="Block", exact=True).click()
    page.get_by_role("link", name="Blocked players").click()
    expect(page.get_by_role("button", name="Unblock")).to_be_visible()
    assert violations_here(page) == [], "the list"


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_fits_passes_axe_and_has_room_for_a_finger(table: NewTable, home: House, language: str) -> None:
    gettext = translations(language).gettext
    here = table(SMALL, address=home.address, locale=language, expected=REFUSED)
    page, game = here.page, against_somebody(home, here)

    def check(what: str) -> None:
        page.set_viewport_size(SMALL["viewport"])
        assert page.evaluate(SIDEWAYS) <= 0, what
        for one in page.locator(f"{CONTROLS}, textarea").all():
            box = one.bounding_box()
            assert box is not None
            assert box["height"] >= 44, (what, one.evaluate("one => one.outerHTML"))
            assert 0 <= box["x"] <= box["x"] + box["width"] <= 320, (what, one.evaluate("one => one.outerHTML"))
        assert violations(page) == [], what

    page.goto(f"{game}/report")
    check("a visitor")
    sign_up(page, home.address, f"Wwwwwwwwwwwwwwwwww{language}")
    page.goto(f"{game}/report")
    check("with an account")
    page.select_option("#reason", "other")
    page.get_by_role("button", name=gettext("Send the report")).click()
    page.locator("#text-refused").wait_for()
    check("refused")
    page.fill("#text", gettext("What happened"))
    page.get_by_role("button", name=gettext("Send the report")).click()
    told(page).wait_for()
    check("sent")
    page.get_by_role("button", name=gettext("Block"), exact=True).click()
    page.locator(".links a[href='/account/blocks']").click()
    page.locator(".entries button").wait_for()
    check("the list")
