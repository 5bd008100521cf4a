"""A game between two people fits the smallest phone in every language, passes axe, and stays when scripts come."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from korgool.languages import LANGUAGES, translations
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.people import House, house, sit
from tests.page.phones import Phone
from tests.page.table import expect, settled
from tests.page.test_axe import violations
from tests.page.test_first_picture import SAME, SHIFTS
from tests.page.test_two_people import play
from tests.patience import RETRIES

SMALL: dict[str, Any] = {**PHONE, "viewport": {"width": 320, "height": 640}}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("pages")) as made:
        yield made


@pytest.mark.parametrize(
    "language",
    ["ky", *(pytest.param(name, marks=pytest.mark.long) for name in LANGUAGES if name != "ky")],
)
def test_offers_fit_a_small_phone(table: NewTable, home: House, language: str) -> None:
    here, there = table(SMALL, address=home.address, locale=language), table(address=home.address)
    url = home.seat(here, there, clock="5+3")
    for player in (here, there):
        sit(player, url)
    play((here, there), 7, 5)
    page = here.page
    there.page.get_by_role("button", name="Offer a draw").click()
    expect(there.page.locator("#offered")).to_be_visible()  # one command at a time
    gettext = translations(language).gettext
    there.page.get_by_role("button", name="Ask to take back").click()
    asked = [page.locator(f"#{kind}-asked") for kind in ("draw", "takeback")]
    for group, text in zip(asked, ("The opponent offers a draw.", "The opponent asks to take back."), strict=True):
        expect(group).to_be_visible()
        expect(group).to_have_accessible_name(gettext(text))
    draw, takeback = (group.bounding_box() for group in asked)
    assert draw is not None
    assert takeback is not None
    assert draw["y"] + draw["height"] <= takeback["y"]
    asked[1].get_by_role("button", name=gettext("Decline")).click()
    expect(asked[1]).to_be_hidden()
    there.page.goto("about:blank")
    play_on = page.get_by_role("button", name=gettext("Decline"))
    play_on.click()
    here.press(3)
    expect(page.get_by_role("group", name=gettext("The opponent has left"))).to_be_visible()
    order = [page.locator(one).bounding_box() for one in ("#gone", ".strip.far", "svg.board.tall", ".strip.near")]
    for upper, lower in itertools.pairwise(order):
        assert upper is not None
        assert lower is not None
        assert upper["y"] + upper["height"] <= lower["y"] + 1, "it covers neither clock nor board"
    assert order[-1] is not None
    assert order[-1]["y"] + order[-1]["height"] <= SMALL["viewport"]["height"]
    page.evaluate("Object.assign(document.getElementById('connection'), { hidden: false, textContent: 'News' })")
    left = page.locator("#gone-left")
    expect(left).not_to_have_text(left.inner_text())
    assert page.locator("svg.board.tall").bounding_box() == order[2], "a notice moves nothing"
    wide, inner = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide <= inner
    for button in page.locator("#gone .button, #actions .button:visible, .brand:visible, .menu summary:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 320


def test_axe_finds_nothing(table: NewTable, home: House) -> None:
    here, there = table(address=home.address), table(address=home.address)
    url = home.seat(here, there, clock="5+3")
    for player in (here, there):
        sit(player, url)
    play((here, there), 7, 5)
    there.page.get_by_role("button", name="Offer a draw").click()
    here.page.locator("#settings summary").click()
    expect(here.page.locator("#draw-asked")).to_be_visible()
    assert violations(here.page) == []
    settled(here.page.locator("#accept-draw")).click()
    expect(here.page.locator("#outcome")).to_be_visible()
    there.page.get_by_role("button", name="Rematch").click()
    expect(here.page.locator("#rematch-asked")).to_be_visible()
    assert violations(here.page) == []


@pytest.mark.parametrize(("clock", "size"), [("5+3", DESK), ("3d", PHONE), ("none", SMALL)])
def test_nothing_moves_when_the_scripts_arrive(table: NewTable, home: House, clock: str, size: dict[str, Any]) -> None:
    """After two plies, of which this page has seen none."""
    here, there = Phone(table(size, address=home.address), "en"), Phone(table(address=home.address), "en")
    url = home.seat(here.table, there.table, clock=clock)
    path = f"/api/games/{url.rpartition('/')[2]}"
    game = home.address + path
    for player in (here, there):
        player.page.request.get(url, max_retries=RETRIES)  # they come to the board
    for player, hole in ((here, 7), (there, 5)):
        version = player.page.request.get(game, max_retries=RETRIES).json()["version"]
        player.post(f"{path}/move", hole=hole, version=version)
    here.page.add_init_script(SHIFTS)
    here.page.goto(url)
    here.table.ready()
    here.table.wait_for_turn()
    here.page.mouse.move(1, 1)
    here.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert here.page.evaluate("window.shifts") < 0.02
    assert here.page.evaluate(SAME) == []
