"""A choice counts only for the position that the player sees at rest: double taps, held keys, a tap amid stones."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from tests.conftest import SEED
from tests.page.analysis import Board
from tests.page.conftest import PHONE, NewTable
from tests.page.table import PLAYABLE, Table, expect

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


class Finger:
    """A finger on a page with a touch screen."""

    def __init__(self, page: Page) -> None:
        self.devtools = page.context.new_cdp_session(page)

    def _touch(self, kind: str, moment: float | None, *points: dict[str, float]) -> None:
        # The page sees the moment that is told, however late a busy machine delivers the touch.
        told = {"type": kind, "touchPoints": list(points), "timestamp": moment or time.time()}
        self.devtools.send("Input.dispatchTouchEvent", told)

    def down(self, target: Locator, moment: float | None = None) -> None:
        """Touch the middle of something."""
        box = target.bounding_box()
        assert box is not None
        self._touch("touchStart", moment, {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2})

    def up(self, moment: float | None = None) -> None:
        """Let go."""
        self._touch("touchEnd", moment)

    def tap_twice(self, target: Locator, apart_ms: int) -> None:
        """A double tap: from the first touch to the second so many milliseconds."""
        first = time.time()
        self.down(target, first)
        self.up(first + 0.03)
        second = first + apart_ms / 1000
        time.sleep(max(0.0, second - time.time()))
        self.down(target, second)
        self.up(second + 0.03)


def hold(page: Page, key: str, seconds: float = 0.9) -> None:
    """Hold a key down: it repeats thirty times a second."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        page.keyboard.down(key)
        page.wait_for_timeout(30)
    page.keyboard.up(key)


def own_plies(board: Table) -> int:
    """Plies that the visitor has played, as the server knows them."""
    state = board.state()
    return sum(move["side"] == state["you"] for move in state["moves"])


SPEEDS, GAPS_MS = ["off", "fast", "normal"], [80, 190, 300]


@pytest.mark.parametrize(
    ("speed", "gaps_ms"),
    [*zip(SPEEDS, ([gap] for gap in GAPS_MS[SEED % 3 :] + GAPS_MS[: SEED % 3]), strict=True)]
    + [pytest.param(speed, GAPS_MS, marks=pytest.mark.long) for speed in SPEEDS],
)
def test_a_double_tap_sows_once(table: NewTable, speed: str, gaps_ms: list[int]) -> None:
    board = table(PHONE)
    finger = Finger(board.page)
    board.start("toguz", speed=speed)
    for turn, apart in enumerate(gaps_ms, 1):
        assert board.wait_for_turn()
        finger.tap_twice(board.hole(board.best()), apart)
        board.wait_for_ply(2 * turn)
        assert board.wait_for_turn()
        assert own_plies(board) == turn, f"{apart} ms"
    board.matches_server()


def test_a_double_tap_does_not_take_the_extra_turn(table: NewTable) -> None:
    board = table(PHONE)
    finger = Finger(board.page)
    for apart in (80, 250):
        board.start("mangala", speed="off")
        previews: dict[str, dict[str, Any]] = board.state()["previews"]
        hole = next(int(hole) for hole, told in previews.items() if told["extra_turn"])
        finger.tap_twice(board.hole(hole), apart)
        board.wait_for_ply(1)
        assert board.wait_for_turn()
        assert own_plies(board) == 1
        # What is meant for the position that is seen counts.
        board.page.locator(PLAYABLE).last.tap()
        board.wait_for_ply(2)
        assert own_plies(board) == 2


def test_a_held_key_sows_once(table: NewTable) -> None:
    board = table()
    board.start("toguz", speed="off")
    hold(board.page, "5")
    assert board.wait_for_turn()
    assert own_plies(board) == 1
    board.hole(board.best()).focus()
    hold(board.page, "Enter")
    board.wait_for_ply(4)
    assert board.wait_for_turn()
    assert own_plies(board) == 2


def test_a_finger_that_went_down_while_stones_moved(table: NewTable) -> None:
    """It lets go over a position that it has not chosen for."""
    board = table(PHONE)
    finger = Finger(board.page)
    board.start("toguz", speed="slow")
    board.hole(7).tap()
    board.page.locator("korgool-board[data-moving]").wait_for()
    finger.down(board.hole(3))
    board.wait_for_ply(2)
    assert board.wait_for_turn()
    finger.up()
    expect(board.page.locator(PLAYABLE).first).to_be_visible()
    assert own_plies(board) == 1


def test_the_analysis_board_sows_once(table: NewTable) -> None:
    board = Board(table(PHONE), "#game=toguz", **{"engine-on": "off"})
    page = board.page
    Finger(page).tap_twice(board.hole("white", 7), 150)
    expect(page.locator("#tree .ply")).to_have_count(1)
    page.locator(PLAYABLE).first.wait_for()
    hold(page, "5")
    page.locator(PLAYABLE).first.wait_for()
    expect(page.locator("#tree .ply")).to_have_count(2)
