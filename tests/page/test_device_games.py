"""Games of the server whose engine thinks on the visitor's device, and what happens when it does not."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from korgool.rules import GAMES
from tests.page.conftest import NewTable, start_server
from tests.page.table import Table, expect
from tests.patience import PATIENCE
from tests.slices import drawn

if TYPE_CHECKING:
    from playwright.sync_api import WebSocketRoute

REPLY = re.compile(r"/api/games/\w+/reply$")


class Device:
    """What a page says about thinking for the engine, on its way to the server.

    Attributes:
        replies: the engine's moves that it has sent.
        passes: makes of such a message the one that the server gets, or None for none.
    """

    def __init__(self, table: Table, passes: Callable[[str], str | None] = str) -> None:
        self.table = table
        self.passes = passes
        self.replies: list[str] = []
        self._offered = False
        self._servers: list[WebSocketRoute] = []
        table.page.route_web_socket(re.compile("/live"), self._route)

    def _route(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        self._servers.append(server)

        def pass_on(said: str | bytes) -> None:
            text: str | None = str(said)
            self._offered = self._offered or '"thinks":true' in str(said)
            if '"do":"reply"' in str(said):
                self.replies.append(str(said))
                text = self.passes(str(said))
            if text is not None:
                server.send(text)

        socket.on_message(pass_on)

    def send(self, said: str) -> None:
        """Send something in its name."""
        self._servers[-1].send(said)

    def wait(self) -> None:
        """Wait for the offer to think, and a moment for the server to read it."""
        until = time.monotonic() + PATIENCE
        while not self._offered:
            assert time.monotonic() < until, "no offer"
            self.table.page.wait_for_timeout(50)
        self.table.page.wait_for_timeout(150)


def start(table: Table, game: str = "toguz", passes: Callable[[str], str | None] = str, **options: Any) -> Device:
    """A game whose engine thinks on the device."""
    device = Device(table, passes)
    table.start(game, **options)
    device.wait()
    return device


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


@pytest.mark.parametrize("game", drawn("the device plays", GAMES, 2))
def test_the_device_plays(table: NewTable, game: str) -> None:
    board = table()
    device = start(board, game, level=6)
    for _ in range(3):
        if not board.play():
            break
    moves = board.state()["moves"]
    assert len(device.replies) == sum(move["side"] == "black" for move in moves) > 0
    board.matches_server()


@pytest.mark.parametrize("lacking", ["Worker", "WebAssembly"])
def test_without_the_means_the_server_plays(table: NewTable, lacking: str) -> None:
    board = table()
    board.page.add_init_script(f"delete globalThis.{lacking};")
    device = Device(board)
    board.start(clock="10+5")
    for _ in range(2):
        play(board)
        assert board.wait_for_turn()
    assert not device.replies
    board.matches_server()


def test_an_engine_that_does_not_load(table: NewTable) -> None:
    board = table(expected="ERR_FAILED")
    board.page.route("**/device/engine_worker.js", lambda route: route.abort())
    device = Device(board)
    board.start()
    play(board)
    assert board.wait_for_turn()
    assert not device.replies


def test_a_device_that_does_not_answer_is_asked_once(table: NewTable) -> None:
    board = table()
    board.page.route(REPLY, lambda route: None)  # the other way to send it
    device = start(board, passes=lambda _: None, clock="10+5")
    begun = time.monotonic()
    play(board)
    assert time.monotonic() - begun > 3.9, "the server waits a while, then plays"
    assert board.wait_for_turn()
    play(board)
    assert len(device.replies) == 1, "and does not ask again"
    device.send(device.replies[0])
    board.page.wait_for_timeout(300)
    board.matches_server()


def test_a_refused_move_leaves_the_game_to_the_server(table: NewTable, patient: str) -> None:
    board = table(address=patient)
    device = start(board, passes=lambda said: re.sub(r'"hole":\d', '"hole":77', said))
    play(board)  # the server does not wait for more
    assert board.wait_for_turn()
    play(board)
    assert len(device.replies) == 1
    board.matches_server()


def test_a_tab_that_closes_in_thought(table: NewTable, patient: str) -> None:
    first = table(address=patient)
    device = start(first, passes=lambda _: None)
    other = Table(first.page.context.new_page(), first.address)
    other.page.add_init_script("delete globalThis.Worker;")
    other.page.goto(first.page.url)
    other.ready()
    first.page.keyboard.press("7")
    until = time.monotonic() + PATIENCE
    while not device.replies:
        assert time.monotonic() < until, "no reply"
        first.page.wait_for_timeout(50)
    first.page.close()
    other.wait_for_ply(2)  # the server does not wait for one who has gone
    assert other.wait_for_turn()
    other.matches_server()


def test_taken_back_while_the_device_thinks(table: NewTable) -> None:
    board = table(expected="status of 409")  # of a reply that was on its way when the move was taken back
    device = start(board, level=8)
    board.page.keyboard.press("7")
    board.wait_for_ply(1)
    board.page.get_by_role("button", name="Take back").click()
    expect(board.page.locator("#moves button")).to_have_count(0)
    play(board)
    board.matches_server()
    board.wait_for_turn()
    before = len(device.replies)
    play(board)
    assert len(device.replies) == before + 1, "the device thinks on"
