"""The scoresheet of a board on phones: one keeps it, the other looks on, and nothing that was tapped is lost."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete

from korgool.app.server.events.live_event import LiveEvent
from korgool.app.server.storage.event_tables import board_lines
from korgool.competition.broadcast import Broadcast
from korgool.competition.model import Settings
from korgool.competition.roles import DeskRole, Officer
from korgool.rules import TOGUZ_KORGOOL, Game
from tests.page.conftest import PHONE, NewTable
from tests.page.desk import competitions_of, event_of, join, sign_up
from tests.page.people import House, house
from tests.page.table import PLAYABLE, Table, expect
from tests.page.test_axe import violations_here
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CUP = Settings(name="Cup of Osh", rounds=5, phones=True, live=Broadcast(boards=4))


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


def on_sheet(home: House, event: LiveEvent, board: int = 1) -> list[int]:
    """The moves that the server has."""

    async def read() -> list[int]:
        boards: Any = home.app.state.live_boards
        return list((await boards.sheet(event, boards.game(event, board))).now.moves)

    return home.run(read())


def codes_of(home: House, event: LiveEvent, board: int = 1) -> tuple[str, str]:
    phones: Any = home.app.state.table_phones
    found: tuple[str, str] = home.run(phones.codes(event, [board]))[board]
    return found


def seated(home: House, page: Page, event: LiveEvent, code: str) -> None:
    """Open the scoresheet on a player's phone."""
    page.goto(f"{home.address}/events/{event.event_id}/table/{code}/sheet")
    page.wait_for_selector("#sheet[data-ready]")


@pytest.fixture(scope="module")
def organiser(home: House, browser: Browser) -> str:
    context = browser.new_context(service_workers="block", locale="en")
    account = sign_up(home, Table(context.new_page(), home.address), "Orozbek")
    context.close()
    return account


def test_two_phones_keep_a_sheet_and_the_other_player_objects_and_confirms(
    home: House, organiser: str, table: NewTable
) -> None:
    event = event_of(home, "Orozbek", organiser, 8, CUP)
    game = play(1)
    white, black = (table(address=home.address, **PHONE).page for _ in range(2))
    codes = codes_of(home, event)
    seated(home, white, event, codes[0])
    seated(home, black, event, codes[1])
    white.click("#keep")
    for number, hole in enumerate((3, 4, 9)):
        tap(white, ("white", "black")[number % 2], hole)
    expect(white.locator("#turn")).to_have_attribute("data-side", "black")
    expect(black.locator("#who-keeps")).to_contain_text("Your opponent's phone keeps the scoresheet")
    expect(black.locator("#turns td button")).to_have_text(["32(10)", "43(2)", "99"])
    black.locator("#turns td button").nth(2).click()
    black.click("#object")
    expect(white.locator("#doubts")).to_contain_text("Your opponent says")
    expect(white.locator("#turns td[data-doubted]")).to_have_count(1)
    white.click("#undo")
    expect(white.locator("#doubts")).to_be_hidden()
    tap(white, "white", 5)
    expect(white.locator("#turns del")).to_have_text("9")
    # The rest comes as one batch, as after a long silence.
    white.click("#undo")
    white.click("#undo")
    white.click("#undo")
    expect(white.locator("#no-turns")).to_be_visible()
    wait_for(white, home, event, [])
    fill(white, game)
    expect(white.locator("#turn")).to_have_attribute("data-side", "over")
    outcome = game.outcome()
    assert outcome is not None
    expect(white.locator("#turn-who")).to_contain_text(outcome.result_text)
    expect(white.locator("#agree")).to_contain_text("confirms")
    expect(black.locator("#agree")).to_have_text("Yes, I confirm it")
    black.click("#agree")
    expect(white.locator("#settled")).to_be_visible()
    expect(white.locator("#report")).to_contain_text(outcome.result_text)
    expect(white.locator("#undo")).to_be_hidden()
    for page in (white, black):
        page.click("#report button")
        page.wait_for_url("**/table/*")
    expect(black.locator("body")).to_contain_text("The result stands")
    result = event.state.rounds[0].games[0].result
    assert result is not None
    assert result.stores == outcome.stores


class Network:
    """A network that is away from a page until a test says otherwise."""

    def __init__(self, page: Page) -> None:
        self.away = True
        page.route("**/api/**", lambda route: route.abort() if self.away else route.fallback())


def fill(page: Page, game: Game) -> None:
    """Tap a whole game, in the storage of the phone."""
    page.evaluate(
        """(moves) => {
          const place = Object.keys(localStorage).find((one) => one.startsWith("korgool-sheet "));
          const held = JSON.parse(localStorage.getItem(place));
          held.waiting = moves.map((hole, at) => ({id: `f${at}`, do: "move", set: 1, ply: at + 1, hole}));
          localStorage.setItem(place, JSON.stringify(held));
        }""",
        list(game.moves),
    )
    page.reload()
    page.wait_for_selector("#sheet[data-ready]")


