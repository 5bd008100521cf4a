"""Games of the server whose engine thinks on the visitor's device, and what happens when it does not."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

from korgool.rules import GAMES
from tests.page.conftest import NewTable, start_server
from tests.page.table import Table, expect
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Request, Route

REPLY = re.compile(r"/api/games/\w+/reply$")


def replies(table: Table) -> list[Request]:
    """The engine's moves that this page sends from now on."""
    found: list[Request] = []
    table.page.on("request", lambda request: found.append(request) if REPLY.search(request.url) else None)
    return found


class Opened:
    """A table whose page tells when its device has offered to think for the engine."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.said: list[str | bytes] = []
        table.page.on("websocket", lambda socket: socket.on("framesent", self.heard))

    def heard(self, said: str | bytes) -> None:
        """What the page has said."""
        self.said.append(said)

    def wait(self) -> None:
        """Wait for the offer, and a moment for the server to read it."""
        until = time.monotonic() + PATIENCE
        while not any("true" in str(said) for said in self.said):
            assert time.monotonic() < until, "no offer"
            self.table.page.wait_for_timeout(50)
        self.table.page.wait_for_timeout(150)


def start(table: Table, game: str = "toguz", **options: Any) -> None:
    """A game whose engine thinks on the device."""
    opened = Opened(table)
    table.start(game, **options)
    opened.wait()


def play(table: Table) -> None:
    """A move of the visitor, and the engine's."""
    ply, hole = table.plies(), table.best()
    table.press(hole)
    table.wait_for_ply(ply + 2)


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that waits ten minutes for a device: a move that comes did not wait for one."""
    process, address = start_server(tmp_path_factory.mktemp("data"), patient=True)
    yield address
    process.terminate()
    process.wait(PATIENCE)


@pytest.mark.parametrize("game", GAMES)
def test_the_device_plays(table: NewTable, game: str) -> None:
    board = table()
    sent = replies(board)
    start(board, game, level=6)
    for _ in range(4):
        if not board.wait_for_turn():
            break
        board.press(board.best())
    board.wait_for_turn()
    moves = board.state()["moves"]
    assert len(sent) == sum(move["side"] == "black" for move in moves) > 0
    board.matches_server()


@pytest.mark.parametrize("lacking", ["Worker", "WebAssembly"])
def test_without_the_means_the_server_plays(table: NewTable, lacking: str) -> None:
    board = table()
    board.page.add_init_script(f"delete globalThis.{lacking};")
    sent = replies(board)
    board.start(clock="10+5")
    for _ in range(3):
        play(board)
        assert board.wait_for_turn()
    assert not sent
    board.matches_server()


def test_an_engine_that_does_not_load(table: NewTable) -> None:
    board = table(expected="ERR_FAILED")
    board.page.route("**/device/worker.js", lambda route: route.abort())
    sent = replies(board)
    board.start()
    play(board)
    assert board.wait_for_turn()
    assert not sent


def test_a_device_that_does_not_answer_is_asked_once(table: NewTable) -> None:
    board = table(expected="409")
    held: list[Route] = []
    start(board, clock="10+5")
    board.page.route(REPLY, lambda route: held.append(route))  # noqa: PLW0108 - playwright marks it
    begun = time.monotonic()
    play(board)
    assert time.monotonic() - begun > 3.9, "the server waits a while, then plays"
    assert board.wait_for_turn()
    play(board)
    assert len(held) == 1, "and does not ask again"
    held[0].continue_()
    board.page.wait_for_timeout(300)
    board.matches_server()


def test_a_refused_move_leaves_the_game_to_the_server(table: NewTable, patient: str) -> None:
    board = table(address=patient, expected="422")
    start(board)

    def spoil(route: Route) -> None:
        data: dict[str, int] = json.loads(route.request.post_data or "")
        route.continue_(post_data=json.dumps({**data, "hole": 77}))

    sent = replies(board)
    board.page.route(REPLY, spoil)
    play(board)  # the server does not wait for more
    assert board.wait_for_turn()
    play(board)
    assert len(sent) == 1
    board.matches_server()


def test_a_tab_that_closes_in_thought(table: NewTable, patient: str) -> None:
    first = table(address=patient)
    start(first)
    other = Table(first.page.context.new_page(), first.address)
    other.page.add_init_script("delete globalThis.Worker;")
    other.page.goto(first.page.url)
    other.ready()
    first.page.route(REPLY, lambda route: None)
    with first.page.expect_request(REPLY):
        first.page.keyboard.press("7")
    first.page.close()
    other.wait_for_ply(2)  # the server does not wait for one who has gone
    assert other.wait_for_turn()
    other.matches_server()


def test_taken_back_while_the_device_thinks(table: NewTable) -> None:
    board = table(expected="409")
    start(board, level=8)
    board.page.keyboard.press("7")
    board.wait_for_ply(1)
    board.page.get_by_role("button", name="Take back").click()
    expect(board.page.locator("#moves button")).to_have_count(0)
    play(board)
    board.matches_server()
    sent = replies(board)
    board.wait_for_turn()
    play(board)
    assert len(sent) == 1, "the device thinks on"
