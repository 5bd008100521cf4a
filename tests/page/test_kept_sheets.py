"""The scoresheet of a board on phones: one keeps it, the other looks on, and nothing that was tapped is lost."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from korgool.app.server.events.live_event import LiveEvent
from korgool.competition.broadcast import Broadcast
from korgool.competition.model import Settings
from korgool.competition.roles import DeskRole
from korgool.rules import TOGUZ_KORGOOL, Game
from tests.page.conftest import NewTable
from tests.page.desk import event_of, join, sign_up
from tests.page.people import House, house
from tests.page.table import expect

if TYPE_CHECKING:
    from playwright.sync_api import Page

CUP = Settings(name="Cup of Osh", rounds=5, live=Broadcast(boards=4))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with house(tmp_path_factory.mktemp("hall")) as made:
        yield made


def play(seed: int) -> Game:
    game, chance = Game(TOGUZ_KORGOOL), Random(seed)
    while game.outcome() is None:
        game.play(chance.choice(game.position.legal_moves()))
    return game


def sheet_page(home: House, page: Page, event: LiveEvent, board: int = 1) -> None:
    """Open the scoresheet of a board, as an official of the event."""
    page.goto(f"{home.address}/events/{event.id}/desk/boards/{board}/sheet")
    page.wait_for_selector("#sheet[data-ready]")


def tap(page: Page, side: str, hole: int) -> None:
    """Tap a hole that may be sown, as soon as the board is still."""
    page.click(f'.hole-button[data-side="{side}"][data-hole="{hole}"][aria-disabled="false"]')


def turns(page: Page) -> list[str]:
    return page.locator("#turns td span").all_inner_texts()


def on_sheet(home: House, event: LiveEvent, board: int = 1) -> list[int]:
    """The moves that the server has."""

    async def read() -> list[int]:
        boards: Any = home.app.state.live_boards
        return list((await boards.sheet(event, boards.game(event, board))).now.moves)

    return home.run(read())


def test_holes_are_tapped_and_the_sheet_writes_itself(home: House, table: NewTable) -> None:
    at = table(address=home.address)
    page = at.page
    account = sign_up(home, at, "Keeper")
    event = event_of(home, "Keeper", account, 8, CUP)
    join(home, event, "Keeper", account, DeskRole.ORGANISER)
    sheet_page(home, page, event)
    page.click("#keep")
    expect(page.locator("#turn")).to_have_attribute("data-side", "white")
    for number, hole in enumerate((3, 4, 9)):
        tap(page, ("white", "black")[number % 2], hole)
    expect(page.locator("#turn")).to_have_attribute("data-side", "black")
    assert turns(page)[0] == "32(10)"
