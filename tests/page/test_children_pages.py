"""The pages of children's accounts in a browser: by keyboard, without scripts, read by axe, and narrow in Russian."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from korgool.accounts import Refused, read_name
from korgool.app.server.core.wall_clock import now_ms
from korgool.app.server.storage.schema import accounts
from korgool.languages import LANGUAGES
from korgool.live import GameTerms, Seat, SeatKind
from korgool.rules import GAMES
from tests.page.conftest import PHONE, NewTable
from tests.page.people import House, house
from tests.page.table import expect
from tests.page.test_account_pages import CONTROLS, PASSWORD, REFUSED, SMALL, enter, sign_up, through, to, told
from tests.page.test_axe import violations_here
from tests.page.test_reflow import SIDEWAYS

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("children")) as made:
        yield made


def test_a_childs_account_is_opened_and_deleted_by_keyboard(table: NewTable, home: House) -> None:
    page = table(PHONE, address=home.address, expected=REFUSED).page
    sign_up(page, home.address, "Гүлнара")
    through(page, "Children 0", "Children")
    to(page, "Player name")
    page.keyboard.type("Айзада")
    to(page, "Password of the child")
    page.keyboard.type(PASSWORD)
    to(page, "I agree to this")
    page.keyboard.press("Space")
    through(page, "Open the account", "Айзада")
    expect(told(page)).to_have_text("The account is open. The child can sign in now.")
    assert violations_here(page) == []
    to(page, "Another short name")
    page.keyboard.type("Айзада")
    enter(page, "Айзада")
    expect(page.locator("#short")).to_be_focused()
    expect(page.locator("#short")).to_have_accessible_description(  # and the hint
        "If you leave it empty, strangers read the first letters of the name. "
        "The short name is the name itself; choose another that says less."
    )
    to(page, "Player name")
    page.keyboard.type("айзада")
    enter(page, "Children")
    expect(told(page)).to_have_text("The account is deleted.")
    assert violations_here(page) == []


def test_the_pages_fit_a_narrow_phone_without_scripts(table: NewTable, home: House) -> None:
    page = table(SMALL, address=home.address, locale="ru", expected=REFUSED, java_script_enabled=False).page
    sign_up(page, home.address, "W" * 20)
    page.goto(f"{home.address}/account/children")
    page.fill("#name", "М" * 20)
    page.fill("#password", PASSWORD)
    page.check("#wording")
    page.press("#password", "Enter")
    expect(told(page)).to_be_visible()
    fits(page)
    page.get_by_role("link", name="Дети").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Дети")
    fits(page)


def test_a_child_reads_no_name_of_a_stranger_at_the_board(table: NewTable, home: House) -> None:
    """And the words in the place of the name are in the language of the page, which its scripts write anew."""
    here = table(PHONE, address=home.address, locale="ky", expected=REFUSED)
    sign_up(here.page, home.address, "Айсулуу")
    directory = home.app.state.authentication.directory
    read = read_name("Бейтааныш")
    assert not isinstance(read, Refused)
    stranger, child = directory.new(read, now_ms()), directory.by_name("Айсулуу")
    with directory.transactions.writing() as connection:
        connection.execute(accounts.update().where(accounts.c.id == child.id).values(kind="child", short="Ай."))
    home.app.state.authentication.ended()
    seats = Seat(SeatKind.PERSON, child.id), Seat(SeatKind.PERSON, stranger.id)
    game = home.run(home.game_registry.create(GameTerms(GAMES["toguz"], seats)))
    here.page.goto(f"{home.address}/games/{game}")
    name = here.page.locator(".strip[data-side=black] .name")
    here.ready()
    expect(name).to_have_text("Оюнчу")
    assert "Бейтааныш" not in here.page.content()


def fits(page: Page) -> None:
    """Everything that can be pressed is large enough for a finger and within the page."""
    for one in page.locator(CONTROLS).all():
        box = one.bounding_box()
        assert box is not None
        assert box["height"] >= 44, one.inner_text()
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 320, one.inner_text()


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_childs_page_fits_and_passes_axe_in_every_language(table: NewTable, home: House, language: str) -> None:
    page = table(SMALL, address=home.address, locale=language, expected=REFUSED).page
    sign_up(page, home.address, f"Wwwwwwwwwwwwwwwwww{language}")
    page.goto(f"{home.address}/account/children")
    page.fill("#name", f"Mmmmmmmmmmmmmmmmmm{language}")
    page.fill("#password", PASSWORD)
    page.check("#wording")
    page.press("#password", "Enter")
    told(page).wait_for()
    fits(page)
    assert page.evaluate(SIDEWAYS) <= 0
    assert violations_here(page) == []
