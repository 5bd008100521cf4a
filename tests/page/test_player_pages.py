"""Pages of players in browsers: nothing to scroll sideways, nothing for axe, and what a rated game has changed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from korgool.app.server.core.settings import ServerSettings
from korgool.languages import LANGUAGES, translations
from tests.page.conftest import PHONE, NewTable
from tests.page.people import House, house
from tests.page.table import Table, expect
from tests.page.test_axe import violations
from tests.server.inside import act, begun
from tests.server.rated import ANN, BOB, rated
from tests.server.test_player_doors import prepare

SMALL: dict[str, Any] = {**PHONE, "viewport": {"width": 320, "height": 640}}
PATHS = ("/player/anna", "/player/kid", "/games", "/games?result=lost", "/players?speed=rapid", "/players?speed=days")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    data = tmp_path_factory.mktemp("players")
    prepare(ServerSettings(data=data))
    with house(data) as made:
        yield made


def be(table: Table, home: House, who: str) -> None:
    """Let the browser of a table have the cookie of somebody."""
    visitors = home.app.state.visitors
    cookie = {"name": visitors.cookie_name, "value": f"{who}.{visitors._sign(who)}", "url": f"{home.address}/"}
    table.page.context.add_cookies([cookie])  # type: ignore[list-item]


def test_the_page_of_a_rated_game_shows_what_it_has_changed(table: NewTable, home: House) -> None:
    """The strips have the ratings from the start, and the panel has the new ones when the game is counted."""
    running = home.run(begun(home.game_registry, rated(ANN, BOB, clock="60+0"), 7, 7))
    here = table(address=home.address)
    be(here, home, ANN)
    page = here.page
    page.goto(f"{home.address}/games/{running.address}")
    near = page.locator('.strip[data-side="white"] .level')
    expect(near).to_have_text("(1500?)")
    expect(page.get_by_text("This game counts for the ratings.")).to_be_visible()
    expect(page.locator("#new-ratings")).to_be_hidden()
    home.run(act(running, BOB, "resign"))
    expect(page.locator("#new-ratings")).to_have_text("New ratings: White 1662? (+162), Black 1338? (−162)")
    expect(near).to_have_text("(1662?)")
    page.reload()
    expect(page.locator("#new-ratings")).to_have_text("New ratings: White 1662? (+162), Black 1338? (−162)")


def test_ones_games_come_before_their_search(table: NewTable, home: House) -> None:
    here = table(PHONE | {"viewport": {"width": 360, "height": 640}}, address=home.address)
    be(here, home, ANN)
    page = here.page
    page.goto(f"{home.address}/games")
    rows, form = page.get_by_role("region", name="Your games").get_by_role("listitem"), page.get_by_role("search")
    expect(rows.first).to_be_in_viewport()
    expect(form).to_be_hidden()
    page.locator(".fold summary").tap()
    expect(form.get_by_role("button", name="Search")).to_be_visible()
    form.get_by_label("Result").select_option("lost")
    form.get_by_role("button", name="Search").tap()
    expect(page).to_have_url(re.compile("result=lost"))
    expect(form).to_be_hidden()
    expect(page.locator(".fold summary .badge")).to_have_text("1")
    expect(page.locator("section.card").first).to_be_in_viewport()
    page.locator(".head a", has_text="All your games").tap()
    expect(page.locator(".fold summary .badge")).to_have_count(0)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_pages_fit_a_small_phone(table: NewTable, home: House, language: str) -> None:
    here = table(SMALL, address=home.address, locale=language)
    be(here, home, ANN)
    page = here.page
    for path in PATHS:
        page.goto(home.address + path)
        wide, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
        assert wide <= inner, path
        for one in page.locator("main .button, main .recent a, main table a").all():
            box = one.bounding_box()
            assert box is not None
            assert box["height"] >= 44, path
    assert page.locator("h1").text_content() == translations(language).gettext("Best players")


@pytest.mark.long
def test_axe_finds_nothing(table: NewTable, home: House) -> None:
    here = table(address=home.address)
    be(here, home, ANN)
    for path in (*PATHS, "/"):
        here.page.goto(home.address + path)
        assert violations(here.page) == [], path