def wait_for(page: Page, home: House, event: LiveEvent, moves: list[int], board: int = 1) -> None:
    """Wait until the server has these moves."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if on_sheet(home, event, board) == moves:
            return
        page.wait_for_timeout(20)  # so that routes are answered
    raise AssertionError(on_sheet(home, event, board))


def test_what_is_tapped_without_a_network_waits_and_comes_in_order_after_a_reload(
    home: House, organiser: str, table: NewTable
) -> None:
    event = event_of(home, "Orozbek", organiser, 8, CUP)
    page = table(address=home.address, expected="Failed to load resource|ERR_", **PHONE).page
    seated(home, page, event, codes_of(home, event)[0])
    page.click("#keep")
    tap(page, "white", 3)
    wait_for(page, home, event, [3])
    network = Network(page)
    for side, hole in (("black", 4), ("white", 9), ("black", 5)):
        tap(page, side, hole)
    expect(page.locator("#waiting")).to_be_visible()
    assert on_sheet(home, event) == [3]
    page.reload()
    page.wait_for_selector("#sheet[data-ready]")
    expect(page.locator("#turns td span")).to_have_count(4)
    network.away = False
    wait_for(page, home, event, [3, 4, 9, 5])
    expect(page.locator("#waiting")).to_be_hidden()


def test_the_second_device_is_told_and_takes_over_and_the_first_one_learns_of_it(
    home: House, organiser: str, table: NewTable
) -> None:
    event = event_of(home, "Orozbek", organiser, 8, CUP)
    one, two = (table(address=home.address, expected="409|ERR_", **PHONE).page for _ in range(2))
    code = codes_of(home, event)[0]
    for page in (one, two):
        seated(home, page, event, code)
    one.click("#keep")
    tap(one, "white", 3)
    expect(two.locator("#who-keeps")).to_have_text("Another phone of yours keeps the scoresheet.")
    expect(two.locator(PLAYABLE)).to_have_count(0)
    network = Network(one)
    two.click("#instead")
    tap(two, "black", 4)
    wait_for(two, home, event, [3, 4])
    tap(one, "black", 7)
    network.away = False
    expect(one.locator("#said")).to_contain_text("another device keeps this scoresheet")
    expect(one.locator("#said")).to_contain_text("Not written: 7")
    expect(one.locator("#turns td button")).to_have_text(["32(10)", "43(2)"])
    assert on_sheet(home, event) == [3, 4]


def test_a_sheet_of_another_round_is_another_page_and_takes_nothing_of_this_one(home: House, table: NewTable) -> None:
    at = table(address=home.address, expected="410|ERR_|Failed to load", **PHONE)
    page = at.page
    account = sign_up(home, at, "Rounds")
    event = event_of(home, "Rounds", account, 8, CUP)
    join(home, event, "Rounds", account, DeskRole.ORGANISER)
    sheet_page(home, page, event)
    page.click("#keep")
    tap(page, "white", 3)
    wait_for(page, home, event, [3])
    network = Network(page)
    tap(page, "black", 4)
    expect(page.locator("#waiting")).to_be_visible()
    officer = Officer(account, "Rounds", DeskRole.ORGANISER)
    results = [{"do": "result", "round": 1, "board": board, "result": "1-0"} for board in range(1, 5)]
    home.run(event.act(officer, event.seq, [*results, {"do": "pair", "round": 2, "lot": "b"}]))
    network.away = False
    expect(page.locator("#said")).to_contain_text("Not written: 4.")
    expect(page.locator("#waiting")).to_be_hidden()
    expect(page.locator(PLAYABLE)).to_have_count(0)
    expect(page.locator("#undo")).to_be_hidden()
    page.get_by_role("link", name="Open the page again").click()
    page.wait_for_function("() => JSON.parse(document.getElementById('told').textContent).round === 2")
    page.click("#keep")
    tap(page, "white", 5)
    wait_for(page, home, event, [5])


def test_a_phone_brings_to_a_new_leader_what_the_dead_one_had_acknowledged(
    home: House, organiser: str, table: NewTable
) -> None:
    event = event_of(home, "Orozbek", organiser, 8, CUP)
    page = table(address=home.address, **PHONE).page
    seated(home, page, event, codes_of(home, event)[0])
    page.click("#keep")
    for side, hole in (("white", 3), ("black", 4), ("white", 9)):
        tap(page, side, hole)
    wait_for(page, home, event, [3, 4, 9])
    forget(home, event, 2)  # the keeping and one move are left
    wait_for(page, home, event, [3, 4, 9])


def forget(home: House, event: LiveEvent, lines: int) -> None:
    """Leave only the first lines of the first board, as a server has them that did not get the others."""
    boards: Any = home.app.state.live_boards
    with boards._repository._engine.begin() as connection:
        mine = (board_lines.c.competition == event.event_id) & (board_lines.c.number > lines)
        connection.execute(delete(board_lines).where(mine))
    boards._rounds.clear()


def test_an_official_taps_holes_and_the_readers_page_follows(home: House, organiser: str, table: NewTable) -> None:
    at = table(address=home.address)
    page = at.page
    account = sign_up(home, at, "Keeper")
    event = event_of(home, "Keeper", account, 8, CUP)
    join(home, event, "Keeper", account, DeskRole.ORGANISER)
    home.run(competitions_of(home).show(event, public=True))
    page.goto(f"{home.address}/events/{event.id}/desk/round/1")
    page.click("summary:has-text('Keep a scoresheet')")
    page.click(".chips a:text-is('2')")
    page.wait_for_selector("#sheet[data-ready]")
    page.click("#keep")
    reader = table(address=home.address, **PHONE).page
    reader.goto(f"{home.address}/events/{event.id}/live")
    tap(page, "white", 3)
    tap(page, "black", 4)
    expect(reader.locator("#b2 .live-last")).to_contain_text("1. … 43(2)")
    expect(reader.locator("#b2 .to-move")).to_contain_text("to move")
    for looked in (page, reader):
        for scheme in ("light", "dark"):
            looked.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            assert violations_here(looked) == []
    page.click("#finish")
    assert violations_here(page) == []
    page.click("[data-cause='resignation'][data-winner='white']")
    expect(page.locator("#turn")).to_have_attribute("data-side", "over")
    expect(reader.locator("#b2 .live-end")).to_contain_text("1 (10)")
    page.click("#report button")
    page.wait_for_url("**/desk/round/1*")
    game = event.state.rounds[0].games[1]
    assert game.result is not None
    assert game.result.cause == "resignation"
