"""The first page: one tap to a game, a board that lives, the sheet, and what is left without a network."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from korgool.app.server.play.moving_boards import motion
from korgool.rules import GAMES
from tests.page.conftest import DESK, PHONE, NewTable
from tests.page.people import House, house
from tests.page.table import PLAYABLE, Table, expect

SMALL = PHONE | {"viewport": {"width": 360, "height": 640}}
WAY = ".way:has(#play-now)"
MOVED = "before => [...document.querySelectorAll('.living .count')].map((one) => one.textContent).join() !== before"


def test_from_nothing_to_the_first_move_with_one_tap_and_the_hole(table: NewTable) -> None:
    board = table(SMALL)
    page = board.page
    page.goto(board.address)
    expect(page.locator(WAY)).to_contain_text(re.compile(r"Play now\s+Kulun · about 500"))
    page.locator(WAY).tap()
    board.ready()
    page.locator(PLAYABLE).first.tap()
    board.wait_for_ply(1)
    assert (board.state()["level"], board.state()["game"]) == (1, "toguz")


def test_one_tap_begins_the_last_game_again_and_the_game_is_remembered(table: NewTable) -> None:
    board = table(SMALL)
    page = board.page
    board.start("mangala", "black", 3)
    page.goto(board.address)
    expect(page.locator(".tabs [aria-current]")).to_have_text("Mangala")
    expect(page.locator(WAY)).to_contain_text("Kunan · level 3")
    page.get_by_role("navigation", name="Game").get_by_role("link", name="Bestemshe").tap()
    expect(page).to_have_url(re.compile("game=bestemshe"))
    page.goto(board.address)
    expect(page.locator(".tabs [aria-current]")).to_have_text("Bestemshe")
    page.locator(WAY).tap()
    board.ready()
    state = board.state()
    assert (state["game"], state["level"], state["you"]) == ("bestemshe", 3, "black")
    page.goto(board.address)
    expect(page.get_by_role("region", name="Your games").get_by_role("listitem")).to_have_count(2)


def answered(board: Table, *games: str) -> None:
    """Let the device have answered the puzzles of the day."""
    value = f"{datetime.now(UTC).date()}.{'-'.join(games or GAMES)}.3"
    board.page.context.add_cookies([{"name": "puzzle", "value": value, "url": board.address}])


def test_the_puzzle_of_the_day_is_the_board_until_it_is_answered(quiet_site: str, table: NewTable) -> None:
    board = table(SMALL, address=quiet_site, reduced_motion="reduce")
    page = board.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(board.address)
    living = page.locator(".living")
    expect(living.locator(".title")).to_have_text("Puzzle of the day")
    expect(living.locator("button")).to_have_count(0)
    before = living.locator("svg.board").bounding_box()
    page.wait_for_timeout(1500)
    assert living.locator("svg.board").bounding_box() == before
    assert not [url for url in asked if "living_board" in url or "living-board" in url]
    living.locator("a").tap()
    expect(page).to_have_url(re.compile("/puzzle\\?game=toguz"))
    page.get_by_role("button", name="Show the answer").click()
    expect(page.locator("#next")).to_be_visible(timeout=30_000)
    page.goto(board.address)
    # The answer was shown, so there is no row of days; the board goes on to a game, of another game it is its puzzle.
    expect(page.get_by_role("region", name="Puzzle of the day")).to_contain_text("Solved today")
    expect(living.locator(".note")).to_have_text("a game from the archive")
    page.goto(f"{board.address}/?game=mangala")
    expect(living.locator(".title")).to_have_text("Puzzle of the day")
    answered(board, "mangala")
    page.reload()
    expect(page.get_by_role("region", name="Puzzle of the day")).to_contain_text("3 days in a row.")


def test_without_scripts_the_puzzle_is_one_tap_away(table: NewTable) -> None:
    page = table(SMALL, java_script_enabled=False).page
    page.goto(f"{table(SMALL).address}/?game=castle")
    expect(page.locator(".living a")).to_have_attribute("href", "/puzzle?game=castle")
    expect(page.locator(".living .note")).to_contain_text("Every other")


@pytest.fixture
def quiet_site(tmp_path: Path) -> Iterator[str]:
    """The address of a site where nobody plays: of the shared one the first page may show a game of another test."""
    with house(tmp_path) as one:
        yield one.address


def test_a_stored_game_plays_itself_and_stops(quiet_site: str, table: NewTable) -> None:
    board = table(DESK, address=quiet_site)
    page = board.page
    answered(board)
    page.goto(board.address)
    counts = page.locator(".living .count")
    first = counts.all_text_contents()
    page.wait_for_function(MOVED, arg=",".join(first))
    toggle = page.locator(".living button")
    toggle.click()
    expect(toggle).to_have_accessible_name("Show the moves")
    stopped = counts.all_text_contents()
    assert sum(int(count or 0) for count in stopped) == 162
    page.wait_for_timeout(2500)
    assert counts.all_text_contents() == stopped
    toggle.click()
    page.wait_for_function(MOVED, arg=",".join(stopped))


def test_it_stands_still_where_motion_is_reduced(quiet_site: str, table: NewTable) -> None:
    board = table(DESK, address=quiet_site, reduced_motion="reduce")
    page = board.page
    answered(board)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(board.address)
    expect(page.locator(".living button")).to_be_hidden()
    page.wait_for_timeout(1500)
    assert not [url for url in asked if "living-board" in url]


def test_the_board_follows_a_game_that_goes_on(table: NewTable, tmp_path: Path) -> None:
    house = House(tmp_path)
    try:
        ann, bob, guest = (table(address=house.address) for _ in range(3))
        ann.page.goto(house.seat(ann, bob, "bestemshe", "10+5"))
        bob.page.goto(ann.page.url)
        for one, ply in ((ann, 1), (bob, 2)):
            one.ready()
            one.page.locator(PLAYABLE).first.click()
            one.wait_for_ply(ply)
        page = guest.page
        answered(guest)
        page.goto(f"{house.address}/?game=bestemshe")
        living = page.locator(".living")
        expect(living.locator(".title")).to_have_text(re.compile(r"Guest \d+ – Guest \d+"))
        expect(living.locator("a")).to_have_attribute("href", ann.page.url.removeprefix(house.address))
        expect(page.get_by_role("region", name="Live now").get_by_role("listitem")).to_have_count(1)
        before = living.locator(".count").all_text_contents()
        ann.page.locator(PLAYABLE).last.click()
        ann.wait_for_ply(3)
        page.wait_for_function(MOVED, arg=",".join(before))
        # Another game is told of without a move; a stop in the middle of one shows its end.
        told = {"id": "AbCdEfGhIjKl", "title": "Others", "note": "", "over": False}
        start = GAMES["bestemshe"].start()
        sowing = start.sow(1)
        answers = [
            {**told, "ply": 0, "motion": json.loads(motion(start, []))},
            {**told, "ply": 1, "motion": json.loads(motion(start, [sowing]))},
        ]
        page.route(re.compile(r"/living-board\?"), lambda route: route.fulfill(json=answers.pop(0) if answers else {}))
        expect(living.locator(".title")).to_have_text("Others")
        shown = living.locator(".hole .count")
        assert shown.all_text_contents() == ["5"] * 10
        page.wait_for_function(MOVED, arg=",".join(living.locator(".count").all_text_contents()))
        living.locator("button").click()
        assert sorted(shown.all_text_contents()) == sorted(str(stones) for row in sowing.after.holes for stones in row)
        answered(ann)
        ann.page.goto(house.address)  # who plays is shown another board
        expect(ann.page.locator(".living .note")).to_have_text("a game from the archive")
    finally:
        for one in (ann, bob, guest):
            one.page.close()
        house.stop()


@pytest.mark.parametrize("size", [DESK, SMALL])
def test_the_form_is_a_sheet_and_without_scripts_a_page(table: NewTable, size: dict[str, object]) -> None:
    board = table(size)
    page = board.page
    page.goto(board.address)
    sheet = page.get_by_role("dialog", name="New game")
    expect(sheet).to_be_hidden()
    page.locator("#other-game").click()
    expect(sheet).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    page.locator("#other-game").click()
    sheet.get_by_role("button", name="Close").click()
    expect(sheet).to_be_hidden()
    page.locator("#other-game").click()
    sheet.locator("label:has(input[name=level][value='2'])").click()
    sheet.get_by_role("button", name="Start the game").click()
    board.ready()
    assert board.state()["level"] == 2
    plain = table(size, java_script_enabled=False).page
    plain.goto(board.address)
    expect(plain.locator(".living button")).to_be_hidden()
    plain.locator("#other-game").click()
    expect(plain.get_by_role("heading", level=1)).to_have_text("New game")


def test_without_a_network_friends_are_greyed_with_the_reason(table: NewTable) -> None:
    board = table(SMALL, expected="ERR_INTERNET_DISCONNECTED")  # what a page asks meanwhile
    page = board.page
    page.goto(board.address)
    friend, why = page.locator("#friend"), page.locator("#no-network")
    expect(why).to_be_hidden()
    page.context.set_offline(True)
    expect(why).to_be_visible()
    expect(friend).to_have_attribute("aria-disabled", "true")
    friend.click(force=True)
    assert page.url.rstrip("/") == board.address
    page.context.set_offline(False)
    expect(why).to_be_hidden()
    friend.tap()
    expect(page).to_have_url(re.compile("/friend"))
